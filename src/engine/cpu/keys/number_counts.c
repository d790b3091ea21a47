/* number_counts.c -- the counts of a field that is a number, beside keys */

#include <stdlib.h>
#include <string.h>

#include "engine/cpu/cells/extent.h"
#include "engine/cpu/cells/record_count.h"
#include "engine/cpu/keys/number_counts.h"
#include "hist/amount.h"
#include "hist/key_code.h"
#include "hist/rebin.h"

#define NUMBER_BYTES sizeof(uint64_t)

struct number_counter {
    struct number_counts *counts;
    struct number_counter *next; /* in the list of COUNTS, under its lock */
    struct number_table table;
    uint64_t value[NUMBER_COUNTS_BATCH]; /* the bits of doubles or integers */
    int64_t nano[NUMBER_COUNTS_BATCH];   /* of each record */

    /* For a sparse axis: the codes of the numbers. */
    unsigned char code[NUMBER_COUNTS_BATCH * KEY_CODE_DECIMAL_ROOM];
    struct text_slice slice[NUMBER_COUNTS_BATCH];

    int64_t weight[NUMBER_COUNTS_BATCH]; /* of each number; with weights */
    struct field_text field;
};

/* ---- tables ---- */

/*
 * Make a table without counts, of an axis like AXIS, in records of BYTES.
 * Returns 0, or -1.
 */
static int
table_open(struct number_table *table, const struct spec *spec,
           const struct binning_axis *axis, size_t bytes)
{
    *table = (struct number_table){.axis = *axis, .extent = extent_none};
    table->axis.base = 0;
    table->axis.stride = 1;
    if (axis_is_sparse(axis))
        return 0;
    if (axis->is_auto)
        lattice_set(&table->axis, &table->extent);
    table->spec = (struct spec){
        .record.bytes = bytes,
        .axis_count = 1,
        .shown = &table->axis,
        .counted = &table->axis,
        .edges = spec->edges,
        .cells = axis->bins + axis_flows(axis),
        .planes = spec->planes,
        .has_weights = spec->has_weights,
        .weight = spec->weight,
    };
    if (spec->has_weights) {
        table->nano = calloc((size_t)table->spec.cells, sizeof *table->nano);
        if (table->nano == NULL)
            return -1;
    }
    return histogram_open(&table->histogram, table->spec.cells, spec->planes);
}

static void
table_close(struct number_table *table)
{
    free(table->nano);
    histogram_close(&table->histogram);
}

/* Add what the histogram does not have yet of CELL to its sum. */
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

/* Widen the lattice of TABLE, if it has one, to hold EXTENT.  0, or -1. */
static int
table_widen(struct number_table *table, const struct extent *extent)
{
    struct extent wider = table->extent;
    struct binning_axis axis = table->axis;
    struct spec spec = table->spec;

    if (!spec_is_growing(&table->spec))
        return 0;
    extent_join(&wider, extent);
    lattice_set(&axis, &wider);
    if (lattice_is_same(&table->axis, &axis)) {
        table->extent = wider;
        return 0;
    }
    settle_cells(table);
    spec.shown = spec.counted = &axis;
    if (rebin_histogram(&table->spec, &spec, &table->histogram) < 0)
        return -1;
    table->axis = axis;
    table->extent = wider;
    return 0;
}

/* Move the counts of FROM, which has the same axis, to TO.  0, or -1. */
static int
table_move(struct number_table *from, struct number_table *to)
{
    if (histogram_is_open(&to->histogram)) {
        if (table_widen(to, &from->extent) < 0 ||
            table_widen(from, &to->extent) < 0)
            return -1;
        settle_cells(from);
        histogram_add(&to->histogram, &from->histogram);
        if (to->spec.has_weights)
            histogram_carry(&to->histogram, to->spec.weight.type);
        histogram_clear(&from->histogram);
    }
    to->numbers += from->numbers;
    from->numbers = 0;
    for (int s = 0; s < AXIS_SPECIALS; s++) {
        to->special[s] += from->special[s];
        from->special[s] = 0;
        decimal_sum_add(&to->special_sum[s], &from->special_sum[s]);
        from->special_sum[s] = (struct decimal_sum){{0}};
    }
    return 0;
}

