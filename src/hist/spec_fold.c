/* SPDX-License-Identifier: MIT */
/* spec_fold.c -- from the counted axes of a spec to the shown axes */

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "hist/axis.h"
#include "hist/lattice.h"
#include "hist/spec.h"

/* The bits of the element; RAW has the lowest byte first. */
static uint64_t
bits_of_raw(const struct binning_axis *shown, uint64_t raw)
{
    return shown->is_swapped ? (raw & 255) << 8 | raw >> 8 : raw;
}

/* Find the range of an axis from the COUNT of each of its values. */
static void
find_range(struct binning_axis *shown, const uint64_t *count, uint64_t values)
{
    struct extent extent = extent_none;

    for (uint64_t raw = 0; raw < values; raw++) {
        if (count[raw] != 0)
            extent_widen_bits(&extent, shown, bits_of_raw(shown, raw));
    }
    lattice_set(shown, &extent);
}

void
spec_find_ranges(const struct spec *spec, const struct histogram *histogram)
{
    for (size_t i = 0; i < spec->axis_count; i++) {
        const struct binning_axis *counted = &spec->counted[i];
        if (counted->kind == BINNING_RAW && spec->shown[i].is_auto)
            find_range(&spec->shown[i], histogram->value + counted->base,
                       counted->bins);
    }
}

static void
fold_axis(const struct spec *spec, size_t i, const struct histogram *from,
          struct histogram *to)
{
    struct binning_axis *shown = &spec->shown[i];
    const struct binning_axis *counted = &spec->counted[i];
    struct binning_tables tables = spec_tables(spec);
    const uint64_t *count = from->value + counted->base;
    uint64_t *sum = to->value + shown->base;

    if (counted->kind != BINNING_RAW) {
        memcpy(sum, count, (size_t)spec_axis_cells(spec, i) * sizeof *sum);
        return;
    }
    for (uint64_t raw = 0; raw < counted->bins; raw++) {
        if (count[raw] != 0)
            sum[binning_cell(shown, &tables, bits_of_raw(shown, raw))] +=
                count[raw];
    }
}

int
spec_fold(const struct spec *spec, struct histogram *histogram)
{
    struct histogram shown;

    if (!spec_has_raw(spec))
        return 0;
    if (histogram_open(&shown, spec->shown_cells, 1) < 0)
        return -1;
    for (size_t i = 0; i < spec->axis_count; i++)
        fold_axis(spec, i, histogram, &shown);
    histogram_close(histogram);
    histogram_take(histogram, &shown);
    return 0;
}

/* Clamp the row of AXIS that starts at cell FIRST and ends in FLOWS cells. */
static void
clamp(const struct binning_axis *axis, unsigned int flows,
      struct histogram *histogram, uint64_t first)
{
    uint64_t last = first + (axis->bins - 1) * axis->stride;

    for (unsigned int f = 0; f < flows; f++) {
        uint64_t flow = first + (axis->bins + f) * axis->stride;
        if (f != BINNING_NAN)
            histogram_move_cell(histogram, flow,
                                f == BINNING_OVERFLOW ? last : first);
    }
}

void
spec_clamp(const struct spec *spec, struct histogram *histogram)
{
    for (size_t i = 0; i < spec->axis_count; i++) {
        const struct binning_axis *axis = &spec->shown[i];
        uint64_t row = (axis->bins + axis_flows(axis)) * axis->stride;
        uint64_t rows = spec->is_joint ? histogram->cells / row : 1;
        unsigned int flows = axis_number_flows(axis);

        /* In a joint histogram, for each combination of the other axes. */
        for (uint64_t r = 0; r < rows; r++) {
            for (uint64_t s = 0; s < axis->stride; s++)
                clamp(axis, flows, histogram, axis->base + r * row + s);
        }
    }
}

/* ---- trimming ---- */

/* Consecutive bins of an axis. */
struct bin_span {
    uint64_t first;
    uint64_t count;
};

/* The bins of AXIS to keep: from the first to the last with a count.  Sets
   *HAS_VALUES if there are any. */
static struct bin_span
find_span(const struct spec *spec, const struct binning_axis *axis,
          const struct histogram *histogram, bool *has_values)
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
    *has_values = first < end;
    if (*has_values)
        return (struct bin_span){first, end - first};
    return (struct bin_span){
        axis->is_auto ? 0 : binning_number_cell(axis, &tables, 1), 1};
}

/* ---- bins of one value ---- */

/* The value of all values of AXIS, if AXIS has the lattice of one value. */
static double
one_value(const struct binning_axis *axis)
{
    return axis->closed == BINNING_RIGHT ? axis->lo + axis->width : axis->lo;
}

/* Whether the bins of AXIS are as narrow as if AXIS had one value; bins of
   integers are wide enough. */
static bool
is_narrowest(const struct binning_axis *axis)
{
    struct binning_axis one = *axis;
    const struct extent extent = {one_value(axis), one_value(axis)};

    if (!axis->is_auto || !binning_is_float(axis->type))
        return false;
    lattice_set(&one, &extent);
    return lattice_is_same(&one, axis);
}

