/* SPDX-License-Identifier: MIT */
/*
 * key_table.h -- distinct strings of bytes, each with a count
 *
 * A key has 0 to 2^31 - 1 bytes of any value.  It is stored once, as an entry:
 * its count, its size, its bytes.  Entries lie one after the other in blocks
 * and never move, so a pointer to an entry is valid until the table is closed.
 *
 * All entries of a table, and of the runs that it is written to, have a sum of
 * weights, or none has.  It stands before the count, where an entry's pointer
 * points to: who needs no sums need not know.
 *
 * Slots find the entries: open addressing in buckets of 8 slots, a cache line.
 * A slot has 32 bits of the hash, the tag, and a reference of 32 bits, in units
 * of 8 bytes.  The number of the bucket grows with the tag.  So a table grows
 * in one pass over its old buckets and the new ones, which reads no entry.
 *
 * The memory that key_order.h takes for each key counts as used from the start,
 * so the keys can always be sorted once the slots are released.
 *
 * One thread at a time uses a table.
 */

#ifndef GPUHIST_KEY_TABLE_H
#define GPUHIST_KEY_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/decimal_sum.h"
#include "hist/key_memory.h"

/* The longest key. */
#define KEY_BYTES_MAX INT32_MAX

/* Slots of a bucket, which fill in order. */
#define BUCKET_SLOTS 8

/* What key_order.h takes for a key. */
#define KEY_PLACE_BYTES 16

/* Memory for each key that threads write to a run (key_run.h). */
#define KEY_PUT_BYTES 2

struct key_bucket {
    uint32_t tag[BUCKET_SLOTS];
    uint32_t reference[BUCKET_SLOTS]; /* 0: free */
};

struct key_table {
    struct key_memory *memory;
    size_t sum_bytes; /* of each entry: key_sum_bytes() */
    struct key_bucket *bucket;
    size_t buckets;        /* 0: none yet, or released */
    size_t keys;           /* in the table */
    unsigned char **block; /* or NULL, within an entry longer than a block */
    size_t blocks;         /* of BLOCK that are used */
    size_t block_room;
    size_t current; /* the block that gets the next short entry */
    size_t used;    /* bytes of the block; BLOCK_BYTES: no block yet */
};

/* An addition to a table. */
struct key_item {
    uint64_t hash;
    const unsigned char *key;
    uint32_t size;
    uint32_t count;
    unsigned char *entry; /* of the key; set already if KEY is NULL */
};

/*
 * The weights of items: item i adds weight[i] to the sum.  A weight that is a
 * nano (decimal_sum.h) stands for itself; any other weight is WIDE[weight -
 * INT64_MIN].  If ARE_COUNTS, entries have no sums, and item i counts weight[i]
 * times, the bits of a uint64_t.
 */
struct key_weights {
    const int64_t *weight;
    const struct decimal_sum *wide;
    bool are_counts;
};

/* Whether WEIGHTS, which may be NULL, are for sums. */
static inline bool
key_weights_have_sums(const struct key_weights *weights)
{
    return weights != NULL && !weights->are_counts;
}

/* Returns how often item I of WEIGHTS, which may be NULL, counts. */
static inline uint64_t
key_weights_count(const struct key_weights *weights, size_t i)
{
    return weights != NULL && weights->are_counts ? (uint64_t)weights->weight[i]
                                                  : 1;
}

/* Returns the weight that stands for wide sum NUMBER, which is below 2^62. */
static inline int64_t
key_weight_of_wide(size_t number)
{
    return INT64_MIN + (int64_t)number;
}

/* Returns weight I of WEIGHTS. */
static inline struct decimal_sum
key_weight_read(const struct key_weights *weights, size_t i)
{
    int64_t weight = weights->weight[i];

    return decimal_is_nano(weight) ? decimal_sum_of_nano(weight)
                                   : weights->wide[weight - INT64_MIN];
}

/* What an entry says. */
struct key_entry {
    uint64_t count;
    const unsigned char *key;
    uint32_t size;
};

/* A place between two entries: first all members are 0. */
struct key_cursor {
    size_t block;
    size_t at;
};

/* Open an empty table, with or without sums.  It allocates nothing yet. */
void key_table_open(struct key_table *table, struct key_memory *memory,
                    bool has_sums);

void key_table_close(struct key_table *table);

/*
 * Add COUNT to the count of a key.  The high bits of HASH may be the same for
 * all keys of a table; the low 32 bits choose the slot.  After a failure the
 * table is as it was.
 */
enum key_result key_table_add(struct key_table *table, uint64_t hash,
                              const unsigned char *key, uint32_t size,
                              uint64_t count);

/*
 * Add COUNT items, and set their ENTRY: faster than one item after the other.
 * An item whose KEY is NULL adds to its ENTRY.  WEIGHTS has the weights of the
 * items if the table has sums, or counts instead of the counts of the items;
 * else WEIGHTS is NULL.  Sets *ADDED to the number of added items: after a
 * failure, only the first items are added.
 */
enum key_result key_table_add_items(struct key_table *table,
                                    struct key_item *item, size_t count,
                                    const struct key_weights *weights,
                                    size_t *added);

