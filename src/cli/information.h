/* information.h -- --help, --version and the lists of devices, strategies */

#ifndef GPUHIST_INFORMATION_H
#define GPUHIST_INFORMATION_H

#include <stdio.h>

#include "cli/messages.h"
#include "cli/options.h"
#include "hist/spec.h"

/* Print the text of --help to OUT.  The caller checks OUT for errors. */
void information_put_help(FILE *out);

/*
 * Print the answer to an action other than ACTION_COUNT to standard output.
 * Only ACTION_LIST_STRATEGIES needs SPEC.  Returns the exit status.
 */
enum exit_status information_put(const struct options *options,
                                 const struct spec *spec,
                                 struct messages *messages);

#endif