/*
 * Widen the first bin of AXIS, the only bin with counts: to one half on each
 * side of the value, or to [0, 1] without values, as numpy does.
 */
static void
widen_first_bin(struct binning_axis *axis, bool has_values)
{
    double value = one_value(axis);
    /* Far from 0 the lattice does not tell the value from the next one. */
    double half = fmax(0.5, axis->width);

    axis->lo = has_values ? value - half : 0;
    axis->width = has_values ? 2 * half : 1;
    axis->hi = axis->lo + (double)axis->bins * axis->width;
    axis->scale = 1 / axis->width;
}

/* Returns the cell of axis D of histogram I in tuple T; without a bin, at
   least the number of bins. */
static uint64_t
tuple_cell(const struct spec *spec, size_t i, size_t d, uint64_t t)
{
    const struct key_entry entry = key_list_key(&spec->keys[i], t);
    const unsigned char *at = entry.key;
    const struct binning_axis *axis = NULL;
    struct key_component component = {0};

    for (size_t e = 0; e <= d; e++) {
        size_t number = spec_axis_of(spec, i, e);
        axis = &spec->shown[number];
        at = key_code_read(at, entry.key + entry.size,
                           spec_key_kind(spec, number),
                           e + 1 == spec_dimensions(spec, i), &component);
        assert(at != NULL);
    }
    return component.tag == KEY_TAG_VALUE ? axis_cell_of(axis, component.row)
                                          : axis->bins;
}

/* Widen the first bin of TRIMMED, axis D of histogram I, unless tuples have
   other bins. */
static void
widen_bin_of_tuples(const struct spec *spec, size_t i, size_t d,
                    struct binning_axis *trimmed)
{
    bool has_values = false;

    for (uint64_t t = 0; t < spec->keys[i].count; t++) {
        uint64_t cell = tuple_cell(spec, i, d, t);
        if (cell > 0 && cell < trimmed->bins)
            return;
        has_values |= cell == 0;
    }
    widen_first_bin(trimmed, has_values);
}

/* Widen the bins of one value on the axes of TRIMMED whose tuples SPEC
   lists. */
static void
widen_tuples(struct spec *trimmed, const struct spec *spec)
{
    for (size_t i = 0; spec->keys != NULL && i < spec_histograms(spec); i++) {
        if (spec->histogram[i].rows != ROWS_TUPLES)
            continue;
        for (size_t d = 0; d < spec_dimensions(spec, i); d++) {
            size_t axis = spec_axis_of(spec, i, d);
            if (is_narrowest(&spec->shown[axis]))
                widen_bin_of_tuples(spec, i, d, &trimmed->shown[axis]);
        }
    }
}

/* The state of moving the kept cells of a plane to its front, in order. */
struct move {
    const struct spec *from;
    const struct spec *to;
    const struct bin_span *span; /* of each axis: the bins to keep */
    uint64_t *plane;             /* with the cells of FROM */
    uint64_t done;               /* how many cells have been moved */
};

static void
move_span(struct move *move, uint64_t cell, uint64_t count)
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
    const struct bin_span spans[] = {
        move->span[i],
        {axis->bins, axis_flows(axis)},
    };

    for (int r = 0; r < 2; r++) {
        if (!move->from->is_joint || i + 1 == move->from->axis_count) {
            move_span(move, cell + spans[r].first, spans[r].count);
            continue;
        }
        for (uint64_t n = 0; n < spans[r].count; n++)
            move_axis(move, i + 1, cell + (spans[r].first + n) * axis->stride);
    }
}

/* Move the kept cells of histogram I. */
static void
move_histogram(struct move *move, size_t i)
{
    uint64_t first = spec_first_cell(move->from, i);

    if (move->from->histogram[i].rows == ROWS_TUPLES)
        move_span(move, first, move->from->keys[i].count);
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

int
spec_trim(struct spec *trimmed, const struct spec *spec,
          struct histogram *histogram)
{
    size_t count = spec->axis_count;
    struct bin_span *span = calloc(count, sizeof *span);
    struct move move = {.from = spec, .to = trimmed, .span = span};
    bool has_trimmed = false;
    bool has_values;

    *trimmed = *spec;
    trimmed->shown = calloc(count, sizeof *trimmed->shown);
    if (span == NULL || trimmed->shown == NULL) {
        free(span);
        return -1;
    }
    for (size_t i = 0; i < count; i++) {
        const struct binning_axis *axis = &spec->shown[i];
        trimmed->shown[i] = *axis;
        span[i] = (struct bin_span){0, axis->bins};
        if (!axis->is_trimmed)
            continue;
        span[i] = find_span(spec, axis, histogram, &has_values);
        axis_cut(&trimmed->shown[i], &spec->edges, span[i].first,
                 span[i].count);
        if (span[i].count == 1 && is_narrowest(axis))
            widen_first_bin(&trimmed->shown[i], has_values);
        has_trimmed = true;
    }
    widen_tuples(trimmed, spec);
    if (has_trimmed) {
        spec_place_shown(trimmed);
        move_cells(&move, histogram);
    }
    free(span);
    return 0;
}

void
spec_trim_close(struct spec *trimmed)
{
    free(trimmed->shown);
}
