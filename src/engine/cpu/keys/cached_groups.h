/* SPDX-License-Identifier: MIT */
/*
 * cached_groups.h -- the groups of one thread, for group_cache.c, group_bins.c
 * and group_settling.c
 */

#ifndef GPUHIST_CACHED_GROUPS_H
#define GPUHIST_CACHED_GROUPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "engine/cpu/keys/frequent_keys.h"
#include "engine/cpu/keys/group_longs.h"
#include "engine/cpu/keys/group_values.h"
#include "hist/key_code.h"
#include "hist/spec.h"
#include "sync/thread_list.h"
#include "text/field_value.h"

/* The longest key, of the most fields. */
#define GROUP_KEY_MAX 255
#define GROUP_FIELDS_MAX 8

/* The groups there is room for first and at most; the bytes of all keys that
   are too long for words. */
#define GROUPS_MIN 256
#define GROUPS_MAX 32768
#define LONG_BYTES_MAX ((size_t)1 << 20)
#define LONG_BYTES_EACH (LONG_BYTES_MAX / GROUPS_MAX)

/* Records that are counted at a time. */
#define GROUP_BATCH 256

/* Instead of the LOW of a long number: it is a nano; it has more digits. */
#define GROUP_LOW_NONE 255
#define GROUP_LOW_LONGER 254

/* A slot is the number of a group plus 1, or 0, below bits of its hash. */
#define GROUP_SLOT 0xffffu

/* Slots for each group: one of so many is taken at most. */
#define GROUP_SLOTS 4

/* A group.  Sum and extremes are those of the numbers in units of 10^-9. */
struct cached_group {
    uint64_t word[HASH_WORDS]; /* of its key: frequent_keys.h */
    uint64_t count;            /* of all numbers; see below */
    int64_t least;
    int64_t greatest;
    union {
        struct {
            uint64_t sum_low; /* not next to COUNT: no vector of both is worth
                                 it */
            uint64_t sum_high;
        };
        /* Where numbers are kept, until cached_groups_end(): the next one's
           place.  Only long numbers are in the figures then. */
        struct value_place place;
    };
};

/* A key: words, bytes, and the product that chooses the slot. */
struct group_key {
    uint64_t word[HASH_WORDS];
    uint64_t product;
    const unsigned char *byte; /* of a long one */
};

struct group_cache {
    struct thread_link link; /* in the list of all */
    const struct spec *spec;
    size_t fields; /* slices of a record; the first GROUPS are the key ... */
    size_t groups; /* 0: all records are one group */
    size_t value;  /* ... and this one is the number */
    bool may_be_written;  /* some field of the key ... */
    bool are_plain;       /* ... but none of this batch */
    unsigned char *joint; /* keys of several fields, of a batch; or NULL */
    size_t joint_used;
    struct key_secret secret;
    uint32_t *slot;             /* GROUP_SLOTS * ROOM */
    unsigned int shift;         /* from a product to a slot */
    struct cached_group *entry; /* ROOM; the first COUNT are groups */
    unsigned char *byte;        /* of all long keys, one after the other */
    uint32_t *at;               /* where the key of a group starts there */
    size_t room;
    size_t count;
    size_t bytes;
    unsigned int pause; /* batches to leave out */

    /* Where percentiles are wanted. */
    bool has_values;
    struct group_values *values; /* of each group; NULL: not wanted */
    struct value_pool pool;
    struct field_text field; /* of the number */
    bool is_full;            /* the pool, or the rows, had no room once */
    unsigned int long_pause; /* batches whose long numbers are not read */
    unsigned int long_tried; /* of the batch before ... */
    unsigned int long_found; /* ... and those that can be counted */

    /* Where only sums and extremes are wanted. */
    bool has_longs;
    struct group_longs *longs; /* of each group; NULL: not wanted */

    struct group_bins *bins; /* group_bins.h; NULL: no bins are wanted */

    struct key_counter *keys; /* of the same thread; NULL: closed */
    /* Of each record: a nano; HIGH and LOW of a long number; or a sum. */
    int64_t nano[GROUP_BATCH];
    uint8_t low[GROUP_BATCH];
    struct decimal_sum sum[GROUP_BATCH];
    struct group_key key[GROUP_BATCH];
    bool has_key[GROUP_BATCH];   /* ... and its number can be counted */
    uint16_t guess[GROUP_BATCH]; /* the number of its group, most likely */
};

static inline uint64_t
group_product(const struct group_cache *cache, const uint64_t word[HASH_WORDS])
{
    return key_words_sum(word, cache->secret.factor);
}

