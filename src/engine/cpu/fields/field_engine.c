/* SPDX-License-Identifier: MIT */
/* field_engine.c -- the engine of a CPU thread that counts fields */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/cpu/engine_cpu.h"
#include "engine/cpu/fields/device_counts.h"
#include "engine/cpu/fields/field_engine.h"
#include "engine/cpu/fields/record_amounts.h"
#include "engine/cpu/keys/group_cache.h"
#include "engine/cpu/keys/key_codes.h"
#include "engine/cpu/keys/written_keys.h"
#include "engine/cpu/kmers/kmer_counter.h"
#include "engine/cpu/sequences/read_groups.h"
#include "engine/cpu/sequences/sequence_batch.h"

struct field_engine {
    struct engine engine; /* first: a struct engine * points to it */
    struct field_counts *fields;
    struct counter_seat **seat; /* of each counter of FIELDS; or NULL */
    struct text_slice *slice;   /* of a batch, record by record */
    struct text_slice *source;  /* the same of a scan, if fields are derived */
    /* Each makes SLICE of SOURCE: the first one for records, then one for the
       elements of each list; UNITS of them, owned. */
    struct derive *derive;
    size_t units;
    bool derives_records;        /* and not only elements */
    unsigned int modified_units; /* a bit for each unit of sequences that some
                                    histogram with modifiers has */
    uint32_t *owner; /* of elements of a list: their records, of a batch */
    int64_t *count;  /* of each record of a batch, if records have counts */
    uint64_t elements[COUNTED_UNITS]; /* of lists, that FIELDS has not been told
                                         of */
    struct counter_buffers buffers;
    struct key_codes codes;          /* if the spec is sparse */
    struct sequence_batch sequences; /* if the text is sequences ... */
    struct sequence_counter *dense;  /* ... and some histogram has a table */

    bool has_runs;                 /* some counter takes runs of bases */
    const unsigned char *runs;     /* the sequences that are counted */
    struct record_amounts amounts; /* of text; its sums are not in FIELDS yet */
    void *kept;                    /* what the scan keeps; or NULL */
};

static struct field_engine *
thread_of(struct engine *engine)
{
    return (struct field_engine *)engine;
}

/* Count the COUNT elements of SLICE, of the values at DATA, in histogram I.
   Returns 0, or -1 with *ERROR set. */
static int
count_histogram(struct field_engine *thread, size_t i,
                const unsigned char *data, struct text_slice *slice,
                size_t count, struct error *error)
{
    struct counter_seat *seat = thread->seat[i];
    const bool has_weights = thread->amounts.weight != NULL;
    struct key_weights weights = {0};
    const struct counter_batch batch = {
        .data = data,
        .runs = thread->runs,
        .slice = slice,
        .count = count,
        .are_plain = thread->amounts.are_plain,
        .weights = has_weights ? &weights : NULL,
    };

    if (has_weights)
        weights = record_amounts_weights(&thread->amounts);
    enum key_result result = seat->type->add(seat, &batch);

    return result == KEY_OK
               ? 0
               : field_counts_fail(result, thread->fields,
                                   thread->fields->counter[i]->failure, error);
}

/* Count the binary records of CHUNK.  Returns 0, or -1 with *ERROR set. */
static int
count_samples(struct field_engine *thread, const struct chunk *chunk,
              struct error *error)
{
    struct field_counts *fields = thread->fields;
    size_t bytes = fields->spec->record.bytes;
    size_t records = chunk->used / bytes;
    size_t batch;

    for (size_t done = 0; done < records; done += batch) {
        batch = records - done;
        batch = batch < FIELD_ENGINE_BATCH ? batch : FIELD_ENGINE_BATCH;
        for (size_t i = 0; i < fields->counters; i++) {
            if (count_histogram(thread, i, chunk->data + done * bytes, NULL,
                                batch, error) < 0)
                return -1;
        }
    }
    if (fields->spec->is_sparse)
        key_codes_settle(&thread->codes);
    atomic_fetch_add(&fields->elements[SEQUENCE_READS], records);
    atomic_fetch_add(&fields->bytes, chunk->used);
    return 0;
}

/* Tell FIELDS how many elements have been counted: the sum of the counts of the
   records, or RECORDS, minus the records that are left out. */
