/* SPDX-License-Identifier: MIT */
/* key_sort.h -- sort keys by their bytes, in memory, with one thread */

#ifndef GPUHIST_KEY_SORT_H
#define GPUHIST_KEY_SORT_H

#include "hist/key_table.h"

/* A key that is sorted. */
struct key_place {
    uint64_t prefix; /* 8 bytes of the key; undefined, once it is sorted */
    const unsigned char *entry;
};

_Static_assert(sizeof(struct key_place) <= KEY_PLACE_BYTES,
               "tables keep less memory than sorting takes");

/* The bytes of a prefix. */
#define KEY_PREFIX_BYTES 8

/* The 8 bytes at BYTES, the first one the most significant. */
static inline uint64_t
key_prefix_load(const unsigned char *bytes)
{
    return (uint64_t)bytes[0] << 56 | (uint64_t)bytes[1] << 48 |
           (uint64_t)bytes[2] << 40 | (uint64_t)bytes[3] << 32 |
           (uint64_t)bytes[4] << 24 | (uint64_t)bytes[5] << 16 |
           (uint64_t)bytes[6] << 8 | (uint64_t)bytes[7];
}

/*
 * Returns the 8 bytes of a key from DEPTH on, which is at most the size of the
 * key; zeros follow the last byte.
 */
static inline uint64_t
key_prefix(const struct key_entry *entry, uint32_t depth)
{
    const unsigned char *bytes = entry->key + depth;
    uint32_t left = entry->size - depth;
    uint64_t prefix = 0;

    if (left >= KEY_PREFIX_BYTES)
        return key_prefix_load(bytes);
    if (left == 0)
        return 0;
    if (entry->size >= KEY_PREFIX_BYTES)
        return key_prefix_load(bytes + left - KEY_PREFIX_BYTES)
               << (8 * (KEY_PREFIX_BYTES - left));
    for (uint32_t i = 0; i < KEY_PREFIX_BYTES; i++)
        prefix = prefix << 8 | (i < left ? bytes[i] : 0);
    return prefix;
}

/*
 * Sort COUNT places.  The keys differ and have the first DEPTH bytes in common;
 * the prefixes start at DEPTH.
 */
void key_sort(struct key_place *place, size_t count, uint32_t depth);

#endif