/* Forget what TABLE has besides counts in the histogram. */
static void
table_restart(struct number_table *table)
{
    table->extent = extent_none;
    if (spec_is_growing(&table->spec))
        lattice_set(&table->axis, &table->extent);
    table->numbers = 0;
    memset(table->special, 0, sizeof table->special);
    memset(table->special_sum, 0, sizeof table->special_sum);
}

/* ---- reading numbers ---- */

/* Count record R as one without a number, for REASON. */
static void
add_special(struct number_table *table, enum axis_special reason,
            const struct key_weights *weights, size_t r)
{
    table->special[reason] += key_weights_count(weights, r);
    if (key_weights_have_sums(weights)) {
        struct decimal_sum weight = key_weight_read(weights, r);
        decimal_sum_add(&table->special_sum[reason], &weight);
    }
}

/* Do what read_numbers() does, for a field that is computed.  It has no
   weights. */
static size_t
take_computed(struct number_counter *counter, const struct text_slice *slice,
              size_t records, size_t stride)
{
    size_t done = 0;

    for (size_t r = 0; r < records; r++, slice += stride) {
        enum key_tag tag = number_field_tag(*slice);
        counter->value[done] = text_slice_bits(*slice);
        if (tag == KEY_TAG_VALUE)
            done++;
        else
            add_special(&counter->table, axis_special_of(tag), NULL, r);
    }
    return done;
}

/*
 * Read RECORDS slices to COUNTER->value, and the WEIGHTS of these records, if
 * there are any, to COUNTER->weight.  Sets *COUNT to the number of numbers.
 * Returns 0, or -1: out of memory.
 */
static int
read_numbers(struct number_counter *counter, const unsigned char *data,
             const struct text_slice *slice, size_t records, size_t stride,
             const struct key_weights *weights, size_t *count)
{
    struct number_table *table = &counter->table;
    const struct binning_axis *axis = &table->axis;
    size_t done = 0;

    if (counter->field.is_computed) {
        *count = take_computed(counter, slice, records, stride);
        table->numbers += *count;
        return 0;
    }
    short_decimals_read(data, slice, records, stride, counter->nano);
    for (size_t r = 0; r < records; r++, slice += stride) {
        uint64_t *bits = &counter->value[done];
        enum key_tag tag;

        if (!number_field_take(axis, counter->nano[r], &tag, bits) &&
            number_field_read(&counter->field, axis, data, *slice, &tag,
                              bits) != KEY_OK)
            return -1;
        if (tag != KEY_TAG_VALUE) {
            add_special(table, axis_special_of(tag), weights, r);
            continue;
        }
        if (weights != NULL)
            counter->weight[done] = weights->weight[r];
        done++;
    }
    table->numbers += done;
    *count = done;
    return 0;
}

/* ---- one thread ---- */

size_t
number_counter_bytes(void)
{
    return sizeof(struct number_counter);
}

struct number_counter *
number_counter_new(struct number_counts *counts)
{
    struct number_counter *counter = calloc(1, sizeof *counter);

    if (counter == NULL)
        return NULL;
    counter->counts = counts;
    counter->field = counts->field;
    pthread_mutex_lock(&counts->lock);
    int result = table_open(&counter->table, &counts->table.spec,
                            &counts->table.axis, counts->record_bytes);
    if (result == 0) {
        counter->next = counts->first;
        counts->first = counter;
    }
    pthread_mutex_unlock(&counts->lock);
    if (result == 0)
        return counter;
    table_close(&counter->table);
    free(counter);
    return NULL;
}

