/* thread.h -- threads with enough stack */

#ifndef GPUHIST_THREAD_H
#define GPUHIST_THREAD_H

#include <pthread.h>

/*
 * As pthread_create(), with a stack of at least 1 MiB even if the user's limit
 * is lower.  Returns 0 or an error number.
 */
int thread_start(pthread_t *thread, void *(*function)(void *), void *argument);

#endif
