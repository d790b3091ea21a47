/* SPDX-License-Identifier: MIT */
/*
 * natural.h -- natural numbers of up to 4608 bits
 *
 * Naturals serve for exact quotients: of numbers from the command line, and of
 * sums of doubles.  2^64 doubles, in units of 2^-1074, have a sum of up to 2162
 * bits; the sum of their squares, times the square of their number, has up to
 * 4452 bits.  A result that does not fit is a mistake of the caller.
 */

#ifndef GPUHIST_NATURAL_H
#define GPUHIST_NATURAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NATURAL_LIMBS 144

struct natural {
    uint32_t limb[NATURAL_LIMBS]; /* COUNT of them, the lowest one first */
    size_t count;                 /* the last one is not 0 */
};

/* Set A to A * FACTOR + ADDEND. */
void natural_multiply(struct natural *a, uint32_t factor, uint32_t addend);

/* Set A to A * 10^POWER. */
void natural_scale(struct natural *a, unsigned int power);

/* Set *PRODUCT, which is another number, to A * B. */
void natural_product(struct natural *product, const struct natural *a,
                     const struct natural *b);

/* Set A to the number in COUNT words, the lowest one first. */
void natural_set(struct natural *a, const uint64_t *word, size_t count);

void natural_add(struct natural *a, const struct natural *b);

/* Set A to A - B; B is not greater than A. */
void natural_subtract(struct natural *a, const struct natural *b);

/* Returns -1, 0 or 1: A is less than, equal to or greater than B. */
int natural_compare(const struct natural *a, const struct natural *b);

/* Set A to A * 2^BITS. */
void natural_shift(struct natural *a, unsigned int bits);

/*
 * Returns A / B, rounded to the nearest double, ties to even.  B is not 0.  A
 * and B have at most 4500 bits.
 */
double natural_divide(const struct natural *a, const struct natural *b);

/*
 * Returns the square root of A, divided by B, rounded in the same way.  B is
 * not 0; A has at most 4500 bits and B at most 2200.
 */
double natural_divide_root(const struct natural *a, const struct natural *b);

#endif
