/* sum.h -- the exact sum in one cell, as a number */

#ifndef GPUHIST_SUM_H
#define GPUHIST_SUM_H

#include <stddef.h>
#include <stdint.h>

#include "binning.h"
#include "util/number.h"

/* Every text of a sum is one of number_put...(). */
#define SUM_TEXT_BYTES NUMBER_TEXT_BYTES

/*
 * A cell of the TYPE has weighing_planes() planes, as kernels/weighing.h lays
 * them out: plane p is PLANE[p * STRIDE].  At most WEIGHING_ADDS_MAX values
 * were added since the last weighing_carry(); none is needed before the call.
 */

/*
 * The sum, rounded once to the nearest double, ties to even; NaN if one was
 * added or both infinities were.  Never -0.
 */
double sum_double(enum sample_type type, const uint64_t *plane, size_t stride);

/* The sum of integers, exactly: no run can read enough to fill 127 bits. */
number_integer sum_integer(enum sample_type type, const uint64_t *plane,
                           size_t stride);

/*
 * Write the sum as number_put() does: of integers exactly, of floating-point
 * numbers the shortest text that reads back as sum_double().
 */
char *sum_put(enum sample_type type, const uint64_t *plane, size_t stride,
              char *at);

/* Likewise, with a NUL behind it. */
void sum_text(enum sample_type type, const uint64_t *plane, size_t stride,
              char text[SUM_TEXT_BYTES]);

#endif
