/* spec_fold.c -- from the counted axes of a spec to the shown axes */

#include <string.h>

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
