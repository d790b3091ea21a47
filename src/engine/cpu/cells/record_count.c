/* SPDX-License-Identifier: MIT */
/* record_count.c -- count the records of a buffer by any spec */

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "engine/cpu/bytes/byte_count.h"
#include "engine/cpu/cells/bin_row.h"
#include "engine/cpu/cells/cell_counts.h"
#include "engine/cpu/cells/cell_weights.h"
#include "engine/cpu/cells/record_count.h"
#include "kernels/binning/weighing.h"

/* Add the weight of RECORD to the sums of CELL. */
static void
add_weight(const struct spec *spec, const unsigned char *record, uint64_t cell,
           struct histogram *histogram)
{
    const struct element *weight = &spec->weight;
    struct weighing_parts parts;

    weighing_split(
        weight->type,
        binning_load(record + weight->offset, weight->type, weight->is_swapped),
        &parts);
    for (uint32_t i = 0; i < parts.count; i++) {
        uint64_t plane = 1 + parts.first + i;
        histogram->value[plane * histogram->cells + cell] +=
            (uint64_t)parts.addend[i];
    }
}

static void
add(const struct spec *spec, const unsigned char *record, uint64_t cell,
    struct histogram *histogram)
{
    histogram->value[cell]++;
    if (spec->has_weights)
        add_weight(spec, record, cell, histogram);
}

/* The cell of RECORD on one axis, as an index into the histogram. */
static uint64_t
placed_cell(const struct binning_axis *axis,
            const struct binning_tables *tables, const unsigned char *record)
{
    uint64_t bits =
        binning_load(record + axis->offset, axis->type, axis->is_swapped);

    return axis->base + axis->stride * binning_cell(axis, tables, bits);
}

void
record_count_reference(const struct spec *spec, const unsigned char *data,
                       size_t size, struct histogram *histogram)
{
    struct binning_tables tables = spec_tables(spec);

    for (const unsigned char *record = data; record < data + size;
         record += spec->record.bytes) {
        uint64_t joint = 0;
        for (size_t i = 0; i < spec->axis_count; i++) {
            uint64_t cell = placed_cell(&spec->counted[i], &tables, record);
            if (spec->is_joint)
                joint += cell;
            else
                add(spec, record, cell, histogram);
        }
        if (spec->is_joint)
            add(spec, record, joint, histogram);
    }
}

void
record_count_zeros(const struct spec *spec, uint64_t records,
                   struct histogram *histogram)
{
    struct binning_tables tables = spec_tables(spec);
    uint64_t joint = 0;

    for (size_t i = 0; i < spec->axis_count; i++) {
        const struct binning_axis *axis = &spec->counted[i];
        uint64_t cell =
            axis->base + axis->stride * binning_cell(axis, &tables, 0);
        if (spec->is_joint)
            joint += cell;
        else
            histogram->value[cell] += records;
    }
    if (spec->is_joint)
        histogram->value[joint] += records;
}

/* ---- rows ---- */

/* The constants of one axis, or of all axes of a joint histogram. */
struct row_finder {
    struct binning_tables tables;
    size_t axis_count;
    struct bin_row_rule rule[SPEC_AXES_MAX];
    const struct bin_row_form *form;
};

/* Find the cells of COUNT records, as indices into the histogram. */
static void
find_places(const struct row_finder *finder, const unsigned char *data,
            size_t count, uint32_t *place)
{
    uint32_t cell[BIN_ROW_ELEMENTS];

    finder->form->find(&finder->rule[0], data, count, place);
    for (size_t n = 1; n < finder->axis_count; n++) {
        /* Later axes vary faster. */
        uint32_t cells = (uint32_t)(finder->rule[n - 1].axis->stride /
                                    finder->rule[n].axis->stride);
        finder->form->find(&finder->rule[n], data, count, cell);
        for (size_t i = 0; i < count; i++)
            place[i] = place[i] * cells + cell[i];
    }
}

/*
 * The longest record whose every cache line is needed.  Of a longer record an
 * axis needs few lines, and prefetching all lines takes longer than waiting.
 */
