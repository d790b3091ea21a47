/* SPDX-License-Identifier: MIT */
/* ordered_decimal.c -- decimals as integers in the same order */

#include "base/ordered_decimal.h"

#define DIGITS TEXT_NUMBER_DIGITS

/* The power of ten of the first digit is POWER_MIN + 0, 1, ... */
#define POWER_MIN (-DECIMAL_SUM_PLACES)

/* A magnitude above 0 is 1 + its power * MANTISSAS + its first 17 digits -
   MANTISSA_MIN. */
#define MANTISSA_MIN UINT64_C(10000000000000000)
#define MANTISSAS (9 * MANTISSA_MIN)

/* One more than the greatest power for which 10^19 times a number below 10 is
   no addend unless it ends with zeros. */
#define POWER_LONG (POWER_MIN + DIGITS - 1)

static const uint64_t power_of_ten[DIGITS + 1] = {
    UINT64_C(1),
    UINT64_C(10),
    UINT64_C(100),
    UINT64_C(1000),
    UINT64_C(10000),
    UINT64_C(100000),
    UINT64_C(1000000),
    UINT64_C(10000000),
    UINT64_C(100000000),
    UINT64_C(1000000000),
    UINT64_C(10000000000),
    UINT64_C(100000000000),
    UINT64_C(1000000000000),
    UINT64_C(10000000000000),
    UINT64_C(100000000000000),
    UINT64_C(1000000000000000),
    UINT64_C(10000000000000000),
    UINT64_C(100000000000000000),
    UINT64_C(1000000000000000000),
    UINT64_C(10000000000000000000),
};

/* Returns how many digits NUMBER has, which is not 0. */
static inline unsigned int
digits_of(uint64_t number)
{
    unsigned int bits = 64 - (unsigned int)__builtin_clzll(number);
    unsigned int digits = bits * 1233 >> 12; /* log10(2) * 4096 */

    return digits + (number >= power_of_ten[digits]);
}

/* Returns the decimal with MAGNITUDE and LOW. */
static inline struct ordered_decimal
with_sign(uint64_t magnitude, uint64_t low, bool is_negative)
{
    if (!is_negative)
        return (struct ordered_decimal){(int64_t)magnitude, (uint32_t)low};
    if (low == 0)
        return (struct ordered_decimal){-(int64_t)magnitude, 0};
    return (struct ordered_decimal){-(int64_t)magnitude - 1,
                                    ORDERED_DECIMAL_LOWS - (uint32_t)low};
}

/* Returns the decimal of the COUNT digits of DIGITS, at least 1, the first of
   which has POWER. */
static inline struct ordered_decimal
of_digits(uint64_t digits, unsigned int count, int64_t power, bool is_negative)
{
    digits *= power_of_ten[DIGITS - count];
    uint64_t first = digits / ORDERED_DECIMAL_LOWS;
    uint64_t magnitude =
        1 + (uint64_t)(power - POWER_MIN) * MANTISSAS + first - MANTISSA_MIN;

    return with_sign(magnitude, digits % ORDERED_DECIMAL_LOWS, is_negative);
}

bool
ordered_decimal_read(struct ordered_decimal *decimal,
                     const struct text_number *number)
{
    bool is_negative = number->is_negative != 0;
    uint64_t digits = number->digits;

    *decimal = (struct ordered_decimal){0, 0};
    if (number->kind == TEXT_NUMBER_INFINITE) {
        decimal->high =
            is_negative ? -ORDERED_DECIMAL_INFINITE : ORDERED_DECIMAL_INFINITE;
        return true;
    }
    if (number->kind != TEXT_NUMBER_FINITE || number->is_cut)
        return false;
    if (digits == 0)
        return true;
    unsigned int count = digits_of(digits);
    int64_t power = number->exponent + count - 1;
    if (power < POWER_MIN || power >= DECIMAL_SUM_PLACES)
        return false;
    if (power < POWER_LONG) {
        int64_t place = number->exponent;
        for (; digits % 10 == 0; place++)
            digits /= 10;
        if (place < -DECIMAL_SUM_PLACES)
            return false;
        count = digits_of(digits);
    }
    *decimal = of_digits(digits, count, power, is_negative);
    return true;
}

