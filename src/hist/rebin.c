/* SPDX-License-Identifier: MIT */
/* rebin.c -- move counts to the wider lattices of a later spec */

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "hist/lattice.h"
#include "hist/rebin.h"

/* Move the counts at COUNT, STRIDE apart, from OLD to NEW; COPY is scratch. */
static void
move_counts(const struct binning_axis *old, const struct binning_axis *new,
            uint64_t *count, uint64_t stride, uint64_t *copy)
{
    for (uint64_t i = 0; i < old->bins; i++) {
        copy[i] = count[i * stride];
        count[i * stride] = 0;
    }
    for (uint64_t i = 0; i < old->bins; i++) {
        if (copy[i] != 0)
            count[lattice_bin(old, i, new) * stride] += copy[i];
    }
}

/* Whether axis I of the spec TO has another lattice than that of FROM. */
static bool
has_moved(const struct spec *from, const struct spec *to, size_t i)
{
    return spec_grows(from, i) &&
           !lattice_is_same(&from->counted[i], &to->counted[i]);
}

int
rebin_histogram(const struct spec *from, const struct spec *to,
                struct histogram *histogram)
{
    uint64_t bins_max = 0;

    for (size_t i = 0; i < from->axis_count; i++) {
        if (has_moved(from, to, i) && from->counted[i].bins > bins_max)
            bins_max = from->counted[i].bins;
    }
    if (bins_max == 0)
        return 0;
    /* Allocate before any change: a failure leaves the counts unchanged. */
    uint64_t *copy = calloc((size_t)bins_max, sizeof *copy);
    if (copy == NULL)
        return -1;
    for (size_t i = 0; i < from->axis_count; i++) {
        const struct binning_axis *old = &from->counted[i];
        const struct binning_axis *new = &to->counted[i];
        uint64_t row = spec_axis_cells(from, i) * old->stride;
        uint64_t rows = from->is_joint ? histogram->cells / row : 1;

        if (!has_moved(from, to, i))
            continue;
        for (unsigned int p = 0; p < histogram->planes; p++) {
            uint64_t *plane = histogram->value + p * histogram->cells;
            for (uint64_t r = 0; r < rows; r++) {
                for (uint64_t s = 0; s < old->stride; s++)
                    move_counts(old, new, plane + old->base + r * row + s,
                                old->stride, copy);
            }
        }
    }
    free(copy);
    return 0;
}
