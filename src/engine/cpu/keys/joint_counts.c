/* joint_counts.c -- the joint counts of fields of text that are numbers */

#include <stdlib.h>
#include <string.h>

#include "engine/cpu/cells/extent.h"
#include "engine/cpu/cells/record_count.h"
#include "engine/cpu/keys/joint_counts.h"
#include "hist/amount.h"
#include "hist/rebin.h"

#define NUMBER_BYTES sizeof(uint64_t)

struct joint_counter {
    struct joint_counts *counts;
    struct joint_counter *next; /* in the list of COUNTS, under its lock */
    struct joint_table table;
    struct field_text *field; /* of each axis */
    enum key_tag *tag;        /* of each axis, of one record */
    uint64_t *value;          /* the bits of numbers, record by record */
};

/* ---- tables ---- */

/* Make a table of the axes of SPEC.  Returns 0, or -1: out of memory.  The
   caller calls table_close() in both cases. */
static int
table_open(struct joint_table *table, const struct spec *spec)
{
    size_t axes = spec->axis_count;

    *table = (struct joint_table){.spec = {
                                      .record.bytes = axes * NUMBER_BYTES,
                                      .axis_count = axes,
                                      .is_joint = true,
                                      .edges = spec->edges,
                                      .cells = spec->cells,
                                      .planes = spec->planes,
                                      .has_weights = spec->has_weights,
                                      .weight = spec->weight,
                                  }};
    struct binning_axis *axis = calloc(axes, sizeof *axis);
    table->spec.shown = table->spec.counted = axis;
    table->axis = calloc(axes, sizeof *table->axis);
    if (axis == NULL || table->axis == NULL)
        return -1;
    for (size_t a = 0; a < axes; a++) {
        axis[a] = spec->counted[a];
        axis[a].offset = (uint32_t)(a * NUMBER_BYTES);
        table->axis[a].extent = extent_none;
        if (axis[a].is_auto)
            lattice_set(&axis[a], &table->axis[a].extent);
    }
    return histogram_open(&table->histogram, spec->cells, spec->planes);
}

static void
table_close(struct joint_table *table)
{
    histogram_close(&table->histogram);
    free(table->spec.counted);
    free(table->axis);
}

/*
 * Widen the lattices of TABLE to hold EXTENT, of each axis; that of an axis
 * with a range is not used.  Returns 0, or -1: out of memory.
 */
static int
table_widen(struct joint_table *table, const struct extent *extent)
{
    size_t axes = table->spec.axis_count;
    struct binning_axis axis[SPEC_AXES_MAX];
    struct spec spec = table->spec;

    memcpy(axis, table->spec.counted, axes * sizeof *axis);
    for (size_t a = 0; a < axes; a++) {
        struct extent *sum = &table->axis[a].extent;
        if (!spec_grows(&table->spec, a))
            continue;
        extent_join(sum, &extent[a]);
        lattice_set(&axis[a], sum);
    }
    spec.shown = spec.counted = axis;
    if (rebin_histogram(&table->spec, &spec, &table->histogram) < 0)
        return -1;
    memcpy(table->spec.counted, axis, axes * sizeof *axis);
    return 0;
}

/* Widen the lattices of TO to hold those of FROM.  Returns 0, or -1. */
static int
table_widen_to(struct joint_table *to, const struct joint_table *from)
{
    struct extent extent[SPEC_AXES_MAX];

    if (!spec_is_growing(&to->spec))
        return 0;
    for (size_t a = 0; a < to->spec.axis_count; a++)
        extent[a] = from->axis[a].extent;
    return table_widen(to, extent);
}

