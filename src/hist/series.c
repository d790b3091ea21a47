/* SPDX-License-Identifier: MIT */
/* series.c -- figures that depend on the order of the bytes of an input */

#include <math.h>
#include <string.h>

#include "base/natural.h"
#include "hist/series.h"

/* So many bytes stay in the cache while they are summed twice or more. */
#define BLOCK_BYTES ((size_t)24 << 10)

/* ---- edges ---- */

/* Returns how many bytes a list of edge bytes has, of COUNT. */
static size_t
edge_size(uint64_t count)
{
    return count < SERIES_EDGE_BYTES ? (size_t)count : SERIES_EDGE_BYTES;
}

/* Returns the last byte of SERIES, which has bytes. */
static unsigned char
last_byte(const struct series *series)
{
    return series->last[edge_size(series->count) - 1];
}

/* Copy the bytes around the border of SERIES and MORE to BORDER.  Sets *BEFORE
   to the number of those of SERIES.  Returns the number of all. */
static size_t
copy_border(const struct series *series, const struct series *more,
            unsigned char border[2 * SERIES_EDGE_BYTES], size_t *before)
{
    size_t after = edge_size(more->count);

    *before = edge_size(series->count);
    memcpy(border, series->last, *before);
    memcpy(border + *before, more->first, after);
    return *before + after;
}

/* Set the edges of SERIES to those of SERIES and MORE together. */
static void
join_edges(struct series *series, const struct series *more)
{
    unsigned char border[2 * SERIES_EDGE_BYTES];
    size_t before;
    size_t size = copy_border(series, more, border, &before);

    if (series->count < SERIES_EDGE_BYTES)
        memcpy(series->first, border, edge_size(size));
    if (more->count >= SERIES_EDGE_BYTES)
        memcpy(series->last, more->last, SERIES_EDGE_BYTES);
    else
        memcpy(series->last, border + size - edge_size(size), edge_size(size));
}

/* ---- joining ---- */

void
series_join(struct series *series, const struct series *more)
{
    unsigned char border[2 * SERIES_EDGE_BYTES];
    size_t before;
    size_t size = copy_border(series, more, border, &before);
    uint64_t start = series->count - before; /* of the border */

    if (more->count == 0)
        return;
    if (series->count == 0) {
        *series = *more;
        return;
    }
    series->bytes = wide_add(series->bytes, more->bytes);
    series->squares = wide_add(series->squares, more->squares);
    series->products = wide_add(series->products, more->products);
    series->products =
        wide_add(series->products,
                 wide_of((uint64_t)last_byte(series) * more->first[0]));
    for (unsigned int p = 0; p < SERIES_POINT_BYTES; p++)
        series->inside[(series->count + p) % SERIES_POINT_BYTES] +=
            more->inside[p];
    /* The points with bytes of both. */
    for (size_t i = 0; i < before && i + SERIES_POINT_BYTES <= size; i++)
        series->inside[(start + i) % SERIES_POINT_BYTES] +=
            series_sum_inside_portable(border + i, 1);
    join_edges(series, more);
    series->count += more->count;
}

/* Set *SERIES to the SIZE bytes at DATA, 1 or more, for PHASES. */
static void
set_series(struct series *series, const unsigned char *data, size_t size,
           unsigned int phases)
{
    struct series_sum sum = {0};
    uint64_t last = data[size - 1];

    *series = (struct series){.count = size};
    series_sum_add(&sum, data, size - 1);
    series->bytes = wide_of(sum.bytes + last);
    series->squares = wide_of(sum.squares + last * last);
    series->products = wide_of(sum.products);
    for (size_t p = 0; p < SERIES_POINT_BYTES && p < size; p++) {
        if ((phases >> p & 1) != 0)
            series->inside[p] =
                series_sum_inside(data + p, (size - p) / SERIES_POINT_BYTES);
    }
    memcpy(series->first, data, edge_size(size));
    memcpy(series->last, data + size - edge_size(size), edge_size(size));
}

/* Returns PHASES, of a series, as the phases of the bytes after COUNT bytes of
   the series. */
static unsigned int
phases_after(unsigned int phases, uint64_t count)
{
    unsigned int shift = (unsigned int)(count % SERIES_POINT_BYTES);

    return (phases >> shift | phases << (SERIES_POINT_BYTES - shift)) &
           SERIES_ALL_PHASES;
}

void
series_extend(struct series *series, const unsigned char *data, size_t size,
              unsigned int phases)
{
    while (size > 0) {
        size_t block = size < BLOCK_BYTES ? size : BLOCK_BYTES;
        struct series more;

        set_series(&more, data, block, phases_after(phases, series->count));
        series_join(series, &more);
        data += block;
        size -= block;
    }
}

void
series_extend_zeros(struct series *series, uint64_t count)
{
    struct series zeros = {.count = count};

    for (uint64_t p = 0; p < SERIES_POINT_BYTES && p < count; p++)
        zeros.inside[p] = (count - p) / SERIES_POINT_BYTES;
    series_join(series, &zeros);
}

/* ---- totals ---- */

void
series_total_add(struct series_total *total, const struct series *series)
{
    uint64_t points = series->count / SERIES_POINT_BYTES;

    if (series->count == 0)
        return;
    total->count += series->count;
    total->bytes = wide_add(total->bytes, series->bytes);
    total->squares = wide_add(total->squares, series->squares);
    total->products = wide_add(total->products, series->products);
    total->products =
        wide_add(total->products,
                 wide_of((uint64_t)last_byte(series) * series->first[0]));
    total->points += points;
    total->inside += series->inside[0];
}

void
series_total_join(struct series_total *total, const struct series_total *more)
{
    total->count += more->count;
    total->bytes = wide_add(total->bytes, more->bytes);
    total->squares = wide_add(total->squares, more->squares);
    total->products = wide_add(total->products, more->products);
    total->points += more->points;
    total->inside += more->inside;
}

/* ---- figures ---- */

static void
set_natural(struct natural *a, const struct wide *value)
{
    const uint64_t word[] = {value->low, value->high};

    natural_set(a, word, 2);
}

/* Set *DIFFERENCE to the magnitude of COUNT * A - SQUARE.  Returns -1, 0 or 1,
   the sign. */
static int
subtract_square(struct natural *difference, const struct natural *count,
                const struct wide *a, const struct natural *square)
{
    struct natural factor;
    struct natural product;

    set_natural(&factor, a);
    natural_product(&product, &factor, count);
    int sign = natural_compare(&product, square);
    *difference = sign < 0 ? *square : product;
    natural_subtract(difference, sign < 0 ? &product : square);
    return sign;
}

double
series_total_correlation(const struct series_total *total)
{
    struct natural count;
    struct natural sum;
    struct natural square;
    struct natural above;
    struct natural below;

    natural_set(&count, &total->count, 1);
    set_natural(&sum, &total->bytes);
    natural_product(&square, &sum, &sum);
    if (subtract_square(&below, &count, &total->squares, &square) == 0)
        return (double)NAN;
    int sign = subtract_square(&above, &count, &total->products, &square);
    return sign * natural_divide(&above, &below);
}

double
series_total_pi(const struct series_total *total)
{
    struct natural inside;
    struct natural points;

    if (total->points == 0)
        return (double)NAN;
    natural_set(&inside, &total->inside, 1);
    natural_multiply(&inside, 4, 0);
    natural_set(&points, &total->points, 1);
    return natural_divide(&inside, &points);
}
