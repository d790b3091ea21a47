/* SPDX-License-Identifier: MIT */
/* first_values.c -- the first value of each field of numbers, for messages */

#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "engine/cpu/fields/first_values.h"
#include "engine/cpu/keys/number_field.h"
#include "sync/origins.h"
#include "text/field_chain.h"
#include "text/logfmt_members.h"

/* Records that first_values_scan() finds at a time. */
#define SCANNED 64

/* The most bytes of a record of JSON or logfmt that are noted. */
#define RECORD_BYTES_MAX ((size_t)64 << 10)

/* Whether axis I of SPEC has numbers that are read from text. */
static bool
has_numbers(const struct spec *spec, size_t i)
{
    return spec->kind == SPEC_FIELDS && spec->shown[i].is_text;
}

bool
first_values_have_members(const struct spec *spec)
{
    enum text_names names = text_type_of(spec->text.kind)->names;

    return names == TEXT_NAMES_PATHS || names == TEXT_NAMES_KEYS;
}

int
first_values_open(struct first_values *values, const struct spec *spec)
{
    size_t fields = 0;

    *values = (struct first_values){.spec = spec};
    pthread_mutex_init(&values->lock, NULL);
    for (size_t i = 0; i < spec->axis_count; i++)
        fields += has_numbers(spec, i);
    if (fields == 0)
        return 0;
    values->value = calloc(spec->axis_count, sizeof *values->value);
    return values->value != NULL ? 0 : -1;
}

/* Whether A is before B, which may not be known. */
static bool
is_before(const struct first_value *a, const struct first_value *b)
{
    return !b->shown.is_known || input_place_is_before(&a->place, &b->place);
}

/* Note the first line of CHUNK, at PLACE, if PLACE is before the known line.
   Under the lock. */
static void
note_record(struct first_values *values, const struct chunk *chunk,
            const struct first_value *place)
{
    const unsigned char *line = chunk->data + chunk->origins.origin[0].start;
    const unsigned char *end = chunk->data + chunk->used;

    while (line < end && (*line == '\n' || *line == '\r' || *line == ' '))
        line++;
    if (line == end || !is_before(place, &values->record_place))
        return;
    const unsigned char *feed = memchr(line, '\n', (size_t)(end - line));
    size_t bytes = (size_t)((feed != NULL ? feed : end) - line);
    bytes = bytes < RECORD_BYTES_MAX ? bytes : RECORD_BYTES_MAX;
    unsigned char *record = realloc(values->record, bytes);
    if (record == NULL)
        return;
    memcpy(record, line, bytes);
    values->record = record;
    values->record_bytes = bytes;
    values->record_place = *place;
}

bool
first_values_want(struct first_values *values, const struct chunk *chunk)
{
    struct first_value first = {.shown.is_known = true};
    bool has_members = first_values_have_members(values->spec);
    bool is_wanted = false;

    if ((values->value == NULL && !has_members) || chunk->origins.count == 0 ||
        !origins_place(&chunk->origins, chunk->origins.origin[0].start,
                       &first.place))
        return false;
    pthread_mutex_lock(&values->lock);
    if (has_members)
        note_record(values, chunk, &first);
    for (size_t i = 0; values->value != NULL && i < values->spec->axis_count;
         i++)
        is_wanted |= has_numbers(values->spec, i) &&
                     is_before(&first, &values->value[i]);
    pthread_mutex_unlock(&values->lock);
    return is_wanted;
}

/* Whether TEXT is a whole number, whether or not a type can hold it. */
static bool
is_whole(const unsigned char *text, size_t size)
{
    size_t at = size > 0 && (*text == '-' || *text == '+') ? 1 : 0;
    size_t first = at;

    while (at < size && ascii_is_digit(text[at]))
        at++;
    return at == size && at > first;
}

/* Returns the slice of axis I of record R of BATCH in the chunk. */
static struct text_slice
source_of(const struct first_batch *batch, size_t r, size_t i, size_t width)
{
    if (batch->plan == NULL)
        return batch->slice[r * width + i];
    size_t record = batch->owner != NULL ? batch->owner[r] : r;
    return batch
        ->source[record * batch->plan->source.count + batch->plan->column[i]];
}

