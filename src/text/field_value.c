/* SPDX-License-Identifier: MIT */
/* field_value.c -- the value of a field that is not the bytes of a slice */

#include <stdlib.h>
#include <string.h>

#include "text/field_value.h"

size_t
text_unquote(const unsigned char *data, struct text_slice slice,
             unsigned char *value)
{
    const unsigned char *from = data + slice.at + 1;
    const unsigned char *end = data + slice.at + slice.size;
    unsigned char *to = value;

    while (from < end) {
        const unsigned char *quote = memchr(from, '"', (size_t)(end - from));
        size_t part = (size_t)((quote != NULL ? quote : end) - from);
        memcpy(to, from, part);
        to += part;
        from += part;
        if (quote == NULL)
            break;
        from++;
        if (from == end || *from != '"') { /* the closing one */
            memcpy(to, from, (size_t)(end - from));
            to += end - from;
            break;
        }
        *to++ = *from++;
    }
    return (size_t)(to - value);
}

bool
field_values_are_plain(const struct text_format *format,
                       const unsigned char *data,
                       const struct text_slice *slice, size_t count)
{
    enum text_values values = text_type_of(format->kind)->values;
    static const unsigned char none = 0;
    unsigned int quotes = 0;

    if ((values != TEXT_VALUES_CSV && values != TEXT_VALUES_JSON) ||
        format->is_escaped || format->is_derived)
        return false;
    for (size_t i = 0; i < count; i++) {
        bool is_there = slice[i].size > 0 && !text_slice_is_missing(slice[i]);
        quotes += *(is_there ? data + slice[i].at : &none) == '"';
    }
    return quotes == 0;
}

const unsigned char *
field_text_find(struct field_text *field, const unsigned char *data,
                struct text_slice slice, binning_u32 *size)
{
    size_t room = field_value_room(slice);

    if (!field_value_is_written(field->format, field->part, data, slice)) {
        *size = slice.size;
        return data + slice.at;
    }
    if (room > field->room) {
        unsigned char *grown = realloc(field->written, room);
        if (grown == NULL)
            return NULL;
        field->written = grown;
        field->room = room;
    }
    *size = (binning_u32)field_value_write(field->format, field->part, data,
                                           slice, field->written);
    return field->written;
}

void
field_text_close(struct field_text *field)
{
    free(field->written);
}
