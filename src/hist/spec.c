/* SPDX-License-Identifier: MIT */
/* spec.c -- what to count: records, fields and axes */

#include <stdlib.h>
#include <string.h>

#include "hist/spec.h"

size_t
spec_histograms(const struct spec *spec)
{
    if (spec->lists > 0)
        return spec->lists;
    return spec->is_joint ? 1 : spec->axis_count - spec->group_count;
}

size_t
spec_own_axis(const struct spec *spec, size_t i)
{
    if (spec->lists > 0)
        return i > 0 ? spec->list_end[i - 1] : spec->group_count;
    return spec->group_count + i;
}

size_t
spec_own_axes(const struct spec *spec, size_t i)
{
    if (spec->lists > 0)
        return spec->list_end[i] - spec_own_axis(spec, i);
    return spec->is_joint ? spec->axis_count - spec->group_count : 1;
}

size_t
spec_dimensions(const struct spec *spec, size_t i)
{
    return spec->group_count + spec_own_axes(spec, i);
}

size_t
spec_axis_of(const struct spec *spec, size_t i, size_t d)
{
    return d < spec->group_count
               ? d
               : spec_own_axis(spec, i) + d - spec->group_count;
}

size_t
spec_histogram_of(const struct spec *spec, size_t axis)
{
    size_t i = 0;

    while (axis >= spec_own_axis(spec, i) + spec_own_axes(spec, i))
        i++;
    return i;
}

const struct key_list *
spec_keys(const struct spec *spec, size_t i)
{
    return spec->histogram[i].is_listed ? &spec->keys[i] : NULL;
}

enum key_kind
spec_key_kind(const struct spec *spec, size_t i)
{
    const struct binning_axis *axis = &spec->shown[i];

    return axis->kind == BINNING_KEY      ? KEY_TEXT
           : axis->kind == BINNING_NUMBER ? axis_key_kind(axis)
                                          : KEY_CELL;
}

bool
spec_codes_grow(const struct spec *spec, size_t i)
{
    return spec->shown[i].is_auto &&
           spec->histogram[spec_histogram_of(spec, i)].rows == ROWS_TUPLES;
}

struct binning_tables
spec_tables(const struct spec *spec)
{
    return (struct binning_tables){spec->edges.edge, spec->lookup};
}

bool
spec_grows(const struct spec *spec, size_t i)
{
    return !spec->uses_tables && spec->counted[i].is_auto &&
           spec->counted[i].kind == BINNING_EVEN;
}

bool
spec_has_raw(const struct spec *spec)
{
    for (size_t i = 0; i < spec->axis_count; i++) {
        if (spec->counted[i].kind == BINNING_RAW)
            return true;
    }
    return false;
}

size_t
spec_key_axes(const struct spec *spec)
{
    size_t count = 0;

    for (size_t i = 0; i < spec->axis_count; i++)
        count += !axis_has_bins(&spec->shown[i]);
    return count;
}

bool
spec_is_of_bytes(const struct spec *spec)
{
    const struct binning_axis *axis = &spec->shown[0];

    return spec->kind == SPEC_SAMPLES && spec->record.count == 1 &&
           spec->record.element[0].type == SAMPLE_U1 && spec->axis_count == 1 &&
           axis->shift == 0 && axis->mod == 0 && axis->mask == UINT64_MAX;
}

bool
spec_lacks_bins(const struct spec *spec)
{
    for (size_t i = 0; i < spec->axis_count; i++) {
        if (spec->shown[i].kind == BINNING_NUMBER)
            return true;
    }
    return false;
}

bool
spec_is_open(const struct spec *spec)
{
    for (size_t i = 0; spec->finding != NULL && i < spec->axis_count; i++) {
        if (spec->finding[i].kind != AXIS_FINDS_NOTHING)
            return true;
    }
    return false;
}

bool
spec_finds_extremes(const struct spec *spec, size_t i)
{
    return spec->kind == SPEC_SAMPLES && spec->finding != NULL &&
           spec->finding[i].kind != AXIS_FINDS_NOTHING &&
           !axis_finding_needs_values(&spec->finding[i]);
}

void
spec_keep_bins(struct spec *spec)
{
    for (size_t i = 0; i < spec->axis_count; i++) {
        if (!spec->shown[i].is_auto)
            spec->shown[i].is_trimmed = false;
    }
}

/* ---- cells ---- */

/* The number of cells of AXIS; a lookup has the flow cells of SHOWN. */
static uint64_t
axis_cells(const struct binning_axis *axis, const struct binning_axis *shown)
{
    return axis->bins + axis_flows(axis->kind == BINNING_LOOKUP ? shown : axis);
}

