/* key_engine.c -- the engine of a CPU thread that counts the fields of text */

#include <stdio.h>
#include <stdlib.h>

#include "engine/cpu/host_engine.h"
#include "engine/cpu/key_engine.h"

/* Records that are scanned before their keys are counted: the slices of a few
   fields fit into the second-level cache. */
#define BATCH_RECORDS 8192

struct key_engine {
    struct engine engine; /* first: a struct engine * points to it */
    struct key_sharing *sharing;
    struct key_counter **counter; /* of each field */
    struct text_slice *slice;     /* of a batch, record by record */
    struct text_slice *key;       /* of one field, none is missing */
};

static struct key_engine *
keys_of(struct engine *engine)
{
    return (struct key_engine *)engine;
}

static int
fail(enum key_result result, const struct key_sharing *sharing,
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

/* Count field I of the RECORDS in the batch. */
static enum key_result
count_field(struct key_engine *keys, size_t i, const unsigned char *data,
            size_t records)
{
    struct key_sharing *sharing = keys->sharing;
    size_t fields = sharing->fields;
    size_t present = 0;

    for (size_t r = 0; r < records; r++) {
        keys->key[present] = keys->slice[r * fields + i];
        present += !text_slice_is_missing(keys->slice[r * fields + i]);
    }
    if (present < records)
        atomic_fetch_add(&sharing->field[i].missing, records - present);
    return key_counter_add(keys->counter[i], data, keys->key, present, 1);
}

static int
keys_submit(struct engine *engine, struct chunk *chunk, struct error *error)
{
    struct key_engine *keys = keys_of(engine);
    struct key_sharing *sharing = keys->sharing;
    struct scan_ledger ledger = {0};
    size_t done = 0;

    while (done < chunk->used) {
        size_t records =
            scan_records(&sharing->scan, chunk->data, chunk->used, &done,
                         keys->slice, BATCH_RECORDS, &ledger);
        for (size_t i = 0; i < sharing->fields; i++) {
            enum key_result result = count_field(keys, i, chunk->data, records);
            if (result != KEY_OK)
                return fail(result, sharing, error);
        }
    }
    atomic_fetch_add(&sharing->records, ledger.records);
    atomic_fetch_add(&sharing->comments, ledger.comments);
    atomic_fetch_add(&sharing->bytes, ledger.bytes);
    return 0;
}

static void
keys_settle(struct engine *engine)
{
    struct key_engine *keys = keys_of(engine);

    for (size_t i = 0; i < keys->sharing->fields; i++)
        key_counter_settle(keys->counter[i]);
}

static void
keys_close(struct engine *engine)
{
    struct key_engine *keys = keys_of(engine);

    for (size_t i = 0; keys->counter != NULL && i < keys->sharing->fields;
         i++) {
        if (keys->counter[i] != NULL)
            key_counter_close(keys->counter[i]);
    }
    free(keys->counter);
    free(keys->slice);
    free(keys->key);
    free(keys);
}

static const struct engine_type keys_type = {
    .kind = CONSUMER_HOST,
    .open = host_engine_open,
    .submit = keys_submit,
    .complete = host_engine_complete,
    .settle = keys_settle,
    .close = keys_close,
};

struct engine *
key_engine_new(const struct spec *spec, struct key_sharing *sharing)
{
    struct key_engine *keys = calloc(1, sizeof *keys);
    size_t fields = sharing->fields;
    enum key_result result = KEY_OK;

    if (keys == NULL)
        return NULL;
    keys->engine.type = &keys_type;
    keys->engine.spec = spec;
    keys->engine.histogram_spec = spec;
    keys->engine.depth = 1;
    snprintf(keys->engine.name, sizeof keys->engine.name, "cpu");
    snprintf(keys->engine.strategy, sizeof keys->engine.strategy,
             "keys in tables for all threads");
    keys->sharing = sharing;
    keys->counter = calloc(fields, sizeof(struct key_counter *));
    keys->slice = malloc(BATCH_RECORDS * fields * sizeof *keys->slice);
    keys->key = malloc(BATCH_RECORDS * sizeof *keys->key);
    bool is_open =
        keys->counter != NULL && keys->slice != NULL && keys->key != NULL;
    for (size_t i = 0; is_open && i < fields; i++) {
        keys->counter[i] = key_counter_new(&sharing->field[i].counts, &result);
        is_open = keys->counter[i] != NULL;
    }
    if (is_open)
        return &keys->engine;
    keys_close(&keys->engine);
    return NULL;
}

/* ---- what all threads share ---- */

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
        return fail(KEY_NO_MEMORY, sharing, error);
    while (sharing->fields < spec->axis_count) {
        struct key_counts *counts = &sharing->field[sharing->fields++].counts;
        enum key_result result =
            key_counts_open(counts, threads, memory_limit / spec->axis_count);
        if (result == KEY_OK)
            result = try_counter(counts);
        if (result != KEY_OK)
            return fail(result, sharing, error);
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
        return fail(KEY_NO_MEMORY, sharing, error);
    for (size_t i = 0; i < sharing->fields; i++) {
        struct key_field *field = &sharing->field[i];
        named->shown[i] = sharing->spec->shown[i];
        enum key_result result =
            sort_keys(field, sharing->threads, &sharing->list[i]);
        if (result != KEY_OK)
            return fail(result, sharing, error);
    }
    spec_set_keys(named, sharing->list);
    named->counted = named->shown;
    named->cells = named->shown_cells;
    if (histogram_open(&counts->histogram, named->shown_cells, 1) < 0)
        return fail(KEY_NO_MEMORY, sharing, error);
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
