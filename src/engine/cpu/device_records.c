/* device_records.c -- numbers, and several fields, that a device has counted */

#include <stdlib.h>

#include "engine/cpu/device_records.h"
#include "engine/text_layout.h"

/* What counts a record that occurs more than once. */
struct adding {
    struct key_sharing *sharing;
    struct joint_counter *joint; /* or NULL */
    struct key_codes codes;      /* if the histograms are sparse */
    struct text_slice *field;    /* of the record */
    struct field_text text;      /* of one that is a key */
    size_t histogram;            /* the last one */
};

bool
device_records_are_for(const struct spec *spec)
{
    return text_layout_has_spans(spec) || spec->shown[0].is_text;
}

static enum key_result
open_adding(struct adding *adding, struct key_sharing *sharing)
{
    const struct spec *spec = sharing->spec;

    *adding =
        (struct adding){.sharing = sharing, .text = {.format = &spec->text}};
    adding->field = calloc(spec->text_fields.count, sizeof *adding->field);
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
close_adding(struct adding *adding)
{
    if (adding->joint != NULL)
        joint_counter_close(adding->joint);
    if (adding->codes.byte != NULL)
        key_codes_settle(&adding->codes);
    key_codes_close(&adding->codes);
    field_text_close(&adding->text);
    free(adding->field);
}

/* Count the tuple of histogram I of the record at DATA. */
static enum key_result
add_tuple(struct adding *adding, size_t i, const unsigned char *data,
          uint64_t count)
{
    struct text_slice code;
    size_t codes;
    enum key_result result = key_codes_make(&adding->codes, i, data,
                                            adding->field, 1, &code, &codes);

    if (result != KEY_OK)
        return result;
    return key_counter_add_amount(&adding->sharing->field[i].counts,
                                  adding->codes.byte + code.at, code.size,
                                  &(struct key_amount){.count = count});
}

/* Count SLICE of the record at DATA, which is a key of histogram I. */
static enum key_result
add_key(struct adding *adding, size_t i, const unsigned char *data,
        struct text_slice slice, uint64_t count)
{
    const struct spec *spec = adding->sharing->spec;
    struct key_field *field = &adding->sharing->field[i];
    uint32_t size;

    if (text_slice_is_missing(slice)) {
        atomic_fetch_add(&field->missing, count);
        return KEY_OK;
    }
    if (slice.size > spec->prefix)
        slice.size = spec->prefix;
    const unsigned char *key =
        field_text_find(&adding->text, data, slice, &size);
    if (key == NULL)
        return KEY_NO_MEMORY;
    return key_counter_add_amount(&field->counts, key, size,
                                  &(struct key_amount){.count = count});
}

/* Count a record, whose fields are in the bytes at DATA, in histogram I. */
static enum key_result
add_to_histogram(struct adding *adding, size_t i, const unsigned char *data,
                 uint64_t count)
{
    const struct spec *spec = adding->sharing->spec;
    struct key_field *field = &adding->sharing->field[i];
    const int64_t counts = (int64_t)count;

    if (spec_is_sparse(spec, i))
        return add_tuple(adding, i, data, count);
    if (field->has_joint)
        return joint_counter_add(adding->joint, data, adding->field, 1,
                                 &(struct key_weights){&counts, NULL, true});
    const struct text_slice slice = adding->field[spec_own_axis(spec, i)];
    if (field->has_numbers)
        return number_counts_add_text(&field->numbers, &field->counts, data,
                                      slice, count);
    return add_key(adding, i, data, slice, count);
}

/* The same in all histograms. */
static enum key_result
add_record(struct adding *adding, const unsigned char *data, uint64_t count)
{
    enum key_result result = KEY_OK;

    for (size_t i = 0; i < adding->sharing->fields && result == KEY_OK; i++) {
        adding->histogram = i;
        result = add_to_histogram(adding, i, data, count);
    }
    return result;
}

/* Count the records of HISTOGRAM that have no text, and those that have one. */
static enum key_result
add_all(struct adding *adding, const struct histogram *histogram,
        const struct text_dictionary *dictionary)
{
    const struct spec *spec = adding->sharing->spec;
    uint64_t missing = histogram->value[TEXT_TOTAL_MISSING];
    enum key_result result = KEY_OK;

    for (size_t i = 0; i < spec->text_fields.count; i++)
        adding->field[i] = (struct text_slice){.at = TEXT_SLICE_MISSING};
    if (missing > 0)
        result = add_record(adding, dictionary->arena, missing);
    for (uint32_t k = 0; k < dictionary->keys && result == KEY_OK; k++) {
        uint32_t cell = TEXT_TOTALS + k;
        uint64_t count = histogram->value[cell];
        uint32_t size;
        if (count == 0)
            continue;
        const unsigned char *text =
            text_dictionary_key(dictionary, cell, &size);
        text_layout_divide(spec, text, (struct text_slice){0, size},
                           adding->field);
        result = add_record(adding, text, count);
    }
    return result;
}

int
device_records_add(struct key_sharing *sharing,
                   const struct histogram *histogram,
                   const struct text_dictionary *dictionary,
                   struct error *error)
{
    const struct spec *spec = sharing->spec;
    struct adding adding;
    enum key_result result = open_adding(&adding, sharing);

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
    return key_sharing_fail(result, sharing,
                            &sharing->field[adding.histogram].counts.failure,
                            error);
}