static void
tell_counted(struct field_engine *thread, uint64_t records)
{
    struct field_counts *fields = thread->fields;
    struct record_amounts *amounts = &thread->amounts;
    bool has_counts = fields->spec->adds == ADDS_COUNT;

    if (amounts->overflows)
        atomic_store(&fields->overflows, true);
    field_counts_tell(fields, has_counts ? amounts->counted : records,
                      amounts->left_out);
    atomic_fetch_or(&fields->met, amounts->filter.met);
    atomic_fetch_or(&fields->fulfilled, amounts->filter.fulfilled);
    atomic_fetch_add(&fields->unweighted, amounts->unweighted);
    for (size_t u = 1; u < thread->units; u++) {
        field_counts_tell_elements(fields, u, thread->elements[u]);
        thread->elements[u] = 0;
    }
    amounts->counted = 0;
    amounts->left_out = 0;
    amounts->filter.met = 0;
    amounts->filter.fulfilled = 0;
    amounts->unweighted = 0;
}

/* Records of text that are counted together. */
struct text_batch {
    const struct chunk *chunk;
    size_t start;      /* where the records begin */
    size_t done;       /* where the next batch begins */
    size_t scanned;    /* records that a scan found ... */
    size_t records;    /* ... and those to be counted, which were chosen */
    uint64_t left_out; /* of THREAD's amounts before the batch */
    struct scan_ledger ledger; /* of all batches of the chunk */
    bool wants_first;
    bool is_wrong; /* a record of the batch is wrong */
};

/* A record of BATCH, of which COUNTED records are counted, is WRONG: count no
   others of the batch.  Returns 0, or -1 with *ERROR set. */
static int
pass_wrong(struct field_engine *thread, struct text_batch *batch,
           size_t counted, const struct wrong_amount *wrong,
           struct error *error)
{
    thread->amounts.left_out = batch->left_out;
    batch->ledger.records -= batch->scanned - counted;
    batch->ledger.bytes -= batch->done - batch->start;
    batch->records = counted;
    batch->is_wrong = true;
    int result = wrong_amount_pass(batch->chunk, wrong, &batch->done, error);
    batch->ledger.bytes += batch->done - batch->start;
    return result;
}

/*
 * Find the records of BATCH, from its end on, and choose those that count.
 * Returns 0, or -1 with *ERROR set.
 */
static int
scan_text(struct field_engine *thread, struct text_batch *batch,
          struct error *error)
{
    struct field_counts *fields = thread->fields;
    struct text_slice *slice =
        thread->source != NULL ? thread->source : thread->slice;
    const struct chunk *chunk = batch->chunk;
    struct wrong_amount wrong;

    batch->start = batch->done;
    batch->is_wrong = false;
    batch->left_out = thread->amounts.left_out;
    batch->scanned = batch->records =
        scan_records(&fields->scan, chunk->data, chunk->used, &batch->done,
                     slice, FIELD_ENGINE_BATCH, &batch->ledger);
    thread->amounts.are_plain =
        thread->source == NULL &&
        (batch->ledger.are_plain ||
         field_values_are_plain(&fields->spec->text, chunk->data, slice,
                                batch->scanned *
                                    fields->spec->text_fields.count));
    if (batch->ledger.wrong.reason != NULL)
        wrong = wrong_amount_of_line(&batch->ledger.wrong);
    else if (record_amounts_choose(&thread->amounts, chunk->data, slice,
                                   &batch->records, &wrong))
        return 0;
    if (wrong.reason == NULL)
        return field_counts_fail(KEY_NO_MEMORY, fields, NULL, error);
    return pass_wrong(thread, batch, 0, &wrong, error);
}

/*
 * Count ROWS, elements of BATCH, in the histograms of their unit.  Their fields
 * are the slices of THREAD.  A wrong weight ends the batch: then the COUNTED
 * records remain counted.  Returns 0, or -1 with *ERROR set.
 */
