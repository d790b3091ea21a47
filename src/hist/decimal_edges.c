/* SPDX-License-Identifier: MIT */
/* decimal_edges.c -- even edges between decimals: exact, then rounded once */

#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "hist/decimal_edges.h"

/* DIGITS / 10^SCALE. */
struct fraction {
    struct natural digits;
    bool is_negative;
    unsigned int scale;
};

/* Read TEXT, which is a finite number. */
static void
fraction_read(struct fraction *fraction, const char *text)
{
    char decimal[NUMBER_TEXT_BYTES];
    bool is_fraction = false;
    struct wide whole;
    long power = 0;

    *fraction = (struct fraction){.is_negative = *text == '-'};
    text += *text == '-' || *text == '+';
    if (text[0] == '0' && (text[1] | 32) == 'x') {
        (void)number_parse_digits(text, &whole);
        *number_put_integer(whole, decimal) = '\0';
        text = decimal;
    }
    for (; *text != '\0' && (*text | 32) != 'e'; text++) {
        if (*text == '.') {
            is_fraction = true;
            continue;
        }
        natural_multiply(&fraction->digits, 10, (uint32_t)(*text - '0'));
        power -= is_fraction;
    }
    if (*text != '\0')
        power += strtol(text + 1, NULL, 10);
    if (fraction->digits.count == 0)
        power = 0;
    if (power >= 0)
        natural_scale(&fraction->digits, (unsigned int)power);
    else
        fraction->scale = (unsigned int)-power;
}

/* Give FRACTION the divisor 10^SCALE, which is at least the divisor now. */
static void
fraction_extend(struct fraction *fraction, unsigned int scale)
{
    natural_scale(&fraction->digits, scale - fraction->scale);
    fraction->scale = scale;
}

/* Set STEP to HI - LO, of the same scale; HI is above LO. */
static void
subtract(struct natural *step, const struct fraction *hi,
         const struct fraction *lo)
{
    *step = hi->digits;
    if (hi->is_negative != lo->is_negative) {
        natural_add(step, &lo->digits);
    } else if (lo->is_negative) {
        *step = lo->digits;
        natural_subtract(step, &hi->digits);
    } else {
        natural_subtract(step, &lo->digits);
    }
}

void
decimal_edges_make(struct decimal_edges *edges, const char *lo, const char *hi,
                   const char *step, uint64_t bins)
{
    struct fraction first;
    struct fraction other;

    fraction_read(&first, lo);
    fraction_read(&other, step != NULL ? step : hi);
    unsigned int scale = first.scale > other.scale ? first.scale : other.scale;
    fraction_extend(&first, scale);
    fraction_extend(&other, scale);
    *edges = (struct decimal_edges){
        .first = first.digits,
        .is_negative = first.is_negative,
        .divisor = {.limb = {1}, .count = 1},
    };
    natural_scale(&edges->divisor, scale);
    if (step != NULL) {
        edges->step = other.digits;
        return;
    }
    subtract(&edges->step, &other, &first);
    natural_multiply(&edges->first, (uint32_t)bins, 0);
    natural_multiply(&edges->divisor, (uint32_t)bins, 0);
}

double
decimal_edges_read(const struct decimal_edges *edges, uint64_t i)
{
    struct natural distance = edges->step;
    struct natural magnitude = edges->first;

    natural_multiply(&distance, (uint32_t)i, 0);
    if (!edges->is_negative) {
        natural_add(&magnitude, &distance);
        return natural_divide(&magnitude, &edges->divisor);
    }
    if (natural_compare(&distance, &magnitude) >= 0) {
        natural_subtract(&distance, &magnitude);
        return natural_divide(&distance, &edges->divisor);
    }
    natural_subtract(&magnitude, &distance);
    return -natural_divide(&magnitude, &edges->divisor);
}
