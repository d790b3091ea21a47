/* field_engine.c -- the engine of a CPU thread that counts in tables of keys */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/cpu/engine_cpu.h"
#include "engine/cpu/fields/device_rest.h"
#include "engine/cpu/fields/field_engine.h"
#include "engine/cpu/fields/missing_count.h"
#include "engine/cpu/fields/record_counts.h"
#include "engine/cpu/fields/record_filter.h"
#include "engine/cpu/fields/record_weights.h"
#include "engine/cpu/keys/group_cache.h"
#include "engine/cpu/keys/key_codes.h"
#include "engine/cpu/keys/written_keys.h"
#include "engine/cpu/kmers/kmer_counter.h"
#include "engine/cpu/sequences/sequence_batch.h"

struct field_engine {
    struct engine engine; /* first: a struct engine * points to it */
    struct field_counts *sharing;
    struct key_counter **counter;   /* of each histogram; NULL: no keys */
    struct number_counter **number; /* of each one; NULL: no numbers */
    struct joint_counter *joint;    /* of all fields; or NULL */
    struct text_slice *slice;       /* of a batch, record by record */
    struct text_slice *key;       /* of one field, none missing; or of CODES */
    struct written_keys *written; /* of each field */
    struct key_codes codes;       /* if the histograms are sparse */
    struct group_cache *groups;   /* of the only histogram, in front; or NULL */
    struct sequence_batch sequences; /* if the text is sequences ... */
    struct sequence_counter *dense;  /* ... and some histogram has a table */
    struct kmer_counter **kmers;     /* of each histogram; NULL: no k-mers */

    /* With weights or counts: those of a batch, and of the keys in KEY. */
    bool has_weights;
    struct record_weights weights;
    int64_t *key_weight;
    uint64_t counted; /* the sum of the counts, not in SHARING yet */

    struct record_filter filter; /* its LEFT_OUT is not in SHARING yet */
};

static struct field_engine *
keys_of(struct engine *engine)
{
    return (struct field_engine *)engine;
}

/*
 * Set *WEIGHTS to those of the batch from record FIRST on, and return it; or
 * NULL: there are none.
 */
static const struct key_weights *
weights_from(const struct field_engine *keys, size_t first,
             struct key_weights *weights)
{
    if (!keys->has_weights)
        return NULL;
    *weights = record_weights_from(&keys->weights, first);
    return weights;
}

/* Returns the weights of KEY, from key K on; NULL if there are none. */
static struct key_weights
key_weights_at(const struct field_engine *keys, size_t k)
{
    return (struct key_weights){keys->has_weights ? keys->key_weight + k : NULL,
                                keys->weights.wide, keys->weights.are_counts};
}

/*
 * Write those of the *COUNT keys of histogram I that must be written, and keep
 * the others.  None is longer than a prefix afterwards.
 */
static enum key_result
take_written(struct field_engine *keys, size_t i, const unsigned char *data,
             size_t *count)
{
    const struct spec *spec = keys->sharing->spec;
    binning_u32 part = spec->text_fields.field[spec_own_axis(spec, i)].part;
    uint32_t most = spec->prefix;
    size_t kept = 0;

    if (!field_value_may_be_written(&spec->text, part))
        return KEY_OK;
    for (size_t k = 0; k < *count; k++) {
        struct text_slice slice = keys->key[k];
        if (!field_value_is_written(&spec->text, part, data, slice)) {
            if (keys->has_weights)
                keys->key_weight[kept] = keys->key_weight[k];
            slice.size = slice.size < most ? slice.size : most;
            keys->key[kept++] = slice;
            continue;
        }
        const struct key_weights weight = key_weights_at(keys, k);
        enum key_result result = written_keys_add(
            &keys->written[i], &spec->text, part, data, slice, most,
            keys->has_weights ? &weight : NULL, keys->counter[i]);
        if (result != KEY_OK)
            return result;
    }
    *count = kept;
    return KEY_OK;
}

/*
 * Set KEY, and KEY_WEIGHT if there are weights, to field I of those of the
 * RECORDS that have it, whole if its value may be written.  Returns how many
 * these are.
 */