static int
count_rows(struct field_engine *thread, struct text_batch *batch,
           const struct first_batch *rows, size_t counted, struct error *error)
{
    struct field_counts *fields = thread->fields;
    const struct derive_plan *plan = rows->plan;
    struct wrong_amount wrong;
    size_t weighed = record_amounts_weigh(&thread->amounts, rows->data,
                                          rows->slice, rows->records, &wrong);

    if (weighed == SIZE_MAX)
        return field_counts_fail(KEY_NO_MEMORY, fields, NULL, error);
    if (weighed < rows->records) {
        size_t record = rows->owner != NULL ? rows->owner[weighed] : weighed;
        if (plan != NULL)
            wrong.slice = rows->source[record * plan->source.count +
                                       plan->column[fields->spec->text_weight]];
        return pass_wrong(thread, batch, counted, &wrong, error);
    }
    if (batch->wants_first)
        batch->wants_first =
            first_values_look(&fields->first, batch->chunk, rows);
    for (size_t i = 0; i < fields->counters; i++) {
        if (fields->spec->histogram[i].unit == rows->unit &&
            count_histogram(thread, i, rows->data, thread->slice, rows->records,
                            error) < 0)
            return -1;
    }
    return 0;
}

/* Derive the fields of the records of BATCH, and count the records.  Returns 0,
   or -1 with *ERROR set. */
static int
count_derived(struct field_engine *thread, struct text_batch *batch,
              struct error *error)
{
    struct derive *derive = &thread->derive[0];
    size_t sources = derive->plan->source.count;
    size_t records;

    for (size_t done = 0; done < batch->records; done += records) {
        const struct text_slice *source = thread->source + done * sources;
        records = derive_run(derive, batch->chunk->data, source,
                             batch->records - done, thread->slice);
        if (records == 0)
            return field_counts_fail(KEY_NO_MEMORY, thread->fields, NULL,
                                     error);
        if (thread->count != NULL)
            memcpy(thread->amounts.weight, thread->count + done,
                   records * sizeof *thread->count);
        const struct first_batch rows = {
            .data = derive->data,
            .slice = thread->slice,
            .records = records,
            .plan = derive->plan,
            .source = source,
        };
        if (count_rows(thread, batch, &rows, done, error) < 0)
            return -1;
    }
    return 0;
}

/* Give each of the ROWS the count of its record.  Returns the sum of these. */
static uint64_t
set_counts(struct field_engine *thread, size_t rows)
{
    uint64_t sum = 0;

    if (thread->count == NULL)
        return rows;
    for (size_t r = 0; r < rows; r++) {
        int64_t own = thread->count[thread->owner[r]];
        thread->amounts.weight[r] = own;
        sum += (uint64_t)own;
        thread->amounts.overflows |= sum < (uint64_t)own;
    }
    return sum;
}

/* Derive the fields of the elements of the list UNIT of BATCH, and count the
   elements.  Returns 0, or -1 with *ERROR set. */
static int
count_elements(struct field_engine *thread, struct text_batch *batch,
               uint32_t unit, struct error *error)
{
    struct derive *derive = &thread->derive[unit];
    struct derive_cursor cursor = {0};
    uint64_t unweighted = thread->amounts.unweighted;
    size_t records = batch->records;

    while (cursor.record < batch->records) {
        size_t count = derive_elements(
            derive, batch->chunk->data, thread->source, records, &cursor,
            FIELD_ENGINE_BATCH, thread->slice, thread->owner);
        if (count == SIZE_MAX)
            return field_counts_fail(KEY_NO_MEMORY, thread->fields, NULL,
                                     error);
        const struct first_batch rows = {
            .data = derive->data,
            .slice = thread->slice,
            .records = count,
            .plan = derive->plan,
            .source = thread->source,
            .owner = thread->owner,
            .unit = unit,
        };
        uint64_t sum = set_counts(thread, count);
        if (count > 0 && count_rows(thread, batch, &rows, records, error) < 0)
            return -1;
        if (batch->is_wrong)
            break;
        thread->elements[unit] += sum;
        thread->amounts.overflows |= thread->elements[unit] < sum;
    }
    /* The records were asked for their weights before. */
    if (thread->derives_records)
        thread->amounts.unweighted = unweighted;
    return 0;
}

/* Count the records of BATCH.  Returns 0, or -1 with *ERROR set. */
static int
count_batch(struct field_engine *thread, struct text_batch *batch,
            struct error *error)
{
    const struct first_batch rows = {
        .data = batch->chunk->data,
        .slice = thread->slice,
        .records = batch->records,
    };

