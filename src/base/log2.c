/*
 * log2.c -- binary logarithms, the same on every processor
 *
 * The C library's logarithms may differ in the last bit from one processor to
 * another.  Here log(b / a) is 2 (s + s^3 / 3 + s^5 / 5 + ...) with
 * s = (b - a) / (b + a), from the nearest step A to B.
 */

#include <string.h>

#include "base/log2.h"

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
    /* What all steps lack is spread over them. */
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
    double rest;

    memcpy(&bits, &x, sizeof bits);
    uint64_t near = (((bits & fraction) >> 45) + 1) / 2; /* the nearest step */
    int exponent = (int)(bits >> 52) - 1023;
    bits = (bits & fraction) | one;
    memcpy(&rest, &bits, sizeof rest);
    double step = 1 + (double)near / LOG2_STEPS;
    double s = (rest - step) / (rest + step);
    double square = s * s;
    double series =
        1 + square * (1.0 / 3 + square * (1.0 / 5 + square * (1.0 / 7)));
    struct precise whole = precise_sum(exponent, table->of[near].high);

    return whole.high +
           (whole.low + table->of[near].low + s * series * factor.high);
}
