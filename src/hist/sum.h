/* SPDX-License-Identifier: MIT */
/* sum.h -- the exact sum of weights of one cell, as a number or text */

#ifndef GPUHIST_SUM_H
#define GPUHIST_SUM_H

#include <stddef.h>
#include <stdint.h>

#include "base/decimal_sum.h"
#include "base/number.h"
#include "kernels/binning/binning.h"

/* number_put...() or decimal_sum_put() writes every text of a sum. */
#define SUM_TEXT_BYTES DECIMAL_SUM_TEXT_BYTES
_Static_assert(SUM_TEXT_BYTES >= NUMBER_TEXT_BYTES,
               "number_put...() may overwrite more than a sum has room for");

/*
 * A sum of TYPE has weighing_planes() planes, laid out as
 * kernels/binning/weighing.h says: plane p is PLANE[p * STRIDE].  These
 * functions accept a sum that is not carried, if at most WEIGHING_ADDS_MAX
 * values were added since the last weighing_carry().
 */

/*
 * Returns the sum, rounded once to the nearest double, ties to even.  NaN if
 * NaN or both infinities were added.  Never -0.
 */
double sum_double(enum sample_type type, const uint64_t *plane, size_t stride);

/* Returns the exact sum of decimals. */
struct decimal_sum sum_decimal(const uint64_t *plane, size_t stride);

/*
 * Add SUM to the planes of one cell, as one value.  Only the planes that SUM
 * needs are written: memory for the other planes may never be taken.
 */
void sum_add_decimal(const struct decimal_sum *sum, uint64_t *plane,
                     size_t stride);

/* Returns the exact sum of integers: no run can read enough for 127 bits. */
struct wide sum_integer(enum sample_type type, const uint64_t *plane,
                        size_t stride);

/*
 * Write the sum at AT, which has SUM_TEXT_BYTES - 1: integers and decimals
 * exactly, floating-point numbers as the shortest text that reads back as
 * sum_double().  Returns the end of the text.
 */
char *sum_put(enum sample_type type, const uint64_t *plane, size_t stride,
              char *at);

#endif
