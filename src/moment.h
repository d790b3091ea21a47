/* moment.h -- time that goes on steadily, whatever the wall's clock does */

#ifndef GPUHIST_MOMENT_H
#define GPUHIST_MOMENT_H

#include <pthread.h>
#include <time.h>

/* Seconds since some moment in the past. */
double moment_now(void);

/* The moment in so many SECONDS, for pthread_cond_timedwait(). */
struct timespec moment_after(double seconds);

/* SECONDS, not negative, as a length of time. */
struct timespec moment_length(double seconds);

/* Initialise COND; waits for it end at such moments. */
void moment_cond_init(pthread_cond_t *cond);

#endif
