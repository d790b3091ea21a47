/* key_engine.c -- the engine of a CPU thread that counts in tables of keys */

#include <stdio.h>
#include <stdlib.h>

#include "engine/cpu/host_engine.h"
#include "engine/cpu/key_codes.h"
#include "engine/cpu/key_engine.h"
#include "engine/cpu/written_keys.h"

/* Records that are scanned before their keys are counted: the slices of a few
   fields fit into the second-level cache. */
#define BATCH_RECORDS NUMBER_COUNTS_BATCH

struct key_engine {
    struct engine engine; /* first: a struct engine * points to it */
    struct key_sharing *sharing;
    struct key_counter **counter;   /* of each histogram; NULL: no keys */
    struct number_counter **number; /* of each one; NULL: no numbers */
    struct joint_counter *joint;    /* of all fields; or NULL */
    struct text_slice *slice;       /* of a batch, record by record */
    struct text_slice *key;       /* of one field, none missing; or of CODES */
    struct written_keys *written; /* of each field */
    struct key_codes codes;       /* if the histograms are sparse */
};

static struct key_engine *
keys_of(struct engine *engine)
{
    return (struct key_engine *)engine;
}

/*
 * Write those of the *COUNT keys of field I that must be written, and keep the
 * others.
 */
static enum key_result
take_written(struct key_engine *keys, size_t i, const unsigned char *data,
             size_t *count)
{
    const struct spec *spec = keys->sharing->spec;
    binning_u32 part = spec->text_fields.field[i].part;
    size_t kept = 0;

    if (!field_value_may_be_written(&spec->text, part))
        return KEY_OK;
    for (size_t k = 0; k < *count; k++) {
        struct text_slice slice = keys->key[k];
        if (!field_value_is_written(&spec->text, part, data, slice)) {
            keys->key[kept++] = slice;
            continue;
        }
        enum key_result result = written_keys_add(&keys->written[i], part, data,
                                                  slice, keys->counter[i]);
        if (result != KEY_OK)
            return result;
    }
    *count = kept;
    return KEY_OK;
}

/* Count field I of the RECORDS in the batch. */
static enum key_result
count_field(struct key_engine *keys, size_t i, const unsigned char *data,
            size_t records)
{
    struct key_sharing *sharing = keys->sharing;
    size_t fields = sharing->spec->axis_count;
    uint32_t most = sharing->spec->prefix;
    size_t present = 0;

    if (keys->number[i] != NULL)
        return number_counter_add(keys->number[i], keys->counter[i], data,
                                  keys->slice + i, records, fields);
    for (size_t r = 0; r < records; r++) {
        struct text_slice key = keys->slice[r * fields + i];
        key.size = key.size < most ? key.size : most;
        keys->key[present] = key;
        present += !text_slice_is_missing(key);
    }
    if (present < records)
        atomic_fetch_add(&sharing->field[i].missing, records - present);
    enum key_result result = take_written(keys, i, data, &present);
    if (result != KEY_OK)
        return result;
    return key_counter_add(keys->counter[i], data, keys->key, present, 1);
}

/* Count the tuples of histogram I of the RECORDS in the batch, as keys. */
static enum key_result
count_tuples(struct key_engine *keys, size_t i, const unsigned char *data,
             size_t records)
{
    const struct spec *spec = keys->sharing->spec;
    struct key_codes *codes = &keys->codes;
    enum key_result result = KEY_OK;
    size_t count;

    for (size_t r = 0; r < records && result == KEY_OK; r += count) {
        result =
            key_codes_make(codes, i, data, keys->slice + r * spec->axis_count,
                           records - r, keys->key, &count);
        if (result == KEY_OK)
            result = key_counter_add(keys->counter[i], codes->byte, keys->key,
                                     count, 1);
    }
    return result;
}

/* Count histogram I of the RECORDS in the batch. */
static enum key_result
count_batch(struct key_engine *keys, size_t i, const unsigned char *data,
            size_t records)
{
    if (keys->sharing->spec->is_sparse)
        return count_tuples(keys, i, data, records);
    return keys->joint != NULL
               ? joint_counter_add(keys->joint, data, keys->slice, records)
               : count_field(keys, i, data, records);
}

/* Count the binary records of CHUNK.  Returns 0, or -1 with *ERROR set. */
static int
count_samples(struct key_engine *keys, const struct chunk *chunk,
              struct error *error)
{
    struct key_sharing *sharing = keys->sharing;
    size_t bytes = sharing->spec->record.bytes;
    size_t batch;

