/* SPDX-License-Identifier: MIT */
/* number_counts.c -- the counts of fields that are numbers */

#include <stdlib.h>
#include <string.h>

#include "engine/cpu/cells/bin_row.h"
#include "engine/cpu/cells/record_count.h"
#include "engine/cpu/keys/number_counts.h"
#include "hist/amount.h"
#include "hist/key_code.h"
#include "hist/rebin.h"

#define INLINE static inline __attribute__((always_inline))

#define NUMBER_BYTES sizeof(uint64_t)

/* The codes of the numbers of a batch, for a sparse axis. */
struct number_codes {
    unsigned char code[NUMBER_COUNTS_BATCH * KEY_CODE_DECIMAL_ROOM];
    struct text_slice slice[NUMBER_COUNTS_BATCH];
};

struct number_counter {
    struct thread_link link; /* in the list of COUNTS */
    struct number_counts *counts;
    struct number_table table;
    struct field_text *field;   /* of each axis; NULL: binary samples */
    int64_t *nano;              /* a column for each axis: of each record */
    uint64_t *value;            /* bits of numbers, record by record */
    struct number_codes *codes; /* NULL: the axis is not sparse */
    int64_t weight[NUMBER_COUNTS_BATCH]; /* of each record in VALUE */
};

/* ---- tables ---- */

static bool
is_sparse(const struct number_table *table)
{
    return table->spec.counted[0].kind == BINNING_NUMBER;
}

/* Set the axes of TABLE, without a range, to those from FIRST on of SPEC. */
static void
set_axes(struct number_table *table, const struct spec *spec, size_t first)
{
    size_t axes = table->spec.axis_count;

    for (size_t a = 0; a < axes; a++) {
        struct binning_axis *axis = &table->spec.counted[a];
        *axis = spec->counted[first + a];
        table->axis[a].extent = extent_none;
        if (spec->kind != SPEC_SAMPLES)
            axis->offset = (uint32_t)(a * NUMBER_BYTES);
        if (axes == 1) {
            axis->base = 0;
            axis->stride = 1;
        }
        if (spec_grows(&table->spec, a)) {
            lattice_set(axis, &table->axis[a].extent);
            table->spec.grows = true;
        }
    }
}

/*
 * Make a table without counts, of AXES axes of SPEC from FIRST on.  Returns 0,
 * or -1: out of memory.  The caller calls table_close() in both cases.
 */
static int
table_open(struct number_table *table, const struct spec *spec, size_t first,
           size_t axes)
{
    const struct binning_axis *own = &spec->counted[first];

    *table = (struct number_table){
        .spec = {
            .record.bytes = spec->kind == SPEC_SAMPLES ? spec->record.bytes
                                                       : axes * NUMBER_BYTES,
            .axis_count = axes,
            .is_joint = axes > 1,
            .edges = spec->edges,
            .cells = axes > 1 ? spec->cells
                     : own->kind == BINNING_NUMBER
                         ? AXIS_SPECIALS
                         : own->bins + axis_flows(own),
            .planes = spec->planes,
            .has_weights = spec->has_weights,
            .weight = spec->weight,
        }};
    struct spec *made = &table->spec;
    made->shown = made->counted = calloc(axes, sizeof *made->counted);
    table->axis = calloc(axes, sizeof *table->axis);
    if (made->counted == NULL || table->axis == NULL)
        return -1;
    set_axes(table, spec, first);
    if (spec->has_weights && axes == 1) {
        table->nano = calloc((size_t)made->cells, sizeof *table->nano);
        if (table->nano == NULL)
            return -1;
    }
    return histogram_open(&table->histogram, made->cells, made->planes);
}

static void
table_close(struct number_table *table)
{
    histogram_close(&table->histogram);
    free(table->nano);
    free(table->spec.counted);
    free(table->axis);
}

uint64_t
number_table_special(const struct number_table *table, enum axis_special reason)
{
    return is_sparse(table)
               ? (uint64_t)reason
               : axis_special_cell(&table->spec.counted[0], reason);
}

