/* SPDX-License-Identifier: MIT */
/* test_decimal.c -- the table of powers of ten; shortest decimals of doubles */

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../noise.h"
#include "../tap.h"
#include "base/decimal.h"
#include "base/powers_of_ten.h"
#include "kernels/binning/binning.h"

/* ---- the table ---- */

/* A number of many bits, the lowest word first. */
#define WORDS 40

struct big {
    uint32_t word[WORDS];
};

static void
big_multiply(struct big *big, uint32_t factor)
{
    uint64_t carry = 0;

    for (int i = 0; i < WORDS; i++) {
        carry += (uint64_t)big->word[i] * factor;
        big->word[i] = (uint32_t)carry;
        carry >>= 32;
    }
}

static int
big_compare(const struct big *a, const struct big *b)
{
    for (int i = WORDS; i-- > 0;) {
        if (a->word[i] != b->word[i])
            return a->word[i] > b->word[i] ? 1 : -1;
    }
    return 0;
}

static struct big
big_power_of_two(int exponent)
{
    struct big big = {{0}};

    big.word[exponent / 32] = (uint32_t)1 << exponent % 32;
    return big;
}

static struct big
big_of(uint64_t high, uint64_t low)
{
    return (struct big){{(uint32_t)low, (uint32_t)(low >> 32), (uint32_t)high,
                         (uint32_t)(high >> 32)}};
}

static int
big_bits(const struct big *big)
{
    for (int i = 32 * WORDS; i-- > 0;) {
        if (big->word[i / 32] >> i % 32 & 1)
            return i + 1;
    }
    return 0;
}

/* BIG * 2^-SHIFT, or 2^SHIFT where that is negative, rounded up. */
static struct big
big_shift_up(const struct big *big, int shift)
{
    struct big shifted = {{0}};
    bool has_tail = false;

    for (int i = 0; i < 32 * WORDS; i++) {
        uint32_t bit = big->word[i / 32] >> i % 32 & 1;
        int to = i - shift;
        if (to < 0)
            has_tail |= bit != 0;
        else if (to < 32 * WORDS)
            shifted.word[to / 32] |= bit << to % 32;
    }
    for (int i = 0; has_tail && i < WORDS; i++)
        has_tail = ++shifted.word[i] == 0;
    return shifted;
}

/* Whether the entry for 10^K, which is 1 or more, is what it should be. */
static bool
is_right_power(int k)
{
    int i = k - POWERS_OF_TEN_MIN;
    struct big entry = big_of(power_of_ten[i].high, power_of_ten[i].low);
    struct big power = big_power_of_two(0);

    for (int n = 0; n < k; n++)
        big_multiply(&power, 10);
    struct big wanted = big_shift_up(&power, big_bits(&power) - 128);
    return big_compare(&entry, &wanted) == 0;
}

/* The same for 10^-K: (entry - 1) * 10^K < 2^n <= entry * 10^K. */
static bool
is_right_fraction(int k)
{
    int i = -k - POWERS_OF_TEN_MIN;
    uint64_t high = power_of_ten[i].high;
    uint64_t low = power_of_ten[i].low;
    struct big above = big_of(high, low);
    struct big below = big_of(high - (low == 0), low - 1);

    for (int n = 0; n < k; n++) {
        big_multiply(&above, 10);
        big_multiply(&below, 10);
    }
    struct big two = big_power_of_two(big_bits(&above) - 1);
    return high >> 63 == 1 && big_compare(&below, &two) < 0 &&
           big_compare(&two, &above) <= 0;
}

static void
test_table(void)
{
    size_t wrong = 0;

    for (int k = 0; k <= POWERS_OF_TEN_MAX; k++)
        wrong += !is_right_power(k);
    ok(wrong == 0, "10^0 to 10^%d", POWERS_OF_TEN_MAX);
    wrong = 0;
    for (int k = 1; k <= -POWERS_OF_TEN_MIN; k++)
        wrong += !is_right_fraction(k);
    ok(wrong == 0, "10^%d to 10^-1", POWERS_OF_TEN_MIN);
}

/* ---- doubles ---- */

/* "DIGITSeEXPONENT" as a number. */
static double
value_of(uint64_t digits, int exponent)
{
    char text[40];

    snprintf(text, sizeof text, "%llue%d", (unsigned long long)digits,
             exponent);
    return strtod(text, NULL);
}

/*
 * What the C library makes of COUNT digits: the closest decimal.  Returns
 * whether one reads back to VALUE: this one, or else one of its neighbours,
 * the closer one of which can only be the one on the other side of VALUE.
 */
