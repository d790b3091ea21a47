/* SPDX-License-Identifier: MIT */
/* clock.h -- the monotonic clock, which is never set, and processor time */

#ifndef GPUHIST_CLOCK_H
#define GPUHIST_CLOCK_H

#include <pthread.h>
#include <time.h>

/* Returns the seconds since an arbitrary time in the past. */
double clock_now(void);

/* Returns the seconds that all threads of this process have run. */
double clock_busy(void);

/* Returns the time in SECONDS from now, for pthread_cond_timedwait(). */
struct timespec clock_after(double seconds);

/* Returns SECONDS, not negative, as a duration. */
struct timespec clock_length(double seconds);

/* Initialise COND for timed waits until a time of clock_after(). */
void clock_cond_init(pthread_cond_t *cond);

#endif