/* Add the pending weights of CELL to its sum. */
static void
settle_cell(struct number_table *table, uint64_t cell)
{
    struct decimal_sum sum = decimal_sum_of_nano(table->nano[cell]);

    amount_add_decimal(&table->histogram, cell, &sum);
    table->nano[cell] = 0;
}

/* The same of all cells. */
static void
settle_cells(struct number_table *table)
{
    for (uint64_t c = 0; table->nano != NULL && c < table->histogram.cells;
         c++) {
        if (table->nano[c] != 0)
            settle_cell(table, c);
    }
}

/* Move the counts of TABLE to the lattices for WIDER, of each axis that grows.
   Returns 0, or -1: out of memory. */
static int
move_to_lattices(struct number_table *table, const struct extent *wider)
{
    size_t axes = table->spec.axis_count;
    struct binning_axis axis[SPEC_AXES_MAX];
    struct spec spec = table->spec;
    bool is_same = true;

    memcpy(axis, table->spec.counted, axes * sizeof *axis);
    for (size_t a = 0; a < axes; a++) {
        if (!spec_grows(&table->spec, a))
            continue;
        lattice_set(&axis[a], &wider[a]);
        is_same &= lattice_is_same(&table->spec.counted[a], &axis[a]);
    }
    if (is_same)
        return 0;
    settle_cells(table);
    spec.shown = spec.counted = axis;
    if (rebin_histogram(&table->spec, &spec, &table->histogram) < 0)
        return -1;
    memcpy(table->spec.counted, axis, axes * sizeof *axis);
    return 0;
}

/* Widen the lattices of TABLE to hold EXTENT, of each axis that grows.  Returns
   0, or -1: out of memory. */
static int
table_widen(struct number_table *table, const struct extent *extent)
{
    struct extent wider[SPEC_AXES_MAX];

    for (size_t a = 0; a < table->spec.axis_count; a++) {
        wider[a] = table->axis[a].extent;
        if (spec_grows(&table->spec, a))
            extent_join(&wider[a], &extent[a]);
    }
    if (move_to_lattices(table, wider) < 0)
        return -1;
    for (size_t a = 0; a < table->spec.axis_count; a++)
        table->axis[a].extent = wider[a];
    return 0;
}

/* Widen the lattices of TO to hold those of FROM.  Returns 0, or -1. */
static int
table_widen_to(struct number_table *to, const struct number_table *from)
{
    struct extent extent[SPEC_AXES_MAX];

    if (!to->spec.grows)
        return 0;
    for (size_t a = 0; a < to->spec.axis_count; a++)
        extent[a] = from->axis[a].extent;
    return table_widen(to, extent);
}

/* Move the counts of FROM to TO, which has equal axes.  0, or -1. */
static int
table_move(struct number_table *from, struct number_table *to)
{
    if (table_widen_to(to, from) < 0 || table_widen_to(from, to) < 0)
        return -1;
    settle_cells(from);
    histogram_add(&to->histogram, &from->histogram);
    if (to->spec.has_weights)
        histogram_carry(&to->histogram, to->spec.weight.type);
    histogram_clear(&from->histogram);
    for (size_t a = 0; a < to->spec.axis_count; a++) {
        to->axis[a].numbers += from->axis[a].numbers;
        from->axis[a].numbers = 0;
    }
    return 0;
}

/* Forget the ranges and numbers of TABLE, but not the histogram. */
static void
table_restart(struct number_table *table)
{
    for (size_t a = 0; a < table->spec.axis_count; a++) {
        table->axis[a] = (struct number_axis){.extent = extent_none};
        if (spec_grows(&table->spec, a))
            lattice_set(&table->spec.counted[a], &table->axis[a].extent);
    }
}

/* Widen the lattices of TABLE, if it has any, to hold the records in SIZE bytes
   at DATA.  Returns 0, or -1. */
static int
hold_records(struct number_table *table, const unsigned char *data, size_t size)
{
    struct extent extent[SPEC_AXES_MAX];

    if (!table->spec.grows)
        return 0;
    for (size_t a = 0; a < table->spec.axis_count; a++) {
        extent[a] = extent_none;
        if (spec_grows(&table->spec, a))
            bin_row_widen(&extent[a], &table->spec.counted[a], data, size,
                          table->spec.record.bytes);
    }
    return table_widen(table, extent);
}

