/* SPDX-License-Identifier: MIT */
/* amount.c -- the count and the exact sum of weights of one or more cells */

#include <math.h>

#include "hist/amount.h"

struct amount
amount_of_total(const struct amount_total *total)
{
    return (struct amount){total->count, total->plane, 1};
}

/* Add the sum of AMOUNT to the sum at PLANE, whose planes are STRIDE apart. */
static void
add_sum(uint64_t *plane, size_t stride, enum sample_type type,
        const struct amount *amount)
{
    /* A carried sum counts as one added value: see weighing.h. */
    binning_u64 part[WEIGHING_PLANES_MAX];
    binning_u32 planes = weighing_planes(type);

    for (binning_u32 p = 0; p < planes; p++)
        part[p] = amount->plane[p * amount->stride];
    weighing_carry(part, weighing_digits(type), 1);
    for (binning_u32 p = 0; p < planes; p++)
        plane[p * stride] += part[p];
    weighing_carry(plane, weighing_digits(type), stride);
}

void
amount_add(struct amount_total *total, const struct spec *spec,
           const struct amount *amount)
{
    total->count += amount->count;
    if (spec->has_weights)
        add_sum(total->plane, 1, spec->weight.type, amount);
}

void
amount_add_to_cell(struct histogram *histogram, uint64_t cell,
                   const struct spec *spec, const struct amount *amount)
{
    histogram->value[cell] += amount->count;
    if (spec->has_weights)
        add_sum(histogram->value + histogram->cells + cell,
                (size_t)histogram->cells, spec->weight.type, amount);
}

void
amount_add_decimal(struct histogram *histogram, uint64_t cell,
                   const struct decimal_sum *sum)
{
    uint64_t *plane = histogram->value + histogram->cells + cell;
    size_t stride = (size_t)histogram->cells;

    sum_add_decimal(sum, plane, stride);
    weighing_carry(plane, WEIGHING_DECIMAL_DIGITS, stride);
}

double
amount_double(const struct spec *spec, const struct amount *amount)
{
    if (!spec->has_weights)
        return (double)amount->count;
    return sum_double(spec->weight.type, amount->plane, amount->stride);
}

char *
amount_put(const struct spec *spec, const struct amount *amount, char *at)
{
    if (spec->has_weights)
        return sum_put(spec->weight.type, amount->plane, amount->stride, at);
    return number_put(amount->count, at);
}

void
amount_text(const struct spec *spec, const struct amount *amount,
            char text[SUM_TEXT_BYTES])
{
    *amount_put(spec, amount, text) = '\0';
}

static int
compare_doubles(double a, double b)
{
    if (isnan(a) || isnan(b))
        return isnan(b) - isnan(a);
    return (a > b) - (a < b);
}

int
amount_compare(const struct spec *spec, const struct amount *a,
               const struct amount *b)
{
    enum sample_type type = spec->weight.type;

    if (!spec->has_weights)
        return (a->count > b->count) - (a->count < b->count);
    if (type == SAMPLE_DECIMAL) {
        struct decimal_sum left = sum_decimal(a->plane, a->stride);
        struct decimal_sum right = sum_decimal(b->plane, b->stride);
        return decimal_sum_compare(&left, &right);
    }
    if (binning_is_float(type))
        return compare_doubles(sum_double(type, a->plane, a->stride),
                               sum_double(type, b->plane, b->stride));
    return wide_compare(sum_integer(type, a->plane, a->stride),
                        sum_integer(type, b->plane, b->stride));
}
