/* SPDX-License-Identifier: MIT */
/* snapshot.c -- the histogram of the bytes counted so far */

#include "hist/snapshot.h"
#include "hist/rebin.h"

/* Give BEFORE the cells of NOW: the ranges of the axes may have grown since,
   and there are more keys.  Returns 0, or -1. */
static int
move_cells(struct snapshot *before, const struct snapshot *now,
           struct error *error)
{
    struct histogram *histogram = &before->histogram;

    if (!histogram_is_open(histogram))
        return histogram_open_like(histogram, &now->histogram,
                                   now->histogram.cells, error);
    if (before->names != NULL)
        return key_names_move(before->names, now->names, histogram, error);
    if (rebin_histogram(before->spec, now->spec, histogram) == 0)
        return 0;
    return error_fail_memory(error);
}

int
snapshot_subtract(struct snapshot *before, const struct snapshot *now,
                  struct error *error)
{
    if (move_cells(before, now, error) < 0)
        return -1;
    key_names_close(before->names);
    before->names = NULL;
    before->spec = now->spec;
    before->bytes = now->bytes - before->bytes;
    for (int u = 0; u < COUNTED_UNITS; u++)
        before->elements[u] = now->elements[u] - before->elements[u];
    before->unweighted = now->unweighted - before->unweighted;
    before->left_out = now->left_out - before->left_out;
    for (int c = 0; c < ALIGNMENT_CHECKSUMS; c++)
        before->checksum[c] = now->checksum[c] - before->checksum[c];
    histogram_subtract(&before->histogram, &now->histogram);
    return 0;
}

bool
snapshot_adds_up(const struct snapshot *counts)
{
    const struct spec *spec = counts->spec;

    if (spec->sums_series && counts->series.count != counts->bytes)
        return false;
    /* field_counts.c has checked it. */
    if (spec->is_spectrum)
        return true;
    for (size_t i = 0; i < spec_histograms(spec); i++) {
        if (!spec_histogram_adds_up(spec, i, &counts->histogram,
                                    counts->elements[spec->histogram[i].unit]))
            return false;
    }
    return true;
}

uint64_t
snapshot_flows(const struct snapshot *counts, size_t i)
{
    const struct binning_axis *axis = &counts->spec->shown[i];
    uint64_t first = axis->base + axis->bins;
    uint64_t sum = 0;

    for (unsigned int f = 0; f < axis_flows(axis); f++)
        sum += histogram_count(&counts->histogram, first + f);
    return sum;
}

void
snapshot_close(struct snapshot *counts)
{
    histogram_close(&counts->histogram);
    key_names_close(counts->names);
    counts->names = NULL;
}
