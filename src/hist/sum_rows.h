/* SPDX-License-Identifier: MIT */
/*
 * sum_rows.h -- the rows of a histogram that has exact sums of its numbers
 *
 * A histogram that is COUNTED_SUMS has no row for each number: its list has the
 * least number once, the greatest number in place of all others, and NaN.  So
 * the counts of the rows add up to all values, and the first and the last
 * number are the extremes.
 */

#ifndef GPUHIST_SUM_ROWS_H
#define GPUHIST_SUM_ROWS_H

#include "hist/key_names.h"

/*
 * Make the list of histogram I, which is COUNTED_SUMS, from NAMES->sums[I].
 * The list takes a few bytes from MEMORY, which outlives NAMES.  Returns
 * KEY_OK, or why it failed.
 */
enum key_result sum_rows_make(struct key_names *names, size_t i,
                              struct key_memory *memory);

#endif
