/* SPDX-License-Identifier: MIT */
/* decimal_sum.c -- exact sums of decimals */

#include <string.h>

#include "base/decimal.h"
#include "base/decimal_sum.h"
#include "base/number.h"
#include "base/whole_powers.h"
#include "base/wide_integer.h"

/* The magnitude of a sum, as words of 32 bits: products then fit. */
#define HALVES (2 * DECIMAL_SUM_WORDS)

/* Digits are found nine at a time. */
#define LIMB_DIGITS 9
#define LIMB 1000000000u
#define LIMBS 11 /* 99 digits: a sum has 97 at most */

/* 10^29, which is 10^-9 in units of 10^-38. */
#define NANO_HIGH UINT64_C(5421010862)
#define NANO_LOW UINT64_C(7886392056514347008)

/* 10^29 is 2^29 times an odd number, which has this inverse modulo 2^128. */
#define NANO_SHIFT 29
#define INVERSE_HIGH UINT64_C(3600299292946664567)
#define INVERSE_LOW UINT64_C(16824449022941875965)

struct decimal_sum
decimal_sum_negate(const struct decimal_sum *sum)
{
    struct decimal_sum negative;
    uint64_t carry = 1;

    for (int w = 0; w < DECIMAL_SUM_WORDS; w++) {
        negative.word[w] = ~sum->word[w] + carry;
        carry = negative.word[w] < carry;
    }
    return negative;
}

int
decimal_sum_compare(const struct decimal_sum *a, const struct decimal_sum *b)
{
    bool is_negative = decimal_sum_is_negative(a);

    if (is_negative != decimal_sum_is_negative(b))
        return is_negative ? -1 : 1;
    for (int w = DECIMAL_SUM_WORDS; w-- > 0;) {
        if (a->word[w] != b->word[w])
            return a->word[w] < b->word[w] ? -1 : 1;
    }
    return 0;
}

/* ---- reading ---- */

/* Multiply SUM, which has no sign, by FACTOR and add MORE. */
static void
multiply_add(struct decimal_sum *sum, uint64_t factor, uint64_t more)
{
    for (int w = 0; w < DECIMAL_SUM_WORDS; w++) {
        struct wide product =
            wide_add(wide_product(sum->word[w], factor), wide_of(more));
        sum->word[w] = product.low;
        more = product.high;
    }
}

/*
 * Append the digits of NUMBER after NUMBER->digits to SUM, and lower *PLACE to
 * the place of the last digit.  Returns whether a sum has places for all digits
 * except zeros.
 */
static bool
append_digits(struct decimal_sum *sum, const struct text_number *number,
              const unsigned char *text, binning_i64 *place)
{
    binning_u32 count = 0;
    bool has_digits = false;
    unsigned int places = 0; /* of MORE, which SUM does not have yet */
    uint64_t more = 0;

    for (binning_u32 at = number->start; at < number->end; at++) {
        if (text[at] == '.')
            continue;
        has_digits |= text[at] != '0';
        count += has_digits;
        if (count <= TEXT_NUMBER_DIGITS)
            continue;
        if (*place == -DECIMAL_SUM_PLACES) {
            if (text[at] != '0')
                return false;
            continue;
        }
        --*place;
        more = 10 * more + (text[at] - '0');
        if (++places == WHOLE_POWERS - 1) {
            multiply_add(sum, whole_power_of_ten[places], more);
            places = 0;
            more = 0;
        }
    }
    multiply_add(sum, whole_power_of_ten[places], more);
    return true;
}

int
decimal_sum_read(struct decimal_sum *sum, const struct text_number *number,
                 const unsigned char *text)
{
    uint64_t digits = number->digits;
    binning_i64 place = number->exponent;

    *sum = (struct decimal_sum){{0}};
    if (number->kind != TEXT_NUMBER_FINITE)
        return -1;
    if (digits == 0)
        return 0;
    for (; !number->is_cut && place < -DECIMAL_SUM_PLACES && digits % 10 == 0;
         place++)
        digits /= 10;
    if (place < -DECIMAL_SUM_PLACES)
        return -1;
    binning_i64 first = place - 1;
    for (uint64_t remainder = digits; remainder > 0; remainder /= 10)
        first++;
    if (first >= DECIMAL_SUM_PLACES)
        return -1;
    sum->word[0] = digits;
    if (number->is_cut && !append_digits(sum, number, text, &place))
        return -1;
    *sum = decimal_sum_scale(sum, (unsigned int)(place + DECIMAL_SUM_PLACES));
    if (number->is_negative)
        *sum = decimal_sum_negate(sum);
    return 0;
}

