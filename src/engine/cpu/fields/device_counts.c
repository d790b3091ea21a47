/* SPDX-License-Identifier: MIT */
/* device_counts.c -- the counts of devices, and their leftovers */

#include <stdlib.h>

#include "engine/cpu/fields/device_counts.h"
#include "engine/sequence_layout.h"
#include "engine/text_layout.h"
#include "kernels/text/clf.h"
#include "kernels/text/text_work.h"

/* ---- sequences ---- */

/* Add the dense tables of HISTOGRAM.  Returns 0, or -1: out of memory. */
static int
add_tables(struct field_counts *fields, const struct sequence_work *work,
           const struct histogram *histogram)
{
    for (binning_u32 s = 0; s < SEQUENCE_SOURCES; s++) {
        if (sequence_work_has(work, s) &&
            sequence_counts_add(&fields->sequences, (enum sequence_source)s,
                                histogram->value + work->first[s],
                                sequence_work_rows(s)) < 0)
            return -1;
    }
    return 0;
}

int
device_counts_add(struct field_counts *fields,
                  const struct histogram *histogram, const char *name,
                  struct error *error)
{
    /* No device counts operations. */
    static const enum sequence_total totals[SEQUENCE_OPERATIONS] = {
        [SEQUENCE_READS] = SEQUENCE_TOTAL_READS,
        [SEQUENCE_BASES] = SEQUENCE_TOTAL_BASES,
        [SEQUENCE_WINDOWS] = SEQUENCE_TOTAL_WINDOWS,
    };
    struct sequence_work work;

    sequence_layout_make(fields->spec, &work);
    if (!sequence_layout_adds_up(fields->spec, histogram)) {
        error_set(error, EXIT_NO_DEVICE, "%s: the counts do not add up", name);
        return -1;
    }
    if (add_tables(fields, &work, histogram) < 0)
        return field_counts_fail(KEY_NO_MEMORY, fields, NULL, error);
    for (int u = 0; u < SEQUENCE_OPERATIONS; u++)
        atomic_fetch_add(&fields->elements[u], histogram->value[totals[u]]);
    for (size_t i = 0; i < fields->counters; i++) {
        struct counter *counter = fields->counter[i];
        if (counter->type->takes_runs)
            counter->type->add_cells(counter,
                                     histogram->value + work.first_kmer,
                                     histogram->value[SEQUENCE_TOTAL_BROKEN]);
    }
    return 0;
}

/* ---- texts of records ---- */

/* The records that are counted together. */
#define BATCH KEY_CODES_BATCH

/* Records to be counted, each as often as it occurs: a key of a dictionary is
   the text of equal records. */
struct record_adding {
    struct field_counts *fields;
    const unsigned char *data; /* the bytes of all texts */
    struct key_codes codes;    /* if the histograms are sparse */

    /* Of each record: its fields, and how often it occurs. */
    struct text_slice *field;
    int64_t count[BATCH];
    size_t used;
    struct text_slice code[BATCH];
    size_t histogram; /* in which records are counted */
};

static enum key_result
open_adding(struct record_adding *adding)
{
    struct field_counts *fields = adding->fields;
    const struct spec *spec = fields->spec;

    adding->field =
        calloc(BATCH * spec->text_fields.count, sizeof *adding->field);
    if (adding->field == NULL)
        return KEY_NO_MEMORY;
    return spec->is_sparse
               ? key_codes_open(&adding->codes, spec, &fields->ranges)
               : KEY_OK;
}

static void
close_adding(struct record_adding *adding)
{
    if (adding->codes.byte != NULL)
        key_codes_settle(&adding->codes);
    key_codes_close(&adding->codes);
    free(adding->field);
}

/* Count all records, and forget them. */
static enum key_result
add_batch(struct record_adding *adding)
{
    const struct field_counts *fields = adding->fields;
    const struct key_weights counts = {adding->count, NULL, true};
    const struct counter_buffers buffers = {.key = adding->code,
                                            .codes = &adding->codes};
    const struct counter_batch batch = {.data = adding->data,
                                        .slice = adding->field,
                                        .count = adding->used,
                                        .weights = &counts};
    enum key_result result = KEY_OK;

    for (size_t i = 0; i < fields->counters && result == KEY_OK; i++) {
        struct counter *counter = fields->counter[i];
        adding->histogram = i;
        result = counter->type->add_counted(counter, &buffers, &batch);
    }
    adding->used = 0;
    return result;
}

/* Add a record with TEXT, or without fields if that is missing, which occurs
   COUNT times. */
static enum key_result
add_record(struct record_adding *adding, struct text_slice text, uint64_t count)
{
    const struct spec *spec = adding->fields->spec;
    size_t fields = spec->text_fields.count;
    struct text_slice *field = adding->field + adding->used * fields;

    if (count == 0)
        return KEY_OK;
    if (text_slice_is_missing(text)) {
        for (size_t i = 0; i < fields; i++)
            field[i] = text;
    } else {
        text_layout_divide(spec, adding->data, text, field);
    }
    adding->count[adding->used++] = (int64_t)count;
    return adding->used == BATCH ? add_batch(adding) : KEY_OK;
}

