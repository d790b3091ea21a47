/* key_sharing.c -- the tables of keys of a run, which its CPU threads share */

#include <stdlib.h>
#include <string.h>

#include "engine/cpu/key_codes.h"
#include "engine/cpu/key_sharing.h"

int
key_sharing_fail(enum key_result result, const struct key_sharing *sharing,
                 struct error *error)
{
    if (result == KEY_LIMIT)
        error_set(error, EXIT_DATA,
                  "the distinct keys do not fit into --memory-limit: their "
                  "tables may take %zu bytes",
                  sharing->memory_limit);
    else
        error_set(error, EXIT_DATA, "out of memory");
    return -1;
}

/* Whether there is room for the counter of one thread, and for its tuples. */
static enum key_result
try_counter(struct key_counts *counts, bool has_codes)
{
    enum key_result result = KEY_OK;
    struct key_counter *counter = key_counter_new(counts, &result);
    struct key_codes codes;

    if (counter == NULL)
        return result;
    if (has_codes) {
        result = key_codes_open(&codes, &counts->memory);
        key_codes_close(&codes);
    }
    key_counter_close(counter);
    return result;
}

/* The number of histograms with tables of keys. */
static size_t
key_histograms(const struct spec *spec)
{
    return spec->is_sparse ? spec_histograms(spec) : spec_key_axes(spec);
}

/* Open what counts for histogram I. */
static enum key_result
open_field(struct key_sharing *sharing, size_t i)
{
    const struct spec *spec = sharing->spec;
    struct key_field *field = &sharing->field[i];
    enum key_result result = KEY_OK;

    if (spec->shown[i].is_text) {
        field->has_numbers = true;
        if (number_counts_open(&field->numbers, spec, i) < 0)
            return KEY_NO_MEMORY;
    }
    if (axis_is_key(&spec->shown[i])) {
        field->has_keys = true;
        result = key_counts_open(&field->counts, sharing->threads,
                                 sharing->memory_limit / key_histograms(spec));
        if (result == KEY_OK)
            result = try_counter(&field->counts, spec->is_sparse && i == 0);
    }
    return result;
}

int
key_sharing_open(struct key_sharing *sharing, const struct spec *spec,
                 unsigned int threads, size_t memory_limit, struct error *error)
{
    *sharing = (struct key_sharing){
        .spec = spec, .threads = threads, .memory_limit = memory_limit};
    if (scan_open(&sharing->scan, &spec->text, &spec->text_fields, error) < 0)
        return -1;
    size_t histograms = spec_histograms(spec);
    sharing->field = calloc(histograms, sizeof *sharing->field);
    if (sharing->field == NULL)
        return key_sharing_fail(KEY_NO_MEMORY, sharing, error);
    while (sharing->fields < histograms) {
        enum key_result result = open_field(sharing, sharing->fields++);
        if (result != KEY_OK)
            return key_sharing_fail(result, sharing, error);
    }
    return 0;
}

/*
 * Add up the numbers of FIELD, which is axis I, for NAMES.  That none is a
 * number is probably a mistake.
 */
static int
settle_numbers(struct key_sharing *sharing, size_t i, struct key_names *names,
               struct error *error)
{
    const struct spec *spec = sharing->spec;
    struct number_counts *numbers = &sharing->field[i].numbers;
    char field[SPEC_FIELD_BYTES];

    if (number_counts_settle(numbers) < 0)
        return key_sharing_fail(KEY_NO_MEMORY, sharing, error);
    if (!axis_is_key(&spec->shown[i]))
        names->spec.shown[i] = numbers->table.axis;
    if (numbers->table.numbers > 0 || atomic_load(&sharing->records) == 0)
        return 0;
    spec_field_text(spec, i, field);
    error_set(error, EXIT_DATA,
              "field %s: none of %llu values is a number; to count them as "
              "keys, use -g %s",
              field, (unsigned long long)atomic_load(&sharing->records), field);
    return -1;
}

/* Set the counts of histogram I. */
static void
set_counts(const struct key_sharing *sharing, size_t i,
           const struct key_names *names, struct histogram *sum)
{
    const struct spec *spec = &names->spec;
    const struct key_field *field = &sharing->field[i];
    const struct number_table *table = &field->numbers.table;
    const struct key_list *list = &names->list[i];
    uint64_t *value = sum->value + spec_first_cell(spec, i);

    if (field->has_keys) {
        for (uint64_t k = 0; k < list->count; k++)
            value[k] = key_list_read(list, k).count;
    } else {
        memcpy(value, table->histogram.value,
               (size_t)table->histogram.cells * sizeof *value);
    }
    if (spec->is_sparse)
        return;
    const struct binning_axis *axis = &spec->shown[i];
    if (!field->has_numbers) {
        value[axis_special_cell(axis, AXIS_KEY_MISSING)] =
            atomic_load(&field->missing);
        return;
    }
    for (int s = 0; s < AXIS_SPECIALS; s++)
        value[axis_special_cell(axis, (enum axis_special)s)] =
            table->special[s];
}

/* Sort the keys of all fields, for NAMES. */
static enum key_result
sort_keys(struct key_sharing *sharing, bool is_counting,
          struct key_names *names)
{
    enum key_result result = KEY_OK;

    for (size_t i = 0; i < sharing->fields && result == KEY_OK; i++) {
        struct key_counts *counts = &sharing->field[i].counts;
        if (!sharing->field[i].has_keys)
            continue;
        key_counts_settle(counts);
        if (!is_counting)
            key_counts_release_slots(counts);
        result = key_counts_order(counts, sharing->threads, &names->order[i]);
        if (result == KEY_OK)
            key_names_list(names, i);
    }
    return result;
}

int
key_sharing_finish(struct key_sharing *sharing, bool is_counting,
                   struct snapshot *counts, struct error *error)
{
    struct key_names *names = key_names_new(sharing->spec);

    counts->names = names;
    if (names == NULL)
        return key_sharing_fail(KEY_NO_MEMORY, sharing, error);
    enum key_result result = sort_keys(sharing, is_counting, names);
    if (result != KEY_OK)
        return key_sharing_fail(result, sharing, error);
    for (size_t i = 0; i < sharing->fields; i++) {
        if (sharing->field[i].has_numbers &&
            settle_numbers(sharing, i, names, error) < 0)
            return -1;
    }
    key_names_complete(names);
    if (histogram_open(&counts->histogram, names->spec.shown_cells, 1) < 0)
        return key_sharing_fail(KEY_NO_MEMORY, sharing, error);
    for (size_t i = 0; i < sharing->fields; i++)
        set_counts(sharing, i, names, &counts->histogram);
    counts->spec = &names->spec;
    counts->bytes = atomic_load(&sharing->bytes);
    counts->records = atomic_load(&sharing->records);
    return 0;
}

void
key_sharing_close(struct key_sharing *sharing)
{
    for (size_t i = 0; i < sharing->fields; i++) {
        if (sharing->field[i].has_keys)
            key_counts_close(&sharing->field[i].counts);
        if (sharing->field[i].has_numbers)
            number_counts_close(&sharing->field[i].numbers);
    }
    free(sharing->field);
    scan_close(&sharing->scan);
}
