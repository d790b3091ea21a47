/* SPDX-License-Identifier: MIT */
/*
 * driver_abort.h -- survive a driver that calls abort()
 *
 * PoCL calls abort(), in its own thread, if it cannot link a kernel.  The
 * thread stops for good, and the process gets a signal.  So the process can
 * print a message and clean up.
 */

#ifndef GPUHIST_DRIVER_ABORT_H
#define GPUHIST_DRIVER_ABORT_H

#include <signal.h>
#include <stdbool.h>

/*
 * Make abort() send SIGUSR1 to the process.  The thread that receives SIGUSR1
 * calls driver_abort_is_told().  A driver may install its own handler while
 * loading code, so call this function again afterwards.
 */
void driver_abort_guard(void);

/* Returns whether the signal of INFO means that a driver called abort(). */
bool driver_abort_is_told(const siginfo_t *info);

#endif
