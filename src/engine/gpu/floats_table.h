/* floats_table.h -- an axis, as the OpenCL kernel for floats wants it */

#ifndef GPUHIST_FLOATS_TABLE_H
#define GPUHIST_FLOATS_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "binning.h"

/*
 * The words that kernels/floats.cl reads: a struct floats_rule, and the keys of
 * AXIS->bins + 1 edges (floats.h).  AXIS is one for which floats_are_enough().
 * Returns them, for free(), with their number in *COUNT; NULL: out of memory.
 */
uint32_t *floats_table_make(const struct binning_axis *axis, size_t *count);

#endif
