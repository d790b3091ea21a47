/* SPDX-License-Identifier: MIT */
/* amount.h -- the count and the exact sum of weights of one or more cells */

#ifndef GPUHIST_AMOUNT_H
#define GPUHIST_AMOUNT_H

#include <stddef.h>
#include <stdint.h>

#include "hist/histogram.h"
#include "hist/spec.h"
#include "hist/sum.h"
#include "kernels/binning/weighing.h"

/* A view of planes, which must outlive the view. */
struct amount {
    uint64_t count;        /* of values */
    const uint64_t *plane; /* planes of the sum of weights; NULL: no weights */
    size_t stride;         /* distance of one plane from the next */
};

/* A sum of amounts; all 0: none yet. */
struct amount_total {
    uint64_t count;
    uint64_t plane[WEIGHING_PLANES_MAX];
};

/* Returns a view of CELL. */
static inline struct amount
amount_of_cell(const struct histogram *histogram, uint64_t cell)
{
    return (struct amount){
        .count = histogram_count(histogram, cell),
        .plane = histogram->planes > 1
                     ? histogram->value + histogram->cells + cell
                     : NULL,
        .stride = (size_t)histogram->cells,
    };
}

/* Returns a view of TOTAL. */
struct amount amount_of_total(const struct amount_total *total);

/* Add AMOUNT to TOTAL or to CELL, without rounding. */
void amount_add(struct amount_total *total, const struct spec *spec,
                const struct amount *amount);
void amount_add_to_cell(struct histogram *histogram, uint64_t cell,
                        const struct spec *spec, const struct amount *amount);

/* Add SUM to the sum of CELL, whose weights are decimals. */
void amount_add_decimal(struct histogram *histogram, uint64_t cell,
                        const struct decimal_sum *sum);

/* Returns the number that is printed: with weights the sum, else the count. */
double amount_double(const struct spec *spec, const struct amount *amount);

/* Write the printed number at AT, as sum_put() does. */
char *amount_put(const struct spec *spec, const struct amount *amount,
                 char *at);

/* The same, with a terminating NUL. */
void amount_text(const struct spec *spec, const struct amount *amount,
                 char text[SUM_TEXT_BYTES]);

/*
 * Compare the printed numbers of A and B, without rounding integers and
 * decimals.  Returns less than 0, 0, or more than 0, as strcmp() does.  NaN is
 * less than any other number.
 */
int amount_compare(const struct spec *spec, const struct amount *a,
                   const struct amount *b);

#endif
