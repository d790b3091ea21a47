/*
 * real_sum.c -- exact sums of doubles, and of their squares
 *
 * The words of a sum hold all binary places of all doubles, so an addition is
 * one of integers: Kulisch, "Computer Arithmetic and Validity", 2nd edition,
 * 2013, chapter 8.
 */

#include <string.h>

#include "base/natural.h"
#include "base/real_sum.h"
#include "base/wide_integer.h"
#include "kernels/binning/binning.h"

#define WORD_BITS 64

/* The bits of a fraction, and the binary places of the least double. */
#define FRACTION_BITS 52
#define PLACES 1074

/* ---- words ---- */

/* A product to add at some place of a sum. */
#define PART_WORDS 3

/* Add PART * 2^SHIFT to the COUNT words at WORD, modulo their range. */
static void
add_part(uint64_t *word, unsigned int count, const uint64_t part[PART_WORDS],
         unsigned int shift)
{
    unsigned int bits = shift % WORD_BITS;
    unsigned int at = shift / WORD_BITS;
    uint64_t below = 0;
    uint64_t carry = 0;

    for (int p = 0; p <= PART_WORDS && at < count; p++, at++) {
        uint64_t own = p < PART_WORDS ? part[p] : 0;
        uint64_t moved = own << bits | below;
        below = bits > 0 ? own >> (WORD_BITS - bits) : 0;
        moved += carry;
        carry = moved < carry;
        word[at] += moved;
        carry += word[at] < moved;
    }
    for (; carry > 0 && at < count; at++) {
        word[at] += carry;
        carry = word[at] == 0;
    }
}

/* The same, but subtract. */
static void
subtract_part(uint64_t *word, unsigned int count,
              const uint64_t part[PART_WORDS], unsigned int shift)
{
    unsigned int bits = shift % WORD_BITS;
    unsigned int at = shift / WORD_BITS;
    uint64_t below = 0;
    uint64_t borrow = 0;

    for (int p = 0; p <= PART_WORDS && at < count; p++, at++) {
        uint64_t own = p < PART_WORDS ? part[p] : 0;
        uint64_t moved = own << bits | below;
        below = bits > 0 ? own >> (WORD_BITS - bits) : 0;
        moved += borrow;
        borrow = moved < borrow;
        borrow += word[at] < moved;
        word[at] -= moved;
    }
    for (; borrow > 0 && at < count; at++) {
        borrow = word[at] == 0;
        word[at]--;
    }
}

static void
add_words(uint64_t *word, const uint64_t *more, unsigned int count)
{
    uint64_t carry = 0;

    for (unsigned int w = 0; w < count; w++) {
        uint64_t sum = word[w] + carry;
        carry = sum < carry;
        word[w] = sum + more[w];
        carry += word[w] < sum;
    }
}

static void
subtract_words(uint64_t *word, const uint64_t *less, unsigned int count)
{
    uint64_t borrow = 0;

    for (unsigned int w = 0; w < count; w++) {
        uint64_t whole = word[w];
        uint64_t difference = whole - less[w];
        uint64_t next = whole < less[w];
        word[w] = difference - borrow;
        borrow = next + (difference < borrow);
    }
}

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

/* A double without the sign: MANTISSA * 2^(SHIFT - PLACES). */
struct real_magnitude {
    uint64_t mantissa;
    unsigned int shift;
};

static struct real_magnitude
magnitude_of(double value)
{
    const uint64_t one = (uint64_t)1 << FRACTION_BITS;
    uint64_t bits = binning_double_bits(value);
    unsigned int exponent = (unsigned int)(bits >> FRACTION_BITS & 2047);

    if (exponent == 0)
        return (struct real_magnitude){bits & (one - 1), 0};
    return (struct real_magnitude){(bits & (one - 1)) | one, exponent - 1};
}

void
real_sum_add(struct real_sum *sum, double value, uint64_t count)
{
    struct real_magnitude of = magnitude_of(value);
    struct wide product = wide_product(of.mantissa, count);
    const uint64_t part[PART_WORDS] = {product.low, product.high};

    if (value < 0)
        subtract_part(sum->word, REAL_SUM_WORDS, part, of.shift);
    else
        add_part(sum->word, REAL_SUM_WORDS, part, of.shift);
}

void
real_sum_add_sum(struct real_sum *sum, const struct real_sum *more)
{
    add_words(sum->word, more->word, REAL_SUM_WORDS);
}

void
real_sum_subtract(struct real_sum *sum, const struct real_sum *less)
{
    subtract_words(sum->word, less->word, REAL_SUM_WORDS);
}

void
real_sum_increment(struct real_sum *sum)
{
    static const uint64_t one[PART_WORDS] = {1};

    add_part(sum->word, REAL_SUM_WORDS, one, 0);
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
    struct real_magnitude of = magnitude_of(value);
    struct wide square = wide_product(of.mantissa, of.mantissa);
    struct wide low = wide_product(square.low, count);
    struct wide high = wide_product(square.high, count);
    uint64_t middle = low.high + high.low;
    const uint64_t part[PART_WORDS] = {low.low, middle,
                                       high.high + (middle < low.high)};

    add_part(squares->word, REAL_SQUARES_WORDS, part, 2 * of.shift);
}

void
real_squares_add_sum(struct real_squares *squares,
                     const struct real_squares *more)
{
    add_words(squares->word, more->word, REAL_SQUARES_WORDS);
}

void
real_squares_subtract(struct real_squares *squares,
                      const struct real_squares *less)
{
    subtract_words(squares->word, less->word, REAL_SQUARES_WORDS);
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
 * Multiply B by 2^PLACES, without the LOW lowest words; or A by a power of two,
 * so that A / B becomes the same.  A is the square of a number if IS_SQUARE.
 */
static void
place(struct natural *a, struct natural *b, unsigned int low, bool is_square)
{
    unsigned int bits = low * WORD_BITS;

    if (bits <= PLACES)
        natural_shift(b, PLACES - bits);
    else
        natural_shift(a, (bits - PLACES) << is_square);
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
