/* SPDX-License-Identifier: MIT */
/* histogram.c -- the counts and the sums of weights of all cells */

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/pages.h"
#include "base/scratch_file.h"
#include "hist/histogram.h"
#include "kernels/binning/weighing.h"

/* The cells of a mapped histogram that are in memory at a time. */
#define CELLS_AT_A_TIME 65536

/* Cells that are compared with 0 at once. */
#define CELLS_TOGETHER 8

int
histogram_open(struct histogram *histogram, uint64_t cells, unsigned int planes)
{
    *histogram = (struct histogram){.cells = cells, .planes = planes};
    /* Fresh pages from the system cost nothing until they are written. */
    if (cells <= SIZE_MAX / sizeof *histogram->value / planes)
        histogram->value =
            calloc((size_t)cells * planes, sizeof *histogram->value);
    if (histogram->value == NULL)
        return -1;
    pages_advise(histogram->value,
                 (size_t)cells * planes * sizeof *histogram->value);
    return 0;
}

int
histogram_open_mapped(struct histogram *histogram, uint64_t cells,
                      unsigned int planes, struct error *error)
{
    *histogram =
        (struct histogram){.cells = cells, .planes = planes, .is_mapped = true};
    histogram->value =
        scratch_file_memory(cells * planes * sizeof *histogram->value, error);
    return histogram->value == NULL ? -1 : 0;
}

int
histogram_open_like(struct histogram *histogram, const struct histogram *like,
                    uint64_t cells, struct error *error)
{
    if (like->is_mapped)
        return histogram_open_mapped(histogram, cells, like->planes, error);
    if (histogram_open(histogram, cells, like->planes) == 0)
        return 0;
    return error_fail_memory(error);
}

/* The number of values in all planes. */
static size_t
values_of(const struct histogram *histogram)
{
    return (size_t)histogram->cells * histogram->planes;
}

void
histogram_clear(struct histogram *histogram)
{
    memset(histogram->value, 0,
           (size_t)histogram->cells * histogram->planes *
               sizeof *histogram->value);
}

int
histogram_copy(struct histogram *to, const struct histogram *from)
{
    assert(from->low_cells == 0);
    if (histogram_open(to, from->cells, from->planes) < 0)
        return -1;
    memcpy(to->value, from->value, values_of(from) * sizeof *from->value);
    return 0;
}

void
histogram_take(struct histogram *to, struct histogram *from)
{
    *to = *from;
    from->value = NULL;
}

void
histogram_move(struct histogram *to, struct histogram *from)
{
    size_t first = (size_t)from->cells;
    size_t tail = (size_t)(to->cells - from->cells);
    uint64_t *value = NULL;

    if (!to->is_mapped && !from->is_mapped)
        value = realloc(from->value, (first + tail) * sizeof *value);
    if (value == NULL) {
        memcpy(to->value, from->value, first * sizeof *value);
        histogram_clear(from);
        return;
    }
    memcpy(value + first, to->value + first, tail * sizeof *value);
    from->value = to->value;
    to->value = value;
    /* FROM has unwritten cells now; only these were written. */
    memset(from->value + first, 0, tail * sizeof *value);
}

void
histogram_add(struct histogram *to, const struct histogram *from)
{
    size_t count = values_of(to);

    assert(to->low_cells == 0 && from->low_cells == 0);
    for (size_t i = 0; i < count; i++)
        to->value[i] += from->value[i];
}

void
histogram_subtract(struct histogram *before, const struct histogram *now)
{
    uint64_t some;

    assert(before->low_cells == 0);
    for (uint64_t first = 0; first < now->cells; first += some) {
        some = now->cells - first;
        some = some < CELLS_AT_A_TIME ? some : CELLS_AT_A_TIME;
        for (unsigned int p = 0; p < now->planes; p++) {
            uint64_t *value = before->value + p * now->cells + first;
            const uint64_t *other = now->value + p * now->cells + first;
            for (uint64_t c = 0; c < some; c++)
                value[c] = other[c] - value[c];
        }
        for (uint64_t c = first; c < first + some && c < now->low_cells; c++)
            before->value[c] += now->low[c];
        histogram_forget(before, first, some);
        histogram_forget(now, first, some);
    }
}

