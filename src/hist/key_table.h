/*
 * key_table.h -- distinct strings of bytes, each with a count
 *
 * A key has 0 to 2^31 - 1 bytes of any value.  It is stored once, as an entry:
 * its count, its size, its bytes.  Entries lie one after the other in blocks
 * and never move, so a pointer to an entry is valid until the table is closed.
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

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "hist/key_memory.h"

/* The longest key. */
#define KEY_BYTES_MAX INT32_MAX

/* Slots of a bucket.  They fill in their order. */
#define BUCKET_SLOTS 8

/* The entries of a table are in blocks of this size; the log of it. */
#define KEY_BLOCK_LOG 16

/* What key_order.h takes for a key. */
#define KEY_PLACE_BYTES 16

struct key_bucket {
    uint32_t tag[BUCKET_SLOTS];
    uint32_t reference[BUCKET_SLOTS]; /* 0: free */
};

struct key_table {
    struct key_memory *memory;
    struct key_bucket *bucket;
    size_t buckets;        /* 0: none yet, or released */
    size_t keys;           /* in the table */
    unsigned char **block; /* or NULL, within an entry longer than a block */
    size_t blocks;         /* of BLOCK that are used */
    size_t block_room;
    size_t current; /* the block that gets the next short entry */
    size_t used;    /* bytes of it; BLOCK_BYTES: there is none */
};

/* What is added to a table. */
struct key_item {
    uint64_t hash;
    const unsigned char *key;
    uint32_t size;
    uint32_t count;
    unsigned char *entry; /* of the key; set already if KEY is NULL */
};

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

/* Open an empty table.  It allocates nothing yet. */
void key_table_open(struct key_table *table, struct key_memory *memory);

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
 * Add COUNT items, and set their ENTRY: faster than one after the other.  An
 * item whose KEY is NULL adds to its ENTRY.  Sets *ADDED to the number of items
 * that are added, the first ones: after a failure, less than COUNT.
 */
enum key_result key_table_add_items(struct key_table *table,
                                    struct key_item *item, size_t count,
                                    size_t *added);

/*
 * Release the slots, and the memory that is kept for key_order.h: nothing can
 * be added afterwards.
 */
void key_table_release_slots(struct key_table *table);

/* Returns the next entry in the order in which they were added, or NULL. */
const unsigned char *key_table_next(const struct key_table *table,
                                    struct key_cursor *cursor);

/* ---- entries ---- */

/* Where the size of an entry begins. */
#define KEY_ENTRY_SIZE_AT sizeof(uint64_t)

/*
 * The key of ENTRY, with the count 0: other threads may add to the count now.
 * The size has 7 bits in each byte, the lowest ones first.
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

/* What ENTRY says. */
static inline struct key_entry
key_entry_read(const unsigned char *entry)
{
    struct key_entry read = key_entry_key(entry);

    memcpy(&read.count, entry, sizeof read.count);
    return read;
}

/* Returns the bytes of ENTRY, from its start to the end of its key. */
static inline size_t
key_entry_bytes(const unsigned char *entry)
{
    struct key_entry read = key_entry_key(entry);

    return (size_t)(read.key - entry) + read.size;
}

/*
 * The amount of an entry is what stands before its size: all that counting adds
 * to.  It needs no alignment.
 */
#define KEY_AMOUNT_BYTES KEY_ENTRY_SIZE_AT

/* Add the amount at FROM to that at TO. */
static inline void
key_amount_add(unsigned char *to, const unsigned char *from)
{
    uint64_t sum;
    uint64_t more;

    memcpy(&sum, to, sizeof sum);
    memcpy(&more, from, sizeof more);
    sum += more;
    memcpy(to, &sum, sizeof sum);
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
