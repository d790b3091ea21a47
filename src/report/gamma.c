/* SPDX-License-Identifier: MIT */
/* gamma.c -- the regularised incomplete gamma function */

#include <float.h>
#include <math.h>

#include "report/gamma.h"

/* From here on, Stirling's series is exact to all digits of a double. */
#define STIRLING_MIN 16.0

/* Far more terms than needed: about 10 * sqrt(a). */
#define TERMS_MAX 10000000

/* x^a e^-x / gamma(a + 1), without a difference of large logarithms. */
static double
poisson(double a, double x)
{
    if (a < STIRLING_MIN)
        return exp(a * log(x) - x - lgamma(a + 1));

    double excess = (x - a) / a;
    double square = a * a;
    double stirling =
        (1.0 / 12 -
         (1.0 / 360 - (1.0 / 1260 - 1.0 / 1680 / square) / square) / square) /
        a;
    return exp(a * (log1p(excess) - excess) - stirling) /
           sqrt(2 * 3.14159265358979323846 * a);
}

/* 1 + x / (a + 1) + x^2 / ((a + 1) (a + 2)) + ... */
static double
series(double a, double x)
{
    double sum = 1;
    double term = 1;

    for (int n = 1; n < TERMS_MAX && term > sum * DBL_EPSILON / 16; n++) {
        term *= x / (a + n);
        sum += term;
    }
    return sum;
}

/* 1 / (x + 1 - a - 1 (1 - a) / (x + 3 - a - 2 (2 - a) / (x + 5 - a ... */
static double
fraction(double a, double x)
{
    double b = x + 1 - a;
    double c = 1 / DBL_MIN;
    double d = 1 / b;
    double value = d;

    for (int n = 1; n < TERMS_MAX; n++) {
        double numerator = -n * (n - a);
        b += 2;
        d = 1 / (numerator * d + b);
        c = b + numerator / c;
        value *= c * d;
        if (fabs(c * d - 1) < DBL_EPSILON)
            break;
    }
    return value;
}

double
gamma_upper(double a, double x)
{
    if (x <= 0)
        return 1;
    if (isinf(x))
        return 0;
    if (x < a + 1)
        return 1 - poisson(a, x) * series(a, x);
    return poisson(a, x) * a * fraction(a, x);
}
