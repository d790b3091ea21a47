/* key_decimal.c -- the code of a decimal, from its text */

#include <math.h>

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

/* The fast case: whether VALUE is a nano of 15 digits. */
static bool
read_nano(double value, struct decimal_sum *sum)
{
    const double unit = 1e9;
    double nano = rint(value * unit);

    if (!(fabs(nano) < (double)SHORT_LIMIT) || nano / unit != value)
        return false;
    *sum = decimal_sum_of_nano((int64_t)nano);
    return true;
}

bool
key_decimal_sum(const struct key_component *component, struct decimal_sum *sum)
{
    if (component->is_exact)
        *sum = component->exact;
    return component->is_exact || read_nano(component->real, sum) ||
           decimal_sum_of_double(component->real, sum) == 0;
}

char *
key_decimal_put_text(const struct key_component *component, char *at)
{
    return component->is_exact ? decimal_sum_put(&component->exact, at)
                               : number_put_double(component->real, at);
}
