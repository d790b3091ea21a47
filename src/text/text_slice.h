/* SPDX-License-Identifier: MIT */
/* text_slice.h -- a part of a chunk of text: a field, a key */

#ifndef GPUHIST_TEXT_SLICE_H
#define GPUHIST_TEXT_SLICE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "kernels/text/fields.h"

/* struct text_slice and TEXT_SLICE_MISSING are in fields.h.  For a computed
   field, such as the length of a sequence, a slice has the 64 bits of its
   number; no such number has the bits of the two slices without a value. */

/* The record has no such field. */
#define TEXT_SLICE_NONE ((struct text_slice){TEXT_SLICE_MISSING, 0})

/* A field without a value: the mean quality of an empty sequence. */
#define TEXT_SLICE_EMPTY ((struct text_slice){TEXT_SLICE_MISSING, 1})

/* The record is not of its format: no field has a value. */
#define TEXT_SLICE_INVALID \
    ((struct text_slice){TEXT_SLICE_MISSING, TEXT_SIZE_INVALID})

static inline bool
text_slice_is_missing(struct text_slice slice)
{
    return slice.at == TEXT_SLICE_MISSING;
}

static inline bool
text_slice_is_invalid(struct text_slice slice)
{
    return slice.at == TEXT_SLICE_MISSING && slice.size == TEXT_SIZE_INVALID;
}

/* So many records before a slice is read, its bytes are fetched. */
#define TEXT_SLICE_AHEAD 16

/* Fetch the bytes of SLICE, of the chunk at DATA or missing, into the cache. */
static inline void
text_slice_fetch(const unsigned char *data, struct text_slice slice)
{
    __builtin_prefetch((const void *)((uintptr_t)data + slice.at));
}

/* The slice with BITS, and the bits of SLICE. */
static inline struct text_slice
text_slice_of_bits(uint64_t bits)
{
    struct text_slice slice;

    memcpy(&slice, &bits, sizeof slice);
    return slice;
}

static inline uint64_t
text_slice_bits(struct text_slice slice)
{
    uint64_t bits;

    memcpy(&bits, &slice, sizeof bits);
    return bits;
}

#endif
