/* exponential.c -- powers of e, 10 and 2, the same on every processor */

#include <float.h>

#include "base/exponential.h"
#include "base/precise.h"

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
    double rest =
        h * (1.0 / 120 + h * (1.0 / 720 + h * (1.0 / 5040 + h / 40320)));
    struct precise sum = precise_add(twenty_fourth, precise_of(rest));

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
    struct precise rest = precise_subtract(x, whole);
    struct precise value = series(precise_scale(rest, -HALVINGS));

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
 * The powers of 2 to a multiple of 2^-20 that is not whole are at least 2^-79
 * away from any double, relative to their size, so that the error does not
 * matter.
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
