/* SPDX-License-Identifier: MIT */
/*
 * state_weight.h -- an exact sum of weights as a field of a state
 *
 * Integers and decimals are digits.  A sum of floating-point numbers is a
 * hexadecimal number of any length and a power of two, as -0x1fp-1074, and then
 * the counts of values that are not finite, as ;nan=2;inf=1;-inf=3.
 */

#ifndef GPUHIST_STATE_WEIGHT_H
#define GPUHIST_STATE_WEIGHT_H

#include <stddef.h>
#include <stdint.h>

#include "base/writer.h"
#include "kernels/binning/weighing.h"

/* Put the sum of TYPE with the planes from PLANE on, STRIDE apart. */
void state_weight_put(struct writer *out, enum sample_type type,
                      const uint64_t *plane, size_t stride);

/*
 * Set the weighing_planes() planes of a sum of TYPE to the SIZE bytes at FIELD,
 * normalized.  Returns 0, or -1: FIELD is not a sum, or TIMES values cannot
 * have the sum.  So adding sums cannot overflow, as long as the values are
 * below 2^63.
 */
int state_weight_read(enum sample_type type, const char *field, size_t size,
                      uint64_t times, uint64_t plane[WEIGHING_PLANES_MAX]);

#endif
