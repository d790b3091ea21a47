/* clock.h -- time that goes on steadily, whatever the wall's clock does */

#ifndef GPUHIST_CLOCK_H
#define GPUHIST_CLOCK_H

#include <pthread.h>
#include <time.h>

/* Seconds since some moment in the past. */
double clock_now(void);

/* The moment in so many SECONDS, for pthread_cond_timedwait(). */
struct timespec clock_after(double seconds);

/* SECONDS, not negative, as a length of time. */
struct timespec clock_length(double seconds);

/* Initialise COND; waits for it end at such moments. */
void clock_cond_init(pthread_cond_t *cond);

#endif
