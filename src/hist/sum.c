/* sum.c -- the exact sum of weights of one cell, as a number or text */

#include <math.h>
#include <stdbool.h>

#include "hist/sum.h"
#include "util/number.h"
#include "weighing.h"

_Static_assert(NUMBER_TEXT_BYTES <= SUM_TEXT_BYTES,
               "a double fits where a sum fits");

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

static bool
magnitude_bit(const struct magnitude *magnitude, unsigned int position)
{
    return magnitude->word[position / WORD_BITS] >> position % WORD_BITS & 1;
}

/* The position of the highest 1 bit, plus 1; 0 if there is none. */
static unsigned int
magnitude_bits(const struct magnitude *magnitude)
{
    unsigned int bits = magnitude->count * WORD_BITS;

    while (bits > 0 && !magnitude_bit(magnitude, bits - 1))
        bits--;
    return bits;
}

/* Whether any bit below END is 1. */
static bool
magnitude_any_below(const struct magnitude *magnitude, unsigned int end)
{
    for (unsigned int i = 0; i < end / WORD_BITS; i++) {
        if (magnitude->word[i] != 0)
            return true;
    }
    for (unsigned int i = end - end % WORD_BITS; i < end; i++) {
        if (magnitude_bit(magnitude, i))
            return true;
    }
    return false;
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

    /* Exact, or overflows to infinity as it should. */
    double value = ldexp((double)significand, (int)cut + unit);
    return magnitude->is_negative ? -value : value;
}

/* Divide MAGNITUDE by DIVISOR.  Returns the remainder. */
static uint32_t
magnitude_divide(struct magnitude *magnitude, uint32_t divisor)
{
    uint64_t remainder = 0;

    for (unsigned int i = magnitude->count; i-- > 0;) {
        remainder = remainder << WORD_BITS | magnitude->word[i];
        magnitude->word[i] = (uint32_t)(remainder / divisor);
        remainder %= divisor;
    }
    magnitude_trim(magnitude);
    return (uint32_t)remainder;
}

/* Write all decimal digits of MAGNITUDE, which is 0 afterwards. */
static void
magnitude_text(struct magnitude *magnitude, char text[SUM_TEXT_BYTES])
{
    char backwards[SUM_TEXT_BYTES];
    size_t length = 0;

    do {
        backwards[length++] = (char)('0' + magnitude_divide(magnitude, 10));
    } while (magnitude->count > 0);
    if (magnitude->is_negative)
        backwards[length++] = '-';
    for (size_t i = 0; i < length; i++)
        text[i] = backwards[length - 1 - i];
    text[length] = '\0';
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

double
sum_double(enum sample_type type, const uint64_t *plane, size_t stride)
{
    struct magnitude magnitude;
    double value;

    if (find_special(type, plane, stride, &value))
        return value;
    magnitude_read(&magnitude, type, plane, stride);
    return magnitude_double(&magnitude, weighing_unit(type));
}

number_integer
sum_integer(enum sample_type type, const uint64_t *plane, size_t stride)
{
    number_integer sum = 0;

    for (binning_u32 k = weighing_digits(type); k-- > 0;)
        sum =
            sum * ((number_integer)1 << WORD_BITS) + (int64_t)plane[k * stride];
    return sum;
}

char *
sum_put(enum sample_type type, const uint64_t *plane, size_t stride, char *at)
{
    if (binning_is_float(type))
        return number_put_double(sum_double(type, plane, stride), at);
    return number_put_integer(sum_integer(type, plane, stride), at);
}

void
sum_text(enum sample_type type, const uint64_t *plane, size_t stride,
         char text[SUM_TEXT_BYTES])
{
    *sum_put(type, plane, stride, text) = '\0';
}