/*
 * Append a key of less than a block / 8 that the table does not have, with
 * COUNT.  Tables with slots, or sums, do not allow this; key_table_next()
 * returns the keys in the order of appending.
 */
enum key_result key_table_append(struct key_table *table,
                                 const unsigned char *key, uint32_t size,
                                 uint64_t count);

/*
 * Release the slots, and the memory that is kept for key_order.h and key_run.h:
 * nothing can be added afterwards.
 */
void key_table_release_slots(struct key_table *table);

/* Returns the next entry in the order of adding, or NULL. */
const unsigned char *key_table_next(const struct key_table *table,
                                    struct key_cursor *cursor);

/* ---- entries ---- */

/* Where the size of an entry starts. */
#define KEY_ENTRY_SIZE_AT sizeof(uint64_t)

/* The most bytes of an entry before its key. */
#define KEY_ENTRY_HEAD_MAX (KEY_ENTRY_SIZE_AT + 5)

/*
 * Write the entry of the SIZE bytes at KEY, with COUNT, to ENTRY.  Returns its
 * end.  The size has 7 bits in each byte, the lowest ones first.
 */
static inline unsigned char *
key_entry_write(unsigned char *entry, const unsigned char *key, uint32_t size,
                uint64_t count)
{
    unsigned char *at = entry + KEY_ENTRY_SIZE_AT;
    uint32_t left = size;

    memcpy(entry, &count, sizeof count);
    for (; left > 127; left >>= 7)
        *at++ = (unsigned char)(left | 128);
    *at++ = (unsigned char)left;
    if (size > 0)
        memcpy(at, key, size);
    return at + size;
}

/*
 * The key of ENTRY, with the count 0: other threads may add to the count now.
 */
static inline struct key_entry
key_entry_key(const unsigned char *entry)
{
    struct key_entry read;
    const unsigned char *at = entry + KEY_ENTRY_SIZE_AT;

    read.count = 0;
    read.size = *at & 127;
    for (unsigned int shift = 7; *at++ > 127; shift += 7)
        read.size |= (uint32_t)(*at & 127) << shift;
    read.key = at;
    return read;
}

/* Returns the count of ENTRY. */
static inline uint64_t
key_entry_count_of(const unsigned char *entry)
{
    uint64_t count;

    memcpy(&count, entry, sizeof count);
    return count;
}

/* What ENTRY says. */
static inline struct key_entry
key_entry_read(const unsigned char *entry)
{
    struct key_entry read = key_entry_key(entry);

    read.count = key_entry_count_of(entry);
    return read;
}

/* Returns the bytes of ENTRY, from the start to the end of the key. */
static inline size_t
key_entry_bytes(const unsigned char *entry)
{
    struct key_entry read = key_entry_key(entry);

    return (size_t)(read.key - entry) + read.size;
}

/* ---- amounts: all that counting adds to ---- */

struct key_amount {
    uint64_t count;
    struct decimal_sum sum; /* of an entry with a sum */
};

/* The bytes of an entry before its count. */
static inline size_t
key_sum_bytes(bool has_sums)
{
    return has_sums ? DECIMAL_SUM_BYTES : 0;
}

/* Returns the sum of ENTRY, which has a sum, at any alignment. */
static inline struct decimal_sum
key_entry_sum(const unsigned char *entry)
{
    struct decimal_sum sum;

    memcpy(&sum, entry - DECIMAL_SUM_BYTES, sizeof sum);
    return sum;
}

/* Add WEIGHT to the sum of ENTRY, which has a sum. */
static inline void
key_entry_weigh(unsigned char *entry, const struct decimal_sum *weight)
{
    struct decimal_sum sum = key_entry_sum(entry);

    decimal_sum_add(&sum, weight);
    memcpy(entry - DECIMAL_SUM_BYTES, &sum, sizeof sum);
}

/* Returns the amount of ENTRY, whose sum has SUM_BYTES, as key_sum_bytes(). */
static inline struct key_amount
key_entry_amount(const unsigned char *entry, size_t sum_bytes)
{
    struct key_amount amount = {0};

    memcpy(&amount.count, entry, sizeof amount.count);
    if (sum_bytes > 0)
        amount.sum = key_entry_sum(entry);
    return amount;
}

/* Add MORE to AMOUNT. */
static inline void
key_amount_add(struct key_amount *amount, const struct key_amount *more)
{
    amount->count += more->count;
    decimal_sum_add(&amount->sum, &more->sum);
}

/* Add COUNT to the amount of ENTRY. */
static inline void
key_entry_count(unsigned char *entry, uint64_t count)
{
    uint64_t sum;

    memcpy(&sum, entry, sizeof sum);
    sum += count;
    memcpy(entry, &sum, sizeof sum);
}

/* Returns less than 0, 0, or more, as the key of A is before, is, or is after
   that of B: the order of `LC_ALL=C sort`. */
static inline int
key_entry_compare(const struct key_entry *a, const struct key_entry *b)
{
    uint32_t size = a->size < b->size ? a->size : b->size;
    int sign = size > 0 ? memcmp(a->key, b->key, size) : 0;

    return sign != 0 ? sign : (a->size > b->size) - (a->size < b->size);
}

#endif