static size_t
take_present(struct field_engine *keys, size_t i, size_t records)
{
    const struct spec *spec = keys->sharing->spec;
    size_t fields = spec->text_fields.count;
    binning_u32 part = spec->text_fields.field[i].part;
    uint32_t most = field_value_may_be_written(&spec->text, part)
                        ? KEY_BYTES_MAX
                        : spec->prefix;
    bool has_weights = keys->has_weights;
    size_t present = 0;

    for (size_t r = 0; r < records; r++) {
        struct text_slice key = keys->slice[r * fields + i];
        key.size = key.size < most ? key.size : most;
        keys->key[present] = key;
        if (has_weights)
            keys->key_weight[present] = keys->weights.weight[r];
        present += !text_slice_is_missing(key);
    }
    return present;
}

/* Whether all of the RECORDS have field I. */
static bool
all_have(const struct field_engine *keys, size_t i, size_t records)
{
    size_t fields = keys->sharing->spec->text_fields.count;
    const struct text_slice *slice = keys->slice + i;
    bool has_all = true;

    for (size_t r = 0; r < records; r++)
        has_all &= !text_slice_is_missing(slice[r * fields]);
    return has_all;
}

/*
 * Returns the keys of field I, which all of the RECORDS have: as they are, or
 * in KEY where other fields or longer ones are between them.
 */
static const struct text_slice *
take_all(struct field_engine *keys, size_t i, size_t records)
{
    const struct spec *spec = keys->sharing->spec;
    size_t fields = spec->text_fields.count;
    const struct text_slice *slice = keys->slice + i;
    uint32_t most = spec->prefix;

    if (fields == 1 && most == KEY_BYTES_MAX)
        return slice;
    for (size_t r = 0; r < records; r++) {
        keys->key[r] = slice[r * fields];
        if (keys->key[r].size > most)
            keys->key[r].size = most;
    }
    return keys->key;
}

/* Count the field of histogram I of the RECORDS in the batch. */
static enum key_result
count_field(struct field_engine *keys, size_t i, const unsigned char *data,
            size_t records)
{
    struct field_counts *sharing = keys->sharing;
    const struct spec *spec = sharing->spec;
    size_t field = spec_own_axis(spec, i);
    struct key_weights weights;
    const struct key_weights *all = weights_from(keys, 0, &weights);

    if (keys->number[i] != NULL)
        return number_counter_add(keys->number[i], keys->counter[i], data,
                                  keys->slice + field, records,
                                  spec->text_fields.count, all);
    if (!field_value_may_be_written(&spec->text,
                                    spec->text_fields.field[field].part) &&
        all_have(keys, field, records))
        return key_counter_add(keys->counter[i], data,
                               take_all(keys, field, records), records, all);
    size_t present = take_present(keys, field, records);
    if (present < records)
        missing_count_add(sharing, i, keys->slice, records, all);
    enum key_result result = take_written(keys, i, data, &present);
    if (result != KEY_OK)
        return result;
    const struct key_weights kept = key_weights_at(keys, 0);
    return key_counter_add(keys->counter[i], data, keys->key, present,
                           all != NULL ? &kept : NULL);
}

/* Count the tuples of histogram I of the RECORDS in the batch, as keys. */
static enum key_result
count_tuples(struct field_engine *keys, size_t i, const unsigned char *data,
             size_t records)
{
    const struct spec *spec = keys->sharing->spec;
    struct key_codes *codes = &keys->codes;
    enum key_result result = KEY_OK;
    size_t count;

    if (keys->groups != NULL) {
        size_t rest = group_cache_add(keys->groups, data, keys->slice, records);
        key_codes_add_numbers(codes, spec_own_axis(spec, i), records - rest);
        records = rest;
    }
    for (size_t r = 0; r < records && result == KEY_OK; r += count) {
        struct key_weights weights;
        result = key_codes_make(codes, i, data,
                                keys->slice + r * spec->text_fields.count,
                                records - r, keys->key, &count);
        if (result == KEY_OK)
            result = key_counter_add(keys->counter[i], codes->byte, keys->key,
                                     count, weights_from(keys, r, &weights));
    }
    return result;
}

/* Count histogram I of the RECORDS in the batch. */
static enum key_result
count_batch(struct field_engine *keys, size_t i, const unsigned char *data,
            size_t records)
{
    if (spec_is_sparse(keys->sharing->spec, i))
        return count_tuples(keys, i, data, records);
    if (keys->joint == NULL)
        return count_field(keys, i, data, records);
    struct key_weights weights;
    return joint_counter_add(keys->joint, data, keys->slice, records,
                             weights_from(keys, 0, &weights));
}

/* Count the COUNT elements of the batch in histogram I.  Returns 0, or -1 with
   *ERROR set. */
