/* SPDX-License-Identifier: MIT */
/*
 * decimal.c -- doubles to decimals, and decimals to doubles
 *
 * The shortest decimal is found as in Raffaello Giulietti, "The Schubfach way
 * to render doubles", 2020.
 *
 * All decimals that round to V = C * 2^Q lie between the two boundaries of V,
 * half way to the neighbours of V; the boundaries themselves round to V where C
 * is even.  Take the greatest 10^K not wider than this interval: the interval
 * contains one or more multiples of 10^K, and at most one multiple of 10^(K+1).
 * A multiple of 10^(K+1) is the shortest decimal; without one, the multiple of
 * 10^K closest to V is.
 *
 * Numbers are compared as multiples of 10^K / 4.  V and its boundaries are
 * rounded to odd: a lost fraction makes the last bit 1, so no comparison with a
 * whole number goes wrong.  The paper proves 126 bits of 10^-K to be enough.
 *
 * The nearest double of W * 10^Q is one operation if W and the power are
 * doubles (William Clinger, "How to read floating point numbers accurately",
 * 1990).  Otherwise the table gives two bounds of the number.  If both bounds
 * round to the same double, the number does, too (as Daniel Lemire, "Number
 * parsing at a gigabyte per second", 2021).  The C library decides all other
 * cases.
 */

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/decimal.h"
#include "base/powers_of_ten.h"
#include "base/wide_integer.h"

#define FRACTION_BITS 52
#define EXPONENT_BIAS 1075 /* of a significand that is a whole number */

/* The multiples of 10^K / 4 at V and at its boundaries. */
struct scaled {
    uint64_t lower;
    uint64_t value;
    uint64_t upper;
};

/* floor(log2(10^E)), for any power in the table. */
static int
floor_log2_power_of_ten(int e)
{
    return (e * 1741647) >> 19;
}

/* floor(log10(2^E)), or floor(log10(3/4 * 2^E)) if IS_CLOSER; for any double's
   E. */
static int
floor_log10_power_of_two(int e, bool is_closer)
{
    return (e * 1262611 - (is_closer ? 524031 : 0)) >> 22;
}

/* The integer part of HIGH:LOW * FACTOR / 2^128, rounded to odd. */
static uint64_t
multiply_to_odd(uint64_t high, uint64_t low, uint64_t factor)
{
    struct wide from_low = wide_product(low, factor);
    struct wide whole =
        wide_add(wide_product(high, factor), wide_of(from_low.high));

    /* The power is rounded up, by at most 1. */
    return whole.high | (whole.low > 1);
}

/* The boundaries themselves if IS_EVEN; else the nearest numbers inside. */
static struct scaled
scale(uint64_t significand, int exponent, int k, bool is_closer)
{
    int shift = exponent + floor_log2_power_of_ten(-k) + 1;
    uint64_t high = power_of_ten[-k - POWERS_OF_TEN_MIN].high;
    uint64_t low = power_of_ten[-k - POWERS_OF_TEN_MIN].low;
    uint64_t four = 4 * significand;
    bool is_odd = significand & 1;

    return (struct scaled){
        .lower = multiply_to_odd(high, low, (four - 2 + is_closer) << shift) +
                 is_odd,
        .value = multiply_to_odd(high, low, four << shift),
        .upper = multiply_to_odd(high, low, (four + 2) << shift) - is_odd,
    };
}

struct decimal
decimal_shortest(double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    uint64_t significand = bits & (((uint64_t)1 << FRACTION_BITS) - 1);
    int biased = (int)(bits >> FRACTION_BITS);
    /* The neighbour below a power of two is only half as far away. */
    bool is_closer = significand == 0 && biased > 1;
    if (biased != 0)
        significand |= (uint64_t)1 << FRACTION_BITS;
    else
        biased = 1;

    int exponent = biased - EXPONENT_BIAS;
    int k = floor_log10_power_of_two(exponent, is_closer);
    struct scaled scaled = scale(significand, exponent, k, is_closer);
    uint64_t below = scaled.value / 4;

    /* Multiples of 10^(K+1): one below, one above. */
    if (below >= 10) {
        uint64_t tens = below / 10;
        bool has_below = scaled.lower <= 40 * tens;
        bool has_above = 40 * tens + 40 <= scaled.upper;
        if (has_below != has_above)
            return (struct decimal){tens + has_above, k + 1};
    }
    /* Multiples of 10^K: if both are inside, take the closer multiple. */
    bool has_below = scaled.lower <= 4 * below;
    bool has_above = 4 * below + 4 <= scaled.upper;
    uint64_t middle = 4 * below + 2;
    bool is_above = has_below != has_above
                        ? has_above
                        : scaled.value > middle ||
                              (scaled.value == middle && (below & 1) != 0);
    return (struct decimal){below + is_above, k};
}

/* ---- from decimals ---- */