void
number_counter_close(struct number_counter *counter)
{
    struct number_counts *counts = counter->counts;

    pthread_mutex_lock(&counts->lock);
    struct number_counter **at = &counts->first;
    while (*at != counter)
        at = &(*at)->next;
    *at = counter->next;
    pthread_mutex_unlock(&counts->lock);
    table_close(&counter->table);
    field_text_close(&counter->field);
    free(counter);
}

/* Write the codes of COUNT numbers, and a slice for each. */
static void
put_codes(struct number_counter *counter, size_t count)
{
    const struct binning_axis *axis = &counter->table.axis;
    unsigned char *at = counter->code;

    for (size_t i = 0; i < count; i++) {
        unsigned char *end = number_field_put_code(axis, counter->value[i], at);
        counter->slice[i] = (struct text_slice){
            .at = (uint32_t)(at - counter->code),
            .size = (uint32_t)(end - at),
        };
        at = end;
    }
}

/*
 * Read RECORDS slices, which are decimals, to codes and slices, and the WEIGHTS
 * of these records, if there are any, to COUNTER->weight.  Sets *COUNT to the
 * number of numbers.  Returns 0, or -1: out of memory.
 */
static int
read_decimals(struct number_counter *counter, const unsigned char *data,
              const struct text_slice *slice, size_t records, size_t stride,
              const struct key_weights *weights, size_t *count)
{
    struct number_table *table = &counter->table;
    const struct binning_axis *axis = &table->axis;
    unsigned char *at = counter->code;
    size_t done = 0;

    short_decimals_read(data, slice, records, stride, counter->nano);
    for (size_t r = 0; r < records; r++, slice += stride) {
        unsigned char *end = at;
        enum key_tag tag;
        uint64_t bits;

        if (number_field_take(axis, counter->nano[r], &tag, &bits))
            end = number_field_put_code(axis, bits, at);
        else if (number_field_read_decimal(&counter->field, axis, data, *slice,
                                           &tag, &end) != KEY_OK)
            return -1;
        if (tag != KEY_TAG_VALUE) {
            add_special(table, axis_special_of(tag), weights, r);
            continue;
        }
        if (weights != NULL)
            counter->weight[done] = weights->weight[r];
        counter->slice[done++] = (struct text_slice){
            .at = (uint32_t)(at - counter->code),
            .size = (uint32_t)(end - at),
        };
        at = end;
    }
    table->numbers += done;
    *count = done;
    return 0;
}

/* Widen the lattice of TABLE, if it has one, to hold the numbers in SIZE bytes
   at DATA.  Returns 0, or -1. */
static int
hold(struct number_table *table, const unsigned char *data, size_t size)
{
    struct extent extent = extent_none;

    if (!spec_is_growing(&table->spec))
        return 0;
    extent_widen(&extent, &table->axis, data, size, table->spec.record.bytes);
    return table_widen(table, &extent);
}

/* Count the numbers in SIZE bytes at DATA in TABLE, which has bins. */
static enum key_result
count_values(struct number_table *table, const unsigned char *data, size_t size)
{
    if (hold(table, data, size) < 0)
        return KEY_NO_MEMORY;
    record_count_fast(&table->spec, data, size, &table->histogram);
    return KEY_OK;
}

/* The same of COUNT numbers that COUNTER has read, with WEIGHTS. */
static enum key_result
weigh_numbers(struct number_counter *counter, size_t count,
              const struct key_weights *weights)
{
    struct number_table *table = &counter->table;
    const struct binning_tables tables = spec_tables(&table->spec);

    if (hold(table, (const unsigned char *)counter->value,
             count * NUMBER_BYTES) < 0)
        return KEY_NO_MEMORY;
    for (size_t i = 0; i < count; i++) {
        uint64_t cell = binning_cell(&table->axis, &tables, counter->value[i]);
        table->histogram.value[cell] += key_weights_count(weights, i);
        if (!key_weights_have_sums(weights))
            continue;
        int64_t *nano = &table->nano[cell];
        if (!decimal_is_nano(weights->weight[i])) {
            struct decimal_sum weight = key_weight_read(weights, i);
            amount_add_decimal(&table->histogram, cell, &weight);
            continue;
        }
        *nano += weights->weight[i];
        if (!decimal_is_nano(*nano))
            settle_cell(table, cell);
    }
    return KEY_OK;
}

