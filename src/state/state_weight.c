/* SPDX-License-Identifier: MIT */
/* state_weight.c -- an exact sum of weights as a field of a state */

#include <stdbool.h>
#include <string.h>

#include "base/escape.h"
#include "hist/sum.h"
#include "state/state_field.h"
#include "state/state_weight.h"

/* Hexadecimal digits in a digit of a sum; the top digit has 16. */
#define HEX_DIGITS 8

/* The greatest power of ten of 64 bits. */
#define POWER_PLACES 19
#define POWER_MAX UINT64_C(10000000000000000000)

static const char *const counters[WEIGHING_SPECIALS] = {
    [WEIGHING_NAN] = ";nan=",
    [WEIGHING_PLUS_INFINITY] = ";inf=",
    [WEIGHING_MINUS_INFINITY] = ";-inf=",
};

/* Negate the COUNT digits.  The digits are normalized, before and after. */
static void
negate(binning_u64 *digit, binning_u32 count)
{
    for (binning_u32 k = 0; k < count; k++)
        digit[k] = -digit[k];
    weighing_carry(digit, count, 1);
}

/* Returns hexadecimal digit I of the COUNT digits, from the lowest on. */
static unsigned int
hex_digit(const binning_u64 *digit, binning_u32 count, binning_u32 i)
{
    binning_u32 k = i / HEX_DIGITS;

    k = k < count ? k : count - 1;
    return (unsigned int)(digit[k] >> 4 * (i - k * HEX_DIGITS)) & 15;
}

static void
put_float(struct writer *out, enum sample_type type, const uint64_t *plane,
          size_t stride)
{
    binning_u64 digit[WEIGHING_DIGITS_MAX];
    binning_u32 count = weighing_digits(type);
    binning_u32 last = HEX_DIGITS * (count + 1);
    binning_u32 first = 0;

    for (binning_u32 k = 0; k < count; k++)
        digit[k] = plane[k * stride];
    weighing_carry(digit, count, 1);
    if (digit[count - 1] >> 63 != 0) {
        writer_put_char(out, '-');
        negate(digit, count);
    }
    while (last > 0 && hex_digit(digit, count, last - 1) == 0)
        last--;
    while (first < last && hex_digit(digit, count, first) == 0)
        first++;
    writer_put_text(out, "0x");
    if (last == 0)
        writer_put_char(out, '0');
    for (binning_u32 i = last; i-- > first;)
        writer_put_char(out, escape_digit(hex_digit(digit, count, i)));
    int exponent = last == 0 ? 0 : weighing_unit(type) + 4 * (int)first;
    writer_put_text(out, exponent < 0 ? "p-" : "p+");
    writer_put_number(out, (uint64_t)(exponent < 0 ? -exponent : exponent));
    for (binning_u32 s = 0; s < WEIGHING_SPECIALS; s++) {
        uint64_t times = plane[(count + s) * stride];
        if (times == 0)
            continue;
        writer_put_text(out, counters[s]);
        writer_put_number(out, times);
    }
}

void
state_weight_put(struct writer *out, enum sample_type type,
                 const uint64_t *plane, size_t stride)
{
    if (binning_is_float(type) && type != SAMPLE_DECIMAL)
        put_float(out, type, plane, stride);
    else
        out->at = sum_put(type, plane, stride, writer_piece(out));
}

/* ---- reading ---- */

/* Set the digits of a sum of TYPE to the number of SIZE hexadecimal digits at
   HEX, times 2^EXPONENT. */
static int
set_digits(enum sample_type type, const char *hex, size_t size,
           int64_t exponent, uint64_t *digit)
{
    binning_u32 count = weighing_digits(type);
    int64_t place = exponent - weighing_unit(type);
    bool is_zero = size == 1 && *hex == '0';

    if (is_zero)
        return 0;
    /* The top bit is the sign. */
    if (place < 0 || place % 4 != 0 || size == 0 || *hex == '0' ||
        place / 4 + (int64_t)size > HEX_DIGITS * ((int64_t)count + 1) - 1)
        return -1;
    for (size_t i = 0; i < size; i++) {
        uint64_t at = (uint64_t)place / 4 + (size - 1 - i);
        uint64_t k = at / HEX_DIGITS;
        k = k < count ? k : count - 1;
        digit[k] |= (uint64_t)state_text_hex_digit(hex[i])
                    << 4 * (at - k * HEX_DIGITS);
    }
    return 0;
}