/* ---- single records ---- */

/* Whether MORE has values outside of EXTENT. */
static bool
is_wider(const struct extent *extent, const struct extent *more)
{
    return more->min < extent->min || more->max > extent->max;
}

/* Widen the lattices of TABLE to hold a record with the bits VALUE; TAG says
   which axes have a number.  Returns 0, or -1. */
static int
hold_record(struct number_table *table, const enum key_tag *tag,
            const uint64_t *value)
{
    struct extent extent[SPEC_AXES_MAX];
    bool must_widen = false;

    for (size_t a = 0; a < table->spec.axis_count; a++) {
        extent[a] = extent_none;
        if (tag[a] != KEY_TAG_VALUE || !spec_grows(&table->spec, a))
            continue;
        extent_widen_bits(&extent[a], &table->spec.counted[a], value[a]);
        must_widen |= is_wider(&table->axis[a].extent, &extent[a]);
    }
    return must_widen ? table_widen(table, extent) : 0;
}

/* Returns the cell of the record with the numbers VALUE, and TAG says which
   axes have no number.  A number of a sparse axis has no cell. */
static uint64_t
find_cell(const struct number_table *table, const enum key_tag *tag,
          const uint64_t *value)
{
    const struct binning_tables tables = spec_tables(&table->spec);
    uint64_t place = 0;

    if (is_sparse(table))
        return (uint64_t)axis_special_of(tag[0]);
    for (size_t a = 0; a < table->spec.axis_count; a++) {
        const struct binning_axis *axis = &table->spec.counted[a];
        uint64_t cell = tag[a] == KEY_TAG_VALUE
                            ? binning_cell(axis, &tables, value[a])
                            : axis_special_cell(axis, axis_special_of(tag[a]));
        place += axis->base + axis->stride * cell;
    }
    return place;
}

/*
 * Count record R, the numbers VALUE; TAG says which axes have no number.
 * WEIGHTS may be NULL.  Returns 0, or -1: out of memory.  Not inline: the loops
 * that call this function for few records keep their registers.
 */
static __attribute__((noinline)) int
count_record(struct number_table *table, const enum key_tag *tag,
             const uint64_t *value, const struct key_weights *weights, size_t r)
{
    if (hold_record(table, tag, value) < 0)
        return -1;
    uint64_t count = key_weights_count(weights, r);
    uint64_t cell = find_cell(table, tag, value);
    for (size_t a = 0; a < table->spec.axis_count; a++)
        table->axis[a].numbers += tag[a] == KEY_TAG_VALUE ? count : 0;
    table->histogram.value[cell] += count;
    if (key_weights_have_sums(weights)) {
        const struct decimal_sum weight = key_weight_read(weights, r);
        amount_add_decimal(&table->histogram, cell, &weight);
    }
    return 0;
}

/* ---- reading numbers ---- */

/*
 * Read AXES fields of RECORDS records to COUNTER->value, and the WEIGHTS of
 * these records, if there are any, to COUNTER->weight.  Counts the records that
 * lack a number.  Sets *COUNT to the number of the others.  Returns 0, or -1:
 * out of memory.
 *
 * Most numbers are short decimals, which are read column by column.
 */
