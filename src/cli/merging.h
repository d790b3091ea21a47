/* SPDX-License-Identifier: MIT */
/*
 * merging.h -- --merge: add up states, and print the sum as a run does
 *
 * The states say what was counted: the spec is made again from the options of
 * the first state, and all other states must have the same spec.
 */

#ifndef GPUHIST_MERGING_H
#define GPUHIST_MERGING_H

#include "base/error.h"
#include "cli/messages.h"
#include "cli/options.h"
#include "cli/signals.h"

/*
 * Add up the states in the files that OPTIONS name, and print the sum.  Returns
 * the exit status.
 */
enum exit_status merging_run(const struct options *options,
                             struct signals *signals,
                             struct messages *messages);

#endif
