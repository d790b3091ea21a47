/* SPDX-License-Identifier: MIT */
/* state_sums.h -- the exact sums of a histogram as a line of a state */

#ifndef GPUHIST_STATE_SUMS_H
#define GPUHIST_STATE_SUMS_H

#include "hist/spec.h"
#include "state/state_lines.h"

/* Add a line for each histogram of SPEC, which has counted, that has exact sums
   of its numbers.  Returns 0, or -1: out of memory. */
int state_sums_describe(const struct spec *spec, struct state_lines *lines);

/*
 * Add the sums of LINES to SUMS, of each histogram of SPEC.  Returns 0, or -1:
 * LINES are not a line with possible sums for each such histogram.
 */
int state_sums_add(const struct spec *spec, const struct state_lines *lines,
                   struct exact_sums *sums);

#endif
