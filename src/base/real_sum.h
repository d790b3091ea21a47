/* SPDX-License-Identifier: MIT */
/*
 * real_sum.h -- exact sums of doubles, and of their squares
 *
 * A sum is in fixed point: a multiple of 2^-1074, the least double, in two's
 * complement.  The sum of squares is a multiple of 2^-2148.  Both have room for
 * 2^64 - 1 doubles of any size, so no partial sum overflows, in any order of
 * addition.
 */

#ifndef GPUHIST_REAL_SUM_H
#define GPUHIST_REAL_SUM_H

#include <stdbool.h>
#include <stdint.h>

/* 2098 bits of a double, 64 of the count, and the sign; twice 2098, and 64. */
#define REAL_SUM_WORDS 34
#define REAL_SQUARES_WORDS 67

/* All 0: no addends. */
struct real_sum {
    uint64_t word[REAL_SUM_WORDS]; /* the lowest one first */
};

/* All 0: no addends. */
struct real_squares {
    uint64_t word[REAL_SQUARES_WORDS]; /* the lowest one first */
};

/* Add VALUE, which is finite, COUNT times. */
void real_sum_add(struct real_sum *sum, double value, uint64_t count);

/* Add MORE; subtract LESS, which was added before. */
void real_sum_add_sum(struct real_sum *sum, const struct real_sum *more);
void real_sum_subtract(struct real_sum *sum, const struct real_sum *less);

/* Returns less than 0, 0, or more, as A is less than, equal to, or more. */
int real_sum_compare(const struct real_sum *a, const struct real_sum *b);

/* Set *RESULT to SUM * PART / WHOLE, rounded down to a multiple of 2^-1074.
   SUM is not negative; PART is not above WHOLE, which is below 2^63, not 0. */
void real_sum_part(struct real_sum *result, const struct real_sum *sum,
                   uint64_t part, uint64_t whole);

/* Add the least double to SUM. */
void real_sum_increment(struct real_sum *sum);

/* Add the square of VALUE, which is finite, COUNT times. */
void real_squares_add(struct real_squares *squares, double value,
                      uint64_t count);

/* Add MORE; subtract LESS, which was added before. */
void real_squares_add_sum(struct real_squares *squares,
                          const struct real_squares *more);
void real_squares_subtract(struct real_squares *squares,
                           const struct real_squares *less);

/* Returns SUM / COUNT, rounded once; COUNT is not 0.  A quotient beyond all
   doubles is infinite. */
double real_sum_divide(const struct real_sum *sum, uint64_t count);

/*
 * Returns the deviation of COUNT numbers with SUM and SQUARES, rounded once: of
 * the population, or if IS_SAMPLE of a sample.  COUNT is at least 1, of a
 * sample 2.
 */
double real_sum_deviation(const struct real_sum *sum,
                          const struct real_squares *squares, uint64_t count,
                          bool is_sample);

#endif