/* Returns the bits of the finite value of TYPE farthest from 0. */
static uint64_t
farthest(enum sample_type type, bool is_negative)
{
    uint64_t sign = (uint64_t)1 << (8 * binning_size(type) - 1);

    switch (type) {
    case SAMPLE_F2:
        return 0x7bff;
    case SAMPLE_F4:
        return 0x7f7fffff;
    case SAMPLE_F8:
        return UINT64_C(0x7fefffffffffffff);
    case SAMPLE_BF16:
        return 0x7f7f;
    case SAMPLE_E4M3:
        return 0x7e;
    case SAMPLE_E5M2:
        return 0x7b;
    default:
        if (!binning_is_signed(type))
            return is_negative ? 0 : sign | (sign - 1);
        return is_negative ? sign : sign - 1;
    }
}

/* Whether TIMES values of TYPE can have the sum of the normalized magnitude
   DIGIT.  TIMES is below 2^63. */
static bool
values_reach(enum sample_type type, uint64_t times, bool is_negative,
             const uint64_t *digit)
{
    binning_u32 count = weighing_digits(type);
    struct weighing_parts most;
    uint64_t carry = 0;
    bool is_more = false; /* the digits so far exceed the limit */

    weighing_split(type, farthest(type, is_negative), &most);
    for (binning_u32 k = 0; k < count; k++) {
        /* Unsigned: before the first part, I is beyond the last part, too. */
        binning_u32 i = k - most.first;
        int64_t part = i < most.count ? most.addend[i] : 0;
        struct wide limit =
            wide_add(wide_product((uint64_t)(part < 0 ? -part : part), times),
                     wide_of(carry));
        uint64_t low = k + 1 < count ? (uint32_t)limit.low : limit.low;
        carry = limit.high << 32 | limit.low >> 32;
        if (k + 1 == count && limit.high > 0)
            return true;
        if (digit[k] != low)
            is_more = digit[k] > low;
    }
    return !is_more;
}

static int
read_float(enum sample_type type, struct state_text *text, uint64_t times,
           uint64_t *plane)
{
    binning_u32 count = weighing_digits(type);
    bool is_negative = state_text_word(text, "-");
    const char *hex = text->at + 2;
    uint64_t exponent;

    if (!state_text_word(text, "0x"))
        return -1;
    size_t size = 0;
    while (size < text->size && state_text_hex_digit(hex[size]) < 16)
        size++;
    text->at += size;
    text->size -= size;
    bool is_below = state_text_word(text, "p-");
    if ((!is_below && !state_text_word(text, "p+")) ||
        !state_text_number(text, &exponent) || exponent > INT32_MAX ||
        set_digits(type, hex, size,
                   is_below ? -(int64_t)exponent : (int64_t)exponent,
                   plane) < 0)
        return -1;
    for (binning_u32 s = 0; s < WEIGHING_SPECIALS; s++) {
        uint64_t *counter = &plane[count + s];
        if (!state_text_word(text, counters[s]))
            continue;
        if (!state_text_number(text, counter) || *counter > times)
            return -1;
        times -= *counter;
    }
    if (text->size > 0 || !values_reach(type, times, is_negative, plane))
        return -1;
    if (is_negative)
        negate(plane, count);
    return 0;
}

/* Set SUM to SUM * POWER + DIGITS.  Returns whether SUM has room. */
static bool
append(struct decimal_sum *sum, uint64_t power, uint64_t digits)
{
    uint64_t carry = digits;

    for (int w = 0; w < DECIMAL_SUM_WORDS; w++) {
        struct wide product =
            wide_add(wide_product(sum->word[w], power), wide_of(carry));
        sum->word[w] = product.low;
        carry = product.high;
    }
    return carry == 0 && !decimal_sum_is_negative(sum);
}

