/* SPDX-License-Identifier: MIT */
/* record_cost.h -- how long the CPU takes to count records */

#ifndef GPUHIST_RECORD_COST_H
#define GPUHIST_RECORD_COST_H

#include "hist/spec.h"

/*
 * Returns the approximate time that a thread takes to count by SPEC, relative
 * to byte_count_portable() for as many bytes: for plan.h.  The time does not
 * affect the output.
 */
double record_cost(const struct spec *spec);

/*
 * Returns the approximate time that a reader takes for records of SPEC that a
 * device counts, relative to a reader that does not look at the bytes.
 */
double record_feed_cost(const struct spec *spec);

#endif