    if (batch->records == 0)
        return 0;
    if (thread->source == NULL)
        return count_rows(thread, batch, &rows, 0, error);
    if (thread->count != NULL)
        memcpy(thread->count, thread->amounts.weight,
               batch->records * sizeof *thread->count);
    if (thread->derives_records && count_derived(thread, batch, error) < 0)
        return -1;
    for (uint32_t u = 1; u < thread->units && !batch->is_wrong; u++) {
        if (count_elements(thread, batch, u, error) < 0)
            return -1;
    }
    return 0;
}

/* Count the COUNT elements of SLICE, of the values at DATA, in the histograms
   with the unit of the batch and with SOURCE.  Returns 0, or -1 with *ERROR
   set. */
static int
count_some(struct field_engine *thread, enum sequence_source source,
           const unsigned char *data, struct text_slice *slice, size_t count,
           struct error *error)
{
    const struct field_counts *fields = thread->fields;

    if (fields->spec->has_weights)
        record_amounts_weigh_numbers(&thread->amounts, slice, count);
    for (size_t i = 0; i < fields->counters; i++) {
        if (read_groups_unit(fields->spec, i) == thread->sequences.unit &&
            fields->sequences.source[i] == source &&
            !fields->counter[i]->type->takes_runs &&
            count_histogram(thread, i, data, slice, count, error) < 0)
            return -1;
    }
    return 0;
}

/* Derive the texts of the COUNT elements of the batch, of the sequences at
   DATA, and count the elements as count_some() does. */
static int
count_modified(struct field_engine *thread, enum sequence_source source,
               const unsigned char *data, size_t count, struct error *error)
{
    const size_t fields = thread->fields->spec->text_fields.count;
    size_t some;

    for (size_t done = 0; done < count; done += some) {
        struct text_slice *slice = thread->slice + done * fields;
        some = derive_run(thread->derive, data, slice, count - done, slice);
        if (some == 0)
            return field_counts_fail(KEY_NO_MEMORY, thread->fields, NULL,
                                     error);
        if (count_some(thread, source, thread->derive->data, slice, some,
                       error) < 0)
            return -1;
    }
    return 0;
}

/* Count the next elements of the batch in the histograms with their unit and
   with SOURCE.  Returns 0, or -1 with *ERROR set. */
static int
count_batches(struct field_engine *thread, enum sequence_source source,
              unsigned char *data, struct error *error)
{
    struct sequence_batch *batch = &thread->sequences;
    const bool is_modified = (thread->modified_units >> batch->unit & 1) != 0;
    size_t count;

    while ((count = sequence_batch_next(batch, data, thread->slice)) > 0) {
        int result =
            is_modified
                ? count_modified(thread, source, data, count, error)
                : count_some(thread, source, data, thread->slice, count, error);
        if (result < 0)
            return -1;
    }
    return 0;
}

/*
 * Count the leftovers of the dense tables.  Returns 0, or -1 with *ERROR set.
 */
static int
count_leftovers(struct field_engine *thread, unsigned char *data,
                struct error *error)
{
    const struct field_counts *fields = thread->fields;

    for (int u = 0; u < SEQUENCE_UNITS; u++) {
        for (int s = 0; s < SEQUENCE_SOURCES; s++) {
            enum sequence_source source = (enum sequence_source)s;
            enum sequence_unit unit = (enum sequence_unit)u;
            const struct sequence_leftover *leftover = NULL;
            size_t leftovers = thread->sequences.count;
            if (!fields->sequences.has[u][s])
                continue;
            if (source != SEQUENCE_NO_TABLE)
                leftover = sequence_counter_leftovers(thread->dense, source,
                                                      &leftovers);
            sequence_batch_start(&thread->sequences, unit, leftover, leftovers);
            if (count_batches(thread, source, data, error) < 0)
                return -1;
        }
    }
    return 0;
}

/* Count the runs of bases in the batch, for the histograms that take runs.
   Returns 0, or -1 with *ERROR set. */
static int
count_runs(struct field_engine *thread, const unsigned char *data,
           struct error *error)
{
    const struct field_counts *fields = thread->fields;
    struct sequence_place place = {0};
    size_t runs;