static int
count_histogram(struct field_engine *keys, size_t i, const unsigned char *data,
                size_t count, struct error *error)
{
    struct field_counts *sharing = keys->sharing;
    enum key_result result = count_batch(keys, i, data, count);

    return result == KEY_OK
               ? 0
               : field_counts_fail(result, sharing,
                                   &sharing->field[i].counts.failure, error);
}

/* Count the binary records of CHUNK.  Returns 0, or -1 with *ERROR set. */
static int
count_samples(struct field_engine *keys, const struct chunk *chunk,
              struct error *error)
{
    struct field_counts *sharing = keys->sharing;
    size_t bytes = sharing->spec->record.bytes;
    size_t batch;

    for (size_t done = 0; done < chunk->used; done += batch) {
        batch = chunk->used - done;
        batch = batch < FIELD_ENGINE_BATCH * bytes ? batch
                                                   : FIELD_ENGINE_BATCH * bytes;
        for (size_t i = 0; i < sharing->fields; i++) {
            enum key_result result = number_counter_add_samples(
                keys->number[i], keys->counter[i], chunk->data + done, batch);
            if (result != KEY_OK)
                return field_counts_fail(
                    result, sharing, &sharing->field[i].counts.failure, error);
        }
    }
    atomic_fetch_add(&sharing->elements[SEQUENCE_READS], chunk->used / bytes);
    atomic_fetch_add(&sharing->bytes, chunk->used);
    return 0;
}

/* Add COUNT to the elements that SHARING is told. */
static void
add_counted(struct field_engine *keys, uint64_t count)
{
    keys->counted += count;
    if (keys->counted < count)
        atomic_store(&keys->sharing->overflows, true);
}

/* Tell SHARING how many elements have been counted: those that the records say,
   or RECORDS, but for those that are left out. */
static void
tell_counted(struct field_engine *keys, uint64_t records)
{
    bool has_counts = spec_has_counts(keys->sharing->spec);

    field_counts_tell(keys->sharing, has_counts ? keys->counted : records,
                      keys->filter.left_out);
    atomic_fetch_or(&keys->sharing->met, keys->filter.filter.met);
    keys->counted = 0;
    keys->filter.left_out = 0;
    keys->filter.filter.met = 0;
}

/*
 * Read how often the *RECORDS of a batch in CHUNK count, leave out those that
 * do not meet the conditions, and read the weights of the others.  Returns
 * false if one is wrong: *WRONG tells the first one; or none, if memory runs
 * out.
 */
static bool
read_amounts(struct field_engine *keys, const struct chunk *chunk,
             size_t *records, struct wrong_amount *wrong)
{
    const struct spec *spec = keys->sharing->spec;
    bool has_counts = spec_has_counts(spec);
    int64_t *count = has_counts ? keys->weights.weight : NULL;

    wrong->reason = NULL;
    if (has_counts && !record_counts_read(spec, chunk->data, keys->slice,
                                          records, count, wrong))
        return false;
    for (size_t r = 0; has_counts && r < *records; r++)
        add_counted(keys, (uint64_t)count[r]);
    if (spec->conditions.count > 0 &&
        record_filter_run(&keys->filter, chunk->data, keys->slice, count,
                          records) < 0)
        return false;
    return !spec->has_weights ||
           record_weights_read(&keys->weights, chunk->data, keys->slice,
                               *records, wrong) == *records;
}

/*
 * Find the next records of CHUNK, from *DONE on, and read what they bring.
 * Moves *DONE, and adds the records to *LEDGER.  Sets *RECORDS to how many are
 * to be counted: none of a batch with a wrong one.  Returns 0, or -1 with
 * *ERROR set.
 */
static int
scan_text(struct field_engine *keys, const struct chunk *chunk, size_t *done,
          size_t *records, struct scan_ledger *ledger, struct error *error)
{
    struct field_counts *sharing = keys->sharing;
    struct wrong_amount wrong;
    uint64_t left_out = keys->filter.left_out;
    size_t begin = *done;

    *records = scan_records(&sharing->scan, chunk->data, chunk->used, done,
                            keys->slice, FIELD_ENGINE_BATCH, ledger);
    size_t scanned = *records;
    if (ledger->wrong.reason != NULL)
        wrong = wrong_amount_of_line(&ledger->wrong);
    else if (read_amounts(keys, chunk, records, &wrong))
        return 0;
    if (wrong.reason == NULL)
        return field_counts_fail(KEY_NO_MEMORY, sharing, NULL, error);
    keys->filter.left_out = left_out;
    ledger->records -= scanned;
    ledger->bytes -= *done - begin;
    *records = 0;
    int result = wrong_amount_pass(chunk, &wrong, done, error);
    ledger->bytes += *done - begin;
    return result;
}

