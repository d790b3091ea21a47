/* SPDX-License-Identifier: MIT */
/* gen_sample.h -- numbers as the bytes of a type */

#ifndef GPUHIST_GEN_SAMPLE_H
#define GPUHIST_GEN_SAMPLE_H

#include <stddef.h>
#include <stdint.h>

#include "kernels/binning/binning.h"

/*
 * Write COUNT numbers to OUT as samples of TYPE in the machine's byte order.
 * For an integer TYPE, a number is rounded to the nearest integer, half to
 * even, and clamped to the range of TYPE.  For a float TYPE, a number is
 * rounded to the nearest float, half to even; beyond the range it becomes
 * infinite.
 */
void gen_sample_put(enum sample_type type, const double *number, size_t count,
                    unsigned char *out);

/* Write COUNT integers, two's complement, in the range of TYPE, to OUT. */
void gen_sample_put_integers(enum sample_type type, const uint64_t *integer,
                             size_t count, unsigned char *out);

/* Reverse the bytes of each of COUNT samples of SIZE bytes. */
void gen_sample_swap(size_t size, unsigned char *sample, size_t count);

/* The smallest and the largest value of an integer TYPE. */
double gen_sample_least(enum sample_type type);
double gen_sample_most(enum sample_type type);

/* The smallest value of a float TYPE that is at or above X, which is finite. */
double gen_sample_at_or_above(enum sample_type type, double x);

#endif