/* ---- writing ---- */

/*
 * Divide the COUNT words at HALF, the lowest one first, by LIMB.  Returns the
 * rest.
 */
static uint32_t
divide_by_limb(uint32_t *half, int count)
{
    uint64_t remainder = 0;

    for (int h = count; h-- > 0;) {
        uint64_t value = remainder << 32 | half[h];
        half[h] = (uint32_t)(value / LIMB);
        remainder = value % LIMB;
    }
    return (uint32_t)remainder;
}

/* Write the digits of SUM, which has no sign, to the GROUPS * LIMB_DIGITS
   bytes from DIGIT to END, the last one before END. */
static void
put_digits(const struct decimal_sum *sum, char *digit, char *end)
{
    uint32_t half[HALVES];
    int count = HALVES;
    char *at = end;

    for (int w = 0; w < DECIMAL_SUM_WORDS; w++) {
        half[2 * w] = (uint32_t)sum->word[w];
        half[2 * w + 1] = (uint32_t)(sum->word[w] >> 32);
    }
    memset(digit, '0', (size_t)(end - digit));
    while (at > digit) {
        while (count > 0 && half[count - 1] == 0)
            count--;
        if (count == 0)
            return;
        uint32_t limb = divide_by_limb(half, count);
        for (int d = 0; d < LIMB_DIGITS; d++, limb /= 10)
            *--at = (char)('0' + limb % 10);
    }
}

/* The same as decimal_sum_put(), of NANO. */
static char *
put_nano(int64_t nano, char *at)
{
    const uint64_t unit = whole_power_of_ten[DECIMAL_NANO_PLACES];
    uint64_t magnitude = nano < 0 ? -(uint64_t)nano : (uint64_t)nano;

    if (nano < 0)
        *at++ = '-';
    at = number_put(magnitude / unit, at);
    uint64_t fraction = magnitude % unit;
    if (fraction == 0)
        return at;
    *at = '.';
    for (int d = DECIMAL_NANO_PLACES; d > 0; d--, fraction /= 10)
        at[d] = (char)('0' + fraction % 10);
    for (at += DECIMAL_NANO_PLACES; *at == '0'; at--)
        ;
    return at + 1;
}

char *
decimal_sum_put(const struct decimal_sum *sum, char *at)
{
    char digit[LIMBS * LIMB_DIGITS];
    const char *point = digit + sizeof digit - DECIMAL_SUM_PLACES;
    const char *start = digit;
    const char *end = digit + sizeof digit;
    struct decimal_sum magnitude = *sum;
    int64_t nano;

    if (decimal_sum_nano(sum, &nano))
        return put_nano(nano, at);
    if (decimal_sum_is_negative(sum)) {
        magnitude = decimal_sum_negate(sum);
        *at++ = '-';
    }
    put_digits(&magnitude, digit, digit + sizeof digit);
    while (start + 1 < point && *start == '0')
        start++;
    while (end > point && end[-1] == '0')
        end--;
    memcpy(at, start, (size_t)(point - start));
    at += point - start;
    if (end == point)
        return at;
    *at++ = '.';
    memcpy(at, point, (size_t)(end - point));
    return at + (end - point);
}

double
decimal_sum_double(const struct decimal_sum *sum)
{
    char text[DECIMAL_SUM_TEXT_BYTES];
    const unsigned char *bytes = (const unsigned char *)text;
    struct text_number number;

    text_number_scan(bytes, (binning_u32)(decimal_sum_put(sum, text) - text),
                     &number);
    return decimal_round(&number, bytes);
}

int
decimal_sum_of_double(double value, struct decimal_sum *sum)
{
    char text[NUMBER_TEXT_BYTES];
    const unsigned char *bytes = (const unsigned char *)text;
    struct text_number number;

    text_number_scan(bytes, (uint32_t)(number_put_double(value, text) - text),
                     &number);
    return decimal_sum_read(sum, &number, bytes);
}

/* ---- products ---- */