#define ASK_BYTES_MAX 64

/* Prefetch the next records. */
static void
ask_ahead(const unsigned char *data, size_t size)
{
    for (size_t at = 0; at < size; at += 64)
        byte_count_ahead(data + at);
}

/* Make the finder of axis I, or of all axes of a joint histogram. */
static void
make_finder(struct row_finder *finder, const struct spec *spec, size_t i)
{
    finder->tables = spec_tables(spec);
    finder->axis_count = spec->is_joint ? spec->axis_count : 1;
    finder->form = bin_row_form_choose();
    for (size_t n = 0; n < finder->axis_count; n++)
        bin_row_rule_make(&finder->rule[n], &spec->counted[i + n],
                          &finder->tables, spec->record.bytes);
}

/*
 * Find the cells of the next records of BYTES each, of which LEFT are left.
 * Returns the number of records.
 */
static size_t
find_next(const struct row_finder *finder, const unsigned char *data,
          size_t left, size_t bytes, uint32_t place[BIN_ROW_ELEMENTS])
{
    size_t count = left < BIN_ROW_ELEMENTS ? left : BIN_ROW_ELEMENTS;

    if (bytes <= ASK_BYTES_MAX)
        ask_ahead(data, count * bytes);
    find_places(finder, data, count, place);
    return count;
}

/* Count axis I, or all axes of a joint histogram. */
static void
count_rows(const struct spec *spec, size_t i, const unsigned char *data,
           size_t size, struct histogram *histogram)
{
    size_t bytes = spec->record.bytes;
    struct row_finder finder;
    struct cell_counts counts;
    struct cell_weights weights;
    uint32_t place[BIN_ROW_ELEMENTS];

    make_finder(&finder, spec, i);
    uint64_t cells = spec->is_joint ? spec->cells : spec_axis_cells(spec, i);
    uint64_t *value = histogram->value + spec->counted[i].base;
    cell_counts_open(&counts, value, cells, size / bytes);
    if (spec->has_weights)
        cell_weights_open(&weights, &spec->weight, bytes, size / bytes,
                          value + histogram->cells, cells, histogram->cells);
    for (size_t left = size / bytes; left > 0;) {
        size_t count = find_next(&finder, data, left, bytes, place);
        cell_counts_add(&counts, place, count);
        if (spec->has_weights)
            cell_weights_add(&weights, data, place, count);
        data += count * bytes;
        left -= count;
    }
    cell_counts_close(&counts);
    if (spec->has_weights)
        cell_weights_close(&weights);
}

bool
record_count_is_bytes(const struct spec *spec)
{
    return spec->record.bytes == 1 && !spec->has_weights &&
           spec->counted[0].kind == BINNING_RAW;
}

void
record_count_fast(const struct spec *spec, const unsigned char *data,
                  size_t size, struct histogram *histogram)
{
    if (record_count_is_bytes(spec)) {
        byte_count_fast(data, size, histogram->value);
        return;
    }
    for (size_t i = 0; i < spec_histograms(spec); i++)
        count_rows(spec, i, data, size, histogram);
}

/* As count_rows(), for a table that threads share. */
static void
count_shared_rows(const struct spec *spec, size_t i, const unsigned char *data,
                  size_t size, struct shared_counter *counter)
{
    size_t bytes = spec->record.bytes;
    struct row_finder finder;
    uint32_t place[BIN_ROW_ELEMENTS];

    make_finder(&finder, spec, i);
    for (size_t left = size / bytes; left > 0;) {
        size_t count = find_next(&finder, data, left, bytes, place);
        shared_counter_add(counter, spec->counted[i].base, place, count);
        data += count * bytes;
        left -= count;
    }
}

void
record_count_shared(const struct spec *spec, const unsigned char *data,
                    size_t size, struct shared_counter *counter)
{
    for (size_t i = 0; i < spec_histograms(spec); i++)
        count_shared_rows(spec, i, data, size, counter);
}