/* Below 10^-342, even 19 digits round to 0. */
#define ROUND_EXPONENT_MIN (-342)

/* Up to this, powers of ten have at most 128 bits. */
#define EXACT_POWER_MAX 55

/* Two neighbouring doubles, or their middle, differ within this many digits; a
   last digit says whether digits are left out. */
#define ROUND_DIGITS_MAX 800

/* A number of 192 bits, times 2^EXPONENT. */
struct product {
    uint64_t high;
    uint64_t middle;
    uint64_t low;
    int exponent;
};

/* The bits of the double nearest to PRODUCT, one of whose first two bits is
   1. */
static uint64_t
round_product(struct product product)
{
    int exponent = product.exponent + 128; /* of the last bit of HIGH */

    if (product.high >> 63 == 0) {
        product.high = product.high << 1 | product.middle >> 63;
        product.middle <<= 1;
        exponent--;
    }
    uint64_t first = product.high | ((product.middle | product.low) != 0);
    int biased = exponent + 63 + 1023;
    int drop = 64 - 1 - FRACTION_BITS;

    if (biased >= 2047)
        return (uint64_t)2047 << FRACTION_BITS;
    if (biased < 1) {
        drop += 1 - biased;
        biased = 1;
    }
    if (drop > 64)
        return 0;
    uint64_t half = (uint64_t)1 << (drop - 1);
    uint64_t tail = first & (half - 1);
    uint64_t kept = drop < 64 ? first >> drop : 0;
    bool is_up = (first & half) != 0 && (tail != 0 || (kept & 1) != 0);
    /* The first bit is not stored; like a carry, it adds to the exponent. */
    return ((uint64_t)(biased - 1) << FRACTION_BITS) + kept + is_up;
}

/* PRODUCT + ADDEND. */
static struct product
add_to_product(struct product product, struct wide addend)
{
    uint64_t low = product.low + addend.low;
    uint64_t carry = low < addend.low;
    uint64_t middle = product.middle + addend.high;

    product.high += middle < addend.high;
    product.low = low;
    product.middle = middle + carry;
    product.high += product.middle < carry;
    return product;
}

/* PRODUCT - SUBTRAHEND. */
static struct product
subtract_from_product(struct product product, uint64_t subtrahend)
{
    bool is_borrowed = product.low < subtrahend;

    product.low -= subtrahend;
    product.high -= is_borrowed && product.middle == 0;
    product.middle -= is_borrowed;
    return product;
}

/*
 * Set *BITS to the bits of the double nearest to NUMBER, if the table decides
 * them; the power of NUMBER is in the table.  Returns whether it does.
 */
static bool
round_bounds(const struct text_number *number, uint64_t *bits)
{
    int power = (int)number->exponent;
    unsigned int zeros = (unsigned int)__builtin_clzll(number->digits);
    uint64_t high = power_of_ten[power - POWERS_OF_TEN_MIN].high;
    uint64_t low = power_of_ten[power - POWERS_OF_TEN_MIN].low;
    uint64_t factor = number->digits << zeros;
    struct wide by_low = wide_product(low, factor);
    struct wide by_high = wide_product(high, factor);
    struct product upper = {
        .high = by_high.high,
        .middle = by_high.low,
        .low = by_low.low,
        .exponent = floor_log2_power_of_ten(power) - 127 - (int)zeros,
    };
    upper = add_to_product(upper, (struct wide){0, by_low.high});
    struct product lower = upper;

    /* The table rounds up. */
    if (power < 0 || power > EXACT_POWER_MAX)
        lower = subtract_from_product(lower, factor);
    if (number->is_cut) {
        struct wide more = wide_product(low, (uint64_t)1 << zeros);
        upper = add_to_product(upper, more);
        more = wide_product(high, (uint64_t)1 << zeros);
        upper = add_to_product(upper, (struct wide){0, more.low});
        upper.high += more.high;
    }
    *bits = round_product(upper);
    return round_product(lower) == *bits;
}

/* As decimal_round(), by the C library; the magnitude only. */
static double
round_digits(const struct text_number *number, const unsigned char *text)
{
    char copy[ROUND_DIGITS_MAX + 32];
    size_t used = 0;
    bool is_more = false;

    if (!number->is_cut) {
        snprintf(copy, sizeof copy, "%" PRIu64 "e%" PRId64, number->digits,
                 (int64_t)number->exponent);
        return strtod(copy, NULL);
    }
    for (uint32_t at = number->start; at < number->end; at++) {
        if (text[at] == '.' || (text[at] == '0' && used == 0))
            continue;
        if (used < ROUND_DIGITS_MAX)
            copy[used++] = (char)text[at];
        else
            is_more |= text[at] != '0';
    }
    /* The exponent is that of digit 19. */
    int64_t exponent = number->exponent - ((int64_t)used - TEXT_NUMBER_DIGITS);
    if (is_more) {
        copy[used++] = '1';
        exponent--;
    }
    snprintf(copy + used, sizeof copy - used, "e%" PRId64, exponent);
    return strtod(copy, NULL);
}