enum key_result
number_counter_add(struct number_counter *counter, struct key_counter *keys,
                   const unsigned char *data, const struct text_slice *slice,
                   size_t records, size_t stride,
                   const struct key_weights *weights)
{
    struct number_table *table = &counter->table;
    size_t count;

    bool is_decimal = table->axis.is_decimal;
    int result = is_decimal ? read_decimals(counter, data, slice, records,
                                            stride, weights, &count)
                            : read_numbers(counter, data, slice, records,
                                           stride, weights, &count);
    if (result < 0)
        return KEY_NO_MEMORY;
    struct key_weights own = {.weight = counter->weight};
    if (weights != NULL) {
        own.wide = weights->wide;
        own.are_counts = weights->are_counts;
    }
    if (axis_is_sparse(&table->axis)) {
        if (!is_decimal)
            put_codes(counter, count);
        return key_counter_add(keys, counter->code, counter->slice, count,
                               weights != NULL ? &own : NULL);
    }
    return weights != NULL
               ? weigh_numbers(counter, count, &own)
               : count_values(table, (const unsigned char *)counter->value,
                              count * NUMBER_BYTES);
}

/* Write the code of the number of AXIS's type with these BITS. */
static unsigned char *
put_sample(const struct binning_axis *axis, uint64_t bits, unsigned char *at)
{
    if (axis->type == SAMPLE_F8)
        return key_code_put_real(at, binning_bits_double(bits));
    if (axis->type == SAMPLE_F4)
        return key_code_put_real(at,
                                 (double)binning_bits_float((uint32_t)bits));
    if (axis->type == SAMPLE_F2)
        return key_code_put_real(at, binning_half(bits));
    bits = binning_integer(axis, bits);
    return key_code_put_integer(at, binning_is_signed(axis->type)
                                        ? wide_of_signed((int64_t)bits)
                                        : wide_of(bits));
}

enum key_result
number_counter_add_samples(struct number_counter *counter,
                           struct key_counter *keys, const unsigned char *data,
                           size_t size)
{
    struct number_table *table = &counter->table;
    const struct binning_axis *axis = &table->axis;
    size_t bytes = counter->counts->record_bytes;
    unsigned char *at = counter->code;
    size_t count = size / bytes;

    table->numbers += count;
    if (!axis_is_sparse(axis))
        return count_values(table, data, size);
    for (size_t i = 0; i < count; i++) {
        unsigned char *end =
            put_sample(axis,
                       binning_load(data + i * bytes + axis->offset, axis->type,
                                    axis->is_swapped),
                       at);
        counter->slice[i] = (struct text_slice){
            .at = (uint32_t)(at - counter->code),
            .size = (uint32_t)(end - at),
        };
        at = end;
    }
    return key_counter_add(keys, counter->code, counter->slice, count, NULL);
}

/* ---- all threads ---- */

int
number_counts_open(struct number_counts *counts, const struct spec *spec,
                   size_t i)
{
    *counts = (struct number_counts){
        .record_bytes = spec->record.bytes,
    };
    if (spec->is_text) {
        counts->record_bytes = NUMBER_BYTES;
        counts->field = number_field_open(spec, i);
    }
    pthread_mutex_init(&counts->lock, NULL);
    return table_open(&counts->table, spec, &spec->counted[i],
                      counts->record_bytes);
}

int
number_counts_settle(struct number_counts *counts)
{
    int result = 0;

    pthread_mutex_lock(&counts->lock);
    for (struct number_counter *counter = counts->first;
         counter != NULL && result == 0; counter = counter->next)
        result = table_move(&counter->table, &counts->table);
    pthread_mutex_unlock(&counts->lock);
    return result;
}