    while (thread->has_runs &&
           (runs = sequence_batch_next_runs(&thread->sequences, data, &place,
                                            thread->slice)) > 0) {
        for (size_t i = 0; i < fields->counters; i++) {
            if (fields->counter[i]->type->takes_runs &&
                count_histogram(thread, i, data, thread->slice, runs, error) <
                    0)
                return -1;
        }
    }
    return 0;
}

/* Count the sequences of CHUNK.  Returns 0, or -1 with *ERROR set. */
static int
count_sequences(struct field_engine *thread, struct chunk *chunk,
                struct error *error)
{
    struct field_counts *fields = thread->fields;
    struct sequence_batch *batch = &thread->sequences;
    size_t done = 0;

    while (done < chunk->used) {
        if (sequence_batch_scan(batch, chunk, &done, error) < 0)
            return -1;
        thread->runs = chunk->data;
        if (count_runs(thread, chunk->data, error) < 0)
            return -1;
        if (thread->dense != NULL &&
            sequence_counter_add(thread->dense, chunk->data, batch->record,
                                 batch->count) < 0)
            return field_counts_fail(KEY_NO_MEMORY, fields, NULL, error);
        if (count_leftovers(thread, chunk->data, error) < 0)
            return -1;
    }
    batch->elements[SEQUENCE_READS] -= chunk->synthetic.records;
    for (int u = 0; u < SEQUENCE_UNITS; u++)
        atomic_fetch_add(&fields->elements[u], batch->elements[u]);
    atomic_fetch_add(&fields->left_out, batch->left_out);
    atomic_fetch_add(&fields->unweighted, thread->amounts.unweighted);
    thread->amounts.unweighted = 0;
    atomic_fetch_or(&fields->met, batch->met);
    batch->met = 0;
    for (int c = 0; c < ALIGNMENT_CHECKSUMS; c++)
        atomic_fetch_add(&fields->checksum[c], batch->checksum[c]);
    memset(batch->elements, 0, sizeof batch->elements);
    memset(batch->checksum, 0, sizeof batch->checksum);
    batch->left_out = 0;
    atomic_fetch_add(&fields->bytes, chunk->used - chunk->synthetic.bytes);
    return 0;
}

/*
 * Count the leftovers of CHUNK.  The device adds the leftovers to the number of
 * records of FIELDS.  Returns 0, or -1 with *ERROR set.
 */
static int
count_device_leftovers(struct field_engine *thread, const struct chunk *chunk,
                       struct error *error)
{
    struct scan_ledger ledger = {0};
    size_t batch;

    thread->amounts.are_plain = false;
    for (size_t done = 0; done < chunk->leftover_count; done += batch) {
        batch = chunk->leftover_count - done;
        batch = batch < FIELD_ENGINE_BATCH ? batch : FIELD_ENGINE_BATCH;
        device_counts_read_leftovers(thread->fields->spec, chunk, done, batch,
                                     thread->slice, &ledger);
        for (size_t i = 0; i < thread->fields->counters; i++) {
            if (count_histogram(thread, i, chunk->data, thread->slice, batch,
                                error) < 0)
                return -1;
        }
    }
    misfits_add(&thread->fields->misfits, &thread->fields->lock, chunk,
                &ledger);
    return 0;
}

/* Count the records of text in CHUNK.  Returns 0, or -1 with *ERROR set. */
static int
count_text(struct field_engine *thread, const struct chunk *chunk,
           struct error *error)
{
    struct field_counts *fields = thread->fields;
    struct text_batch batch = {.chunk = chunk, .ledger.kept = thread->kept};

    if (chunk->leftover_count > 0)
        return count_device_leftovers(thread, chunk, error);
    batch.wants_first = first_values_want(&fields->first, chunk);
    while (batch.done < chunk->used) {
        if (scan_text(thread, &batch, error) < 0 ||
            count_batch(thread, &batch, error) < 0)
            return -1;
    }
    tell_counted(thread, batch.ledger.records);
    misfits_add(&fields->misfits, &fields->lock, chunk, &batch.ledger);
    if (batch.ledger.matches > 0)
        atomic_store(&fields->matches, true);
    atomic_fetch_add(&fields->comments, batch.ledger.comments);
    atomic_fetch_add(&fields->bytes, batch.ledger.bytes);
    return 0;
}

