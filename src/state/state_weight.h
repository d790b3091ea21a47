/*
 * state_weight.h -- an exact sum of weights as a field of a state
 *
 * Integers and decimals are their digits.  A sum of floating-point numbers is a
 * hexadecimal number of any length and a power of two, as -0x1fp-1074, and
 * behind it how many values were no finite numbers, as ;nan=2;inf=1;-inf=3.
 */

#ifndef GPUHIST_STATE_WEIGHT_H
#define GPUHIST_STATE_WEIGHT_H

#include <stddef.h>
#include <stdint.h>

#include "base/writer.h"
#include "kernels/binning/weighing.h"

/* Put the sum of TYPE with these planes, as sum_put() takes them. */
void state_weight_put(struct writer *out, enum sample_type type,
                      const uint64_t *plane, size_t stride);

/*
 * Set the planes of a sum of TYPE, which are weighing_planes(), to the one that
 * the SIZE bytes at FIELD are, normalized.  Returns 0, or -1: they are none, or
 * TIMES values cannot have this sum.  So no sum of such sums overflows whose
 * values are below 2^63.
 */
int state_weight_read(enum sample_type type, const char *field, size_t size,
                      uint64_t times, uint64_t plane[WEIGHING_PLANES_MAX]);

#endif
