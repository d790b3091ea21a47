/* SPDX-License-Identifier: MIT */
/* field_value.c -- the value of a field that is not the bytes of a slice */

#include <stdlib.h>
#include <string.h>

#include "base/eight_bytes.h"
#include "base/little_endian.h"
#include "text/field_value.h"

/* Values that are looked at before it is asked whether one has a quote. */
#define PLAIN_VALUES 256

/*
 * Copy the bytes from FROM on, before the first quote or END, to TO, which has
 * room for all bytes before END.  Returns how many these are.  Most values are
 * short: no call looks for the quote, and none copies.
 */
static size_t
copy_to_quote(const unsigned char *from, const unsigned char *end,
              unsigned char *to)
{
    const size_t size = (size_t)(end - from);
    size_t at = 0;

    for (; size - at >= sizeof(uint64_t); at += sizeof(uint64_t)) {
        uint64_t quote = eight_bytes_first(little_endian_64(from + at), '"');
        memcpy(to + at, from + at, sizeof(uint64_t));
        if (quote != 0)
            return at + (size_t)__builtin_ctzll(quote) / 8;
    }
    for (; at < size && from[at] != '"'; at++)
        to[at] = from[at];
    return at;
}

size_t
text_unquote(const unsigned char *data, struct text_slice slice,
             unsigned char *value)
{
    const unsigned char *from = data + slice.at + 1;
    const unsigned char *end = data + slice.at + slice.size;
    unsigned char *to = value;

    while (from < end) {
        size_t part = copy_to_quote(from, end, to);
        to += part;
        from += part;
        if (from == end)
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
    unsigned int quotes = 0;

    if (!field_values_are_by_quote(format))
        return false;
    /* One after the other without a branch; but where there are quotes, the
       first values have some. */
    for (size_t i = 0; i < count && quotes == 0;) {
        size_t end = count - i < PLAIN_VALUES ? count : i + PLAIN_VALUES;
        for (; i < end; i++)
            quotes += text_is_quoted(data, slice[i]);
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