struct decimal_sum
decimal_sum_multiply(const struct decimal_sum *sum, uint64_t count)
{
    bool is_negative = decimal_sum_is_negative(sum);
    struct decimal_sum product = is_negative ? decimal_sum_negate(sum) : *sum;

    multiply_add(&product, count, 0);
    return is_negative ? decimal_sum_negate(&product) : product;
}

struct decimal_sum
decimal_sum_scale(const struct decimal_sum *sum, unsigned int places)
{
    const unsigned int most = WHOLE_POWERS - 1;
    struct decimal_sum scaled = *sum;

    for (; places > most; places -= most)
        scaled = decimal_sum_multiply(&scaled, whole_power_of_ten[most]);
    return decimal_sum_multiply(&scaled, whole_power_of_ten[places]);
}

/* With SUM = Q WHOLE + R, the result is Q PART + R PART / WHOLE, where nothing
   is greater than SUM. */
struct decimal_sum
decimal_sum_part(const struct decimal_sum *sum, uint64_t part, uint64_t whole)
{
    struct decimal_sum quotient;
    struct decimal_sum rest = {{0}};
    uint64_t left = 0;
    uint64_t unused;

    for (int w = DECIMAL_SUM_WORDS; w-- > 0;) {
        const struct wide digit = {.low = sum->word[w], .high = left};
        quotient.word[w] = wide_divide(digit, whole, &left).low;
    }
    rest.word[0] = wide_divide(wide_product(left, part), whole, &unused).low;
    multiply_add(&quotient, part, 0);
    decimal_sum_add(&quotient, &rest);
    return quotient;
}

struct decimal_sum
decimal_sum_of_integer(struct wide value)
{
    const uint64_t half = UINT64_C(10000000000000000000); /* 10^19 */
    bool is_negative = wide_is_negative(value);
    struct wide magnitude = is_negative ? wide_negate(value) : value;
    struct decimal_sum sum = {{magnitude.low, magnitude.high}};

    multiply_add(&sum, half, 0);
    multiply_add(&sum, half, 0);
    return is_negative ? decimal_sum_negate(&sum) : sum;
}

/* ---- short addends ---- */

bool
decimal_nano_read(int64_t *nano, const struct text_number *number)
{
    uint64_t digits = number->digits;
    binning_i64 place = number->exponent;

    if (number->kind != TEXT_NUMBER_FINITE || number->is_cut)
        return false;
    for (; digits != 0 && place > -DECIMAL_NANO_PLACES; place--) {
        if (digits > (uint64_t)DECIMAL_NANO_MOST / 10)
            return false;
        digits *= 10;
    }
    for (; digits != 0 && place < -DECIMAL_NANO_PLACES; place++) {
        if (digits % 10 != 0)
            return false;
        digits /= 10;
    }
    if (digits > (uint64_t)DECIMAL_NANO_MOST)
        return false;
    *nano = number->is_negative ? -(int64_t)digits : (int64_t)digits;
    return true;
}

struct decimal_sum
decimal_sum_of_nano(int64_t nano)
{
    uint64_t magnitude = nano < 0 ? -(uint64_t)nano : (uint64_t)nano;
    struct wide low = wide_product(magnitude, NANO_LOW);
    struct wide high =
        wide_add(wide_product(magnitude, NANO_HIGH), wide_of(low.high));
    struct decimal_sum sum = {{low.low, high.low, high.high}};

    return nano < 0 ? decimal_sum_negate(&sum) : sum;
}

bool
decimal_sum_nano(const struct decimal_sum *sum, int64_t *nano)
{
    bool is_negative = decimal_sum_is_negative(sum);
    struct decimal_sum magnitude = is_negative ? decimal_sum_negate(sum) : *sum;

    /* Of a nano, an exact quotient. */
    struct wide quotient = wide_product(magnitude.word[0], INVERSE_LOW);
    quotient.high += magnitude.word[0] * INVERSE_HIGH;
    quotient.high += magnitude.word[1] * INVERSE_LOW;
    uint64_t units = quotient.low >> NANO_SHIFT | quotient.high
                                                      << (64 - NANO_SHIFT);
    if (units > (uint64_t)DECIMAL_NANO_MOST)
        return false;
    *nano = is_negative ? -(int64_t)units : (int64_t)units;
    const struct decimal_sum same = decimal_sum_of_nano(*nano);
    return decimal_sum_compare(&same, sum) == 0;
}
