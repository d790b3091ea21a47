/* SPDX-License-Identifier: MIT */
/*
 * driver_end.h -- a driver that ends the process, or prevents its end
 *
 * A driver may call exit() or abort(), or crash, in any of its calls and in any
 * thread.  exit() alone never ends a run: unless main() returns, the process
 * ends with a message and the status EXIT_NO_DEVICE.
 *
 * If the CPU could finish, and all inputs can be read again, the process starts
 * this program again instead, without devices: after execve() the memory has no
 * trace of the driver.  The process, its descriptors and its command line stay
 * the same.
 *
 * The state is static, because a handler gets no argument.
 */

#ifndef GPUHIST_DRIVER_END_H
#define GPUHIST_DRIVER_END_H

#include <stdbool.h>

#include "base/error.h"
#include "base/output.h"
#include "cli/options.h"
#include "cli/status_line.h"
#include "input/read/inputs.h"

/*
 * Guard the process from now on.  OUTPUTS has the temporary files to remove,
 * and LINE is erased; both may be all 0 until opened.  ARGV is the argument of
 * main().  Call this in main(), after signals_start().  Returns whether this
 * process was started again: then no device may be used.
 */
bool driver_end_guard(struct outputs *outputs, struct status_line *line,
                      char **argv);

/*
 * If OPTIONS and INPUTS allow this, restart the process from now on when a
 * driver ends the process.  Returns whether they do.
 */
bool driver_end_allow_restart(const struct options *options,
                              const struct inputs *inputs);

/* No longer: no device is used. */
void driver_end_forbid_restart(void);

/* All is counted, and output starts: from now on no driver is needed. */
void driver_end_start_output(void);

/* All is printed: the process ends with STATUS, whoever ends the process. */
void driver_end_settle(enum exit_status status);

/* Call this as main() returns STATUS.  Returns STATUS. */
int driver_end_return(enum exit_status status);

/*
 * A driver called abort() in a thread, which has stopped: start the process
 * again, or end the process with the message WHY.  Returns if main() goes on
 * without that driver.
 */
void driver_end_after_abort(const char *why);

/*
 * Bound the time of the driver calls that follow: a driver may hang, and no
 * watchdog watches these calls.  The process ends after SECONDS with STATUS and
 * the message TEXT; SECONDS of 0 means no bound.  TEXT is NULL once all
 * messages are printed: then the process ends at once if no thread can be
 * started.
 */
void driver_end_bound(double seconds, enum exit_status status,
                      const char *text);

#endif
