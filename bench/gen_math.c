/* SPDX-License-Identifier: MIT */
/* gen_math.c -- functions with the same results on all machines */

#include <stddef.h>

#include "gen_math.h"
#include "kernels/binning/binning.h"

/* The high part has few bits, so that its product with an exponent is exact. */
#define LN2_HIGH 0x1.62e42feep-1
#define LN2_LOW 0x1.a39ef35793c76p-33
#define LN2_INVERSE 0x1.71547652b82fep+0
#define SQRT2 0x1.6a09e667f3bcdp+0

/* log(1 + f) = 2 artanh(s) for s = f / (2 + f), |s| < 0.18, by its series. */
static double
log1p_small(double f)
{
    static const double factor[] = {
        1.0 / 23, 1.0 / 21, 1.0 / 19, 1.0 / 17, 1.0 / 15, 1.0 / 13,
        1.0 / 11, 1.0 / 9,  1.0 / 7,  1.0 / 5,  1.0 / 3,
    };
    double s = f / (2 + f);
    double z = s * s;
    double sum = 0;

    for (size_t i = 0; i < sizeof factor / sizeof *factor; i++)
        sum = z * (factor[i] + sum);
    return 2 * s + 2 * s * sum;
}

double
gen_math_log(double x)
{
    uint64_t bits = binning_double_bits(x);
    int exponent = (int)(bits >> 52) - 1023;
    double m = binning_bits_double((bits & ~((uint64_t)2047 << 52)) |
                                   (uint64_t)1023 << 52);

    if (m > SQRT2) {
        m /= 2;
        exponent++;
    }
    return exponent * LN2_HIGH + (exponent * LN2_LOW + log1p_small(m - 1));
}

double
gen_math_log1p(double x)
{
    return x > -0.3 && x < 0.3 ? log1p_small(x) : gen_math_log(1 + x);
}

/* exp(x) - 1 for |x| < 0.35, by its series; 1 / n! for n = 15 down to 2. */
static double
expm1_small(double x)
{
    static const double factor[] = {
        1.0 / 1307674368000,
        1.0 / 87178291200,
        1.0 / 6227020800,
        1.0 / 479001600,
        1.0 / 39916800,
        1.0 / 3628800,
        1.0 / 362880,
        1.0 / 40320,
        1.0 / 5040,
        1.0 / 720,
        1.0 / 120,
        1.0 / 24,
        1.0 / 6,
        1.0 / 2,
    };
    double sum = 0;

    for (size_t i = 0; i < sizeof factor / sizeof *factor; i++)
        sum = x * (factor[i] + sum);
    return x + x * sum;
}

double
gen_math_exp(double x)
{
    if (x < -700)
        return 0;
    int exponent = (int)(x * LN2_INVERSE + (x < 0 ? -0.5 : 0.5));
    double remainder = x - exponent * LN2_HIGH - exponent * LN2_LOW;
    return (1 + expm1_small(remainder)) *
           binning_bits_double((uint64_t)(1023 + exponent) << 52);
}

double
gen_math_expm1(double x)
{
    return x > -0.35 && x < 0.35 ? expm1_small(x) : gen_math_exp(x) - 1;
}
