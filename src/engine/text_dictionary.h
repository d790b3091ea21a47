/* SPDX-License-Identifier: MIT */
/*
 * text_dictionary.h -- the keys that a device knows
 *
 * The host chooses the keys that a device learns, and their places in the
 * device's table (kernels/text/text_work.h).  Each key has a cell of the
 * device's histogram, in the order of learning.  No key is forgotten, and none
 * moves: other threads may read the keys whose cells they know from a finished
 * checkpoint.
 */

#ifndef GPUHIST_TEXT_DICTIONARY_H
#define GPUHIST_TEXT_DICTIONARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/text/text_work.h"

/* A slot of the device, as the host knows it. */
struct text_known {
    uint32_t cell; /* 0: the slot is free */
    uint32_t tag;  /* the high half of the key's hash */
};

struct text_dictionary {
    /* Constant after text_dictionary_open(). */
    struct hash_key hash_key;
    uint32_t slot_mask;
    uint32_t keys_max;
    size_t arena_bytes;

    struct text_known *known; /* of each slot */
    uint64_t *place;          /* of each key: start in ARENA / 8 << 32 | size */
    unsigned char *arena;     /* the bytes of all keys, as on the device */
    uint32_t keys;
    size_t arena_used;

    /* For the device, each key: never written again, so a copy may start at any
       time. */
    struct text_slot *learned;
    uint32_t sent;     /* keys that the device has ... */
    size_t arena_sent; /* ... and bytes of the arena */
};

/*
 * Open a dictionary without keys.  It has room for KEYS_MAX keys, with
 * ARENA_BYTES for their bytes, a multiple of 8 and at most 2^35.  There are at
 * least four slots for each key.  Returns 0, or -1: out of memory.  The caller
 * calls text_dictionary_close() in both cases.
 */
int text_dictionary_open(struct text_dictionary *dictionary,
                         struct hash_key hash_key, uint32_t keys_max,
                         size_t arena_bytes);

void text_dictionary_close(struct text_dictionary *dictionary);

/* Returns the slots of a dictionary for KEYS_MAX keys: a power of two. */
size_t text_dictionary_slots(uint32_t keys_max);

/* A key to learn. */
struct text_key {
    const unsigned char *bytes;
    uint32_t size;
};

/*
 * Learn each of COUNT keys, unless it is known, or too long, or there is no
 * room for it.  Returns how many are new.  A key with the slot and the tag of
 * another one is taken for that, and not learned: so this looks at no keys but
 * at their hashes.
 */
size_t text_dictionary_learn(struct text_dictionary *dictionary,
                             const struct text_key *key, size_t count);

/* Whether no more keys can be learned, of any size. */
static inline bool
text_dictionary_is_full(const struct text_dictionary *dictionary)
{
    return dictionary->keys == dictionary->keys_max ||
           dictionary->arena_bytes - dictionary->arena_used <
               2 * sizeof(uint64_t);
}

/* The device has the next KEYS, and the arena as it is. */
void text_dictionary_sent(struct text_dictionary *dictionary, uint32_t keys);

/* Returns the bytes of the key that has CELL, and sets *SIZE. */
const unsigned char *
text_dictionary_key(const struct text_dictionary *dictionary, uint32_t cell,
                    uint32_t *size);

#endif
