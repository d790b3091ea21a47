/* SPDX-License-Identifier: MIT */
/* figure_sum.c -- the exact sum of numbers: of decimals, or of doubles */

#include <string.h>

#include "base/natural.h"
#include "hist/key_decimal.h"
#include "report/figure_sum.h"

struct figure_sum
figure_sum_none(bool is_real)
{
    struct figure_sum none;

    none.is_real = is_real;
    if (is_real)
        memset(&none.of.real, 0, sizeof none.of.real);
    else
        memset(&none.of.decimal, 0, sizeof none.of.decimal);
    return none;
}

bool
figure_sum_addend(struct decimal_sum *addend, enum key_kind kind,
                  const struct key_component *component)
{
    if (kind != KEY_INTEGER)
        return key_decimal_sum(component, addend);
    *addend = decimal_sum_of_integer(component->integer);
    return true;
}

void
figure_sum_set(struct figure_sum *sum, enum key_kind kind,
               const struct key_component *component, uint64_t count)
{
    struct decimal_sum one = {{0}};

    *sum = figure_sum_none(sum->is_real);
    if (sum->is_real) {
        real_sum_add(&sum->of.real, component->real, count);
        return;
    }
    (void)figure_sum_addend(&one, kind, component);
    sum->of.decimal = decimal_sum_multiply(&one, count);
}

void
figure_sum_add(struct figure_sum *sum, const struct figure_sum *more)
{
    if (sum->is_real)
        real_sum_add_sum(&sum->of.real, &more->of.real);
    else
        decimal_sum_add(&sum->of.decimal, &more->of.decimal);
}

void
figure_sum_subtract(struct figure_sum *sum, const struct figure_sum *less)
{
    if (sum->is_real) {
        real_sum_subtract(&sum->of.real, &less->of.real);
        return;
    }
    struct decimal_sum negative = decimal_sum_negate(&less->of.decimal);
    decimal_sum_add(&sum->of.decimal, &negative);
}

int
figure_sum_compare(const struct figure_sum *a, const struct figure_sum *b)
{
    return a->is_real ? real_sum_compare(&a->of.real, &b->of.real)
                      : decimal_sum_compare(&a->of.decimal, &b->of.decimal);
}

struct figure_sum
figure_sum_above(const struct figure_sum *sum, uint64_t part, uint64_t whole)
{
    const struct decimal_sum unit = {{1}};
    struct figure_sum above = {.is_real = sum->is_real};

    if (sum->is_real) {
        real_sum_part(&above.of.real, &sum->of.real, part, whole);
        real_sum_increment(&above.of.real);
        return above;
    }
    above.of.decimal = decimal_sum_part(&sum->of.decimal, part, whole);
    decimal_sum_add(&above.of.decimal, &unit);
    return above;
}

/* Set *QUOTIENT to NANO, in units of 10^-9, divided by COUNT.  Returns false if
   both are not doubles, whose quotient is rounded once. */
static bool
divide_nano(int64_t nano, uint64_t count, double *quotient)
{
    const int64_t most = (int64_t)1 << 53; /* whole numbers are doubles */
    uint64_t unit = 1000000000;

    for (; unit > 1 && nano % 10 == 0; unit /= 10)
        nano /= 10;
    if (nano < -most || nano > most || count > (uint64_t)most / unit)
        return false;
    *quotient = (double)nano / (double)(unit * count);
    return true;
}

double
figure_sum_divide(const struct figure_sum *sum, uint64_t count)
{
    struct natural dividend;
    struct natural divisor;
    double quotient;
    int64_t nano;

    if (sum->is_real)
        return real_sum_divide(&sum->of.real, count);
    if (decimal_sum_nano(&sum->of.decimal, &nano) &&
        divide_nano(nano, count, &quotient))
        return quotient;
    bool is_negative = decimal_sum_is_negative(&sum->of.decimal);
    struct decimal_sum magnitude =
        is_negative ? decimal_sum_negate(&sum->of.decimal) : sum->of.decimal;
    natural_set(&dividend, magnitude.word, DECIMAL_SUM_WORDS);
    natural_set(&divisor, &count, 1);
    natural_scale(&divisor, DECIMAL_SUM_PLACES);
    quotient = natural_divide(&dividend, &divisor);
    return is_negative ? -quotient : quotient;
}