static bool
find_decimal(double value, int count, struct decimal *decimal)
{
    char text[40];
    char digits[24];

    snprintf(text, sizeof text, "%.*e", count - 1, value);
    snprintf(digits, sizeof digits, "%c%.*s", text[0], count - 1,
             count > 1 ? text + 2 : "");
    uint64_t closest = strtoull(digits, NULL, 10);
    int exponent = atoi(strchr(text, 'e') + 1) - (count - 1);
    static const int step[] = {0, 1, -1};
    for (int i = 0; i < 3; i++) {
        uint64_t tried = closest + (uint64_t)step[i];
        if (value_of(tried, exponent) == value) {
            *decimal = (struct decimal){tried, exponent};
            return true;
        }
    }
    return false;
}

static struct decimal
without_zeros(struct decimal decimal)
{
    while (decimal.digits % 10 == 0) {
        decimal.digits /= 10;
        decimal.exponent++;
    }
    return decimal;
}

static bool
is_shortest(double value)
{
    struct decimal found = without_zeros(decimal_shortest(value));
    struct decimal wanted = {0, 0};
    /* Up to DBL_DIG digits of a normal number survive being a double. */
    int count = value < DBL_MIN ? 1 : DBL_DIG;

    while (count < DBL_DECIMAL_DIG && !find_decimal(value, count, &wanted))
        count++;
    if (count == DBL_DECIMAL_DIG)
        find_decimal(value, count, &wanted);
    wanted = without_zeros(wanted);
    if (found.digits == wanted.digits && found.exponent == wanted.exponent)
        return true;
    printf("# %a: %llue%d, not %llue%d\n", value,
           (unsigned long long)found.digits, found.exponent,
           (unsigned long long)wanted.digits, wanted.exponent);
    return false;
}

/* VALUE and its neighbours, as far as they are finite and above 0. */
static size_t
count_wrong(double value)
{
    size_t wrong = 0;
    double tried[] = {nextafter(value, 0), value, nextafter(value, INFINITY)};

    for (size_t i = 0; i < 3; i++)
        wrong += tried[i] > 0 && isfinite(tried[i]) && !is_shortest(tried[i]);
    return wrong;
}

static void
test_edges(void)
{
    size_t wrong = 0;

    for (int e = -1074; e < 1024; e++)
        wrong += count_wrong(ldexp(1, e)) + count_wrong(ldexp(3, e - 1));
    ok(wrong == 0, "powers of 2, and 3 times that");
    wrong = 0;
    for (int e = -324; e <= 308; e++) {
        for (uint64_t digit = 1; digit < 10; digit++)
            wrong += count_wrong(value_of(digit, e));
    }
    ok(wrong == 0, "one digit at any place");
    wrong = 0;
    for (int i = 1; i < 5000; i++)
        wrong += count_wrong(ldexp(i, -1074)) +
                 count_wrong(DBL_MIN - ldexp(i, -1074));
    ok(wrong == 0, "the smallest and the greatest subnormals");
    wrong = 0;
    for (int i = -5000; i < 5000; i++)
        wrong += count_wrong(0x1p53 + i) + count_wrong(0x1p52 + i / 2.0) +
                 count_wrong(0x1p51 + i / 4.0) + count_wrong(i + 0.5);
    ok(wrong == 0, "around 2^53; halves");
    wrong = count_wrong(DBL_MAX) + count_wrong(DBL_MIN) +
            count_wrong(DBL_TRUE_MIN) + count_wrong(1) + count_wrong(1e23);
    ok(wrong == 0, "the limits");
    wrong = 0;
    for (int i = 1; i < 20000; i++)
        wrong += count_wrong(i / 1000.0) + count_wrong(i * 1e17);
    ok(wrong == 0, "few digits");
}

/* Any bits, and any fraction with each exponent in turn. */
static void
test_noise(unsigned long count)
{
    size_t wrong = 0;

    for (unsigned long i = 0; i < count && wrong < 10; i++) {
        uint64_t bits = noise() >> 1;
        if (i % 2 != 0)
            bits = bits % ((uint64_t)1 << 52) | (uint64_t)(i / 2 % 2047) << 52;
        double value = binning_bits_double(bits);
        wrong += value > 0 && isfinite(value) && !is_shortest(value);
    }
    ok(wrong == 0, "%lu doubles of any bits", count);
}

/* ... [COUNT]: the number of random doubles; default: half a second. */
int
main(int argc, char **argv)
{
    test_table();
    test_edges();
    test_noise(argc > 1          ? strtoul(argv[1], NULL, 10)
               : IS_INSTRUMENTED ? 20000
                                 : 200000);
    return done_testing();
}
