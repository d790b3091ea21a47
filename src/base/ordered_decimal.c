/* SPDX-License-Identifier: MIT */
/* ordered_decimal.c -- decimals as integers in the same order */

#include "base/ordered_decimal.h"
#include "base/whole_powers.h"

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

/* Returns how many digits NUMBER has, which is not 0. */
static inline unsigned int
digits_of(uint64_t number)
{
    unsigned int bits = 64 - (unsigned int)__builtin_clzll(number);
    unsigned int digits = bits * 1233 >> 12; /* log10(2) * 4096 */

    return digits + (number >= whole_power_of_ten[digits]);
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
    digits *= whole_power_of_ten[DIGITS - count];
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
    if (ordered_decimal_is_infinite(decimal)) {
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

/* The powers of ten of a part. */
#define PART_POWERS DIGITS

_Static_assert(ORDERED_SUM_PARTS *PART_POWERS == 2 * DECIMAL_SUM_PLACES,
               "each power of an addend has a part");

void
ordered_sums_add(struct ordered_sums *sums,
                 const struct ordered_decimal *decimal)
{
    unsigned int power;

    if (is_zero(decimal))
        return;
    uint64_t digits = find_digits(decimal, &power);
    uint64_t *word = sums->word[power / PART_POWERS];
    struct wide addend =
        wide_product(digits, whole_power_of_ten[power % PART_POWERS]);
    uint64_t sign = 0;
    if (decimal->high < 0) {
        addend = wide_negate(addend);
        sign = UINT64_MAX;
    }
    struct wide low = wide_add((struct wide){word[0], word[1]}, addend);
    uint64_t carry = low.high < addend.high ||
                     (low.high == addend.high && low.low < addend.low);
    word[0] = low.low;
    word[1] = low.high;
    word[2] += sign + carry;
}

/* Returns the sum of part P of SUMS. */
static struct decimal_sum
part_total(const struct ordered_sums *sums, unsigned int p)
{
    const uint64_t *word = sums->word[p];
    uint64_t sign = word[2] >> 63 != 0 ? UINT64_MAX : 0;
    struct decimal_sum sum = {{word[0], word[1], word[2], sign, sign}};

    /* The last of 19 digits is 18 powers below the first one. */
    if (p > 0)
        return decimal_sum_scale(&sum, p * PART_POWERS - (DIGITS - 1));
    /* A sum has units of 10^POWER_MIN.  Digits beyond are zeros. */
    if (sign != 0)
        sum = decimal_sum_negate(&sum);
    sum = decimal_sum_part(&sum, 1, whole_power_of_ten[DIGITS - 1]);
    return sign != 0 ? decimal_sum_negate(&sum) : sum;
}

struct decimal_sum
ordered_sums_total(const struct ordered_sums *sums)
{
    struct decimal_sum total = {{0}};

    for (unsigned int p = 0; p < ORDERED_SUM_PARTS; p++) {
        const struct decimal_sum sum = part_total(sums, p);
        decimal_sum_add(&total, &sum);
    }
    return total;
}

void
ordered_sums_join(struct ordered_sums *sums, const struct ordered_sums *more)
{
    for (unsigned int p = 0; p < ORDERED_SUM_PARTS; p++) {
        uint64_t carry = 0;
        for (int w = 0; w < 3; w++) {
            uint64_t word = sums->word[p][w] + carry;
            carry = word < carry;
            sums->word[p][w] = word + more->word[p][w];
            carry += sums->word[p][w] < word;
        }
    }
}

struct decimal_sum
ordered_decimal_sum(const struct ordered_decimal *decimal)
{
    struct ordered_sums sums = {{{0}}};

    ordered_sums_add(&sums, decimal);
    return ordered_sums_total(&sums);
}