INLINE int
read_axes(struct number_counter *counter, const unsigned char *data,
          const struct text_slice *slice, size_t records, size_t stride,
          const struct key_weights *weights, const size_t axes, size_t *count)
{
    struct number_table *table = &counter->table;
    const struct binning_axis *axis = table->spec.counted;
    const int64_t *nano = counter->nano;
    uint64_t *value = counter->value;
    enum key_tag tag[SPEC_AXES_MAX];
    size_t done = 0;

    for (size_t a = 0; a < axes; a++)
        short_decimals_read(data, slice + a, records, stride,
                            counter->nano + a * NUMBER_COUNTS_BATCH);
    for (size_t r = 0; r < records; r++, slice += stride) {
        bool is_complete = true;

        for (size_t a = 0; a < axes; a++) {
            if (!number_field_take(&axis[a], nano[a * NUMBER_COUNTS_BATCH + r],
                                   &tag[a], &value[a]) &&
                number_field_read(&counter->field[a], &axis[a], data, slice[a],
                                  &tag[a], &value[a]) != KEY_OK)
                return -1;
            is_complete &= tag[a] == KEY_TAG_VALUE;
        }
        if (!is_complete) {
            if (count_record(table, tag, value, weights, r) < 0)
                return -1;
            continue;
        }
        if (weights != NULL)
            counter->weight[done] = weights->weight[r];
        value += axes;
        done++;
    }
    for (size_t a = 0; a < axes; a++)
        table->axis[a].numbers += done;
    *count = done;
    return 0;
}

/* The same for computed fields. */
INLINE int
take_axes(struct number_counter *counter, const struct text_slice *slice,
          size_t records, size_t stride, const struct key_weights *weights,
          const size_t axes, size_t *count)
{
    struct number_table *table = &counter->table;
    enum key_tag tag[SPEC_AXES_MAX];
    size_t done = 0;

    for (size_t r = 0; r < records; r++, slice += stride) {
        uint64_t *value = counter->value + done * axes;
        bool is_complete = true;

        for (size_t a = 0; a < axes; a++) {
            tag[a] = number_field_tag(slice[a]);
            value[a] = text_slice_bits(slice[a]);
            is_complete &= tag[a] == KEY_TAG_VALUE;
        }
        if (!is_complete) {
            if (count_record(table, tag, value, weights, r) < 0)
                return -1;
            continue;
        }
        if (weights != NULL)
            counter->weight[done] = weights->weight[r];
        done++;
    }
    for (size_t a = 0; a < axes; a++)
        table->axis[a].numbers += done;
    *count = done;
    return 0;
}

/* What read_axes() or take_axes() does, for all axes of COUNTER. */
static int
read_records(struct number_counter *counter, const unsigned char *data,
             const struct text_slice *slice, size_t records, size_t stride,
             const struct key_weights *weights, size_t *count)
{
    size_t axes = counter->table.spec.axis_count;
    bool is_computed = counter->field[0].is_computed;

    if (is_computed)
        return axes == 1 ? take_axes(counter, slice, records, stride, weights,
                                     1, count)
                         : take_axes(counter, slice, records, stride, weights,
                                     axes, count);
    return axes == 1 ? read_axes(counter, data, slice, records, stride, weights,
                                 1, count)
                     : read_axes(counter, data, slice, records, stride, weights,
                                 axes, count);
}

/* ---- one thread ---- */

size_t
number_counter_bytes(void)
{
    return sizeof(struct number_counter) + sizeof(struct number_codes) +
           NUMBER_COUNTS_BATCH * (sizeof(int64_t) + NUMBER_BYTES);
}

static void
counter_free(struct number_counter *counter)
{
    for (size_t a = 0;
         counter->field != NULL && a < counter->table.spec.axis_count; a++)
        field_text_close(&counter->field[a]);
    table_close(&counter->table);
    free(counter->field);
    free(counter->nano);
    free(counter->value);
    free(counter->codes);
    free(counter);
}

/* Allocate what COUNTER reads numbers to.  Returns 0, or -1: out of memory. */
static int
open_buffers(struct number_counter *counter)
{
    const struct number_counts *counts = counter->counts;
    size_t axes = counts->table.spec.axis_count;
    size_t values = axes * NUMBER_COUNTS_BATCH;

    if (is_sparse(&counts->table)) {
        counter->codes = malloc(sizeof *counter->codes);
        if (counter->codes == NULL)
            return -1;
    }
    if (counts->spec->kind == SPEC_SAMPLES)
        return 0;
    counter->field = calloc(axes, sizeof *counter->field);
    counter->nano = malloc(values * sizeof *counter->nano);
    counter->value = malloc(values * NUMBER_BYTES);
    if (counter->field == NULL || counter->nano == NULL ||
        counter->value == NULL)
        return -1;
    for (size_t a = 0; a < axes; a++)
        counter->field[a] =
            number_field_open(counts->spec, counts->first_axis + a);
    return 0;
}

