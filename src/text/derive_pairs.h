/* SPDX-License-Identifier: MIT */
/* derive_pairs.h -- the members of a record, each name once */

#ifndef GPUHIST_DERIVE_PAIRS_H
#define GPUHIST_DERIVE_PAIRS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "text/text_format.h"
#include "text/text_slice.h"

/* A member of a record, and the text of its name. */
struct derive_pair {
    struct text_slice name;
    struct text_slice value;
    const unsigned char *text; /* SIZE bytes, without quotes and escapes */
    uint32_t size;
    uint32_t place; /* among the members of the record */
};

/* The places of a name and of a value among the slices of a pair. */
enum {
    DERIVE_PAIR_NAME,
    DERIVE_PAIR_VALUE,
    DERIVE_PAIR_SLICES,
};

/* All 0: none. */
struct derive_pairs {
    struct derive_pair *pair; /* COUNT of them, owned */
    size_t count;
    size_t pair_room;
    unsigned char *text; /* of names with escapes; TEXT_ROOM bytes, owned */
    size_t text_room;
    const unsigned char *data; /* of the record ... */
    struct text_slice slice;   /* ... which is here */
};

/*
 * Set PAIRS to the members of the record of FORMAT at SLICE of the data: an
 * object of JSON, or a line of logfmt, which are right.  Of several members
 * with one name, the last one is a pair.  Returns 0, or -1: out of memory.
 */
int derive_pairs_find(struct derive_pairs *pairs,
                      const struct text_format *format,
                      const unsigned char *data, struct text_slice slice);

/* Whether PAIRS are the members of the record at SLICE of the data, if that is
   still the record they were found in. */
bool derive_pairs_are_of(const struct derive_pairs *pairs,
                         const unsigned char *data, struct text_slice slice);

void derive_pairs_close(struct derive_pairs *pairs);

#endif