void
histogram_move_cell(struct histogram *histogram, uint64_t from, uint64_t to)
{
    for (unsigned int p = 0; p < histogram->planes; p++) {
        uint64_t *plane = histogram->value + p * histogram->cells;
        plane[to] += plane[from];
        plane[from] = 0;
    }
}

void
histogram_carry(struct histogram *histogram, enum sample_type type)
{
    uint64_t *sums = histogram->value + histogram->cells;

    for (uint64_t cell = 0; cell < histogram->cells; cell++)
        weighing_carry(sums + cell, weighing_digits(type), histogram->cells);
}

void
histogram_forget(const struct histogram *histogram, uint64_t first,
                 uint64_t count)
{
    if (!histogram->is_mapped)
        return;
    for (unsigned int p = 0; p < histogram->planes; p++)
        scratch_file_forget(histogram->value,
                            histogram->value + p * histogram->cells + first,
                            count * sizeof *histogram->value);
}

uint64_t
histogram_total(const struct histogram *histogram, uint64_t first,
                uint64_t count)
{
    uint64_t total = 0;

    while (count > 0) {
        uint64_t some = count < CELLS_AT_A_TIME ? count : CELLS_AT_A_TIME;
        for (uint64_t c = first; c < first + some; c++)
            total += histogram->value[c];
        for (uint64_t c = first; c < first + some && c < histogram->low_cells;
             c++)
            total += histogram->low[c];
        histogram_forget(histogram, first, some);
        first += some;
        count -= some;
    }
    return total;
}

/* The cells from FIRST on, up to COUNT, that have LOW. */
static uint64_t
low_cells(const struct histogram *histogram, uint64_t first, uint64_t count)
{
    uint64_t cells = histogram->low_cells;

    cells = first < cells ? cells - first : 0;
    return cells < count ? cells : count;
}

/* Whether CELLS_TOGETHER cells from FIRST on are 0. */
static inline bool
are_zeros(const struct histogram *histogram, uint64_t first)
{
    uint64_t any = 0;

    for (uint64_t c = 0; c < low_cells(histogram, first, CELLS_TOGETHER); c++)
        any |= histogram->low[first + c];
    for (size_t i = 0; i < CELLS_TOGETHER; i++)
        any |= histogram->value[first + i];
    return any == 0;
}

uint64_t
histogram_zeros(const struct histogram *histogram, uint64_t first,
                uint64_t count)
{
    uint64_t zeros = 0;

    while (count - zeros >= CELLS_TOGETHER &&
           are_zeros(histogram, first + zeros))
        zeros += CELLS_TOGETHER;
    while (zeros < count && histogram_count(histogram, first + zeros) == 0)
        zeros++;
    return zeros;
}

uint64_t
histogram_up_to(const struct histogram *histogram, uint64_t first,
                uint64_t count, uint64_t most, uint64_t *sum)
{
    uint64_t cells = 0;
    uint64_t value;

    while (cells < count &&
           (value = histogram_count(histogram, first + cells)) <= most) {
        *sum += value;
        cells++;
    }
    return cells;
}

bool
histogram_read(const struct histogram *histogram, uint64_t first, size_t cells,
               uint64_t *counts)
{
    const uint64_t *value = histogram->value + first;
    uint64_t some = low_cells(histogram, first, cells);
    uint64_t any = 0;

    for (size_t c = 0; c < cells; c++) {
        counts[c] = value[c];
        any |= value[c];
    }
    for (uint64_t c = 0; c < some; c++) {
        counts[c] += histogram->low[first + c];
        any |= histogram->low[first + c];
    }
    return any != 0;
}

void
histogram_close(struct histogram *histogram)
{
    if (histogram->is_mapped)
        scratch_file_unmap(histogram->value,
                           values_of(histogram) * sizeof *histogram->value);
    else
        free(histogram->value);
    histogram->value = NULL;
}
