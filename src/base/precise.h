/* SPDX-License-Identifier: MIT */
/*
 * precise.h -- numbers of 106 bits, each the sum of two doubles
 *
 * A long double has 53, 64 or 113 bits, depending on the processor.  A precise
 * number has the same bits everywhere, because it consists of doubles, and each
 * operation on doubles is rounded by itself (T. J. Dekker, A floating-point
 * technique for extending the available precision, 1971).  HIGH is the double
 * nearest to the number.  If HIGH is infinite or NaN, LOW is 0.
 *
 * The error of an operation is a few units of 2^-104, relative to the result or
 * to the greater term of a sum.  No product may exceed 2^990.
 */

#ifndef GPUHIST_PRECISE_H
#define GPUHIST_PRECISE_H

#include <math.h>
#include <stdint.h>

#include "base/wide_integer.h"

struct precise {
    double high;
    double low;
};

static inline struct precise
precise_of(double x)
{
    return (struct precise){x, 0};
}

/* Returns A + B, exactly. */
static inline struct precise
precise_sum(double a, double b)
{
    double sum = a + b;
    double from_b = sum - a;
    double lost = (a - (sum - from_b)) + (b - from_b);

    return (struct precise){sum, isfinite(sum) ? lost : 0};
}

/* Returns A * B, exactly unless a part of the product is subnormal. */
static inline struct precise
precise_product(double a, double b)
{
    /* Halves of 26 bits have exact products. */
    const double splitter = 0x1p27 + 1;
    double product = a * b;
    double a_high = a * splitter - (a * splitter - a);
    double b_high = b * splitter - (b * splitter - b);
    double a_low = a - a_high;
    double b_low = b - b_high;
    double lost =
        a_low * b_low -
        (((product - a_high * b_high) - a_low * b_high) - a_high * b_low);

    return (struct precise){product, isfinite(product) ? lost : 0};
}

/* Exact. */
static inline struct precise
precise_of_whole(uint64_t value)
{
    double high = (double)(value >> 32) * 0x1p32;

    return precise_sum(high, (double)(value & 0xffffffff));
}

/* Exact for VALUE of at most 64 bits and a sign. */
static inline struct precise
precise_of_wide(struct wide value)
{
    bool is_negative = wide_is_negative(value);
    struct wide magnitude = is_negative ? wide_negate(value) : value;
    struct precise x = precise_of_whole(magnitude.low);

    return is_negative ? (struct precise){-x.high, -x.low} : x;
}

static inline struct precise
precise_negate(struct precise a)
{
    return (struct precise){-a.high, -a.low};
}

static inline struct precise
precise_add(struct precise a, struct precise b)
{
    struct precise high = precise_sum(a.high, b.high);
    struct precise low = precise_sum(a.low, b.low);

    if (!isfinite(high.high))
        return high;
    high = precise_sum(high.high, high.low + low.high);
    return precise_sum(high.high, high.low + low.low);
}

static inline struct precise
precise_subtract(struct precise a, struct precise b)
{
    return precise_add(a, precise_negate(b));
}

static inline struct precise
precise_multiply(struct precise a, struct precise b)
{
    struct precise product = precise_product(a.high, b.high);

    if (!isfinite(product.high))
        return product;
    return precise_sum(product.high,
                       product.low + (a.high * b.low + a.low * b.high));
}

/* Returns A / B; B is finite and not 0. */
static inline struct precise
precise_divide(struct precise a, struct precise b)
{
    double first = a.high / b.high;

    if (!isfinite(first))
        return precise_of(first);
    struct precise remainder =
        precise_subtract(a, precise_multiply(b, precise_of(first)));
    return precise_sum(first, remainder.high / b.high);
}

/* Returns the square root of A, which is not negative. */
static inline struct precise
precise_root(struct precise a)
{
    double first = sqrt(a.high);

    if (first == 0 || !isfinite(first))
        return precise_of(first);
    struct precise remainder =
        precise_subtract(a, precise_product(first, first));
    return precise_sum(first, remainder.high / (2 * first));
}

/* Returns A * 2^EXPONENT. */
static inline struct precise
precise_scale(struct precise a, int exponent)
{
    return (struct precise){ldexp(a.high, exponent), ldexp(a.low, exponent)};
}

#endif
