/* SPDX-License-Identifier: MIT */
/* passes.h -- count inputs, and print the result */

#ifndef GPUHIST_PASSES_H
#define GPUHIST_PASSES_H

#include "cli/messages.h"
#include "cli/options.h"
#include "cli/signals.h"

/*
 * Count all inputs of OPTIONS and print the result, or list the strategies for
 * them.  Returns the exit status, or exits where closing a driver may hang.
 */
enum exit_status passes_run(const struct options *options,
                            struct signals *signals, struct messages *messages);

#endif
