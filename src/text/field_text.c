/* field_text.c -- the text of a field, whether in the chunk or written */

#include <stdlib.h>

#include "text/field_text.h"

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
