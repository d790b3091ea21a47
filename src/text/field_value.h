/*
 * field_value.h -- the value of a field, where it is not the bytes of a slice
 *
 * A value has bytes of its own if a quote of CSV must be left out, if it has a
 * backslash where these are escapes, if it is a string of JSON with escapes, a
 * minute, an hour or a day of CLF, or a canonical k-mer; the slice of this is a
 * whole window.
 */

#ifndef GPUHIST_FIELD_VALUE_H
#define GPUHIST_FIELD_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/escape.h"
#include "kernels/seq/kmer.h"
#include "kernels/text/clf.h"
#include "kernels/text/text_number.h"
#include "text/json_text.h"
#include "text/unquote.h"

/* Whether k-mers are not always the bytes of their bases. */
static inline bool
field_value_is_kmer(const struct text_format *format, binning_u32 part)
{
    return part == TEXT_PART_KMER &&
           (format->is_canonical || format->keeps_case);
}

/* Whether a value of PART, in any record of FORMAT, may be written. */
static inline bool
field_value_may_be_written(const struct text_format *format, binning_u32 part)
{
    return format->kind == TEXT_CSV || format->kind == TEXT_JSON ||
           format->is_escaped || clf_is_of_time(part) ||
           field_value_is_kmer(format, part);
}

/* Whether the value of SLICE, which is not missing, must be written. */
static inline bool
field_value_is_written(const struct text_format *format, binning_u32 part,
                       const unsigned char *data, struct text_slice slice)
{
    return clf_is_of_time(part) || field_value_is_kmer(format, part) ||
           (format->kind == TEXT_CSV && text_is_quoted(data, slice)) ||
           (format->kind == TEXT_JSON && json_is_escaped(data, slice)) ||
           (format->is_escaped &&
            memchr(data + slice.at, '\\', slice.size) != NULL);
}

/*
 * Whether a field has no number because it has no value: NUMBER is what TEXT,
 * of SIZE bytes, is.  In a log, "-" stands for none, and null in JSON.  Where
 * there are escapes, TEXT may be the name of the row of such values.
 */
static inline bool
field_value_is_empty(const struct text_format *format,
                     const struct text_number *number,
                     const unsigned char *text, size_t size)
{
    return number->kind == TEXT_NUMBER_EMPTY ||
           (format->kind == TEXT_CLF && size == 1 && *text == '-') ||
           (format->kind == TEXT_JSON && size == 4 &&
            memcmp(text, "null", 4) == 0) ||
           (format->is_escaped && size == 6 && memcmp(text, "\\empty", 6) == 0);
}

/* At least as many bytes as field_value_write() writes. */
static inline size_t
field_value_room(struct text_slice slice)
{
    return slice.size < CLF_TIME_BYTES ? CLF_TIME_BYTES : slice.size;
}

/* Write to VALUE the k-mer of SLICE in upper case.  Returns its size. */
static inline size_t
field_value_write_kmer(const struct text_format *format,
                       const unsigned char *data, struct text_slice slice,
                       unsigned char *value)
{
    struct kmer_window window;

    kmer_start(&window);
    for (binning_u32 i = 0; i < slice.size; i++)
        (void)kmer_push(&window, data[slice.at + i], slice.size);
    binning_u64 code = kmer_code(&window, format->is_canonical != 0);
    for (binning_u32 i = 0; i < slice.size; i++)
        value[i] = kmer_letter(code, slice.size, i);
    return slice.size;
}

/*
 * Write to VALUE the value of SLICE, for which field_value_is_written().  VALUE
 * has field_value_room().  Returns the value's size.
 */
static inline size_t
field_value_write(const struct text_format *format, binning_u32 part,
                  const unsigned char *data, struct text_slice slice,
                  unsigned char *value)
{
    if (part == TEXT_PART_KMER)
        return field_value_write_kmer(format, data, slice, value);
    if (format->kind == TEXT_JSON)
        return json_text_write(data, slice, value);
    if (format->is_escaped)
        return escape_read(data + slice.at, slice.size, value);
    return clf_is_of_time(part) ? clf_put_time(data, slice, part, value)
                                : text_unquote(data, slice, value);
}

#endif