static int
fields_submit(struct engine *engine, struct chunk *chunk, struct error *error)
{
    struct field_engine *thread = thread_of(engine);
    struct field_counts *fields = thread->fields;

    if (engine->starts_over && fields->spec->is_sparse)
        key_codes_restart(&thread->codes);
    engine->starts_over = false;
    if (fields->spec->kind == SPEC_SAMPLES)
        return count_samples(thread, chunk, error);
    if ((fields->spec->kind == SPEC_SEQUENCES
             ? count_sequences(thread, chunk, error)
             : count_text(thread, chunk, error)) < 0)
        return -1;
    for (size_t i = 0; i < fields->counters; i++) {
        struct counter_seat *seat = thread->seat[i];
        if (seat->type->end_chunk == NULL)
            continue;
        enum key_result result = seat->type->end_chunk(seat);
        if (result != KEY_OK)
            return field_counts_fail(result, fields,
                                     fields->counter[i]->failure, error);
    }
    if (fields->spec->is_sparse)
        key_codes_settle(&thread->codes);
    return 0;
}

static void
fields_settle(struct engine *engine)
{
    struct field_engine *thread = thread_of(engine);

    for (size_t i = 0; i < thread->fields->counters; i++) {
        struct counter_seat *seat = thread->seat[i];
        if (seat->type->settle_seat != NULL)
            seat->type->settle_seat(seat);
    }
}

static void
fields_close(struct engine *engine)
{
    struct field_engine *thread = thread_of(engine);

    for (size_t i = 0; thread->seat != NULL && i < thread->fields->counters;
         i++) {
        if (thread->seat[i] != NULL)
            thread->seat[i]->type->leave(thread->seat[i]);
    }
    free(thread->seat);
    free(thread->slice);
    free(thread->source);
    free(thread->owner);
    free(thread->count);
    for (size_t u = 0; u < thread->units; u++)
        derive_close(&thread->derive[u]);
    free(thread->derive);
    key_codes_close(&thread->codes);
    sequence_batch_close(&thread->sequences);
    if (thread->dense != NULL)
        sequence_counter_close(thread->dense);
    record_amounts_close(&thread->amounts);
    free(thread->buffers.key_weight);
    free(thread->kept);
    free(thread);
}

static const struct engine_type fields_type = {
    .kind = CONSUMER_HOST,
    .open = engine_cpu_open,
    .submit = fields_submit,
    .complete = engine_cpu_complete,
    .settle = fields_settle,
    .close = fields_close,
};

/*
 * Prepare to derive fields of sequences.  If a histogram has modifiers, all its
 * texts are derived, so that they are in the same memory.  Returns 0, or -1:
 * out of memory.
 */
static int
open_modified(struct field_engine *thread, const struct spec *spec)
{
    size_t place[FIELD_LIST_MAX];
    size_t count = 0;

    for (size_t i = 0; i < spec_histograms(spec); i++) {
        for (size_t d = 0; d < spec_dimensions(spec, i); d++) {
            if (spec->text_fields.chain[spec_axis_of(spec, i, d)].count > 0)
                thread->modified_units |= 1U << read_groups_unit(spec, i);
        }
    }
    for (size_t i = 0; i < spec->axis_count; i++) {
        const binning_u32 part = spec->text_fields.field[i].part;
        if (sequence_part_type((enum text_part)part) == SEQUENCE_KEY)
            place[count++] = i;
    }
    thread->derive = calloc(1, sizeof *thread->derive);
    if (thread->derive == NULL)
        return -1;
    thread->units = 1;
    return derive_open(thread->derive, &thread->fields->derive, place, count,
                       SIZE_MAX);
}

/* Prepare for sequences.  Returns 0, or -1: out of memory. */
static int
open_sequences(struct field_engine *thread, const struct spec *spec)
{
    struct sequence_counts *counts = &thread->fields->sequences;

    if (spec->text.is_derived && open_modified(thread, spec) < 0)
        return -1;
    if (counts->is_used)
        thread->dense = sequence_counter_new(counts);
    if (counts->is_used && thread->dense == NULL)
        return -1;
    if (record_amounts_open_numbers(&thread->amounts, spec,
                                    FIELD_ENGINE_BATCH) < 0)
        return -1;
    return sequence_batch_open(&thread->sequences, spec, counts);
}

