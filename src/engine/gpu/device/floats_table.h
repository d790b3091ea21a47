/* floats_table.h -- the table of an axis for the OpenCL kernel for floats */

#ifndef GPUHIST_FLOATS_TABLE_H
#define GPUHIST_FLOATS_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "kernels/binning/binning.h"

/*
 * Make the words that kernels/binning/floats.cl reads: a struct floats_rule,
 * and the keys of AXIS->bins + 1 edges (floats.h).  floats_are_enough() must be
 * true for AXIS.  Returns the words, which the caller frees, and sets *COUNT to
 * their number; NULL: out of memory.
 */
uint32_t *floats_table_make(const struct binning_axis *axis, size_t *count);

#endif
