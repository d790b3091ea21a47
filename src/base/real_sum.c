/* SPDX-License-Identifier: MIT */
/*
 * real_sum.c -- exact sums of doubles, and of their squares
 *
 * long_sum.h has the additions; here are the quotients.
 */

#include <string.h>

#include "base/long_sum.h"
#include "base/natural.h"
#include "base/real_sum.h"
#include "base/wide_integer.h"
#include "kernels/binning/binning.h"

#define WORD_BITS 64

/* ---- words ---- */

/* Returns how many of the COUNT words at WORD, from the lowest on, are 0. */
static unsigned int
low_zeros(const uint64_t *word, unsigned int count)
{
    unsigned int zeros = 0;

    while (zeros < count && word[zeros] == 0)
        zeros++;
    return zeros;
}

/* ---- sums ---- */

void
real_sum_add(struct real_sum *sum, double value, uint64_t count)
{
    struct long_sum_digits of = long_sum_digits(binning_double_bits(value));
    struct wide product = wide_product(of.digits, count);
    uint64_t *word = sum->word;

    if (value < 0) {
        long_sum_subtract_bits(word, REAL_SUM_WORDS, of.bit, product.low);
        long_sum_subtract_bits(word, REAL_SUM_WORDS, of.bit + WORD_BITS,
                               product.high);
    } else {
        long_sum_add_bits(word, REAL_SUM_WORDS, of.bit, product.low);
        long_sum_add_bits(word, REAL_SUM_WORDS, of.bit + WORD_BITS,
                          product.high);
    }
}

void
real_sum_add_sum(struct real_sum *sum, const struct real_sum *more)
{
    long_sum_add(sum->word, more->word, REAL_SUM_WORDS);
}

void
real_sum_subtract(struct real_sum *sum, const struct real_sum *less)
{
    long_sum_subtract(sum->word, less->word, REAL_SUM_WORDS);
}

void
real_sum_increment(struct real_sum *sum)
{
    long_sum_add_bits(sum->word, REAL_SUM_WORDS, 0, 1);
}

static bool
is_negative(const struct real_sum *sum)
{
    return sum->word[REAL_SUM_WORDS - 1] >> (WORD_BITS - 1) != 0;
}

int
real_sum_compare(const struct real_sum *a, const struct real_sum *b)
{
    if (is_negative(a) != is_negative(b))
        return is_negative(a) ? -1 : 1;
    for (int w = REAL_SUM_WORDS - 1; w >= 0; w--) {
        if (a->word[w] != b->word[w])
            return a->word[w] < b->word[w] ? -1 : 1;
    }
    return 0;
}

void
real_sum_part(struct real_sum *result, const struct real_sum *sum,
              uint64_t part, uint64_t whole)
{
    uint64_t product[REAL_SUM_WORDS];
    uint64_t above = 0;

    for (int w = 0; w < REAL_SUM_WORDS; w++) {
        struct wide own =
            wide_add(wide_product(sum->word[w], part), wide_of(above));
        product[w] = own.low;
        above = own.high;
    }
    for (int w = REAL_SUM_WORDS - 1; w >= 0; w--) {
        struct wide dividend = {product[w], above};
        result->word[w] = wide_divide(dividend, whole, &above).low;
    }
}

/* ---- squares ---- */

void
real_squares_add(struct real_squares *squares, double value, uint64_t count)
{
    struct long_sum_digits of = long_sum_digits(binning_double_bits(value));
    struct wide square = wide_product(of.digits, of.digits);
    struct wide low = wide_product(square.low, count);
    struct wide high = wide_product(square.high, count);
    const uint64_t part[] = {low.low, low.high, high.low, high.high};
    static const unsigned int at[] = {0, 1, 1, 2}; /* words */

    for (int p = 0; p < 4; p++)
        long_sum_add_bits(squares->word, REAL_SQUARES_WORDS,
                          2 * of.bit + at[p] * WORD_BITS, part[p]);
}

void
real_squares_add_sum(struct real_squares *squares,
                     const struct real_squares *more)
{
    long_sum_add(squares->word, more->word, REAL_SQUARES_WORDS);
}

void
real_squares_subtract(struct real_squares *squares,
                      const struct real_squares *less)
{
    long_sum_subtract(squares->word, less->word, REAL_SQUARES_WORDS);
}

/* ---- quotients ---- */

/* Set A to the magnitude of SUM, without the LOW lowest words, which are 0. */
static void
set_magnitude(struct natural *a, const struct real_sum *sum, unsigned int low)
{
    struct real_sum magnitude = *sum;

    if (is_negative(sum)) {
        memset(&magnitude, 0, sizeof magnitude);
        real_sum_subtract(&magnitude, sum);
    }
    natural_set(a, magnitude.word + low, REAL_SUM_WORDS - low);
}

/*
 * Multiply B by 2^LONG_SUM_PLACES, without the LOW lowest words; or A by a
 * power of two, so that A / B becomes the same.  A is the square of a number if
 * IS_SQUARE.
 */
static void
place(struct natural *a, struct natural *b, unsigned int low, bool is_square)
{
    unsigned int bits = low * WORD_BITS;

    if (bits <= LONG_SUM_PLACES)
        natural_shift(b, LONG_SUM_PLACES - bits);
    else
        natural_shift(a, (bits - LONG_SUM_PLACES) << is_square);
}

double
real_sum_divide(const struct real_sum *sum, uint64_t count)
{
    unsigned int low = low_zeros(sum->word, REAL_SUM_WORDS);
    struct natural dividend;
    struct natural divisor;

    if (low == REAL_SUM_WORDS)
        return 0;
    set_magnitude(&dividend, sum, low);
    natural_set(&divisor, &count, 1);
    place(&dividend, &divisor, low, false);
    double quotient = natural_divide(&dividend, &divisor);
    return is_negative(sum) ? -quotient : quotient;
}

/*
 * With N numbers, N^2 times the square of the deviation is N times the sum of
 * squares, minus the square of the sum.  Of a sample, N (N - 1) stands for N^2.
 * Few words of most sums are not 0, so the lowest zeros are left out.
 */
double
real_sum_deviation(const struct real_sum *sum,
                   const struct real_squares *squares, uint64_t count,
                   bool is_sample)
{
    unsigned int low = low_zeros(sum->word, REAL_SUM_WORDS);
    unsigned int half = low_zeros(squares->word, REAL_SQUARES_WORDS) / 2;
    uint64_t less = count - 1;
    struct natural number;
    struct natural above;
    struct natural square;
    struct natural divisor;

    low = low < half ? low : half;
    set_magnitude(&number, sum, low);
    natural_product(&square, &number, &number);
    natural_set(&number, squares->word + (size_t)2 * low,
                REAL_SQUARES_WORDS - 2 * low);
    natural_set(&divisor, &count, 1);
    natural_product(&above, &number, &divisor);
    natural_subtract(&above, &square);
    if (is_sample) {
        natural_set(&number, &less, 1);
        natural_product(&square, &divisor, &number);
        divisor = square;
        natural_product(&square, &above, &divisor);
        above = square;
    }
    place(&above, &divisor, low, true);
    return natural_divide_root(&above, &divisor);
}
