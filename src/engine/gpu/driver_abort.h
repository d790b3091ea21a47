/*
 * driver_abort.h -- a driver that calls abort()
 *
 * PoCL does where it cannot link a kernel, in a thread of its own.  The thread
 * that calls it stays where it is for good, and the process is told, so that it
 * can say why it ends, and clean up.
 */

#ifndef GPUHIST_DRIVER_ABORT_H
#define GPUHIST_DRIVER_ABORT_H

#include <signal.h>
#include <stdbool.h>

/*
 * From now on abort() sends SIGUSR1 to the process; whoever waits for that one
 * is to ask driver_abort_is_told().  A driver may have put a handler of its own
 * in place of this one: so call it again when it has loaded more.
 */
void driver_abort_guard(void);

/* Whether the signal of INFO says that a driver has called abort(). */
bool driver_abort_is_told(const siginfo_t *info);

#endif
