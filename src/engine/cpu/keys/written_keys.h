/* SPDX-License-Identifier: MIT */
/*
 * written_keys.h -- the keys of a field that are not the bytes of a slice
 *
 * The values are written one after the other, and counted together: a call of
 * key_counter_add() for few keys is slow.
 */

#ifndef GPUHIST_WRITTEN_KEYS_H
#define GPUHIST_WRITTEN_KEYS_H

#include "engine/cpu/keys/key_counter.h"
#include "text/field_value.h"

/* They fit into the second-level cache. */
#define WRITTEN_KEYS_MAX 8192
#define WRITTEN_KEYS_ROOM ((size_t)128 << 10)
#define WRITTEN_KEYS_BYTES \
    (WRITTEN_KEYS_ROOM + WRITTEN_KEYS_MAX * sizeof(struct text_slice))
#define WRITTEN_KEYS_WEIGHT_BYTES \
    (WRITTEN_KEYS_MAX * (sizeof(int64_t) + sizeof(struct decimal_sum)))

/* All 0: no keys, no memory. */
struct written_keys {
    unsigned char *data; /* USED of ROOM bytes */
    size_t used;
    size_t room;            /* WRITTEN_KEYS_ROOM, or more for one long key */
    struct text_slice *key; /* COUNT of them, in DATA */
    size_t count;

    /* With weights: those of the keys. */
    int64_t *weight;
    struct decimal_sum *wide; /* WIDE_COUNT of them */
    size_t wide_count;
    bool are_counts; /* the weights: as in struct key_weights */
};

/*
 * Add the first MOST bytes of the value of SLICE, for which
 * field_value_is_written(), a field or PART of one; with the first of WEIGHTS,
 * unless this is NULL.  Counts with COUNTER when there is no room.
 */
enum key_result written_keys_add(struct written_keys *keys,
                                 const struct text_format *format,
                                 binning_u32 part, const unsigned char *data,
                                 struct text_slice slice, uint32_t most,
                                 const struct key_weights *weights,
                                 struct key_counter *counter);

/* Count all keys with COUNTER. */
enum key_result written_keys_count(struct written_keys *keys,
                                   struct key_counter *counter);

void written_keys_close(struct written_keys *keys);

#endif
