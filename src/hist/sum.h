/* sum.h -- the exact sum of weights of one cell, as a number or text */

#ifndef GPUHIST_SUM_H
#define GPUHIST_SUM_H

#include <stddef.h>
#include <stdint.h>

#include "binning.h"
#include "util/number.h"

/* number_put...() write every text of a sum. */
#define SUM_TEXT_BYTES NUMBER_TEXT_BYTES

/*
 * A sum of TYPE has weighing_planes() planes, laid out as kernels/weighing.h
 * says: plane p is PLANE[p * STRIDE].  These functions accept a sum that is not
 * carried, if at most WEIGHING_ADDS_MAX values were added since the last
 * weighing_carry().
 */

/*
 * Returns the sum, rounded once to the nearest double, ties to even.  NaN if
 * NaN or both infinities were added.  Never -0.
 */
double sum_double(enum sample_type type, const uint64_t *plane, size_t stride);

/* Returns the exact sum of integers: no run can read enough for 127 bits. */
struct wide sum_integer(enum sample_type type, const uint64_t *plane,
                        size_t stride);

/*
 * Write the sum at AT, as number_put() does: integers exactly, floating-point
 * numbers as the shortest text that reads back as sum_double().
 */
char *sum_put(enum sample_type type, const uint64_t *plane, size_t stride,
              char *at);

#endif