double
decimal_round(const struct text_number *number, const unsigned char *text)
{
    static const double power[] = {
        1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
        1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
    };
    const int power_max = (int)(sizeof power / sizeof *power) - 1;
    int64_t exponent = number->exponent;
    double value = 0;
    uint64_t bits;

    if (number->digits == 0 || exponent < ROUND_EXPONENT_MIN)
        return 0;
    if (number->digits <= (uint64_t)1 << (FRACTION_BITS + 1) &&
        !number->is_cut && exponent >= -power_max && exponent <= power_max)
        value = exponent < 0 ? (double)number->digits / power[-exponent]
                             : (double)number->digits * power[exponent];
    else if (exponent > POWERS_OF_TEN_MAX)
        value = (double)INFINITY;
    else if (exponent >= POWERS_OF_TEN_MIN && round_bounds(number, &bits))
        value = binning_bits_double(bits);
    else
        value = round_digits(number, text);
    return number->is_negative && value != 0 ? -value : value;
}

double
decimal_scale(uint64_t bits, bool is_more, int exponent)
{
    uint64_t rounded = round_product(
        (struct product){bits, is_more, 0, .exponent = exponent - 128});

    return binning_bits_double(rounded);
}

/* ---- order ---- */

/* The least number of TEXT_NUMBER_DIGITS digits. */
#define DIGITS_LEAST UINT64_C(1000000000000000000)

/* The digits of a number that text_number_cut() leaves out. */
struct cut_digits {
    const unsigned char *text;
    binning_u32 at;
    binning_u32 end;
};

/* Returns the next digit of TAIL, or 0 after the last digit. */
static unsigned int
next_digit(struct cut_digits *tail)
{
    if (tail->at < tail->end && tail->text[tail->at] == '.')
        tail->at++;
    return tail->at < tail->end ? tail->text[tail->at++] - (unsigned int)'0'
                                : 0;
}

/* Returns the digits of NUMBER, which is cut, after the first 19. */
static struct cut_digits
tail_of(const struct text_number *number, const unsigned char *text)
{
    struct cut_digits tail = {text, number->start, number->end};

    while (text[tail.at] == '0' || text[tail.at] == '.')
        tail.at++;
    for (int i = 0; i < TEXT_NUMBER_DIGITS; i++)
        (void)next_digit(&tail);
    return tail;
}

/* Compare the rests of two numbers, which start with the same 19 digits. */
static int
compare_tails(struct cut_digits a, struct cut_digits b)
{
    while (a.at < a.end || b.at < b.end) {
        unsigned int digit_a = next_digit(&a);
        unsigned int digit_b = next_digit(&b);
        if (digit_a != digit_b)
            return digit_a < digit_b ? -1 : 1;
    }
    return 0;
}

/* Set *DIGITS and *EXPONENT to those of NUMBER, not 0, with 19 digits. */
static void
normalize(const struct text_number *number, uint64_t *digits, int64_t *exponent)
{
    *digits = number->digits;
    *exponent = number->exponent;
    for (; *digits < DIGITS_LEAST; *digits *= 10)
        --*exponent;
}

/* Compare the magnitudes of A and B, which are finite and not 0. */
static int
compare_magnitudes(const struct text_number *a, const unsigned char *text_a,
                   const struct text_number *b, const unsigned char *text_b)
{
    uint64_t digits_a;
    uint64_t digits_b;
    int64_t exponent_a;
    int64_t exponent_b;

    normalize(a, &digits_a, &exponent_a);
    normalize(b, &digits_b, &exponent_b);
    if (exponent_a != exponent_b)
        return exponent_a < exponent_b ? -1 : 1;
    if (digits_a != digits_b)
        return digits_a < digits_b ? -1 : 1;
    if (a->is_cut && b->is_cut)
        return compare_tails(tail_of(a, text_a), tail_of(b, text_b));
    return (int)a->is_cut - (int)b->is_cut;
}

/* Returns -1, 0 or 1: the sign of NUMBER. */
static int
sign_of(const struct text_number *number)
{
    if (number->kind == TEXT_NUMBER_FINITE && number->digits == 0)
        return 0;
    return number->is_negative ? -1 : 1;
}

int
decimal_order(const struct text_number *a, const unsigned char *text_a,
              const struct text_number *b, const unsigned char *text_b)
{
    int sign = sign_of(a);
    int infinite =
        (a->kind == TEXT_NUMBER_INFINITE) - (b->kind == TEXT_NUMBER_INFINITE);

    if (sign != sign_of(b))
        return sign < sign_of(b) ? -1 : 1;
    if (sign == 0 || infinite != 0 || a->kind == TEXT_NUMBER_INFINITE)
        return sign * infinite;
    return sign * compare_magnitudes(a, text_a, b, text_b);
}
