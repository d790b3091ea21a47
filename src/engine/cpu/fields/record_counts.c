/* record_counts.c -- how often each record of a batch of text counts */

#include <string.h>

#include "engine/cpu/fields/record_counts.h"
#include "kernels/text/text_number.h"

/* All numbers with so many digits are less than 2^64. */
#define SAFE_DIGITS 19

static const char no_count[] =
    "is no whole number from 0 to 18446744073709551615";

/*
 * Read the SIZE digits at TEXT to *COUNT.  Returns false if there are none, if
 * one is no digit or if the number is too great.
 */
static bool
read_digits(const unsigned char *text, size_t size, uint64_t *count)
{
    uint64_t value = 0;

    for (size_t i = 0; i < size; i++) {
        unsigned int digit = (unsigned int)text[i] - '0';
        if (digit > 9)
            return false;
        if (i >= SAFE_DIGITS && value > (UINT64_MAX - digit) / 10)
            return false;
        value = 10 * value + digit;
    }
    *count = value;
    return size > 0;
}

/* ---- the last field ---- */

/* Whether the record at DATA has a field before that of SLICE. */
static bool
has_field_before(const struct text_format *format, const unsigned char *data,
                 struct text_slice slice)
{
    const struct text_type *type = text_type_of(format->kind);
    size_t at = slice.at;

    if (!type->has_delimiter) {
        while (at > 0 && fields_is_blank(data[at - 1]) &&
               data[at - 1] != format->end)
            at--;
        return at > 0 && data[at - 1] != format->end;
    }
    /* A quote that belongs to the field. */
    if (type->values == TEXT_VALUES_CSV && at > 0 && data[at - 1] == '"')
        at--;
    return at > 0 && data[at - 1] == format->delimiter;
}

/* Read the count of a record with these fields.  Returns NULL, or what is
   wrong. */
static const char *
read_last(const struct spec *spec, const unsigned char *data,
          const struct text_slice *field, uint64_t *count,
          struct wrong_amount *wrong)
{
    const struct text_format *format = &spec->text;
    struct text_slice slice = field[spec->text_weight];
    size_t at = slice.at;
    size_t end = at + slice.size;

    wrong->slice = slice;
    wrong->noun = "record";
    if (text_slice_is_missing(slice) || !has_field_before(format, data, slice))
        return "has no count";
    if (format->counts == TEXT_COUNTS_ONLY &&
        slice.at != field[0].at + field[0].size + 1)
        return "has more fields than a value and its count: --fields or "
               "--group-by says which ones to count; rows of bins can be "
               "added up with --state and --merge";
    while (at < end && text_number_is_blank(data[at]))
        at++;
    while (end > at && text_number_is_blank(data[end - 1]))
        end--;
    wrong->noun = "count";
    return read_digits(data + at, end - at, count) ? NULL : no_count;
}

static bool
is_word(const unsigned char *data, struct text_slice slice, const char *word)
{
    return slice.size == strlen(word) &&
           memcmp(data + slice.at, word, slice.size) == 0;
}

/*
 * What the counted fields of a record are if they are the names of special
 * rows.  Returns NULL, or what is wrong.
 */
static const char *
read_names(const struct spec *spec, const unsigned char *data,
           struct text_slice *field, struct wrong_amount *wrong)
{
    for (size_t i = 0; i < spec->axis_count; i++) {
        struct text_slice slice = field[i];
        if (slice.size < 2 || data[slice.at] != '\\')
            continue;
        wrong->slice = slice;
        wrong->noun = "value";
        if (is_word(data, slice, "\\N"))
            field[i] = TEXT_SLICE_NONE;
        else if (is_word(data, slice, "\\other"))
            return "stands for values that --top or --min-count left out: "
                   "--no-other leaves out this row, and --state keeps all "
                   "values";
        else if (!spec->shown[i].is_text && (is_word(data, slice, "\\empty") ||
                                             is_word(data, slice, "\\invalid")))
            return "is no value, but the row of fields that are no numbers: "
                   "numbers need the --dtype or the bins with which they were "
                   "counted";
    }
    return NULL;
}

/* ---- uniq -c ---- */

/* Read the count with which SLICE, a record, begins, and leave its value there.
   Returns NULL, or what is wrong. */
static const char *
read_first(const unsigned char *data, struct text_slice *slice, uint64_t *count,
           struct wrong_amount *wrong)
{
    size_t end = slice->at + slice->size;
    size_t first = slice->at;

    while (first < end && fields_is_blank(data[first]))
        first++;
    size_t at = first;
    while (at < end && !fields_is_blank(data[at]))
        at++;
    wrong->slice.at = (binning_u32)first;
    wrong->slice.size = (binning_u32)(at - first);
    wrong->noun = "count";
    if (!read_digits(data + first, at - first, count))
        return no_count;
    if (at == end)
        return "is not followed by a blank and a value";
    slice->at = (binning_u32)(at + 1);
    slice->size = (binning_u32)(end - at - 1);
    return NULL;
}

/* ---- batches ---- */

bool
record_counts_read(const struct spec *spec, const unsigned char *data,
                   struct text_slice *slice, size_t *records, int64_t *count,
                   struct wrong_amount *wrong)
{
    size_t fields = spec->text_fields.count;
    struct text_slice *kept = slice;
    size_t kept_count = 0;

    for (size_t r = 0; r < *records; r++, slice += fields) {
        uint64_t times;
        const char *reason = spec->text.counts == TEXT_COUNTS_FIRST
                                 ? read_first(data, slice, &times, wrong)
                                 : read_last(spec, data, slice, &times, wrong);
        if (reason == NULL && spec->text.is_escaped)
            reason = read_names(spec, data, slice, wrong);
        if (reason != NULL) {
            wrong->reason = reason;
            return false;
        }
        if (times == 0)
            continue;
        if (kept != slice)
            memcpy(kept, slice, fields * sizeof *kept);
        kept += fields;
        count[kept_count++] = (int64_t)times;
    }
    *records = kept_count;
    return true;
}
