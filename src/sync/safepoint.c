/* SPDX-License-Identifier: MIT */
/* safepoint.c -- a thread stops all threads that use shared data */

#include "sync/safepoint.h"

void
safepoint_open(struct safepoint *safepoint)
{
    *safepoint = (struct safepoint){0};
    pthread_mutex_init(&safepoint->lock, NULL);
    pthread_cond_init(&safepoint->changed, NULL);
}

void
safepoint_close(struct safepoint *safepoint)
{
    pthread_cond_destroy(&safepoint->changed);
    pthread_mutex_destroy(&safepoint->lock);
}

/* Under the lock. */
static void
enter(struct safepoint *safepoint)
{
    while (atomic_load(&safepoint->is_stopped))
        pthread_cond_wait(&safepoint->changed, &safepoint->lock);
    safepoint->inside++;
}

/* Under the lock. */
static void
leave(struct safepoint *safepoint)
{
    if (--safepoint->inside == 0 && atomic_load(&safepoint->is_stopped))
        pthread_cond_broadcast(&safepoint->changed);
}

void
safepoint_enter(struct safepoint *safepoint)
{
    pthread_mutex_lock(&safepoint->lock);
    enter(safepoint);
    pthread_mutex_unlock(&safepoint->lock);
}

void
safepoint_leave(struct safepoint *safepoint)
{
    pthread_mutex_lock(&safepoint->lock);
    leave(safepoint);
    pthread_mutex_unlock(&safepoint->lock);
}

bool
safepoint_stop(struct safepoint *safepoint)
{
    pthread_mutex_lock(&safepoint->lock);
    bool is_alone = !atomic_load(&safepoint->is_stopped);
    if (is_alone) {
        atomic_store(&safepoint->is_stopped, true);
        safepoint->inside--;
        while (safepoint->inside > 0)
            pthread_cond_wait(&safepoint->changed, &safepoint->lock);
    } else {
        leave(safepoint);
        enter(safepoint);
    }
    pthread_mutex_unlock(&safepoint->lock);
    return is_alone;
}

void
safepoint_resume(struct safepoint *safepoint)
{
    pthread_mutex_lock(&safepoint->lock);
    atomic_store(&safepoint->is_stopped, false);
    safepoint->inside++;
    pthread_cond_broadcast(&safepoint->changed);
    pthread_mutex_unlock(&safepoint->lock);
}
