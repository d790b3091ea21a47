/* SPDX-License-Identifier: MIT */
/* thread.h -- threads with enough stack, and crews that share one task */

#ifndef GPUHIST_THREAD_H
#define GPUHIST_THREAD_H

#include <pthread.h>

/*
 * As pthread_create(), with a stack of at least 1 MiB even if the user's limit
 * is lower.  Returns 0 or an error number.
 */
int thread_start(pthread_t *thread, void *(*function)(void *), void *argument);

/* ---- crews ---- */

#define CREW_MAX 64

/* Does the share of member MEMBER in TASK. */
typedef void crew_work(void *task, unsigned int member);

/*
 * Call WORK for each of MEMBERS members, 1 to CREW_MAX, at the same time; the
 * calling thread is a member.  Returns when all are done.  If the system
 * refuses a thread, the calling thread does the work of that member, too.
 */
void crew_run(unsigned int members, crew_work *work, void *task);

#endif
