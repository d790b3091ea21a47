/* SPDX-License-Identifier: MIT */
/*
 * field_value.h -- the value of a field, where it is not the bytes of a slice
 *
 * A value has bytes of its own if a quote of CSV must be left out, if the value
 * has a backslash where backslashes are escapes, if it is a string of JSON, or
 * if it is a minute, an hour or a day of CLF.
 */

#ifndef GPUHIST_FIELD_VALUE_H
#define GPUHIST_FIELD_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/escape.h"
#include "kernels/text/clf.h"
#include "kernels/text/text_number.h"
#include "text/json_text.h"
#include "text/text_slice.h"
#include "text/text_type.h"

/* ---- quotes of CSV ---- */

/* Whether the value of a field of CSV, which may be missing, is not the slice
   as it stands.  No branch depends on the slice. */
static inline bool
text_is_quoted(const unsigned char *data, struct text_slice slice)
{
    static const unsigned char none = 0;
    bool is_there = (slice.size > 0) & !text_slice_is_missing(slice);

    return *(is_there ? data + slice.at : &none) == '"';
}

/*
 * Write the value of a field for which text_is_quoted() to VALUE, which has
 * room for SLICE.size - 1 bytes and does not overlap the slice.  Returns the
 * value's size.
 */
size_t text_unquote(const unsigned char *data, struct text_slice slice,
                    unsigned char *value);

/* ---- values ---- */

/* Whether a value of PART, in any record of FORMAT, may be written. */
static inline bool
field_value_may_be_written(const struct text_format *format, binning_u32 part)
{
    enum text_values values = text_type_of(format->kind)->values;

    return !format->is_derived &&
           (values == TEXT_VALUES_CSV || values == TEXT_VALUES_JSON ||
            format->is_escaped || clf_is_of_time(part));
}

/* Whether values, but times, must be written if text_is_quoted(), and no
   others. */
static inline bool
field_values_are_by_quote(const struct text_format *format)
{
    enum text_values values = text_type_of(format->kind)->values;

    return (values == TEXT_VALUES_CSV || values == TEXT_VALUES_JSON) &&
           !format->is_derived && !format->is_escaped;
}

/* Whether the value of SLICE, which is not missing, must be written. */
static inline bool
field_value_is_written(const struct text_format *format, binning_u32 part,
                       const unsigned char *data, struct text_slice slice)
{
    enum text_values values = text_type_of(format->kind)->values;

    if (format->is_derived)
        return false;
    return clf_is_of_time(part) ||
           (values == TEXT_VALUES_CSV && text_is_quoted(data, slice)) ||
           (values == TEXT_VALUES_JSON && json_is_escaped(data, slice)) ||
           (format->is_escaped &&
            memchr(data + slice.at, '\\', slice.size) != NULL);
}

/*
 * Whether a field has no number because the field is empty: NUMBER was read
 * from TEXT, of SIZE bytes.  "-" is empty in a log, null in JSON.  Where
 * backslashes are escapes, TEXT may be the name of the row of empty values.
 */
static inline bool
field_value_is_empty(const struct text_format *format,
                     const struct text_number *number,
                     const unsigned char *text, size_t size)
{
    const char *empty = text_type_of(format->kind)->empty;

    return number->kind == TEXT_NUMBER_EMPTY ||
           (empty != NULL && size == strlen(empty) &&
            memcmp(text, empty, size) == 0) ||
           (format->is_escaped && size == 6 && memcmp(text, "\\empty", 6) == 0);
}

/* Whether SLICE has the text of the row of missing fields, where backslashes
   are escapes. */
static inline bool
field_value_names_missing(const struct text_format *format,
                          const unsigned char *data, struct text_slice slice)
{
    return format->is_escaped && !format->is_derived && slice.size == 2 &&
           memcmp(data + slice.at, "\\N", 2) == 0;
}

/* At least as many bytes as field_value_write() writes. */
static inline size_t
field_value_room(struct text_slice slice)
{
    return slice.size < CLF_TIME_BYTES ? CLF_TIME_BYTES : slice.size;
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
    if (text_type_of(format->kind)->values == TEXT_VALUES_JSON)
        return json_text_write(data, slice, value);
    if (format->is_escaped)
        return escape_read(data + slice.at, slice.size, value);
    return clf_is_of_time(part) ? clf_put_time(data, slice, part, value)
                                : text_unquote(data, slice, value);
}

/*
 * Whether none of COUNT slices of records of FORMAT, in the chunk at DATA,
 * field_value_is_written().  Also false where more than the first byte of each
 * slice decides.
 */
bool field_values_are_plain(const struct text_format *format,
                            const unsigned char *data,
                            const struct text_slice *slice, size_t count);

/* ---- values with memory of their own ---- */

/* A field, and memory for a text that must be written.  At first, all members
   but FORMAT and PART are 0. */
struct field_text {
    const struct text_format *format;
    binning_u32 part; /* enum text_part */
    bool is_computed; /* its slices have numbers, and no text */

    unsigned char *written; /* ROOM bytes */
    size_t room;
};

/*
 * Returns the text of SLICE, which is not missing, of the chunk at DATA, and
 * sets *SIZE to its bytes; NULL: out of memory.  It is valid until the next
 * call, and as long as the chunk.
 */
const unsigned char *field_text_find(struct field_text *field,
                                     const unsigned char *data,
                                     struct text_slice slice,
                                     binning_u32 *size);

void field_text_close(struct field_text *field);

#endif