/* Set SUM, which is 0, to the decimal number TEXT, in units of 10^-PLACES.
   Returns 0, or -1: TEXT is not a decimal number, or SUM has no room. */
static int
read_decimal(struct state_text *text, unsigned int places,
             struct decimal_sum *sum)
{
    bool is_negative = state_text_word(text, "-");
    bool has_point = false;
    bool has_room = true;
    uint64_t power = 1;
    uint64_t digits = 0;

    if (text->size == 0)
        return -1;
    for (size_t i = 0; i < text->size && has_room; i++) {
        unsigned int digit = (unsigned char)text->at[i] - (unsigned int)'0';
        if (text->at[i] == '.' && !has_point && i > 0) {
            has_point = true;
            continue;
        }
        if (digit > 9 || (has_point && places == 0))
            return -1;
        places -= has_point;
        digits = 10 * digits + digit;
        power *= 10;
        if (power < POWER_MAX)
            continue;
        has_room = append(sum, power, digits);
        power = 1;
        digits = 0;
    }
    has_room = has_room && append(sum, power, digits);
    for (; places >= POWER_PLACES; places -= POWER_PLACES)
        has_room = has_room && append(sum, POWER_MAX, 0);
    for (power = 1; places > 0; places--)
        power *= 10;
    if (!has_room || !append(sum, power, 0))
        return -1;
    if (is_negative)
        *sum = decimal_sum_negate(sum);
    return 0;
}

/* Whether TIMES decimals can have SUM.  TIMES is below 2^63. */
static bool
decimals_reach(uint64_t times, const struct decimal_sum *sum)
{
    struct decimal_sum most = {{0}};
    struct decimal_sum magnitude =
        decimal_sum_is_negative(sum) ? decimal_sum_negate(sum) : *sum;

    /* All digits are 9. */
    for (int p = 0; p < 2 * DECIMAL_SUM_PLACES; p += POWER_PLACES)
        append(&most, POWER_MAX, POWER_MAX - 1);
    return !append(&most, times, 0) ||
           decimal_sum_compare(&magnitude, &most) <= 0;
}

int
state_weight_read(enum sample_type type, const char *field, size_t size,
                  uint64_t times, uint64_t plane[WEIGHING_PLANES_MAX])
{
    struct state_text text = {field, size};
    struct decimal_sum sum = {{0}};
    binning_u32 digits = weighing_digits(type);

    if (times > INT64_MAX)
        return -1;
    memset(plane, 0, weighing_planes(type) * sizeof *plane);
    if (binning_is_float(type) && type != SAMPLE_DECIMAL)
        return read_float(type, &text, times, plane);
    bool is_decimal = type == SAMPLE_DECIMAL;
    if (read_decimal(&text, is_decimal ? DECIMAL_SUM_PLACES : 0, &sum) < 0)
        return -1;
    if (is_decimal) {
        if (!decimals_reach(times, &sum))
            return -1;
        sum_add_decimal(&sum, plane, 1);
        weighing_carry(plane, digits, 1);
        return 0;
    }
    /* All digits below the top digit have 32 bits. */
    bool is_negative = decimal_sum_is_negative(&sum);
    if (is_negative)
        sum = decimal_sum_negate(&sum);
    plane[0] = (uint32_t)sum.word[0];
    plane[1] =
        digits > 2 ? sum.word[0] >> 32 : sum.word[0] >> 32 | sum.word[1] << 32;
    if (digits > 2)
        plane[2] = sum.word[1];
    bool is_lost = sum.word[2] != 0 || sum.word[3] != 0 || sum.word[4] != 0 ||
                   (digits == 2 && sum.word[1] >> 31 != 0) ||
                   (digits > 2 && sum.word[1] >> 63 != 0);
    if (is_lost || !values_reach(type, times, is_negative, plane))
        return -1;
    if (is_negative)
        negate(plane, digits);
    return 0;
}