/* Count the elements with which the batch begins in the histograms that are of
   their unit and have SOURCE.  Returns 0, or -1 with *ERROR set. */
static int
count_batches(struct field_engine *keys, enum sequence_source source,
              unsigned char *data, struct error *error)
{
    const struct field_counts *sharing = keys->sharing;
    struct sequence_batch *batch = &keys->sequences;
    size_t count;

    while ((count = sequence_batch_next(batch, data, keys->slice)) > 0) {
        for (size_t i = 0; i < sharing->fields; i++) {
            if (spec_unit(sharing->spec, i) == batch->unit &&
                sharing->sequences.source[i] == source &&
                keys->kmers[i] == NULL &&
                count_histogram(keys, i, data, count, error) < 0)
                return -1;
        }
    }
    return 0;
}

/* Count what sequences_add() has left.  Returns 0, or -1 with *ERROR set. */
static int
count_rests(struct field_engine *keys, unsigned char *data, struct error *error)
{
    const struct field_counts *sharing = keys->sharing;

    for (int u = 0; u < SEQUENCE_UNITS; u++) {
        for (int s = 0; s < SEQUENCE_SOURCES; s++) {
            enum sequence_source source = (enum sequence_source)s;
            enum sequence_unit unit = (enum sequence_unit)u;
            const struct sequence_rest *rest = NULL;
            size_t rests = keys->sequences.count;
            if (!sharing->sequences.has[u][s])
                continue;
            if (source != SEQUENCE_NO_TABLE)
                rest = sequence_counter_rest(keys->dense, source, &rests);
            sequence_batch_begin(&keys->sequences, unit, rest, rests);
            if (count_batches(keys, source, data, error) < 0)
                return -1;
        }
    }
    return 0;
}

/* Count the windows of the sequences in the batch, for histograms of k-mers
   alone.  Returns 0, or -1 with *ERROR set. */
static int
count_kmers(struct field_engine *keys, const unsigned char *data,
            struct error *error)
{
    const struct sequence_batch *batch = &keys->sequences;
    enum key_result result = KEY_OK;

    for (size_t i = 0; i < keys->sharing->fields; i++) {
        if (keys->kmers[i] == NULL)
            continue;
        for (size_t r = 0; r < batch->count && result == KEY_OK; r++) {
            struct sequence_run run = {0};
            while (result == KEY_OK &&
                   sequence_batch_next_run(batch, data, r, &run))
                result =
                    kmer_counter_add(keys->kmers[i], data + run.at, run.bases);
        }
        if (result != KEY_OK)
            return field_counts_fail(result, keys->sharing,
                                     &keys->sharing->field[i].kmers.failure,
                                     error);
    }
    return 0;
}

/* Count the sequences of CHUNK.  Returns 0, or -1 with *ERROR set. */
static int
count_sequences(struct field_engine *keys, struct chunk *chunk,
                struct error *error)
{
    struct field_counts *sharing = keys->sharing;
    struct sequence_batch *batch = &keys->sequences;
    size_t done = 0;

    while (done < chunk->used) {
        if (sequence_batch_scan(batch, chunk, &done, error) < 0 ||
            count_kmers(keys, chunk->data, error) < 0)
            return -1;
        if (keys->dense != NULL &&
            sequence_counter_add(keys->dense, chunk->data, batch->record,
                                 batch->count) < 0)
            return field_counts_fail(KEY_NO_MEMORY, sharing, NULL, error);
        if (count_rests(keys, chunk->data, error) < 0)
            return -1;
    }
    batch->elements[SEQUENCE_READS] -= chunk->made.records;
    for (int u = 0; u < SEQUENCE_UNITS; u++)
        atomic_fetch_add(&sharing->elements[u], batch->elements[u]);
    atomic_fetch_add(&sharing->left_out, batch->left_out);
    atomic_fetch_or(&sharing->met, batch->met);
    batch->met = 0;
    memset(batch->elements, 0, sizeof batch->elements);
    batch->left_out = 0;
    atomic_fetch_add(&sharing->bytes, chunk->used - chunk->made.bytes);
    return 0;
}

/*
 * Count the rest of CHUNK.  The device that has left it adds its records to
 * SHARING.  Returns 0, or -1 with *ERROR set.
 */
static int
count_rest(struct field_engine *keys, const struct chunk *chunk,
           struct error *error)
{
    struct scan_ledger ledger = {0};
    size_t batch;