/* Count the records of HISTOGRAM, with and without a text. */
static enum key_result
add_all(struct record_adding *adding, const struct histogram *histogram,
        const struct text_dictionary *dictionary)
{
    struct text_slice text = {.at = TEXT_SLICE_MISSING};
    enum key_result result =
        add_record(adding, text, histogram->value[TEXT_TOTAL_MISSING]);

    for (uint32_t k = 0; k < dictionary->keys && result == KEY_OK; k++) {
        uint32_t cell = TEXT_TOTALS + k;
        const unsigned char *key =
            text_dictionary_key(dictionary, cell, &text.size);
        text.at = (uint32_t)(key - adding->data);
        result = add_record(adding, text, histogram->value[cell]);
    }
    return result == KEY_OK ? add_batch(adding) : result;
}

/* Add the texts of DICTIONARY, whose counts are in HISTOGRAM and checked.
   Returns 0, or -1 with *ERROR set. */
static int
add_records(struct field_counts *fields, const struct histogram *histogram,
            const struct text_dictionary *dictionary, struct error *error)
{
    const struct spec *spec = fields->spec;
    struct record_adding adding = {.fields = fields, .data = dictionary->arena};
    enum key_result result = open_adding(&adding);

    if (result == KEY_OK)
        result = add_all(&adding, histogram, dictionary);
    if (result == KEY_OK && text_layout_bins(spec) > 0) {
        struct counter *counter = fields->counter[0];
        counter->type->add_cells(
            counter,
            histogram->value + text_layout_first_bin(dictionary->keys_max), 0);
    }
    close_adding(&adding);
    if (result == KEY_OK)
        return 0;
    return field_counts_fail(result, fields,
                             fields->counter[adding.histogram]->failure, error);
}

int
device_counts_add_keys(struct field_counts *fields,
                       const struct histogram *histogram,
                       const struct text_dictionary *dictionary,
                       uint64_t leftovers, const char *name,
                       struct error *error)
{
    const uint64_t *total = histogram->value;
    struct counter *counter = fields->counter[0];

    if (!text_layout_adds_up(histogram) ||
        total[TEXT_TOTAL_LISTED] != leftovers) {
        error_set(error, EXIT_NO_DEVICE, "%s: the counts do not add up", name);
        return -1;
    }
    if (text_layout_has_spans(fields->spec) ||
        counter->type->add_keys == NULL) {
        if (add_records(fields, histogram, dictionary, error) < 0)
            return -1;
    } else {
        enum key_result result = counter->type->add_keys(
            counter, histogram, dictionary, total[TEXT_TOTAL_MISSING]);
        if (result != KEY_OK)
            return field_counts_fail(result, fields, counter->failure, error);
    }
    atomic_fetch_add(&fields->elements[SEQUENCE_READS],
                     total[TEXT_TOTAL_RECORDS] - total[TEXT_TOTAL_COMMENTS]);
    atomic_fetch_add(&fields->comments, total[TEXT_TOTAL_COMMENTS]);
    return 0;
}

/* ---- leftovers ---- */

/* Set SLICE to the fields of the record that starts at AT. */
static void
find_fields(const struct spec *spec, const struct chunk *chunk, binning_u32 at,
            struct text_slice *slice, struct scan_ledger *ledger)
{
    const struct text_type *type = text_type_of(spec->text.kind);
    struct text_record record = {0};
    bool is_there = fields_record(&spec->text, chunk->data,
                                  (binning_u32)chunk->used, at, &record) != 0;
    struct text_record line = record;
    struct text_slice vhost;

    if (is_there && type->has_misfits &&
        !scan_fits(chunk->data, &line, &vhost, ledger))
        ledger->misfits++;
    for (size_t i = 0; i < spec->text_fields.count; i++)
        slice[i] = is_there ? clf_find(&spec->text, chunk->data, &record,
                                       spec->text_fields.field[i])
                            : clf_missing();
}

void
device_counts_read_leftovers(const struct spec *spec, const struct chunk *chunk,
                             size_t first, size_t count,
                             struct text_slice *slice,
                             struct scan_ledger *ledger)
{
    const uint32_t *pair = chunk->leftovers + 2 * first;

    for (size_t r = 0; r < count;
         r++, pair += 2, slice += spec->text_fields.count) {
        if (pair[1] == TEXT_WHOLE_RECORD)
            find_fields(spec, chunk, pair[0], slice, ledger);
        else
            text_layout_divide(spec, chunk->data,
                               (struct text_slice){pair[0], pair[1]}, slice);
    }
}
