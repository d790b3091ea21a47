/* SPDX-License-Identifier: MIT */
/*
 * safepoint.h -- a thread stops all threads that use shared data
 *
 * A thread is inside between safepoint_enter() and safepoint_leave().  A thread
 * inside may stop the other threads: it waits until each has left or is in
 * safepoint_pass(), and then is alone until safepoint_resume().  The lone
 * thread can read everything that the stopped threads wrote, and the other way
 * round.
 *
 * No thread inside waits for another thread, except for locks, which no thread
 * keeps in safepoint_pass() or safepoint_stop().
 */

#ifndef GPUHIST_SAFEPOINT_H
#define GPUHIST_SAFEPOINT_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

struct safepoint {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    atomic_uint inside;     /* threads */
    atomic_bool is_stopped; /* changed under the lock */
};

void safepoint_open(struct safepoint *safepoint);
void safepoint_close(struct safepoint *safepoint);

/* Wait while a thread is alone, then be inside. */
void safepoint_enter(struct safepoint *safepoint);

void safepoint_leave(struct safepoint *safepoint);

/*
 * Stop the other threads.  Returns true once this thread is alone; or false if
 * another thread was alone and has resumed: then this thread is inside as
 * before.
 */
bool safepoint_stop(struct safepoint *safepoint);

/* Let the other threads go on; this thread is inside as before. */
void safepoint_resume(struct safepoint *safepoint);

/* A thread inside waits here if another thread has stopped it. */
static inline void
safepoint_pass(struct safepoint *safepoint)
{
    if (atomic_load_explicit(&safepoint->is_stopped, memory_order_relaxed)) {
        safepoint_leave(safepoint);
        safepoint_enter(safepoint);
    }
}

#endif