    for (size_t done = 0; done < chunk->rest_count; done += batch) {
        batch = chunk->rest_count - done;
        batch = batch < FIELD_ENGINE_BATCH ? batch : FIELD_ENGINE_BATCH;
        device_rest_read(keys->sharing->spec, chunk, done, batch, keys->slice,
                         &ledger);
        for (size_t i = 0; i < keys->sharing->fields; i++) {
            if (count_histogram(keys, i, chunk->data, batch, error) < 0)
                return -1;
        }
    }
    misfits_add(&keys->sharing->misfits, &keys->sharing->lock, chunk, &ledger);
    return 0;
}

/* Count the records of text in CHUNK.  Returns 0, or -1 with *ERROR set. */
static int
count_text(struct field_engine *keys, const struct chunk *chunk,
           struct error *error)
{
    struct field_counts *sharing = keys->sharing;
    struct scan_ledger ledger = {0};
    size_t records;
    size_t done = 0;

    if (chunk->rest_count > 0)
        return count_rest(keys, chunk, error);
    bool wants_first = first_values_want(&sharing->first, chunk);
    while (done < chunk->used) {
        if (scan_text(keys, chunk, &done, &records, &ledger, error) < 0)
            return -1;
        if (wants_first && records > 0)
            wants_first =
                first_values_look(&sharing->first, chunk, keys->slice, records);
        for (size_t i = 0; i < sharing->fields; i++) {
            if (count_histogram(keys, i, chunk->data, records, error) < 0)
                return -1;
        }
    }
    tell_counted(keys, ledger.records);
    misfits_add(&sharing->misfits, &sharing->lock, chunk, &ledger);
    atomic_fetch_add(&sharing->comments, ledger.comments);
    atomic_fetch_add(&sharing->bytes, ledger.bytes);
    atomic_fetch_add(&sharing->unweighted, keys->weights.missing);
    keys->weights.missing = 0;
    return 0;
}

static int
keys_submit(struct engine *engine, struct chunk *chunk, struct error *error)
{
    struct field_engine *keys = keys_of(engine);
    struct field_counts *sharing = keys->sharing;

    if (engine->starts_over && sharing->spec->is_sparse)
        key_codes_restart(&keys->codes);
    engine->starts_over = false;
    if (!sharing->spec->is_text)
        return count_samples(keys, chunk, error);
    if ((spec_is_sequences(sharing->spec) ? count_sequences(keys, chunk, error)
                                          : count_text(keys, chunk, error)) < 0)
        return -1;
    for (size_t i = 0; i < sharing->fields; i++) {
        if (keys->counter[i] == NULL)
            continue;
        enum key_result result =
            written_keys_count(&keys->written[i], keys->counter[i]);
        if (result != KEY_OK)
            return field_counts_fail(result, sharing,
                                     &sharing->field[i].counts.failure, error);
    }
    if (sharing->spec->is_sparse)
        key_codes_settle(&keys->codes);
    return 0;
}

static void
keys_settle(struct engine *engine)
{
    struct field_engine *keys = keys_of(engine);

    for (size_t i = 0; i < keys->sharing->fields; i++) {
        if (keys->counter[i] != NULL)
            key_counter_settle(keys->counter[i]);
    }
}