struct number_counter *
number_counter_new(struct number_counts *counts)
{
    struct number_counter *counter = calloc(1, sizeof *counter);

    if (counter == NULL)
        return NULL;
    counter->counts = counts;
    if (table_open(&counter->table, counts->spec, counts->first_axis,
                   counts->table.spec.axis_count) < 0 ||
        open_buffers(counter) < 0) {
        counter_free(counter);
        return NULL;
    }
    thread_list_add(&counts->counters, &counter->link);
    return counter;
}

void
number_counter_close(struct number_counter *counter)
{
    struct number_counts *counts = counter->counts;

    thread_list_remove(&counts->counters, &counter->link);
    counter_free(counter);
}

/* Write the codes of COUNT numbers, and a slice for each. */
static void
put_codes(struct number_counter *counter, size_t count)
{
    const struct binning_axis *axis = &counter->table.spec.counted[0];
    struct number_codes *codes = counter->codes;
    unsigned char *at = codes->code;

    for (size_t i = 0; i < count; i++) {
        unsigned char *end = number_field_put_code(axis, counter->value[i], at);
        codes->slice[i] = (struct text_slice){
            .at = (uint32_t)(at - codes->code),
            .size = (uint32_t)(end - at),
        };
        at = end;
    }
}

/*
 * Read RECORDS slices, which are decimals, to codes and slices, and the WEIGHTS
 * of these records, if there are any, to COUNTER->weight.  Otherwise as
 * read_axes().
 */
static int
read_decimals(struct number_counter *counter, const unsigned char *data,
              const struct text_slice *slice, size_t records, size_t stride,
              const struct key_weights *weights, size_t *count)
{
    struct number_table *table = &counter->table;
    const struct binning_axis *axis = &table->spec.counted[0];
    struct number_codes *codes = counter->codes;
    unsigned char *at = codes->code;
    size_t done = 0;

    short_decimals_read(data, slice, records, stride, counter->nano);
    for (size_t r = 0; r < records; r++, slice += stride) {
        unsigned char *end = at;
        enum key_tag tag;
        uint64_t bits;

        if (number_field_take(axis, counter->nano[r], &tag, &bits))
            end = number_field_put_code(axis, bits, at);
        else if (number_field_read_decimal(counter->field, axis, data, *slice,
                                           &tag, &end) != KEY_OK)
            return -1;
        if (tag != KEY_TAG_VALUE) {
            if (count_record(table, &tag, &bits, weights, r) < 0)
                return -1;
            continue;
        }
        if (weights != NULL)
            counter->weight[done] = weights->weight[r];
        codes->slice[done++] = (struct text_slice){
            .at = (uint32_t)(at - codes->code),
            .size = (uint32_t)(end - at),
        };
        at = end;
    }
    table->axis[0].numbers += done;
    *count = done;
    return 0;
}

/* Count the records in SIZE bytes at DATA in TABLE, which has bins. */
static enum key_result
count_records(struct number_table *table, const unsigned char *data,
              size_t size)
{
    if (hold_records(table, data, size) < 0)
        return KEY_NO_MEMORY;
    record_count_fast(&table->spec, data, size, &table->histogram);
    return KEY_OK;
}

/* Add weight I of WEIGHTS to the sum of CELL. */
INLINE void
weigh_cell(struct number_table *table, uint64_t cell,
           const struct key_weights *weights, size_t i)
{
    if (table->nano == NULL || !decimal_is_nano(weights->weight[i])) {
        struct decimal_sum weight = key_weight_read(weights, i);
        amount_add_decimal(&table->histogram, cell, &weight);
        return;
    }
    table->nano[cell] += weights->weight[i];
    if (!decimal_is_nano(table->nano[cell]))
        settle_cell(table, cell);
}

