/* key_sharing.c -- the tables of keys of a run, which its CPU threads share */

#include <stdlib.h>

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

/* Whether there is room for the counter of one thread. */
static enum key_result
try_counter(struct key_counts *counts)
{
    enum key_result result = KEY_OK;
    struct key_counter *counter = key_counter_new(counts, &result);

    if (counter != NULL)
        key_counter_close(counter);
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
    sharing->field = calloc(spec->axis_count, sizeof *sharing->field);
    if (sharing->field == NULL)
        return key_sharing_fail(KEY_NO_MEMORY, sharing, error);
    while (sharing->fields < spec->axis_count) {
        struct key_counts *counts = &sharing->field[sharing->fields++].counts;
        enum key_result result =
            key_counts_open(counts, threads, memory_limit / spec->axis_count);
        if (result == KEY_OK)
            result = try_counter(counts);
        if (result != KEY_OK)
            return key_sharing_fail(result, sharing, error);
    }
    return 0;
}

/* Sort the keys of FIELD, and set *LIST to them. */
static enum key_result
sort_keys(struct key_field *field, unsigned int threads, struct key_list *list)
{
    key_counts_settle(&field->counts);
    enum key_result result =
        key_counts_order(&field->counts, threads, &field->order);
    if (result != KEY_OK)
        return result;
    /* The entries alone take half of the memory. */
    const unsigned char **entry = (const unsigned char **)field->order.place;
    for (size_t i = 0; i < field->order.keys; i++)
        entry[i] = field->order.place[i].entry;
    *list = (struct key_list){entry, field->order.keys};
    return KEY_OK;
}

/* Set the counts of axis I. */
static void
set_counts(const struct key_sharing *sharing, size_t i, struct histogram *sum)
{
    const struct binning_axis *axis = &sharing->named.shown[i];
    const struct key_list *list = &sharing->list[i];
    uint64_t *value = sum->value + axis->base;

    for (uint64_t k = 0; k < list->count; k++)
        value[k] = key_list_read(list, k).count;
    value[axis->bins + AXIS_KEY_MISSING] =
        atomic_load(&sharing->field[i].missing);
}

int
key_sharing_finish(struct key_sharing *sharing, struct snapshot *counts,
                   struct error *error)
{
    struct spec *named = &sharing->named;

    *named = *sharing->spec;
    named->shown = calloc(named->axis_count, sizeof *named->shown);
    sharing->list = calloc(named->axis_count, sizeof *sharing->list);
    if (named->shown == NULL || sharing->list == NULL)
        return key_sharing_fail(KEY_NO_MEMORY, sharing, error);
    for (size_t i = 0; i < sharing->fields; i++) {
        struct key_field *field = &sharing->field[i];
        named->shown[i] = sharing->spec->shown[i];
        enum key_result result =
            sort_keys(field, sharing->threads, &sharing->list[i]);
        if (result != KEY_OK)
            return key_sharing_fail(result, sharing, error);
    }
    spec_set_keys(named, sharing->list);
    named->counted = named->shown;
    named->cells = named->shown_cells;
    if (histogram_open(&counts->histogram, named->shown_cells, 1) < 0)
        return key_sharing_fail(KEY_NO_MEMORY, sharing, error);
    for (size_t i = 0; i < sharing->fields; i++)
        set_counts(sharing, i, &counts->histogram);
    counts->spec = named;
    counts->bytes = atomic_load(&sharing->bytes);
    counts->records = atomic_load(&sharing->records);
    return 0;
}

void
key_sharing_close(struct key_sharing *sharing)
{
    for (size_t i = 0; i < sharing->fields; i++) {
        key_order_close(&sharing->field[i].order);
        key_counts_close(&sharing->field[i].counts);
    }
    free(sharing->field);
    free(sharing->named.shown);
    free(sharing->list);
    scan_close(&sharing->scan);
}
