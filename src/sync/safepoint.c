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

/*
 * The lock is only for who stops, or is stopped: all threads come by for each
 * chunk.  A thread counts itself as inside before it looks whether others are
 * stopped, and the thread that stops them says so before it looks who is
 * inside: so at least one of both sees the other.
 */

void
safepoint_enter(struct safepoint *safepoint)
{
    atomic_fetch_add(&safepoint->inside, 1);
    while (atomic_load(&safepoint->is_stopped)) {
        safepoint_leave(safepoint);
        pthread_mutex_lock(&safepoint->lock);
        while (atomic_load(&safepoint->is_stopped))
            pthread_cond_wait(&safepoint->changed, &safepoint->lock);
        pthread_mutex_unlock(&safepoint->lock);
        atomic_fetch_add(&safepoint->inside, 1);
    }
}

void
safepoint_leave(struct safepoint *safepoint)
{
    bool is_last = atomic_fetch_sub(&safepoint->inside, 1) == 1;

    if (!is_last || !atomic_load(&safepoint->is_stopped))
        return;
    pthread_mutex_lock(&safepoint->lock);
    pthread_cond_broadcast(&safepoint->changed);
    pthread_mutex_unlock(&safepoint->lock);
}

bool
safepoint_stop(struct safepoint *safepoint)
{
    pthread_mutex_lock(&safepoint->lock);
    bool is_alone = !atomic_load(&safepoint->is_stopped);
    if (is_alone) {
        atomic_store(&safepoint->is_stopped, true);
        atomic_fetch_sub(&safepoint->inside, 1);
        while (atomic_load(&safepoint->inside) > 0)
            pthread_cond_wait(&safepoint->changed, &safepoint->lock);
    }
    pthread_mutex_unlock(&safepoint->lock);
    if (!is_alone) {
        safepoint_leave(safepoint);
        safepoint_enter(safepoint);
    }
    return is_alone;
}

void
safepoint_resume(struct safepoint *safepoint)
{
    pthread_mutex_lock(&safepoint->lock);
    atomic_fetch_add(&safepoint->inside, 1);
    atomic_store(&safepoint->is_stopped, false);
    pthread_cond_broadcast(&safepoint->changed);
    pthread_mutex_unlock(&safepoint->lock);
}