/* Place the axes of a joint histogram.  Returns as spec_place(). */
static int
place_joint(const struct spec *spec, struct binning_axis *axis, uint64_t most,
            uint64_t *cells)
{
    *cells = 1;
    /* The last axis varies fastest. */
    for (size_t i = spec->axis_count; i-- > 0;) {
        uint64_t count = axis_cells(&axis[i], &spec->shown[i]);

        axis[i].stride = *cells;
        axis[i].base = 0;
        if (__builtin_mul_overflow(*cells, count, cells) || *cells > most)
            return -1;
    }
    return 0;
}

int
spec_place(const struct spec *spec, struct binning_axis *axis, uint64_t most,
           uint64_t *cells)
{
    if (spec->is_joint && !spec->is_sparse)
        return place_joint(spec, axis, most, cells);
    *cells = 0;
    for (size_t i = 0; i < spec_histograms(spec); i++) {
        size_t own = spec_own_axis(spec, i);
        uint64_t count = axis_cells(&axis[own], &spec->shown[own]);

        if (spec->histogram[i].rows == ROWS_TUPLES)
            count = spec->keys != NULL ? spec->keys[i].count : 0;
        axis[own].stride = 1;
        axis[own].base = *cells;
        if (__builtin_add_overflow(*cells, count, cells) || *cells > most)
            return -1;
    }
    return 0;
}

void
spec_place_shown(struct spec *spec)
{
    /* Only engines have a limit; the shown axes may have a bin for each key. */
    (void)spec_place(spec, spec->shown, UINT64_MAX, &spec->shown_cells);
}

void
spec_set_keys(struct spec *spec, const struct key_list *keys)
{
    spec->keys = keys;
    for (size_t i = 0; i < spec_histograms(spec); i++) {
        struct binning_axis *axis = &spec->shown[spec_own_axis(spec, i)];
        if (spec->histogram[i].is_listed &&
            spec->histogram[i].rows != ROWS_TUPLES)
            axis->bins = keys[i].count;
    }
    spec_place_shown(spec);
}

uint64_t
spec_first_cell(const struct spec *spec, size_t i)
{
    bool is_only = spec->is_joint && !spec->is_sparse;

    return is_only ? 0 : spec->shown[spec_own_axis(spec, i)].base;
}

uint64_t
spec_axis_cells(const struct spec *spec, size_t i)
{
    return axis_cells(&spec->counted[i], &spec->shown[i]);
}

uint64_t
spec_table_bytes(const struct spec *spec)
{
    return spec->cells * spec->planes * sizeof(uint64_t);
}

uint64_t
spec_kmer_bytes(const struct spec *spec)
{
    uint64_t cells = 0;

    for (size_t i = 0; i < spec->axis_count; i++) {
        if (axis_is_kmers(&spec->counted[i]))
            cells += spec->counted[i].bins;
    }
    return cells * spec->planes * sizeof(uint64_t);
}

uint64_t
spec_other_bytes(const struct spec *spec)
{
    uint64_t bytes = spec->edges.count * sizeof *spec->edges.edge +
                     spec->lookup_count * sizeof *spec->lookup;
    return spec_has_raw(spec) ? bytes + spec->shown_cells * sizeof(uint64_t)
                              : bytes;
}

bool
spec_histogram_adds_up(const struct spec *spec, size_t i,
                       const struct histogram *histogram, uint64_t elements)
{
    uint64_t first = 0;
    uint64_t cells = spec->cells;

    if (spec->histogram[i].rows == ROWS_TUPLES) {
        first = spec_first_cell(spec, i);
        cells = spec->keys[i].count;
    } else if (!spec->is_joint) {
        size_t own = spec_own_axis(spec, i);
        first = spec->counted[own].base;
        cells = spec_axis_cells(spec, own);
    }
    return histogram_total(histogram, first, cells) == elements;
}

bool
spec_adds_up(const struct spec *spec, const struct histogram *histogram,
             uint64_t records)
{
    for (size_t i = 0; i < spec_histograms(spec); i++) {
        if (!spec_histogram_adds_up(spec, i, histogram, records))
            return false;
    }
    return true;
}

int
spec_copy_axes(struct spec *copy, const struct spec *spec)
{
    size_t bytes = spec->axis_count * sizeof *spec->counted;

    *copy = *spec;
    copy->shown = malloc(bytes);
    copy->counted = malloc(bytes);
    if (copy->shown == NULL || copy->counted == NULL) {
        spec_close_axes(copy);
        return -1;
    }
    memcpy(copy->shown, spec->shown, bytes);
    memcpy(copy->counted, spec->counted, bytes);
    return 0;
}

void
spec_close_axes(struct spec *copy)
{
    free(copy->shown);
    free(copy->counted);
    copy->shown = NULL;
    copy->counted = NULL;
}

void
spec_close(struct spec *spec)
{
    record_close(&spec->record);
    field_list_close(&spec->text_fields);
    condition_list_close(&spec->conditions);
    free(spec->histogram);
    free(spec->field);
    free(spec->finding);
    free(spec->list_end);
    free(spec->shown);
    free(spec->counted);
    free(spec->edges.edge);
    free(spec->lookup);
}
