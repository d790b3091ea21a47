/* text_slice.h -- a part of a chunk of text: a field, a key */

#ifndef GPUHIST_TEXT_SLICE_H
#define GPUHIST_TEXT_SLICE_H

#include <stdbool.h>

#include "fields.h"

/* struct text_slice and TEXT_SLICE_MISSING are in fields.h. */

static inline bool
text_slice_is_missing(struct text_slice slice)
{
    return slice.at == TEXT_SLICE_MISSING;
}

#endif
