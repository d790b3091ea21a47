/* SPDX-License-Identifier: MIT */
/* information.h -- -h, --help, --version, lists of devices and strategies */

#ifndef GPUHIST_INFORMATION_H
#define GPUHIST_INFORMATION_H

#include "cli/messages.h"
#include "cli/options.h"
#include "hist/spec.h"

/*
 * Print the answer to an action other than ACTION_COUNT to standard output.
 * Only ACTION_LIST_STRATEGIES needs SPEC.  Returns the exit status.
 */
enum exit_status information_put(const struct options *options,
                                 const struct spec *spec,
                                 struct messages *messages);

#endif
