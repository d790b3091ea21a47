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
    none.nano = 0;
    if (is_real)
        memset(&none.of.real, 0, sizeof none.of.real);
    else
        memset(&none.of.decimal, 0, sizeof none.of.decimal);
    return none;
}

struct decimal_sum
figure_sum_decimal(const struct figure_sum *sum)
{
    struct decimal_sum decimal = sum->of.decimal;

    if (sum->nano != 0) {
        const struct decimal_sum part = decimal_sum_of_nano(sum->nano);
        decimal_sum_add(&decimal, &part);
    }
    return decimal;
}

/* Set *NANO to COMPONENT, a finite number of KIND, in units of 10^-9.  Returns
   false if it is not short. */
static bool
read_nano(int64_t *nano, enum key_kind kind,
          const struct key_component *component)
{
    const int64_t unit = 1000000000;
    const struct wide *integer = &component->integer;

    if (kind != KEY_INTEGER)
        return key_decimal_nano(component, nano);
    *nano = (int64_t)integer->low;
    return integer->high == (*nano < 0 ? UINT64_MAX : 0) &&
           !__builtin_mul_overflow(*nano, unit, nano);
}

/* Add COUNT times NANO to SUM.  Returns false, with nothing done, if it is too
   much for a nano. */
static bool
add_nano(struct figure_sum *sum, int64_t nano, uint64_t count)
{
    int64_t product;
    int64_t all;

    if (__builtin_mul_overflow(nano, count, &product) ||
        __builtin_add_overflow(sum->nano, product, &all) ||
        !decimal_is_nano(all))
        return false;
    sum->nano = all;
    return true;
}

bool
figure_sum_add_decimal(struct figure_sum *sum, enum key_kind kind,
                       const struct key_component *component, uint64_t count)
{
    struct decimal_sum addend;
    int64_t nano;

    if (read_nano(&nano, kind, component) && add_nano(sum, nano, count))
        return true;
    if (!figure_sum_addend(&addend, kind, component))
        return false;
    addend = decimal_sum_multiply(&addend, count);
    decimal_sum_add(&sum->of.decimal, &addend);
    return true;
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
    if (sum->is_real) {
        real_sum_add_sum(&sum->of.real, &more->of.real);
        return;
    }
    const struct decimal_sum addend = figure_sum_decimal(more);
    decimal_sum_add(&sum->of.decimal, &addend);
}

void
figure_sum_subtract(struct figure_sum *sum, const struct figure_sum *less)
{
    if (sum->is_real) {
        real_sum_subtract(&sum->of.real, &less->of.real);
        return;
    }
    struct decimal_sum negative = figure_sum_decimal(less);
    negative = decimal_sum_negate(&negative);
    decimal_sum_add(&sum->of.decimal, &negative);
}

int
figure_sum_compare(const struct figure_sum *a, const struct figure_sum *b)
{
    if (a->is_real)
        return real_sum_compare(&a->of.real, &b->of.real);
    const struct decimal_sum left = figure_sum_decimal(a);
    const struct decimal_sum right = figure_sum_decimal(b);
    return decimal_sum_compare(&left, &right);
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
    const struct decimal_sum decimal = figure_sum_decimal(sum);
    above.of.decimal = decimal_sum_part(&decimal, part, whole);
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
    struct decimal_sum magnitude = figure_sum_decimal(sum);
    if (decimal_sum_nano(&magnitude, &nano) &&
        divide_nano(nano, count, &quotient))
        return quotient;
    bool is_negative = decimal_sum_is_negative(&magnitude);
    if (is_negative)
        magnitude = decimal_sum_negate(&magnitude);
    natural_set(&dividend, magnitude.word, DECIMAL_SUM_WORDS);
    natural_set(&divisor, &count, 1);
    natural_scale(&divisor, DECIMAL_SUM_PLACES);
    quotient = natural_divide(&dividend, &divisor);
    return is_negative ? -quotient : quotient;
}