/* Note the value of axis I of record R of BATCH, of CHUNK.  If no modifier
   reads the field, note the field. */
static void
note(struct first_values *values, const struct chunk *chunk,
     const struct first_batch *batch, size_t r, size_t i)
{
    size_t width = values->spec->text_fields.count;
    struct field_text field = number_field_open(values->spec, i);
    struct first_value value = {.shown.is_known = true};
    const struct text_slice source = source_of(batch, r, i, width);
    struct text_slice slice = batch->slice[r * width + i];
    const unsigned char *data = batch->data;
    binning_u32 size;

    if (text_slice_is_missing(slice)) {
        field.format = &batch->plan->format;
        slice = source;
        data = chunk->data;
    }
    const unsigned char *text = field_text_find(&field, data, slice, &size);
    if (text != NULL &&
        origins_place(&chunk->origins, source.at, &value.place)) {
        visible_name(value.shown.text, text, size);
        value.shown.is_whole = is_whole(text, size);
        if (batch->plan == NULL &&
            text_type_of(values->spec->text.kind)->whole == NULL)
            value.shown.modifier = field_chain_reading(text, size);
        pthread_mutex_lock(&values->lock);
        if (is_before(&value, &values->value[i]))
            values->value[i] = value;
        pthread_mutex_unlock(&values->lock);
    }
    field_text_close(&field);
}

bool
first_values_look(struct first_values *values, const struct chunk *chunk,
                  const struct first_batch *batch)
{
    const struct spec *spec = values->spec;
    size_t width = spec->text_fields.count;
    bool has_all = true;

    for (size_t i = 0; i < spec->axis_count; i++) {
        size_t r = 0;
        if (!has_numbers(spec, i) ||
            spec->histogram[spec_histogram_of(spec, i)].unit != batch->unit)
            continue;
        for (; r < batch->records; r++) {
            struct text_slice source = source_of(batch, r, i, width);
            if (!text_slice_is_missing(source) && source.size > 0)
                break;
        }
        if (r < batch->records)
            note(values, chunk, batch, r, i);
        else
            has_all = false;
    }
    return !has_all;
}

void
first_values_scan(struct first_values *values, const struct scan *scan,
                  const struct chunk *chunk)
{
    const struct spec *spec = values->spec;
    struct scan_ledger ledger = {0};
    bool is_wanted = true;
    size_t done = 0;

    if (values->value == NULL || spec->adds != ADDS_ONE ||
        spec->conditions.count > 0 || spec->text.is_derived ||
        (spec->may_misfit && spec->text.counts_invalid == 0) ||
        !first_values_want(values, chunk))
        return;
    struct text_slice *slice =
        malloc(SCANNED * spec->text_fields.count * sizeof *slice);
    while (slice != NULL && is_wanted && done < chunk->used) {
        size_t records = scan_records(scan, chunk->data, chunk->used, &done,
                                      slice, SCANNED, &ledger);
        const struct first_batch batch = {
            .data = chunk->data, .slice = slice, .records = records};
        is_wanted = records == 0 || first_values_look(values, chunk, &batch);
    }
    free(slice);
}

const struct number_first *
first_values_of(const struct first_values *values, size_t i)
{
    return values->value != NULL && values->value[i].shown.is_known
               ? &values->value[i].shown
               : NULL;
}

void
first_values_members(const struct first_values *values,
                     struct json_members *members)
{
    if (text_type_of(values->spec->text.kind)->names == TEXT_NAMES_PATHS)
        json_members_find(members, values->record, values->record_bytes);
    else
        logfmt_members_find(members, values->record, values->record_bytes);
}

void
first_values_restart(struct first_values *values)
{
    pthread_mutex_lock(&values->lock);
    if (values->value != NULL)
        memset(values->value, 0,
               values->spec->axis_count * sizeof *values->value);
    pthread_mutex_unlock(&values->lock);
}

void
first_values_close(struct first_values *values)
{
    if (values->spec == NULL)
        return;
    free(values->value);
    free(values->record);
    pthread_mutex_destroy(&values->lock);
    *values = (struct first_values){0};
}
