/* amount.h -- a count, and with weights an exact sum: of one cell or of many */

#ifndef GPUHIST_AMOUNT_H
#define GPUHIST_AMOUNT_H

#include <stddef.h>
#include <stdint.h>

#include "hist/histogram.h"
#include "hist/spec.h"
#include "hist/sum.h"
#include "weighing.h"

/* A view of what is elsewhere. */
struct amount {
    uint64_t count;        /* of values */
    const uint64_t *plane; /* with weights: the digits of their sum ... */
    size_t stride;         /* ... so far apart */
};

/* Start from zeros. */
struct amount_total {
    uint64_t count;
    uint64_t plane[WEIGHING_PLANES_MAX];
};

/* What is in CELL. */
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

struct amount amount_of_total(const struct amount_total *total);

/* Add, without any rounding: to a total, or to what is in CELL. */
void amount_add(struct amount_total *total, const struct spec *spec,
                const struct amount *amount);
void amount_add_to_cell(struct histogram *histogram, uint64_t cell,
                        const struct spec *spec, const struct amount *amount);

/* The number that is printed: the sum where there are weights. */
double amount_double(const struct spec *spec, const struct amount *amount);

/* Write it at AT, as number_put() does. */
char *amount_put(const struct spec *spec, const struct amount *amount,
                 char *at);

/* Likewise, with a NUL behind it. */
void amount_text(const struct spec *spec, const struct amount *amount,
                 char text[SUM_TEXT_BYTES]);

/*
 * Less than 0, 0, or more, as the number of A is less than that of B, equal,
 * or more.  NaN is less than anything else.
 */
int amount_compare(const struct spec *spec, const struct amount *a,
                   const struct amount *b);

#endif
