/* unquote.h -- the value of a CSV field with quotes */

#ifndef GPUHIST_UNQUOTE_H
#define GPUHIST_UNQUOTE_H

#include <stdbool.h>
#include <stddef.h>

#include "text/text_slice.h"

/* Whether the value of a field of CSV is not the slice as it stands. */
static inline bool
text_is_quoted(const unsigned char *data, struct text_slice slice)
{
    return slice.size > 0 && data[slice.at] == '"';
}

/*
 * Write the value of a field for which text_is_quoted() to VALUE, which has
 * room for SLICE.size - 1 bytes and does not overlap the slice.  Returns the
 * value's size.
 */
size_t text_unquote(const unsigned char *data, struct text_slice slice,
                    unsigned char *value);

#endif
