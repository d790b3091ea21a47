/* exponential.c -- powers of e and 10, the same on every processor */

#include "util/exponential.h"
#include "util/precise.h"

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

static double
power(struct precise x)
{
    int exponent = (int)rint(x.high / log_2.high);
    struct precise whole = precise_multiply(precise_of(exponent), log_2);
    struct precise rest = precise_subtract(x, whole);
    struct precise value = series(precise_scale(rest, -HALVINGS));

    /* (1 + v)^2 - 1 */
    for (int i = 0; i < HALVINGS; i++)
        value = precise_multiply(value, precise_add(precise_of(2), value));
    return ldexp(precise_add(precise_of(1), value).high, exponent);
}

double
exponential_e(double x)
{
    return power(precise_of(x));
}

double
exponential_10(double x)
{
    return power(precise_multiply(precise_of(x), log_10));
}