static void
keys_close(struct engine *engine)
{
    struct field_engine *keys = keys_of(engine);

    for (size_t i = 0; keys->counter != NULL && i < keys->sharing->fields;
         i++) {
        if (keys->counter[i] != NULL)
            key_counter_close(keys->counter[i]);
    }
    for (size_t i = 0; keys->kmers != NULL && i < keys->sharing->fields; i++) {
        if (keys->kmers[i] != NULL)
            kmer_counter_close(keys->kmers[i]);
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
    free(keys->kmers);
    free(keys->number);
    free(keys->slice);
    key_codes_close(&keys->codes);
    sequence_batch_close(&keys->sequences);
    if (keys->dense != NULL)
        sequence_counter_close(keys->dense);
    record_weights_close(&keys->weights);
    record_filter_close(&keys->filter);
    free(keys->key_weight);
    free(keys);
}

static const struct engine_type keys_type = {
    .kind = CONSUMER_HOST,
    .open = engine_cpu_open,
    .submit = keys_submit,
    .complete = engine_cpu_complete,
    .settle = keys_settle,
    .close = keys_close,
};

/* Prepare for sequences.  Returns 0, or -1: out of memory. */
static int
open_sequences(struct field_engine *keys, const struct spec *spec)
{
    struct sequence_counts *counts = &keys->sharing->sequences;

    if (counts->is_used)
        keys->dense = sequence_counter_new(counts);
    if (counts->is_used && keys->dense == NULL)
        return -1;
    return sequence_batch_open(&keys->sequences, spec, counts);
}

struct engine *
field_engine_new(const struct spec *spec, struct field_counts *sharing)
{
    struct field_engine *keys = calloc(1, sizeof *keys);
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
    keys->slice = malloc(FIELD_ENGINE_BATCH * field_engine_slices(spec) *
                         sizeof *keys->slice);
    if (keys->slice != NULL)
        keys->key = keys->slice + FIELD_ENGINE_BATCH * spec->text_fields.count;
    keys->written = calloc(sharing->fields, sizeof *keys->written);
    keys->kmers = calloc(sharing->fields, sizeof(struct kmer_counter *));
    bool is_open = keys->kmers != NULL && keys->counter != NULL &&
                   keys->number != NULL && keys->slice != NULL &&
                   keys->written != NULL;
    if (spec->is_sparse)
        is_open &=
            key_codes_open(&keys->codes, spec, &sharing->ranges) == KEY_OK;
    if (spec_is_sequences(spec))
        is_open &= open_sequences(keys, spec) == 0;
    if (spec->conditions.count > 0 && !spec_is_sequences(spec))
        is_open &= record_filter_open(&keys->filter, spec) == 0;
    keys->has_weights = spec_has_amounts(spec);
    if (keys->has_weights) {
        keys->key_weight =
            malloc(FIELD_ENGINE_BATCH * sizeof *keys->key_weight);
        is_open &=
            keys->key_weight != NULL &&
            record_weights_open(&keys->weights, spec, FIELD_ENGINE_BATCH) == 0;
    }
    for (size_t i = 0; is_open && i < sharing->fields; i++) {
        struct key_field *field = &sharing->field[i];
        if (field->has_keys)
            keys->counter[i] = key_counter_new(&field->counts, &result);
        if (field->has_groups)
            keys->groups = group_cache_new(&field->groups, spec, i,
                                           &field->counts.hash_key);
        if (field->has_numbers)
            keys->number[i] = number_counter_new(&field->numbers);
        if (field->has_kmers)
            keys->kmers[i] = kmer_counter_new(&field->kmers);
        if (field->has_joint)
            keys->joint = joint_counter_new(&field->joint);
        is_open = field->has_keys == (keys->counter[i] != NULL) &&
                  field->has_groups == (keys->groups != NULL) &&
                  field->has_numbers == (keys->number[i] != NULL) &&
                  field->has_kmers == (keys->kmers[i] != NULL) &&
                  field->has_joint == (keys->joint != NULL);
    }
    if (is_open)
        return &keys->engine;
    keys_close(&keys->engine);
    return NULL;
}

/* ---- memory ---- */

/* What field_engine_new() takes for axis I. */
static uint64_t
axis_bytes(const struct spec *spec, size_t i)
{
    if (spec->shown[i].is_text || !spec->is_text)
        return number_counter_bytes() + KEY_CODES_BATCH * sizeof(int64_t);
    if (spec_is_sparse(spec, spec_histogram_of(spec, i)) ||
        !field_value_may_be_written(&spec->text,
                                    spec->text_fields.field[i].part))
        return 0;
    return WRITTEN_KEYS_BYTES +
           (spec_has_amounts(spec) ? WRITTEN_KEYS_WEIGHT_BYTES : 0);
}

uint64_t
field_engine_bytes(const struct spec *spec)
{
    uint64_t bytes = FIELD_ENGINE_BATCH * field_engine_slices(spec) *
                     sizeof(struct text_slice);

    if (spec_has_amounts(spec))
        bytes += 2 * FIELD_ENGINE_BATCH * sizeof(int64_t);
    if (spec->is_sparse)
        bytes += KEY_CODES_ROOM;
    if (spec->is_sparse && group_cache_is_for(spec, 0))
        bytes += group_cache_bytes();
    if (spec_is_sequences(spec))
        bytes += sequence_batch_bytes(spec);
    bytes += record_filter_bytes(spec);
    for (size_t i = 0; i < spec->axis_count; i++)
        bytes += axis_bytes(spec, i);
    for (size_t i = 0; i < spec_histograms(spec); i++) {
        if (spec_counts_kmers(spec, i))
            bytes +=
                kmer_counter_bytes(spec->text.kmer, !spec_has_list(spec, i));
    }
    return bytes;
}
