/* SPDX-License-Identifier: MIT */
/* key_decimal.c -- the code of a decimal, from its text */

#include <math.h>

#include "base/decimal.h"
#include "base/number.h"
#include "hist/key_decimal.h"

/* Digits below the limit are the shortest text of a double. */
#define SHORT_LIMIT UINT64_C(1000000000000000)

/* Whether the shortest text of the nearest double is NUMBER. */
static bool
is_short(const struct text_number *number)
{
    uint64_t digits = number->digits;

    if (number->kind != TEXT_NUMBER_FINITE)
        return true;
    if (number->is_cut)
        return false;
    while (digits >= SHORT_LIMIT && digits % 10 == 0)
        digits /= 10;
    return digits < SHORT_LIMIT;
}

unsigned char *
key_decimal_put(unsigned char *at, const struct text_number *number,
                const unsigned char *text, double value)
{
    struct decimal_sum exact;
    bool has_digits =
        !is_short(number) && decimal_sum_read(&exact, number, text) == 0;

    return key_code_put_decimal(at, value, has_digits ? &exact : NULL);
}

/* Returns NANO, in units of 10^-9. */
static struct text_number
number_of(int64_t nano)
{
    return (struct text_number){
        .kind = TEXT_NUMBER_FINITE,
        .is_negative = nano < 0,
        .digits = nano < 0 ? -(uint64_t)nano : (uint64_t)nano,
        .exponent = -DECIMAL_NANO_PLACES,
    };
}

double
key_decimal_nano_double(int64_t nano)
{
    const int64_t whole = (int64_t)1 << 53; /* up to here in a double */

    if (nano >= -whole && nano <= whole)
        return (double)nano / 1e9;
    const struct text_number number = number_of(nano);
    return decimal_round(&number, NULL);
}

unsigned char *
key_decimal_put_nano(unsigned char *at, int64_t nano)
{
    const struct text_number number = number_of(nano);

    return key_decimal_put(at, &number, NULL, key_decimal_nano_double(nano));
}

/* Returns the double nearest to NUMBER, which is not cut. */
static double
round_number(const struct text_number *number)
{
    if (number->kind == TEXT_NUMBER_FINITE)
        return decimal_round(number, NULL);
    return number->is_negative ? -(double)INFINITY : (double)INFINITY;
}

double
key_decimal_ordered_double(const struct ordered_decimal *decimal)
{
    const struct text_number number = ordered_decimal_number(decimal);

    return round_number(&number);
}

unsigned char *
key_decimal_put_ordered(unsigned char *at,
                        const struct ordered_decimal *decimal)
{
    const struct text_number number = ordered_decimal_number(decimal);

    return key_decimal_put(at, &number, NULL, round_number(&number));
}

unsigned char *
key_decimal_put_sum(unsigned char *at, const struct decimal_sum *sum)
{
    return key_code_put_decimal(at, decimal_sum_double(sum), sum);
}

bool
key_decimal_nano(const struct key_component *component, int64_t *nano)
{
    const double unit = 1e9;
    double product = component->real * unit;

    if (component->is_exact || !(fabs(product) < (double)SHORT_LIMIT))
        return false;
    /* A nano differs from the product by much less than a half. */
    *nano = (int64_t)(product < 0 ? product - 0.5 : product + 0.5);
    return (double)*nano / unit == component->real;
}

bool
key_decimal_sum(const struct key_component *component, struct decimal_sum *sum)
{
    int64_t nano;

    if (component->is_exact) {
        *sum = component->exact;
        return true;
    }
    if (!key_decimal_nano(component, &nano))
        return decimal_sum_of_double(component->real, sum) == 0;
    *sum = decimal_sum_of_nano(nano);
    return true;
}

char *
key_decimal_put_text(const struct key_component *component, char *at)
{
    return component->is_exact ? decimal_sum_put(&component->exact, at)
                               : number_put_double(component->real, at);
}
