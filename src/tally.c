/* tally.c -- count the records of a buffer on the CPU, whatever the spec */

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "count.h"
#include "even.h"
#include "tally.h"
#include "weighing.h"

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
    bool is_shared, struct histogram *histogram)
{
    if (is_shared) {
        __atomic_fetch_add(&histogram->value[cell], 1, __ATOMIC_RELAXED);
        return;
    }
    histogram->value[cell]++;
    if (spec->has_weights)
        add_weight(spec, record, cell, histogram);
}

/* The cell of RECORD on one axis, at its place in the histogram. */
static uint64_t
placed_cell(const struct binning_axis *axis,
            const struct binning_tables *tables, const unsigned char *record)
{
    uint64_t bits =
        binning_load(record + axis->offset, axis->type, axis->is_swapped);

    return axis->base + axis->stride * binning_cell(axis, tables, bits);
}

static inline void
tally_records(const struct spec *spec, const unsigned char *data, size_t size,
              bool is_shared, struct histogram *histogram)
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
                add(spec, record, cell, is_shared, histogram);
        }
        if (spec->is_joint)
            add(spec, record, joint, is_shared, histogram);
    }
}

void
tally_reference(const struct spec *spec, const unsigned char *data, size_t size,
                struct histogram *histogram)
{
    tally_records(spec, data, size, false, histogram);
}

void
tally_shared(const struct spec *spec, const unsigned char *data, size_t size,
             struct histogram *histogram)
{
    tally_records(spec, data, size, true, histogram);
}

/* ---- loops of their own ---- */

/*
 * One axis whose TYPE and KIND the compiler knows: of binning_cell() only
 * what they need remains.
 */
static inline __attribute__((always_inline)) void
tally_axis(const struct spec *spec, size_t i, const unsigned char *data,
           size_t size, uint32_t type, uint32_t kind,
           struct histogram *histogram)
{
    struct binning_tables tables = spec_tables(spec);
    struct binning_axis axis = spec->counted[i];
    uint64_t *value = histogram->value + axis.base;
    size_t stride = spec->record.bytes;

    axis.type = type;
    axis.kind = kind;
    axis.closed = BINNING_LEFT;
    axis.is_swapped = 0;
    for (const unsigned char *element = data + axis.offset;
         element < data + size; element += stride)
        value[binning_cell(&axis, &tables, binning_load(element, type, 0))]++;
}

static inline __attribute__((always_inline)) bool
tally_kind(const struct spec *spec, size_t i, const unsigned char *data,
           size_t size, uint32_t type, struct histogram *histogram)
{
    switch (spec->counted[i].kind) {
    case BINNING_DIRECT:
        if (binning_is_float(type))
            return false;
        tally_axis(spec, i, data, size, type, BINNING_DIRECT, histogram);
        return true;
    case BINNING_EVEN:
        tally_axis(spec, i, data, size, type, BINNING_EVEN, histogram);
        return true;
    case BINNING_EDGES:
        tally_axis(spec, i, data, size, type, BINNING_EDGES, histogram);
        return true;
    case BINNING_LOG2:
        tally_axis(spec, i, data, size, type, BINNING_LOG2, histogram);
        return true;
    default:
        return false;
    }
}

/* A wide element, in the machine's byte order; false: another kind of axis. */
static bool
tally_wide(const struct spec *spec, size_t i, const unsigned char *data,
           size_t size, struct histogram *histogram)
{
    const struct binning_axis *axis = &spec->counted[i];

    if (axis->is_swapped || axis->closed != BINNING_LEFT)
        return false;
    switch (axis->type) {
    case SAMPLE_U4:
        return tally_kind(spec, i, data, size, SAMPLE_U4, histogram);
    case SAMPLE_I4:
        return tally_kind(spec, i, data, size, SAMPLE_I4, histogram);
    case SAMPLE_U8:
        return tally_kind(spec, i, data, size, SAMPLE_U8, histogram);
    case SAMPLE_I8:
        return tally_kind(spec, i, data, size, SAMPLE_I8, histogram);
    case SAMPLE_F4:
        return tally_kind(spec, i, data, size, SAMPLE_F4, histogram);
    case SAMPLE_F8:
        return tally_kind(spec, i, data, size, SAMPLE_F8, histogram);
    default:
        return false;
    }
}

/* The bits of an element of one or two bytes. */
static void
tally_raw(const struct spec *spec, size_t i, const unsigned char *data,
          size_t size, struct histogram *histogram)
{
    const struct binning_axis *axis = &spec->counted[i];
    uint64_t *value = histogram->value + axis->base;
    size_t stride = spec->record.bytes;
    bool is_byte = binning_size(axis->type) == 1;

    if (is_byte && stride == 1) {
        count_fast(data, size, value);
        return;
    }
    for (const unsigned char *element = data + axis->offset;
         element < data + size; element += stride) {
        if (is_byte)
            value[*element]++;
        else
            value[binning_load(element, SAMPLE_U2, 0)]++;
    }
}

void
tally_fast(const struct spec *spec, const unsigned char *data, size_t size,
           struct histogram *histogram)
{
    if (spec->is_joint || spec->has_weights) {
        tally_records(spec, data, size, false, histogram);
        return;
    }
    for (size_t i = 0; i < spec->axis_count; i++) {
        const struct binning_axis *axis = &spec->counted[i];
        if (axis->kind == BINNING_RAW) {
            tally_raw(spec, i, data, size, histogram);
        } else if (spec->threshold[i] != NULL) {
            even_count(axis, spec->threshold[i], data + axis->offset,
                       size / spec->record.bytes, spec->record.bytes,
                       histogram->value + axis->base);
        } else if (!tally_wide(spec, i, data, size, histogram)) {
            struct binning_tables tables = spec_tables(spec);
            for (const unsigned char *record = data; record < data + size;
                 record += spec->record.bytes)
                histogram->value[placed_cell(axis, &tables, record)]++;
        }
    }
}

/* Of one axis, as tally_fast() counts it (bench/NOTES.md). */
static double
axis_cost(const struct spec *spec, size_t i)
{
    const struct binning_axis *axis = &spec->counted[i];
    double cost = 1.5;

    if (axis->kind == BINNING_RAW)
        cost = 1;
    else if (spec->threshold[i] != NULL)
        cost = axis->bins <= EVEN_BINS_FEW ? 1 : 3;
    else if (axis->is_auto && axis->type == SAMPLE_F4 &&
             axis->bins <= EVEN_BINS_FEW)
        cost = 2; /* it is looked at twice */
    else if (axis->is_swapped || axis->closed != BINNING_LEFT || axis->is_auto)
        cost = 3;
    else if (axis->kind == BINNING_EVEN && axis->type != SAMPLE_F8)
        cost = 3;
    /* What the record has beside it need not be counted. */
    return cost * binning_size(axis->type) / (double)spec->record.bytes;
}

double
tally_cost(const struct spec *spec)
{
    double cost = 0;

    if (spec->is_joint)
        return 6;
    if (spec->has_weights)
        return 3;
    for (size_t i = 0; i < spec->axis_count; i++)
        cost += axis_cost(spec, i);
    return cost > 1 ? cost : 1;
}

void
tally_carry(const struct spec *spec, struct histogram *histogram)
{
    for (uint64_t cell = 0; cell < histogram->cells; cell++)
        weighing_carry(histogram->value + histogram->cells + cell,
                       weighing_digits(spec->weight.type), histogram->cells);
}