/*
 * Count the number with BITS COUNT times.  If the axis is sparse, its code is
 * the bytes from CODE to END.
 */
static enum key_result
add_number(struct number_table *table, struct key_counts *keys, uint64_t bits,
           const unsigned char *code, const unsigned char *end, uint64_t count)
{
    const struct binning_tables tables = spec_tables(&table->spec);

    table->numbers += count;
    if (axis_is_sparse(&table->axis))
        return key_counter_add_amount(keys, code, (uint32_t)(end - code),
                                      &(struct key_amount){.count = count});
    if (hold(table, (const unsigned char *)&bits, sizeof bits) < 0)
        return KEY_NO_MEMORY;
    table->histogram.value[binning_cell(&table->axis, &tables, bits)] += count;
    return KEY_OK;
}

enum key_result
number_counts_add(struct number_counts *counts, struct key_counts *keys,
                  struct text_slice slice, uint64_t count)
{
    struct number_table *table = &counts->table;
    enum key_tag tag = number_field_tag(slice);
    uint64_t bits = text_slice_bits(slice);
    unsigned char code[KEY_CODE_ROOM];
    unsigned char *end = code;

    if (tag != KEY_TAG_VALUE) {
        table->special[axis_special_of(tag)] += count;
        return KEY_OK;
    }
    if (axis_is_sparse(&table->axis))
        end = number_field_put_code(&table->axis, bits, code);
    return add_number(table, keys, bits, code, end, count);
}

enum key_result
number_counts_add_text(struct number_counts *counts, struct key_counts *keys,
                       const unsigned char *data, struct text_slice slice,
                       uint64_t count)
{
    struct number_table *table = &counts->table;
    const struct binning_axis *axis = &table->axis;
    struct field_text field = counts->field;
    unsigned char code[KEY_CODE_DECIMAL_ROOM];
    unsigned char *end = code;
    enum key_tag tag;
    uint64_t bits = 0;
    enum key_result result =
        axis->is_decimal
            ? number_field_read_decimal(&field, axis, data, slice, &tag, &end)
            : number_field_read(&field, axis, data, slice, &tag, &bits);

    field_text_close(&field);
    if (result != KEY_OK)
        return result;
    if (tag != KEY_TAG_VALUE) {
        table->special[axis_special_of(tag)] += count;
        return KEY_OK;
    }
    if (axis_is_sparse(axis) && !axis->is_decimal)
        end = number_field_put_code(axis, bits, code);
    return add_number(table, keys, bits, code, end, count);
}

enum key_result
number_counts_add_zeros(struct number_counts *counts, struct key_counts *keys,
                        uint64_t count)
{
    const struct binning_axis *axis = &counts->table.axis;
    unsigned char code[KEY_CODE_ROOM];
    unsigned char *end =
        axis_is_sparse(axis) ? put_sample(axis, 0, code) : code;

    return add_number(&counts->table, keys, 0, code, end, count);
}

void
number_counts_add_cells(struct number_counts *counts, const uint64_t *count)
{
    struct number_table *table = &counts->table;
    uint64_t cells = table->axis.bins + axis_number_flows(&table->axis);

    for (uint64_t c = 0; c < cells; c++) {
        table->histogram.value[c] += count[c];
        table->numbers += count[c];
    }
}

void
number_counts_restart(struct number_counts *counts)
{
    pthread_mutex_lock(&counts->lock);
    for (struct number_counter *counter = counts->first; counter != NULL;
         counter = counter->next)
        table_restart(&counter->table);
    if (histogram_is_open(&counts->table.histogram))
        histogram_clear(&counts->table.histogram);
    table_restart(&counts->table);
    pthread_mutex_unlock(&counts->lock);
}

void
number_counts_close(struct number_counts *counts)
{
    table_close(&counts->table);
    pthread_mutex_destroy(&counts->lock);
}
