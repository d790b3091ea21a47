/* trim.c -- cut the empty ends off logarithmic axes without a range */

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "hist/axis.h"
#include "hist/trim.h"

/* Consecutive bins of an axis. */
struct span {
    uint64_t first;
    uint64_t count;
};

/* The bins of AXIS to keep: from the first to the last with a count. */
static struct span
find_span(const struct spec *spec, const struct binning_axis *axis,
          const struct histogram *histogram)
{
    struct binning_tables tables = spec_tables(spec);
    uint64_t row = (axis->bins + axis_flows(axis)) * axis->stride;
    uint64_t rows = spec->is_joint ? histogram->cells / row : 1;
    uint64_t first = axis->bins;
    uint64_t end = 0;

    for (uint64_t r = 0; r < rows; r++) {
        uint64_t cell = axis->base + r * row;
        for (uint64_t bin = 0; bin < axis->bins; bin++, cell += axis->stride) {
            if (bin >= first && bin < end)
                continue;
            if (histogram_total(histogram, cell, axis->stride) == 0)
                continue;
            first = bin < first ? bin : first;
            end = bin < end ? end : bin + 1;
        }
    }
    if (first < end)
        return (struct span){first, end - first};
    return (struct span){binning_number_cell(axis, &tables, 1), 1};
}

/* ---- cells ---- */

/* The state of moving the kept cells of a plane to its front, in order. */
struct move {
    const struct spec *from;
    const struct spec *to;
    const struct span *span; /* of each axis: the bins to keep */
    uint64_t *plane;         /* with the cells of FROM */
    uint64_t done;           /* how many cells have been moved */
};

static void
move_run(struct move *move, uint64_t cell, uint64_t count)
{
    memmove(move->plane + move->done, move->plane + cell,
            (size_t)count * sizeof *move->plane);
    move->done += count;
}

/*
 * Move the kept cells of axis I, whose first cell is CELL.  In a joint
 * histogram, this includes the cells of the later axes, which vary faster.
 */
static void
move_axis(struct move *move, size_t i, uint64_t cell)
{
    const struct binning_axis *axis = &move->from->shown[i];
    const struct span runs[] = {
        move->span[i],
        {axis->bins, axis_flows(axis)},
    };

    for (int r = 0; r < 2; r++) {
        if (!move->from->is_joint || i + 1 == move->from->axis_count) {
            move_run(move, cell + runs[r].first, runs[r].count);
            continue;
        }
        for (uint64_t n = 0; n < runs[r].count; n++)
            move_axis(move, i + 1, cell + (runs[r].first + n) * axis->stride);
    }
}

/* Move the kept cells of histogram I. */
static void
move_histogram(struct move *move, size_t i)
{
    uint64_t first = spec_first_cell(move->from, i);

    if (move->from->histogram[i].rows == ROWS_TUPLES)
        move_run(move, first, move->from->keys[i].count);
    else
        move_axis(move, spec_own_axis(move->from, i), first);
}

/* Move the kept cells of each plane, and close the gaps between planes. */
static void
move_cells(struct move *move, struct histogram *histogram)
{
    uint64_t cells = move->to->shown_cells;

    for (unsigned int p = 0; p < histogram->planes; p++) {
        move->plane = histogram->value + p * histogram->cells;
        move->done = 0;
        for (size_t i = 0; i < spec_histograms(move->from); i++)
            move_histogram(move, i);
        memmove(histogram->value + p * cells, move->plane,
                (size_t)cells * sizeof *move->plane);
    }
    histogram->cells = cells;
}

/* ---- specs ---- */

int
trim_spec(struct spec *trimmed, const struct spec *spec,
          struct histogram *histogram)
{
    size_t count = spec->axis_count;
    struct span *span = calloc(count, sizeof *span);
    struct move move = {.from = spec, .to = trimmed, .span = span};
    bool has_trimmed = false;

    *trimmed = *spec;
    trimmed->shown = calloc(count, sizeof *trimmed->shown);
    if (span == NULL || trimmed->shown == NULL) {
        free(span);
        return -1;
    }
    for (size_t i = 0; i < count; i++) {
        const struct binning_axis *axis = &spec->shown[i];
        trimmed->shown[i] = *axis;
        span[i] = (struct span){0, axis->bins};
        if (!axis->is_trimmed)
            continue;
        span[i] = find_span(spec, axis, histogram);
        axis_cut(&trimmed->shown[i], &spec->edges, span[i].first,
                 span[i].count);
        has_trimmed = true;
    }
    if (has_trimmed) {
        spec_place_shown(trimmed);
        move_cells(&move, histogram);
    }
    free(span);
    return 0;
}

void
trim_close(struct spec *trimmed)
{
    free(trimmed->shown);
}