/* Count COUNT records of AXES numbers that COUNTER has read, with WEIGHTS. */
INLINE void
weigh_axes(struct number_counter *counter, size_t count,
           const struct key_weights *weights, const size_t axes)
{
    struct number_table *table = &counter->table;
    const struct binning_tables tables = spec_tables(&table->spec);
    const struct binning_axis *axis = table->spec.counted;
    const uint64_t *value = counter->value;

    for (size_t i = 0; i < count; i++, value += axes) {
        uint64_t cell = 0;
        if (axes == 1)
            cell = binning_cell(axis, &tables, *value);
        for (size_t a = 0; axes > 1 && a < axes; a++)
            cell += axis[a].base +
                    axis[a].stride * binning_cell(&axis[a], &tables, value[a]);
        table->histogram.value[cell] += key_weights_count(weights, i);
        if (key_weights_have_sums(weights))
            weigh_cell(table, cell, weights, i);
    }
}

/* The same for all axes of COUNTER. */
static enum key_result
weigh_records(struct number_counter *counter, size_t count,
              const struct key_weights *weights)
{
    struct number_table *table = &counter->table;
    size_t axes = table->spec.axis_count;

    if (hold_records(table, (const unsigned char *)counter->value,
                     count * table->spec.record.bytes) < 0)
        return KEY_NO_MEMORY;
    if (axes == 1)
        weigh_axes(counter, count, weights, 1);
    else
        weigh_axes(counter, count, weights, axes);
    return KEY_OK;
}

enum key_result
number_counter_add(struct number_counter *counter, struct key_counter *keys,
                   const unsigned char *data, const struct text_slice *slice,
                   size_t records, size_t stride,
                   const struct key_weights *weights)
{
    struct number_table *table = &counter->table;
    bool is_decimal = table->spec.counted[0].is_decimal;
    size_t count;

    int result = is_decimal ? read_decimals(counter, data, slice, records,
                                            stride, weights, &count)
                            : read_records(counter, data, slice, records,
                                           stride, weights, &count);
    if (result < 0)
        return KEY_NO_MEMORY;
    struct key_weights own = {.weight = counter->weight};
    if (weights != NULL) {
        own.wide = weights->wide;
        own.are_counts = weights->are_counts;
    }
    if (is_sparse(table)) {
        if (!is_decimal)
            put_codes(counter, count);
        return key_counter_add(keys, counter->codes->code,
                               counter->codes->slice, count,
                               weights != NULL ? &own : NULL);
    }
    return weights != NULL
               ? weigh_records(counter, count, &own)
               : count_records(table, (const unsigned char *)counter->value,
                               count * table->spec.record.bytes);
}

enum key_result
number_counter_add_samples(struct number_counter *counter,
                           struct key_counter *keys, const unsigned char *data,
                           size_t size)
{
    struct number_table *table = &counter->table;
    const struct binning_axis *axis = &table->spec.counted[0];
    struct number_codes *codes = counter->codes;
    size_t bytes = table->spec.record.bytes;
    size_t count = size / bytes;

    table->axis[0].numbers += count;
    if (!is_sparse(table))
        return count_records(table, data, size);
    unsigned char *at = codes->code;
    for (size_t i = 0; i < count; i++) {
        unsigned char *end = number_field_put_bits(
            axis, number_field_load(axis, data + i * bytes), at);
        codes->slice[i] = (struct text_slice){
            .at = (uint32_t)(at - codes->code),
            .size = (uint32_t)(end - at),
        };
        at = end;
    }
    return key_counter_add(keys, codes->code, codes->slice, count, NULL);
}

void
number_counter_note(struct number_counter *counter, uint64_t numbers)
{
    counter->table.axis[0].numbers += numbers;
}

/* ---- all threads ---- */

int
number_counts_open(struct number_counts *counts, const struct spec *spec,
                   size_t first, size_t axes)
{
    *counts = (struct number_counts){.spec = spec, .first_axis = first};
    thread_list_open(&counts->counters);
    return table_open(&counts->table, spec, first, axes);
}

int
number_counts_settle(struct number_counts *counts)
{
    int result = 0;

    pthread_mutex_lock(&counts->counters.lock);
    for (struct thread_link *at = counts->counters.first;
         at != NULL && result == 0; at = at->next)
        result =
            table_move(&((struct number_counter *)at)->table, &counts->table);
    pthread_mutex_unlock(&counts->counters.lock);
    return result;
}