/*
 * Set PLACE to the fields that histograms of UNIT have, each once, and the
 * weights.  Returns their number.
 */
static size_t
find_places(const struct spec *spec, uint32_t unit, size_t *place)
{
    bool has[FIELD_LIST_MAX] = {false};
    size_t count = 0;

    for (size_t i = 0; i < spec_histograms(spec); i++) {
        if (spec->histogram[i].unit != unit)
            continue;
        for (size_t d = 0; d < spec_dimensions(spec, i); d++)
            has[spec_axis_of(spec, i, d)] = true;
    }
    /* Only one list may be that of the weights. */
    if (spec->has_weights)
        has[spec->text_weight] |= unit > 0 || spec_weight_list(spec) == 0;
    for (size_t i = 0; i < spec->text_fields.count; i++) {
        if (has[i])
            place[count++] = i;
    }
    return count;
}

/* Prepare to count the elements of lists.  Returns 0, or -1: out of memory. */
static int
open_elements(struct field_engine *thread, const struct spec *spec)
{
    for (size_t i = 0; i < spec_histograms(spec); i++)
        thread->derives_records |= spec->histogram[i].unit == 0;
    /* Elements do not tell how many records have no weight. */
    thread->derives_records |= spec->has_weights && spec_weight_list(spec) == 0;
    if (thread->units == 1)
        return 0;
    thread->owner = malloc(FIELD_ENGINE_BATCH * sizeof *thread->owner);
    return thread->owner != NULL ? 0 : -1;
}

/* Prepare to derive fields.  Returns 0, or -1: out of memory. */
static int
open_derive(struct field_engine *thread, const struct spec *spec)
{
    const struct derive_plan *plan = &thread->fields->derive;
    size_t units = spec_units(spec);
    size_t place[FIELD_LIST_MAX];

    thread->source = malloc(FIELD_ENGINE_BATCH * plan->source.count *
                            sizeof *thread->source);
    thread->derive = calloc(units, sizeof *thread->derive);
    if (thread->source == NULL || thread->derive == NULL)
        return -1;
    if (spec->adds == ADDS_COUNT) {
        thread->count = malloc(FIELD_ENGINE_BATCH * sizeof *thread->count);
        if (thread->count == NULL)
            return -1;
    }
    while (thread->units < units) {
        size_t count = find_places(spec, (uint32_t)thread->units, place);
        if (derive_open(&thread->derive[thread->units++], plan, place, count,
                        spec->has_weights ? spec->text_weight : SIZE_MAX) < 0)
            return -1;
    }
    return open_elements(thread, spec);
}

/* Allocate the buffers of THREAD.  Returns 0, or -1: out of memory. */
static int
open_buffers(struct field_engine *thread, const struct spec *spec)
{
    thread->slice = malloc(FIELD_ENGINE_BATCH * field_engine_slices(spec) *
                           sizeof *thread->slice);
    if (thread->slice == NULL)
        return -1;
    thread->buffers.key =
        thread->slice + FIELD_ENGINE_BATCH * spec->text_fields.count;
    if (spec->is_sparse) {
        thread->buffers.codes = &thread->codes;
        if (key_codes_open(&thread->codes, spec, &thread->fields->ranges) !=
            KEY_OK)
            return -1;
    }
    if (spec->kind == SPEC_SAMPLES)
        return 0;
    if (spec->adds != ADDS_ONE) {
        thread->buffers.key_weight =
            malloc(FIELD_ENGINE_BATCH * sizeof *thread->buffers.key_weight);
        if (thread->buffers.key_weight == NULL)
            return -1;
    }
    if (spec->kind == SPEC_SEQUENCES)
        return open_sequences(thread, spec);
    if (spec->text.is_derived && open_derive(thread, spec) < 0)
        return -1;
    size_t kept = scan_kept_bytes(&thread->fields->scan);
    thread->kept = kept > 0 ? calloc(1, kept) : NULL;
    if (kept > 0 && thread->kept == NULL)
        return -1;
    return record_amounts_open(&thread->amounts, spec,
                               spec->text.is_derived ? &thread->fields->derive
                                                     : NULL,
                               FIELD_ENGINE_BATCH);
}

