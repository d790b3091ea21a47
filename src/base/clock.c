/* SPDX-License-Identifier: MIT */
/* clock.c -- the monotonic clock, which is never set, and processor time */

#include "base/clock.h"

#define NANOSECONDS 1000000000L

static double
seconds_of(clockid_t clock)
{
    struct timespec time;

    clock_gettime(clock, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / NANOSECONDS;
}

double
clock_now(void)
{
    return seconds_of(CLOCK_MONOTONIC);
}

double
clock_busy(void)
{
    return seconds_of(CLOCK_PROCESS_CPUTIME_ID);
}

struct timespec
clock_length(double seconds)
{
    time_t whole = (time_t)seconds;

    return (struct timespec){
        .tv_sec = whole,
        .tv_nsec = (long)((seconds - (double)whole) * NANOSECONDS),
    };
}

struct timespec
clock_after(double seconds)
{
    struct timespec length = clock_length(seconds);
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    time.tv_sec += length.tv_sec;
    time.tv_nsec += length.tv_nsec;
    if (time.tv_nsec >= NANOSECONDS) {
        time.tv_nsec -= NANOSECONDS;
        time.tv_sec++;
    }
    return time;
}

void
clock_cond_init(pthread_cond_t *cond)
{
    pthread_condattr_t attributes;

    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(cond, &attributes);
    pthread_condattr_destroy(&attributes);
}
