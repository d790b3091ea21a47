/* SPDX-License-Identifier: MIT */
/* record_cost.c -- how long the CPU takes to count records */

#include <stddef.h>

#include "engine/cpu/bytes/byte_count.h"
#include "engine/cpu/cells/bin_row.h"
#include "engine/cpu/cells/record_cost.h"
#include "engine/cpu/cells/record_count.h"

/*
 * Nanoseconds of a thread with AVX-512, measured (bench/NOTES.md).  Reading is
 * not included.
 */
#define BYTE_TIME 0.385 /* the unit of the result */
#define FIELD_TIME 0.6
#define FIELD_BYTE_TIME 0.1
#define EDGES_TIME 5  /* in addition: to search many edges */
#define EXTENT_TIME 1 /* in addition: --range=auto finds the extent first */
#define WEIGHT_TIME 1.2
#define WEIGHT_BYTE_TIME 0.3
#define TEXT_TIME 0.8 /* of a byte */

/* Of a reader that does not look at the bytes, and what looking for the ends of
   records adds: by quotes, or of sequences. */
#define READ_TIME 0.2
#define QUOTES_TIME 0.13
#define SEQUENCES_TIME 0.1

/* What cache misses add, by the cells of the table. */
static const struct {
    uint64_t cells; /* more than this */
    double time;
} misses[] = {
    {(uint64_t)1 << 24, 8},
    {(uint64_t)1 << 19, 5},
    {(uint64_t)1 << 16, 1},
};

static double
miss_time(uint64_t cells)
{
    for (size_t i = 0; i < sizeof misses / sizeof *misses; i++) {
        if (cells > misses[i].cells)
            return misses[i].time;
    }
    return 0;
}

/* Of finding the cell of field I. */
static double
field_time(const struct spec *spec, size_t i)
{
    const struct binning_axis *axis = &spec->counted[i];
    double time = FIELD_TIME + FIELD_BYTE_TIME * binning_size(axis->type);

    if (axis->kind == BINNING_EDGES && axis->bins > BIN_ROW_EDGES_FEW)
        time += EDGES_TIME;
    if (spec_grows(spec, i))
        time += EXTENT_TIME;
    return time;
}

double
record_cost(const struct spec *spec)
{
    double time = 0;

    if (spec->uses_tables)
        return TEXT_TIME / BYTE_TIME;
    if (record_count_is_bytes(spec))
        return byte_count_cost();
    for (size_t i = 0; i < spec->axis_count; i++)
        time += field_time(spec, i);
    for (size_t i = 0; i < spec_histograms(spec); i++)
        time +=
            miss_time(spec->is_joint ? spec->cells : spec_axis_cells(spec, i));
    if (spec->has_weights)
        time +=
            (WEIGHT_TIME + WEIGHT_BYTE_TIME * binning_size(spec->weight.type)) *
            (double)spec_histograms(spec);
    return time / (double)spec->record.bytes / BYTE_TIME;
}

double
record_feed_cost(const struct spec *spec)
{
    static const double time[TEXT_ENDS] = {
        [TEXT_ENDS_QUOTED] = QUOTES_TIME,
        [TEXT_ENDS_SEQUENCES] = SEQUENCES_TIME,
    };

    return (READ_TIME + time[text_type_of(spec->text.kind)->ends]) / READ_TIME;
}
