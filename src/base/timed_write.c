/* SPDX-License-Identifier: MIT */
/* timed_write.c -- write() with a time limit */

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <time.h>
#include <unistd.h>

#include "base/timed_write.h"

/* Some versions of glibc do not define it. */
#ifndef sigev_notify_thread_id
#    define sigev_notify_thread_id _sigev_un._tid
#endif

/* The time limit of write() after poll() has found room. */
#define WRITE_NANOSECONDS 100000000L

/*
 * A timer that expires just before write() starts has no effect, so the timer
 * expires repeatedly.
 */
#define REPEAT_NANOSECONDS 10000000L

static void
do_nothing(int signal)
{
    (void)signal;
}

/* Start to interrupt this thread.  Returns false: no timer is available. */
static bool
start_timer(timer_t *timer)
{
    struct sigaction action = {.sa_handler = do_nothing}; /* no SA_RESTART */
    struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID,
                             .sigev_signo = SIGURG};
    const struct itimerspec times = {
        .it_value.tv_nsec = WRITE_NANOSECONDS,
        .it_interval.tv_nsec = REPEAT_NANOSECONDS,
    };

    sigaction(SIGURG, &action, NULL);
    event.sigev_notify_thread_id = gettid();
    if (timer_create(CLOCK_MONOTONIC, &event, timer) < 0)
        return false;
    (void)timer_settime(*timer, 0, &times, NULL);
    return true;
}

int
timed_write(int fd, const void *data, size_t size, int milliseconds)
{
    struct pollfd poll_fd = {.fd = fd, .events = POLLOUT};
    timer_t timer;
    sigset_t urgent;
    sigset_t before;

    if (poll(&poll_fd, 1, milliseconds) != 1)
        return -1;
    sigemptyset(&urgent);
    sigaddset(&urgent, SIGURG);
    pthread_sigmask(SIG_UNBLOCK, &urgent, &before);
    bool has_timer = start_timer(&timer);
    ssize_t written = write(fd, data, size);
    if (has_timer)
        timer_delete(timer);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return written == (ssize_t)size ? 0 : -1;
}
