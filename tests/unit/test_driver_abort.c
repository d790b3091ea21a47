/* SPDX-License-Identifier: MIT */
/* test_driver_abort.c -- a driver's abort() is told, and nothing else is */

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "../sleeper.h"
#include "../tap.h"
#include "engine/gpu/device/driver_abort.h"

/* No signal takes longer than this, on a busy machine. */
#define SECONDS_MAX 20

static struct sleeper sleeper;

static void *
call_abort(void *argument)
{
    sleeper_start(&sleeper);
    abort();
    return argument;
}

/* Wait for a USR1.  Returns whether it says that a driver called abort(). */
static bool
is_told(const sigset_t *set, siginfo_t *info)
{
    const struct timespec timeout = {.tv_sec = SECONDS_MAX};

    return sigtimedwait(set, info, &timeout) == SIGUSR1 &&
           driver_abort_is_told(info);
}

int
main(void)
{
    pthread_t thread;
    sigset_t set;
    siginfo_t info;

    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    driver_abort_guard();

    /* A signal that is pending already takes in any other of its number. */
    kill(getpid(), SIGUSR1);
    if (pthread_create(&thread, NULL, call_abort, NULL) != 0)
        abort();
    ok(sleeper_waits(&sleeper), "a thread that calls abort() stays there");
    ok(!is_told(&set, &info), "a USR1 from elsewhere is none of ours");
    ok(is_told(&set, &info), "but ours comes, too");
    return done_testing();
}
