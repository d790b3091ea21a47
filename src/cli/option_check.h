/* option_check.h -- which options go together */

#ifndef GPUHIST_OPTION_CHECK_H
#define GPUHIST_OPTION_CHECK_H

#include "cli/options.h"
#include "util/error.h"

/*
 * Refuse combinations in which an option would have no effect, or that make no
 * sense.  Returns 0, or -1 with *ERROR set.
 */
int option_check(const struct options *options, struct error *error);

#endif
