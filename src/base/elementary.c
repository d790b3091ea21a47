/* SPDX-License-Identifier: MIT */
/*
 * elementary.c -- logarithms and powers, the same on every processor
 *
 * log(b / a) is 2 (s + s^3 / 3 + s^5 / 5 + ...) with s = (b - a) / (b + a),
 * from the nearest step A to B.
 */

#include <float.h>
#include <string.h>

#include "base/elementary.h"

/* ---- logarithms ---- */

/* 2 / log(2) */
static const struct precise factor = {0x1.71547652b82fep+1,
                                      0x1.777d0ffda0d24p-55};

/* Returns log2((a + b) / (a - b)), where S is b / a and below 1 / 64; the terms
   after the first are rounded to a double. */
static struct precise
ratio_log2(struct precise s)
{
    double square = s.high * s.high;
    double sum = 0;

    for (int n = 13; n >= 3; n -= 2)
        sum = (sum + 1.0 / n) * square;
    s = precise_add(s, precise_of(s.high * sum));
    return precise_multiply(s, factor);
}

void
log2_table_make(struct log2_table *table)
{
    table->of[0] = precise_of(0);
    for (int i = 1; i <= LOG2_STEPS; i++) {
        struct precise step = precise_divide(
            precise_of(1), precise_of(2 * LOG2_STEPS + 2 * i - 1));
        table->of[i] = precise_add(table->of[i - 1], ratio_log2(step));
    }
    /* The last step gets the exact value. */
    table->of[LOG2_STEPS] = precise_of(1);
}

struct precise
log2_whole(const struct log2_table *table, uint64_t value)
{
    int zeros = __builtin_clzll(value);
    uint64_t bits = value << zeros; /* 1 to 2, times 2^63 */
    /* The nearest step. */
    uint64_t near = ((bits >> 56) + 1) / 2;
    uint64_t step = near << 57;
    struct precise difference =
        near == 128   ? precise_negate(precise_of_whole(-bits))
        : bits < step ? precise_negate(precise_of_whole(step - bits))
                      : precise_of_whole(bits - step);
    struct precise sum =
        precise_add(precise_of_whole(bits), precise_of((double)near * 0x1p57));
    struct precise whole =
        precise_add(precise_of(63 - zeros), table->of[near - LOG2_STEPS]);

    if (bits == step)
        return whole;
    return precise_add(whole, ratio_log2(precise_divide(difference, sum)));
}

double
log2_double(const struct log2_table *table, double x)
{
    const uint64_t fraction = ((uint64_t)1 << 52) - 1;
    const uint64_t one = (uint64_t)1023 << 52; /* the bits of 1 */
    uint64_t bits;
    double remainder;

    memcpy(&bits, &x, sizeof bits);
    uint64_t near = (((bits & fraction) >> 45) + 1) / 2; /* the nearest step */
    int exponent = (int)(bits >> 52) - 1023;
    bits = (bits & fraction) | one;
    memcpy(&remainder, &bits, sizeof remainder);
    double step = 1 + (double)near / LOG2_STEPS;
    double s = (remainder - step) / (remainder + step);
    double square = s * s;
    double series =
        1 + square * (1.0 / 3 + square * (1.0 / 5 + square * (1.0 / 7)));
    struct precise whole = precise_sum(exponent, table->of[near].high);

    return whole.high +
           (whole.low + table->of[near].low + s * series * factor.high);
}

/* ---- powers ---- */

static const struct precise log_2 = {0x1.62e42fefa39efp-1,
                                     0x1.abc9e3b39803fp-56};
static const struct precise log_10 = {0x1.26bb1bbb55516p+1,
                                      -0x1.f48ad494ea3e9p-53};

/* How often the series' argument is halved, and its result squared. */
#define HALVINGS 8

/* e^X - 1, for |X| below 2^-9: terms after the fourth are small enough for a
   double. */
static struct precise
series(struct precise x)
{
    static const struct precise sixth = {0x1.5555555555555p-3,
                                         0x1.5555555555555p-57};
    static const struct precise twenty_fourth = {0x1.5555555555555p-5,
                                                 0x1.5555555555555p-59};
    double h = x.high;
    double remainder =
        h * (1.0 / 120 + h * (1.0 / 720 + h * (1.0 / 5040 + h / 40320)));
    struct precise sum = precise_add(twenty_fourth, precise_of(remainder));

    sum = precise_add(sixth, precise_multiply(sum, x));
    sum = precise_add(precise_of(0.5), precise_multiply(sum, x));
    sum = precise_add(precise_of(1), precise_multiply(sum, x));
    return precise_multiply(sum, x);
}

/* e^X is the result times 2^*EXPONENT. */
static struct precise
power(struct precise x, int *exponent)
{
    *exponent = (int)rint(x.high / log_2.high);
    struct precise whole = precise_multiply(precise_of(*exponent), log_2);
    struct precise remainder = precise_subtract(x, whole);
    struct precise value = series(precise_scale(remainder, -HALVINGS));

    /* (1 + v)^2 - 1 */
    for (int i = 0; i < HALVINGS; i++)
        value = precise_multiply(value, precise_add(precise_of(2), value));
    return precise_add(precise_of(1), value);
}

static double
nearest(struct precise x)
{
    int exponent;
    struct precise value = power(x, &exponent);

    return ldexp(value.high, exponent);
}

double
exponential_e(double x)
{
    return nearest(precise_of(x));
}

double
exponential_10(double x)
{
    return nearest(precise_multiply(precise_of(x), log_10));
}

/*
 * If X is a multiple of 2^-20 but not whole, 2^X is at least 2^-79 away from
 * any double, relative to 2^X.  So the error does not matter.
 */
double
exponential_2(double x, bool is_up)
{
    double whole = floor(x);
    int exponent = 0;
    struct precise value = precise_of(1);

    if (x != whole)
        value =
            power(precise_multiply(precise_of(x - whole), log_2), &exponent);
    if (is_up && value.low > 0)
        value.high = nextafter(value.high, 4);
    else if (!is_up && value.low < 0)
        value.high = nextafter(value.high, 0);

    double result = ldexp(value.high, (int)whole + exponent);
    return isinf(result) && !is_up ? DBL_MAX : result;
}
