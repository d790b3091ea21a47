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
 * item whose KEY is NULL adds to its ENTRY.  After a failure only the first
 * items are added.
 */
enum key_result key_table_add_items(struct key_table *table,
                                    struct key_item *item, size_t count);

/* Release the slots: nothing can be added afterwards. */
void key_table_release_slots(struct key_table *table);

/* Returns the next entry in the order in which they were added, or NULL. */
const unsigned char *key_table_next(const struct key_table *table,
                                    struct key_cursor *cursor);

/* ---- entries ---- */

/* Where the size of an entry begins. */
#define KEY_ENTRY_SIZE_AT sizeof(uint64_t)

/* What ENTRY says.  The size has 7 bits in each byte, the lowest ones first. */
static inline struct key_entry
key_entry_read(const unsigned char *entry)
{
    struct key_entry read;
    const unsigned char *at = entry + KEY_ENTRY_SIZE_AT;

    memcpy(&read.count, entry, sizeof read.count);
    read.size = *at & 127;
    for (unsigned int shift = 7; *at++ > 127; shift += 7)
        read.size |= (uint32_t)(*at & 127) << shift;
    read.key = at;
    return read;
}

#endif
