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
 * Call WORK for each of MEMBERS members, 1 to CREW_MAX, at the same time; this
 * thread is one of them.  Returns when all are done.  This thread also does the
 * work of a member that the system refuses a thread for.
 */
void crew_run(unsigned int members, crew_work *work, void *task);

#endif