/* Count the number of a sparse axis whose code is the bytes from CODE to END
   COUNT times in KEYS. */
static enum key_result
add_code(struct number_table *table, struct key_counts *keys,
         const unsigned char *code, const unsigned char *end, uint64_t count)
{
    const struct key_amount amount = {.count = count};

    table->axis[0].numbers += count;
    return key_counter_add_amount(keys, code, (uint32_t)(end - code), &amount);
}

/* Read the number of SLICE, of axis A: as number_field_read(); or if it is a
   decimal, as number_field_read_decimal(). */
static enum key_result
read_number(const struct number_counts *counts, size_t a,
            const unsigned char *data, struct text_slice slice,
            enum key_tag *tag, uint64_t *bits, unsigned char **code)
{
    const struct binning_axis *axis = number_table_axis(&counts->table, a);
    struct field_text field =
        number_field_open(counts->spec, counts->first_axis + a);
    enum key_result result =
        axis->is_decimal && !field.is_computed
            ? number_field_read_decimal(&field, axis, data, slice, tag, code)
            : number_field_read(&field, axis, data, slice, tag, bits);

    field_text_close(&field);
    return result;
}

enum key_result
number_counts_add(struct number_counts *counts, struct key_counts *keys,
                  const unsigned char *data, const struct text_slice *slice,
                  uint64_t count)
{
    struct number_table *table = &counts->table;
    const struct key_weights times = {.weight = (int64_t *)&count,
                                      .are_counts = true};
    unsigned char code[KEY_CODE_DECIMAL_ROOM];
    unsigned char *end = code;
    enum key_tag tag[SPEC_AXES_MAX] = {KEY_TAG_VALUE};
    uint64_t value[SPEC_AXES_MAX] = {0};
    enum key_result result = KEY_OK;

    for (size_t a = 0; a < table->spec.axis_count && result == KEY_OK; a++)
        result =
            read_number(counts, a, data, slice[a], &tag[a], &value[a], &end);
    if (result != KEY_OK)
        return result;
    if (!is_sparse(table) || tag[0] != KEY_TAG_VALUE)
        return count_record(table, tag, value, &times, 0) == 0 ? KEY_OK
                                                               : KEY_NO_MEMORY;
    if (end == code)
        end = number_field_put_code(&table->spec.counted[0], value[0], code);
    return add_code(table, keys, code, end, count);
}

enum key_result
number_counts_add_zeros(struct number_counts *counts, struct key_counts *keys,
                        uint64_t count)
{
    static const enum key_tag tag = KEY_TAG_VALUE;
    static const uint64_t zero = 0;
    struct number_table *table = &counts->table;
    const struct key_weights times = {.weight = (int64_t *)&count,
                                      .are_counts = true};
    unsigned char code[KEY_CODE_ROOM];

    if (is_sparse(table))
        return add_code(table, keys, code,
                        number_field_put_bits(&table->spec.counted[0], 0, code),
                        count);
    return count_record(table, &tag, &zero, &times, 0) == 0 ? KEY_OK
                                                            : KEY_NO_MEMORY;
}

void
number_counts_add_cells(struct number_counts *counts, const uint64_t *count)
{
    struct number_table *table = &counts->table;
    const struct binning_axis *axis = number_table_axis(table, 0);
    uint64_t cells = axis->bins + axis_number_flows(axis);

    for (uint64_t c = 0; c < cells; c++) {
        table->histogram.value[c] += count[c];
        table->axis[0].numbers += count[c];
    }
}

void
number_counts_restart(struct number_counts *counts)
{
    pthread_mutex_lock(&counts->counters.lock);
    for (struct thread_link *at = counts->counters.first; at != NULL;
         at = at->next)
        table_restart(&((struct number_counter *)at)->table);
    histogram_clear(&counts->table.histogram);
    table_restart(&counts->table);
    pthread_mutex_unlock(&counts->counters.lock);
}

void
number_counts_close(struct number_counts *counts)
{
    table_close(&counts->table);
    thread_list_close(&counts->counters);
}
