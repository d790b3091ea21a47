/* SPDX-License-Identifier: MIT */
/* sum.c -- the exact sum of weights of one cell, as a number or text */

#include <math.h>
#include <stdbool.h>

#include "base/number.h"
#include "hist/sum.h"
#include "kernels/binning/weighing.h"

_Static_assert(WEIGHING_DECIMAL_DIGITS == 2 * DECIMAL_SUM_WORDS - 1,
               "the top digit of a decimal has 64 bits, the others 32");

/* 32 bits of each digit, and the upper half of the top digit. */
#define WORDS_MAX (WEIGHING_DIGITS_MAX + 1)

#define WORD_BITS 32

/* A sum, in units of weighing_unit(). */
struct magnitude {
    bool is_negative;
    unsigned int count; /* words; the last one is not 0 */
    uint32_t word[WORDS_MAX];
};

static void
magnitude_trim(struct magnitude *magnitude)
{
    while (magnitude->count > 0 && magnitude->word[magnitude->count - 1] == 0)
        magnitude->count--;
}

static void
magnitude_read(struct magnitude *magnitude, enum sample_type type,
               const uint64_t *plane, size_t stride)
{
    binning_u64 digit[WEIGHING_DIGITS_MAX];
    binning_u32 digits = weighing_digits(type);

    for (binning_u32 k = 0; k < digits; k++)
        digit[k] = plane[k * stride];
    weighing_carry(digit, digits, 1);

    /* A normalised sum has the sign of its top digit. */
    magnitude->is_negative = digit[digits - 1] >> 63 != 0;
    if (magnitude->is_negative) {
        for (binning_u32 k = 0; k < digits; k++)
            digit[k] = -digit[k];
        weighing_carry(digit, digits, 1);
    }

    for (binning_u32 k = 0; k < digits; k++)
        magnitude->word[k] = (uint32_t)digit[k];
    magnitude->word[digits] = (uint32_t)(digit[digits - 1] >> WORD_BITS);
    magnitude->count = digits + 1;
    magnitude_trim(magnitude);
}

/*
 * Round to a double, ties to even.  No unit is below the smallest subnormal
 * double, so a sum with more bits than a double is in the normal range.
 */
static double
magnitude_double(const struct magnitude *magnitude, int unit)
{
    unsigned int top = magnitude->count;

    if (top == 0)
        return 0;

    /* The first 64 bits; the last one is 1 if any later bit is 1. */
    uint32_t first = magnitude->word[top - 1];
    unsigned int zeros = (unsigned int)__builtin_clz(first);
    uint32_t second = top > 1 ? magnitude->word[top - 2] : 0;
    uint32_t third = top > 2 ? magnitude->word[top - 3] : 0;
    uint64_t bits = (uint64_t)first << WORD_BITS | second;
    bits = bits << zeros | (uint64_t)third << zeros >> WORD_BITS;
    bool is_lost = (uint32_t)(third << zeros) != 0;
    for (unsigned int i = 0; i + 3 < top && !is_lost; i++)
        is_lost = magnitude->word[i] != 0;

    /* The only rounding: ldexp() is exact, or overflows to infinity. */
    double value = (double)(bits | is_lost);
    value = ldexp(value, ((int)top - 2) * WORD_BITS - (int)zeros + unit);
    return magnitude->is_negative ? -value : value;
}

/* Whether NaN or infinities decide the sum; then set *VALUE to it. */
static bool
find_special(enum sample_type type, const uint64_t *plane, size_t stride,
             double *value)
{
    binning_u32 digits = weighing_digits(type);

    if (!binning_is_float(type))
        return false;
    bool has_nan = plane[(digits + WEIGHING_NAN) * stride] != 0;
    bool has_plus = plane[(digits + WEIGHING_PLUS_INFINITY) * stride] != 0;
    bool has_minus = plane[(digits + WEIGHING_MINUS_INFINITY) * stride] != 0;

    if (has_nan || (has_plus && has_minus))
        *value = (double)NAN;
    else if (has_plus || has_minus)
        *value = has_plus ? (double)INFINITY : -(double)INFINITY;
    else
        return false;
    return true;
}

struct decimal_sum
sum_decimal(const uint64_t *plane, size_t stride)
{
    binning_u64 digit[WEIGHING_DECIMAL_DIGITS];
    struct decimal_sum sum;

    for (size_t k = 0; k < WEIGHING_DECIMAL_DIGITS; k++)
        digit[k] = plane[k * stride];
    weighing_carry(digit, WEIGHING_DECIMAL_DIGITS, 1);
    for (size_t w = 0; w + 1 < DECIMAL_SUM_WORDS; w++)
        sum.word[w] = digit[2 * w] | digit[2 * w + 1] << WORD_BITS;
    sum.word[DECIMAL_SUM_WORDS - 1] = digit[WEIGHING_DECIMAL_DIGITS - 1];
    return sum;
}

void
sum_add_decimal(const struct decimal_sum *sum, uint64_t *plane, size_t stride)
{
    bool is_negative = decimal_sum_is_negative(sum);
    struct decimal_sum magnitude = is_negative ? decimal_sum_negate(sum) : *sum;

    /* The top digit needs no halves: it is below 2^63. */
    for (size_t k = 0; k < WEIGHING_DECIMAL_DIGITS; k++, plane += stride) {
        uint64_t digit = magnitude.word[k / 2];
        if (k % 2 != 0)
            digit >>= WORD_BITS;
        else if (k + 1 < WEIGHING_DECIMAL_DIGITS)
            digit = (uint32_t)digit;
        if (digit != 0)
            *plane += is_negative ? -digit : digit;
    }
}

double
sum_double(enum sample_type type, const uint64_t *plane, size_t stride)
{
    struct magnitude magnitude;
    double value;

    if (type == SAMPLE_DECIMAL) {
        struct decimal_sum sum = sum_decimal(plane, stride);
        return decimal_sum_double(&sum);
    }
    if (find_special(type, plane, stride, &value))
        return value;
    magnitude_read(&magnitude, type, plane, stride);
    return magnitude_double(&magnitude, weighing_unit(type));
}

struct wide
sum_integer(enum sample_type type, const uint64_t *plane, size_t stride)
{
    struct wide sum = wide_of(0);

    for (binning_u32 k = weighing_digits(type); k-- > 0;)
        sum = wide_add(wide_multiply(sum, (uint64_t)1 << WORD_BITS),
                       wide_of_signed((int64_t)plane[k * stride]));
    return sum;
}

char *
sum_put(enum sample_type type, const uint64_t *plane, size_t stride, char *at)
{
    if (type == SAMPLE_DECIMAL) {
        struct decimal_sum sum = sum_decimal(plane, stride);
        return decimal_sum_put(&sum, at);
    }
    if (binning_is_float(type))
        return number_put_double(sum_double(type, plane, stride), at);
    return number_put_integer(sum_integer(type, plane, stride), at);
}