struct ordered_decimal
ordered_decimal_of_nano(int64_t nano)
{
    uint64_t digits = nano < 0 ? -(uint64_t)nano : (uint64_t)nano;

    if (digits == 0)
        return (struct ordered_decimal){0, 0};
    unsigned int count = digits_of(digits);
    return of_digits(digits, count, (int64_t)count - 1 - DECIMAL_NANO_PLACES,
                     nano < 0);
}

/* Set *POWER to the power of the first of the 19 digits of DECIMAL, which is
   finite and not 0.  Returns the digits. */
static inline uint64_t
find_digits(const struct ordered_decimal *decimal, unsigned int *power)
{
    uint64_t magnitude = (uint64_t)decimal->high;
    uint64_t low = decimal->low;

    if (decimal->high < 0) {
        magnitude = -magnitude - (low != 0);
        low = low != 0 ? ORDERED_DECIMAL_LOWS - low : 0;
    }
    *power = (unsigned int)((magnitude - 1) / MANTISSAS);
    uint64_t first = (magnitude - 1) % MANTISSAS + MANTISSA_MIN;
    return first * ORDERED_DECIMAL_LOWS + low;
}

static bool
is_zero(const struct ordered_decimal *decimal)
{
    return decimal->high == 0 && decimal->low == 0;
}

struct text_number
ordered_decimal_number(const struct ordered_decimal *decimal)
{
    struct text_number number = {
        .kind = TEXT_NUMBER_FINITE,
        .is_negative = decimal->high < 0,
    };
    unsigned int power;

    if (is_zero(decimal))
        return number;
    if (decimal->high == ORDERED_DECIMAL_INFINITE ||
        decimal->high == -ORDERED_DECIMAL_INFINITE) {
        number.kind = TEXT_NUMBER_INFINITE;
        return number;
    }
    number.digits = find_digits(decimal, &power);
    number.exponent = (int)power + POWER_MIN + 1 - DIGITS;
    for (; number.digits % 10 == 0; number.exponent++)
        number.digits /= 10;
    return number;
}

/* ---- sums ---- */

/* Returns SUM * 10^POWER. */
static struct decimal_sum
scale_up(struct decimal_sum sum, unsigned int power)
{
    for (; power > DIGITS; power -= DIGITS)
        sum = decimal_sum_multiply(&sum, power_of_ten[DIGITS]);
    return decimal_sum_multiply(&sum, power_of_ten[power]);
}

/* Returns DIGITS_SUM, of numbers of 19 digits the first of which has POWER. */
static struct decimal_sum
total_of(struct wide digits_sum, unsigned int power)
{
    bool is_negative = wide_is_negative(digits_sum);
    struct wide magnitude = is_negative ? wide_negate(digits_sum) : digits_sum;
    uint64_t unused;

    /* A sum has units of 10^POWER_MIN.  Digits beyond are zeros. */
    if (power < DIGITS - 1) {
        magnitude =
            wide_divide(magnitude, power_of_ten[DIGITS - 1 - power], &unused);
        power = DIGITS - 1;
    }
    struct decimal_sum sum = {{magnitude.low, magnitude.high}};
    sum = scale_up(sum, power - (DIGITS - 1));
    return is_negative ? decimal_sum_negate(&sum) : sum;
}

struct decimal_sum
ordered_decimal_sum(const struct ordered_decimal *decimal)
{
    unsigned int power;

    if (is_zero(decimal))
        return (struct decimal_sum){{0}};
    struct wide digits = wide_of(find_digits(decimal, &power));
    return total_of(decimal->high < 0 ? wide_negate(digits) : digits, power);
}

void
ordered_sums_add(struct ordered_sums *sums,
                 const struct ordered_decimal *decimal)
{
    unsigned int power;

    if (is_zero(decimal))
        return;
    struct wide digits = wide_of(find_digits(decimal, &power));
    sums->digits[power] = decimal->high < 0
                              ? wide_subtract(sums->digits[power], digits)
                              : wide_add(sums->digits[power], digits);
}

struct decimal_sum
ordered_sums_total(const struct ordered_sums *sums)
{
    struct decimal_sum total = {{0}};

    for (unsigned int p = 0; p < ORDERED_DECIMAL_POWERS; p++) {
        if (sums->digits[p].low == 0 && sums->digits[p].high == 0)
            continue;
        struct decimal_sum sum = total_of(sums->digits[p], p);
        decimal_sum_add(&total, &sum);
    }
    return total;
}