/* Take a seat at each counter.  Returns 0, or -1: out of memory. */
static int
join_counters(struct field_engine *thread)
{
    const struct field_counts *fields = thread->fields;

    thread->seat = calloc(fields->counters, sizeof(struct counter_seat *));
    for (size_t i = 0; thread->seat != NULL && i < fields->counters; i++) {
        struct counter *counter = fields->counter[i];
        thread->seat[i] = counter->type->join(counter, &thread->buffers);
        if (thread->seat[i] == NULL)
            return -1;
        thread->has_runs |= counter->type->takes_runs;
    }
    return thread->seat != NULL ? 0 : -1;
}

/* Whether some histogram of SPEC has more than exact sums. */
static bool
has_tables(const struct spec *spec)
{
    for (size_t i = 0; i < spec_histograms(spec); i++) {
        if (spec->histogram[i].kind != COUNTED_SUMS)
            return true;
    }
    return false;
}

struct engine *
field_engine_new(const struct spec *spec, struct field_counts *fields)
{
    struct field_engine *thread = calloc(1, sizeof *thread);

    if (thread == NULL)
        return NULL;
    thread->engine.type = &fields_type;
    thread->engine.spec = spec;
    thread->engine.histogram_spec = spec;
    thread->engine.depth = 1;
    snprintf(thread->engine.name, sizeof thread->engine.name, "cpu");
    snprintf(thread->engine.strategy, sizeof thread->engine.strategy,
             has_tables(spec) ? "keys in tables for all threads"
                              : "sums for each thread");
    thread->fields = fields;
    if (open_buffers(thread, spec) == 0 && join_counters(thread) == 0)
        return &thread->engine;
    fields_close(&thread->engine);
    return NULL;
}

/* ---- memory ---- */

/* What field_engine_new() takes for axis I. */
static uint64_t
axis_bytes(const struct spec *spec, size_t i)
{
    if (spec->histogram[spec_histogram_of(spec, i)].kind == COUNTED_SUMS)
        return sizeof(struct exact_adder);
    if (spec->shown[i].is_text || spec->kind == SPEC_SAMPLES)
        return number_counter_bytes() + KEY_CODES_BATCH * sizeof(int64_t);
    if (spec->histogram[spec_histogram_of(spec, i)].kind == COUNTED_TUPLES ||
        !field_value_may_be_written(&spec->text,
                                    spec->text_fields.field[i].part))
        return 0;
    return WRITTEN_KEYS_BYTES +
           (spec->adds != ADDS_ONE ? WRITTEN_KEYS_WEIGHT_BYTES : 0);
}

uint64_t
field_engine_bytes(const struct spec *spec)
{
    uint64_t bytes = FIELD_ENGINE_BATCH * field_engine_slices(spec) *
                     sizeof(struct text_slice);

    if (spec->adds != ADDS_ONE)
        bytes += 2 * FIELD_ENGINE_BATCH * sizeof(int64_t);
    if (spec->is_sparse)
        bytes += KEY_CODES_ROOM;
    if (spec->kind == SPEC_SEQUENCES)
        bytes += sequence_batch_bytes(spec);
    bytes += record_amounts_filter_bytes(spec);
    if (text_type_of(spec->text.kind)->scan == TEXT_SCAN_JSON)
        bytes += JSON_KEPT_BYTES;
    if (spec->text.is_derived)
        bytes += FIELD_ENGINE_BATCH * spec->text_fields.count *
                     sizeof(struct text_slice) +
                 spec_units(spec) * derive_bytes(spec->axis_count + 1);
    for (size_t i = 0; i < spec->axis_count; i++)
        bytes += axis_bytes(spec, i);
    for (size_t i = 0; i < spec_histograms(spec); i++) {
        if (spec->uses_tables && group_cache_is_for(spec, i))
            bytes +=
                group_cache_bytes(spec, i) +
                (spec_histograms(spec) > 1 ? group_cache_kept_bytes(spec) : 0);
        if (spec->histogram[i].kind == COUNTED_KMERS)
            bytes += kmer_counter_bytes(spec->text.kmer,
                                        !spec->histogram[i].is_listed);
    }
    return bytes;
}