/* The bytes of a long key. */
static inline size_t
group_long_size(const uint64_t word[HASH_WORDS])
{
    return (size_t)(word[0] >> LONG_SIZE_SHIFT);
}

/* The part of a slot that tells groups apart: bits that choose no slot. */
static inline uint32_t
group_tag(uint64_t product)
{
    return (uint32_t)(product >> 16) & ~GROUP_SLOT;
}

static inline bool
group_is_same(const struct group_cache *cache, const struct cached_group *group,
              const struct group_key *key)
{
    if (((group->word[0] ^ key->word[0]) | (group->word[1] ^ key->word[1]) |
         (group->word[2] ^ key->word[2])) != 0)
        return false;
    return !key_words_are_long(key->word) ||
           key_long_is_same(cache->byte + cache->at[group - cache->entry],
                            key->byte, group_long_size(key->word));
}

/* The first slot for the product: the group of KEY is there or in one of the
   next ones, before an empty one. */
static inline size_t
group_slot_of(const struct group_cache *cache, uint64_t product)
{
    return (size_t)(product >> cache->shift);
}

/* Set KEY to that of GROUP of CACHE. */
static inline void
group_key_of(const struct group_cache *cache, const struct cached_group *group,
             struct group_key *key)
{
    memcpy(key->word, group->word, sizeof key->word);
    key->product = group_product(cache, key->word);
    key->byte = cache->byte + cache->at[group - cache->entry];
}

/* Make a group of KEY, which has none.  Returns NULL if there is no room. */
struct cached_group *cached_groups_add(struct group_cache *cache,
                                       const struct group_key *key);

/* Returns the group of KEY, and makes it if there is none; NULL: there is no
   room for it. */
struct cached_group *cached_groups_find(struct group_cache *cache,
                                        const struct group_key *key);

/* Returns the group of key R of the batch, as cached_groups_find(). */
static inline __attribute__((always_inline)) struct cached_group *
cached_groups_take(struct group_cache *cache, size_t r)
{
    struct cached_group *group = &cache->entry[cache->guess[r]];

    return __builtin_expect(group_is_same(cache, group, &cache->key[r]), 1)
               ? group
               : cached_groups_find(cache, &cache->key[r]);
}

/* Returns the group of KEY; NULL: there is none. */
struct cached_group *cached_groups_look_up(const struct group_cache *cache,
                                           const struct group_key *key);

/* Set *KEY to the key of SIZE bytes, at most GROUP_KEY_MAX, at BYTE. */
void group_key_make(const struct group_cache *cache, const unsigned char *byte,
                    uint32_t size, struct group_key *key);

/* The bytes of a key of several fields: of each field but the last one, the
   size and the bytes; of the last one, the bytes.  Before the first key of a
   batch are so many other bytes, which key_words_load() reads. */
#define GROUP_JOINT_START (8 * HASH_WORDS)
#define GROUP_JOINT_BYTES (GROUP_JOINT_START + GROUP_BATCH * GROUP_KEY_MAX)

/*
 * Set the keys of RECORDS, GROUP_BATCH at most, whose fields are at SLICE in
 * the chunk at DATA, and has_key[] to whether they are keys for the cache.
 * Returns whether all are.  MORE records are behind them, in batches.
 */
bool group_keys_load(struct group_cache *cache, const unsigned char *data,
                     const struct text_slice *slice, size_t records,
                     size_t more);

/* The most bytes of a group in the code of a tuple (hist/key_code.h). */
#define GROUP_CODE_ROOM                  \
    (KEY_CODE_TEXT_ROOM(GROUP_KEY_MAX) + \
     GROUP_FIELDS_MAX * KEY_CODE_TEXT_ROOM(0))

/* Write the components of a tuple for GROUP of CACHE at AT, which has
   GROUP_CODE_ROOM.  Returns their end. */
unsigned char *cached_group_put(const struct group_cache *cache,
                                const struct cached_group *group,
                                unsigned char *at);

/* Take memory for ROOM groups, a power of two, instead of what CACHE has.
   Returns false, and leaves CACHE as it is, if there is none. */
bool cached_groups_make_room(struct group_cache *cache, size_t room);

/* Let the groups of CACHE have counts.  If it keeps numbers, no thread may
   count after that until CACHE is emptied, and the other figures of a group
   have yet to be completed. */
void cached_groups_end(struct group_cache *cache);

/* Complete the figures of group E of CACHE, once. */
void cached_group_complete(const struct group_cache *cache, size_t e);

/* Forget the groups of CACHE. */
void cached_groups_empty(struct group_cache *cache);

/* Release what CACHE has of groups. */
void cached_groups_close(struct group_cache *cache);

#endif