/* Move the counts of FROM, which has the same axes, to TO.  0, or -1. */
static int
table_move(struct joint_table *from, struct joint_table *to)
{
    if (table_widen_to(to, from) < 0 || table_widen_to(from, to) < 0)
        return -1;
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

/* Forget what TABLE has besides counts in the histogram. */
static void
table_restart(struct joint_table *table)
{
    for (size_t a = 0; a < table->spec.axis_count; a++) {
        table->axis[a] = (struct joint_axis){.extent = extent_none};
        if (spec_grows(&table->spec, a))
            lattice_set(&table->spec.counted[a], &table->axis[a].extent);
    }
}

/* ---- one thread ---- */

static void
counter_free(struct joint_counter *counter)
{
    for (size_t a = 0;
         counter->field != NULL && a < counter->table.spec.axis_count; a++)
        field_text_close(&counter->field[a]);
    table_close(&counter->table);
    free(counter->field);
    free(counter->tag);
    free(counter->value);
    free(counter);
}

struct joint_counter *
joint_counter_new(struct joint_counts *counts)
{
    struct joint_counter *counter = calloc(1, sizeof *counter);
    size_t axes = counts->spec->axis_count;

    if (counter == NULL)
        return NULL;
    counter->counts = counts;
    int result = table_open(&counter->table, counts->spec);
    counter->field = calloc(axes, sizeof *counter->field);
    counter->tag = calloc(axes, sizeof *counter->tag);
    counter->value = calloc(axes * JOINT_COUNTS_BATCH, NUMBER_BYTES);
    if (result < 0 || counter->field == NULL || counter->tag == NULL ||
        counter->value == NULL) {
        counter_free(counter);
        return NULL;
    }
    for (size_t a = 0; a < axes; a++)
        counter->field[a] = number_field_open(counts->spec, a);
    pthread_mutex_lock(&counts->lock);
    counter->next = counts->first;
    counts->first = counter;
    pthread_mutex_unlock(&counts->lock);
    return counter;
}

void
joint_counter_close(struct joint_counter *counter)
{
    struct joint_counts *counts = counter->counts;

    pthread_mutex_lock(&counts->lock);
    struct joint_counter **at = &counts->first;
    while (*at != counter)
        at = &(*at)->next;
    *at = counter->next;
    pthread_mutex_unlock(&counts->lock);
    counter_free(counter);
}

/* Whether MORE has values outside of EXTENT. */
static bool
is_wider(const struct extent *extent, const struct extent *more)
{
    return more->min < extent->min || more->max > extent->max;
}

/* Widen the lattices to hold those of the numbers VALUE whose TAG says that
   they are one.  0, or -1. */
static int
widen_to_record(struct joint_table *table, const enum key_tag *tag,
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

/* The cell of the record with the numbers VALUE, of which TAG says that some
   are none. */
static uint64_t
find_place(const struct joint_table *table, const enum key_tag *tag,
           const uint64_t *value)
{
    struct binning_tables tables = spec_tables(&table->spec);
    uint64_t place = 0;

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
 * Count record R, the numbers VALUE, of which the tags say that some are none.
 * WEIGHTS may be NULL.  Returns 0, or -1: out of memory.
 */
static int
count_record(struct joint_counter *counter, const uint64_t *value,
             const struct key_weights *weights, size_t r)
{
    struct joint_table *table = &counter->table;

    if (widen_to_record(table, counter->tag, value) < 0)
        return -1;
    uint64_t place = find_place(table, counter->tag, value);
    table->histogram.value[place] += key_weights_count(weights, r);
    if (key_weights_have_sums(weights)) {
        const struct decimal_sum weight = key_weight_read(weights, r);
        amount_add_decimal(&table->histogram, place, &weight);
    }
    return 0;
}

/*
 * Read RECORDS records to COUNTER->value, and count those that lack a number,
 * or all if they have WEIGHTS.  Sets *COUNT to the number of the others.
 */
static enum key_result
read_records(struct joint_counter *counter, const unsigned char *data,
             const struct text_slice *slice, size_t records,
             const struct key_weights *weights, size_t *count)
{
    struct joint_table *table = &counter->table;
    size_t axes = table->spec.axis_count;
    uint64_t *value = counter->value;

    for (size_t r = 0; r < records;
         r++, slice += counter->counts->spec->text_fields.count) {
        bool is_complete = weights == NULL;
        for (size_t a = 0; a < axes; a++) {
            if (number_field_read(&counter->field[a], &table->spec.counted[a],
                                  data, slice[a], &counter->tag[a],
                                  &value[a]) != KEY_OK)
                return KEY_NO_MEMORY;
            bool is_number = counter->tag[a] == KEY_TAG_VALUE;
            table->axis[a].numbers += is_number;
            is_complete &= is_number;
        }
        if (is_complete)
            value += axes;
        else if (count_record(counter, value, weights, r) < 0)
            return KEY_NO_MEMORY;
    }
    *count = (size_t)(value - counter->value) / axes;
    return KEY_OK;
}

/* Widen the lattices to hold the SIZE bytes of values.  Returns 0, or -1. */
static int
widen_to_values(struct joint_counter *counter, size_t size)
{
    struct joint_table *table = &counter->table;
    struct extent extent[SPEC_AXES_MAX];

    if (!spec_is_growing(&table->spec))
        return 0;
    for (size_t a = 0; a < table->spec.axis_count; a++) {
        extent[a] = extent_none;
        if (spec_grows(&table->spec, a))
            extent_widen(&extent[a], &table->spec.counted[a],
                         (const unsigned char *)counter->value, size,
                         table->spec.record.bytes);
    }
    return table_widen(table, extent);
}

enum key_result
joint_counter_add(struct joint_counter *counter, const unsigned char *data,
                  const struct text_slice *slice, size_t records,
                  const struct key_weights *weights)
{
    struct joint_table *table = &counter->table;
    size_t count;
    enum key_result result =
        read_records(counter, data, slice, records, weights, &count);

    if (result != KEY_OK)
        return result;
    /* Those with weights are counted already. */
    if (count == 0)
        return KEY_OK;
    size_t size = count * table->spec.record.bytes;
    if (widen_to_values(counter, size) < 0)
        return KEY_NO_MEMORY;
    record_count_fast(&table->spec, (const unsigned char *)counter->value, size,
                      &table->histogram);
    return KEY_OK;
}

/* ---- all threads ---- */

int
joint_counts_open(struct joint_counts *counts, const struct spec *spec)
{
    *counts = (struct joint_counts){.spec = spec};
    pthread_mutex_init(&counts->lock, NULL);
    return table_open(&counts->table, spec);
}

int
joint_counts_settle(struct joint_counts *counts)
{
    int result = 0;

    pthread_mutex_lock(&counts->lock);
    for (struct joint_counter *counter = counts->first;
         counter != NULL && result == 0; counter = counter->next)
        result = table_move(&counter->table, &counts->table);
    pthread_mutex_unlock(&counts->lock);
    return result;
}

enum key_result
joint_counts_add(struct joint_counts *counts, const struct text_slice *slice,
                 uint64_t count)
{
    struct joint_table *table = &counts->table;
    enum key_tag tag[SPEC_AXES_MAX];
    uint64_t value[SPEC_AXES_MAX];

    for (size_t a = 0; a < table->spec.axis_count; a++) {
        tag[a] = number_field_tag(slice[a]);
        value[a] = text_slice_bits(slice[a]);
        if (tag[a] == KEY_TAG_VALUE)
            table->axis[a].numbers += count;
    }
    if (widen_to_record(table, tag, value) < 0)
        return KEY_NO_MEMORY;
    table->histogram.value[find_place(table, tag, value)] += count;
    return KEY_OK;
}

void
joint_counts_restart(struct joint_counts *counts)
{
    pthread_mutex_lock(&counts->lock);
    for (struct joint_counter *counter = counts->first; counter != NULL;
         counter = counter->next)
        table_restart(&counter->table);
    histogram_clear(&counts->table.histogram);
    table_restart(&counts->table);
    pthread_mutex_unlock(&counts->lock);
}

void
joint_counts_close(struct joint_counts *counts)
{
    table_close(&counts->table);
    pthread_mutex_destroy(&counts->lock);
}
