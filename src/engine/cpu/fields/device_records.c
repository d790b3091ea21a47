/* device_records.c -- numbers, and several fields, that a device has counted */

#include <stdlib.h>

#include "engine/cpu/fields/device_records.h"
#include "engine/text_layout.h"

/* The records that are counted together. */
#define BATCH KEY_CODES_BATCH

/* What counts records that occur more than once. */
struct record_adding {
    struct field_counts *sharing;
    const unsigned char *data;   /* the bytes of all texts */
    struct joint_counter *joint; /* or NULL */
    struct key_codes codes;      /* if the histograms are sparse */
    struct field_text text;      /* of a field that is a key */

    /* Of each record: its fields, and how often it occurs. */
    struct text_slice *field;
    int64_t count[BATCH];
    size_t used;
    struct text_slice code[BATCH];
    size_t histogram; /* in which records are counted */
};

bool
device_records_are_for(const struct spec *spec)
{
    return text_layout_has_spans(spec) || spec->shown[0].is_text;
}

static enum key_result
open_adding(struct record_adding *adding)
{
    struct field_counts *sharing = adding->sharing;
    const struct spec *spec = sharing->spec;

    adding->text.format = &spec->text;
    adding->field =
        calloc(BATCH * spec->text_fields.count, sizeof *adding->field);
    if (adding->field == NULL)
        return KEY_NO_MEMORY;
    if (spec->is_sparse &&
        key_codes_open(&adding->codes, spec, &sharing->ranges) != KEY_OK)
        return KEY_NO_MEMORY;
    if (!sharing->field[0].has_joint)
        return KEY_OK;
    adding->joint = joint_counter_new(&sharing->field[0].joint);
    return adding->joint != NULL ? KEY_OK : KEY_NO_MEMORY;
}

static void
close_adding(struct record_adding *adding)
{
    if (adding->joint != NULL)
        joint_counter_close(adding->joint);
    if (adding->codes.byte != NULL)
        key_codes_settle(&adding->codes);
    key_codes_close(&adding->codes);
    field_text_close(&adding->text);
    free(adding->field);
}

/* Count the tuples of all records. */
static enum key_result
add_tuples(struct record_adding *adding)
{
    const struct spec *spec = adding->sharing->spec;
    size_t i = adding->histogram;
    enum key_result result = KEY_OK;
    size_t made;

    for (size_t r = 0; r < adding->used && result == KEY_OK; r += made) {
        result = key_codes_make(&adding->codes, i, adding->data,
                                adding->field + r * spec->text_fields.count,
                                adding->used - r, adding->code, &made);
        for (size_t c = 0; c < made && result == KEY_OK; c++)
            result = key_counter_add_amount(
                &adding->sharing->field[i].counts,
                adding->codes.byte + adding->code[c].at, adding->code[c].size,
                &(struct key_amount){.count = (uint64_t)adding->count[r + c]});
    }
    return result;
}

/* Count SLICE, which is a key, COUNT times. */
static enum key_result
add_key(struct record_adding *adding, struct text_slice slice, uint64_t count)
{
    struct key_field *field = &adding->sharing->field[adding->histogram];
    uint32_t most = adding->sharing->spec->prefix;
    uint32_t size;

    if (text_slice_is_missing(slice)) {
        atomic_fetch_add(&field->missing, count);
        return KEY_OK;
    }
    const unsigned char *key =
        field_text_find(&adding->text, adding->data, slice, &size);
    if (key == NULL)
        return KEY_NO_MEMORY;
    size = size < most ? size : most;
    return key_counter_add_amount(&field->counts, key, size,
                                  &(struct key_amount){.count = count});
}

/* Count the own field of the histogram of all records. */
static enum key_result
add_fields(struct record_adding *adding)
{
    const struct spec *spec = adding->sharing->spec;
    struct key_field *field = &adding->sharing->field[adding->histogram];
    const struct text_slice *slice =
        adding->field + spec_own_axis(spec, adding->histogram);
    enum key_result result = KEY_OK;

    for (size_t r = 0; r < adding->used && result == KEY_OK;
         r++, slice += spec->text_fields.count) {
        uint64_t count = (uint64_t)adding->count[r];
        result = field->has_numbers
                     ? number_counts_add_text(&field->numbers, &field->counts,
                                              adding->data, *slice, count)
                     : add_key(adding, *slice, count);
    }
    return result;
}

/* Count all records, and forget them. */
static enum key_result
add_batch(struct record_adding *adding)
{
    const struct field_counts *sharing = adding->sharing;
    const struct key_weights counts = {adding->count, NULL, true};
    enum key_result result = KEY_OK;

    for (size_t i = 0; i < sharing->fields && result == KEY_OK; i++) {
        adding->histogram = i;
        if (spec_is_sparse(sharing->spec, i))
            result = add_tuples(adding);
        else if (adding->joint != NULL)
            result = joint_counter_add(adding->joint, adding->data,
                                       adding->field, adding->used, &counts);
        else
            result = add_fields(adding);
    }
    adding->used = 0;
    return result;
}

/* Add a record with TEXT, or without fields if that is missing, which occurs
   COUNT times. */
static enum key_result
add_record(struct record_adding *adding, struct text_slice text, uint64_t count)
{
    const struct spec *spec = adding->sharing->spec;
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

/* Count the records of HISTOGRAM that have no text, and those that have one. */
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

int
device_records_add(struct field_counts *sharing,
                   const struct histogram *histogram,
                   const struct text_dictionary *dictionary,
                   struct error *error)
{
    const struct spec *spec = sharing->spec;
    struct record_adding adding = {.sharing = sharing,
                                   .data = dictionary->arena};
    enum key_result result = open_adding(&adding);

    if (result == KEY_OK)
        result = add_all(&adding, histogram, dictionary);
    if (result == KEY_OK && text_layout_bins(spec) > 0)
        number_counts_add_cells(
            &sharing->field[0].numbers,
            histogram->value + text_layout_first_bin(dictionary->keys_max));
    if (result == KEY_OK && adding.joint != NULL &&
        joint_counts_settle(&sharing->field[0].joint) < 0)
        result = KEY_NO_MEMORY;
    close_adding(&adding);
    if (result == KEY_OK)
        return 0;
    return field_counts_fail(result, sharing,
                             &sharing->field[adding.histogram].counts.failure,
                             error);
}
