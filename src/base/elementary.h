/* SPDX-License-Identifier: MIT */
/*
 * elementary.h -- logarithms and powers, the same on every processor
 *
 * The functions of C libraries differ in the last bit: between processors, and
 * on x86-64 between processors with and without fused multiplication.
 */

#ifndef GPUHIST_ELEMENTARY_H
#define GPUHIST_ELEMENTARY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/precise.h"

/* ---- binary logarithms ---- */

/* From 1 to 2, in steps of 1 / LOG2_STEPS. */
#define LOG2_STEPS 64

/* The logarithms of 1 + i / LOG2_STEPS. */
struct log2_table {
    struct precise of[LOG2_STEPS + 1];
};

void log2_table_make(struct log2_table *table);

/* Returns the logarithm of VALUE, not 0, with an error of at most 2^-68. */
struct precise log2_whole(const struct log2_table *table, uint64_t value);

/* Returns the logarithm of X, positive and normal, with a relative error of a
   few units of 2^-53. */
double log2_double(const struct log2_table *table, double x);

/* ---- powers of e, 10 and 2 ---- */

/*
 * Return e^X and 10^X, rounded from a result with an error below 2^-90.
 * Infinite where the result exceeds all doubles.  |X| is at most 2^10.
 */
double exponential_e(double x);
double exponential_10(double x);

/*
 * Return the greatest double not above 2^X, or if IS_UP the least double not
 * below 2^X.  Doubles not above 2^X are the doubles not above the first result.
 * X is -1022 or more, or whole, and a multiple of 2^-20.
 */
double exponential_2(double x, bool is_up);

#endif
