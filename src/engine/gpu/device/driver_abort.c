/* SPDX-License-Identifier: MIT */
/* driver_abort.c -- survive a driver that calls abort() */

#include <time.h>
#include <unistd.h>

#include "engine/gpu/device/driver_abort.h"

/* The value of the signal; other processes may send SIGUSR1, too. */
#define ABORTED 0x61626f72

static void
tell(int signal)
{
    const union sigval value = {.sival_int = ABORTED};
    const struct timespec interval = {.tv_nsec = 10000000};

    (void)signal;
    /*
     * If this function returned, abort() would end the process.  The signal is
     * lost while another USR1 is pending, so send USR1 until the process ends.
     */
    for (;;) {
        sigqueue(getpid(), SIGUSR1, value);
        nanosleep(&interval, NULL);
    }
}

void
driver_abort_guard(void)
{
    struct sigaction action = {.sa_handler = tell};

    sigemptyset(&action.sa_mask);
    sigaction(SIGABRT, &action, NULL);
}

bool
driver_abort_is_told(const siginfo_t *info)
{
    return info->si_signo == SIGUSR1 && info->si_code == SI_QUEUE &&
           info->si_pid == getpid() && info->si_value.sival_int == ABORTED;
}