    for (size_t done = 0; done < chunk->used; done += batch) {
        batch = chunk->used - done;
        batch = batch < BATCH_RECORDS * bytes ? batch : BATCH_RECORDS * bytes;
        for (size_t i = 0; i < sharing->fields; i++) {
            enum key_result result = number_counter_add_samples(
                keys->number[i], keys->counter[i], chunk->data + done, batch);
            if (result != KEY_OK)
                return key_sharing_fail(result, sharing,
                                        &sharing->field[i].counts, error);
        }
    }
    atomic_fetch_add(&sharing->records, chunk->used / bytes);
    atomic_fetch_add(&sharing->bytes, chunk->used);
    return 0;
}

static int
keys_submit(struct engine *engine, struct chunk *chunk, struct error *error)
{
    struct key_engine *keys = keys_of(engine);
    struct key_sharing *sharing = keys->sharing;
    struct scan_ledger ledger = {0};
    size_t done = 0;

    if (!sharing->spec->is_text)
        return count_samples(keys, chunk, error);
    while (done < chunk->used) {
        size_t records =
            scan_records(&sharing->scan, chunk->data, chunk->used, &done,
                         keys->slice, BATCH_RECORDS, &ledger);
        for (size_t i = 0; i < sharing->fields; i++) {
            enum key_result result = count_batch(keys, i, chunk->data, records);
            if (result != KEY_OK)
                return key_sharing_fail(result, sharing,
                                        &sharing->field[i].counts, error);
        }
    }
    for (size_t i = 0; i < sharing->fields; i++) {
        if (keys->counter[i] == NULL)
            continue;
        enum key_result result =
            written_keys_count(&keys->written[i], keys->counter[i]);
        if (result != KEY_OK)
            return key_sharing_fail(result, sharing, &sharing->field[i].counts,
                                    error);
    }
    if (sharing->spec->is_sparse)
        key_codes_settle(&keys->codes);
    atomic_fetch_add(&sharing->records, ledger.records);
    atomic_fetch_add(&sharing->comments, ledger.comments);
    atomic_fetch_add(&sharing->bytes, ledger.bytes);
    return 0;
}

static void
keys_settle(struct engine *engine)
{
    struct key_engine *keys = keys_of(engine);

    for (size_t i = 0; i < keys->sharing->fields; i++) {
        if (keys->counter[i] != NULL)
            key_counter_settle(keys->counter[i]);
    }
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
    for (size_t i = 0; keys->written != NULL && i < keys->sharing->fields; i++)
        written_keys_close(&keys->written[i]);
    for (size_t i = 0; keys->number != NULL && i < keys->sharing->fields; i++) {
        if (keys->number[i] != NULL)
            number_counter_close(keys->number[i]);
    }
    if (keys->joint != NULL)
        joint_counter_close(keys->joint);
    free(keys->written);
    free(keys->counter);
    free(keys->number);
    free(keys->slice);
    free(keys->key);
    key_codes_close(&keys->codes);
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
    keys->counter = calloc(sharing->fields, sizeof(struct key_counter *));
    keys->number = calloc(sharing->fields, sizeof(struct number_counter *));
    keys->slice =
        malloc(BATCH_RECORDS * spec->axis_count * sizeof *keys->slice);
    keys->key = malloc(BATCH_RECORDS * sizeof *keys->key);
    keys->written = calloc(sharing->fields, sizeof *keys->written);
    bool is_open = keys->counter != NULL && keys->number != NULL &&
                   keys->slice != NULL && keys->key != NULL &&
                   keys->written != NULL;
    if (spec->is_sparse)
        is_open &=
            key_codes_open(&keys->codes, spec, &sharing->ranges) == KEY_OK;
    for (size_t i = 0; is_open && i < sharing->fields; i++) {
        struct key_field *field = &sharing->field[i];
        if (field->has_keys)
            keys->counter[i] = key_counter_new(&field->counts, &result);
        if (field->has_numbers)
            keys->number[i] = number_counter_new(&field->numbers);
        if (field->has_joint)
            keys->joint = joint_counter_new(&field->joint);
        is_open = field->has_keys == (keys->counter[i] != NULL) &&
                  field->has_numbers == (keys->number[i] != NULL) &&
                  field->has_joint == (keys->joint != NULL);
    }
    if (is_open)
        return &keys->engine;
    keys_close(&keys->engine);
    return NULL;
}
