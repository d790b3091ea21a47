/* SPDX-License-Identifier: MIT */
/* key_table.c -- distinct strings of bytes, each with a count */

#include <assert.h>
#include <stdbool.h>

#include "hist/key_table.h"

/* A reference is in units of entries' alignment; a block has many of them. */
#define UNIT_LOG 3
#define UNIT ((size_t)1 << UNIT_LOG)
#define BLOCK_LOG KEY_BLOCK_LOG
#define BLOCK_BYTES KEY_BLOCK_BYTES
#define BLOCK_UNITS_LOG (BLOCK_LOG - UNIT_LOG)
#define BLOCKS_MAX ((size_t)1 << (32 - BLOCK_UNITS_LOG))

/* A longer entry has memory of its own, so that little of a block is lost. */
#define SHARED_ENTRY_MAX (BLOCK_BYTES / 8)

/* The first bytes of a block, so that no entry has reference 0. */
struct block_head {
    size_t used; /* bytes, set when the block is full */
    struct key_slab *slab;
};

#define BLOCK_HEAD ((sizeof(struct block_head) + UNIT - 1) / UNIT * UNIT)

/* Buckets: at first; the slots that are used at most, of FULL_OF. */
#define BUCKETS_MIN 4
#define FULL 4
#define FULL_OF 5

/* Items whose buckets and entries are fetched together. */
#define AHEAD 32

#define NO_BLOCK SIZE_MAX

/* Memory for sorting and writing the keys of a full bucket. */
#define ORDER_BYTES                                                          \
    (BUCKET_SLOTS * (KEY_PLACE_BYTES + KEY_PUT_BYTES) * FULL / FULL_OF + 1 - \
     sizeof(struct key_bucket))

void
key_table_open(struct key_table *table, struct key_memory *memory,
               bool has_sums)
{
    *table = (struct key_table){
        .memory = memory,
        .sum_bytes = key_sum_bytes(has_sums),
        .current = NO_BLOCK,
        .used = BLOCK_BYTES,
    };
}

static void
give_buckets(struct key_table *table)
{
    key_memory_give(table->memory, table->bucket,
                    table->buckets * sizeof *table->bucket);
}

void
key_table_release_slots(struct key_table *table)
{
    give_buckets(table);
    key_memory_unreserve(table->memory, table->buckets * ORDER_BYTES);
    table->bucket = NULL;
    table->buckets = 0;
}

/* ---- blocks ---- */

static struct block_head
read_head(const struct key_table *table, size_t block)
{
    struct block_head head;

    memcpy(&head, table->block[block], sizeof head);
    return head;
}

static size_t
block_used(const struct key_table *table, size_t block)
{
    return block == table->current ? table->used : read_head(table, block).used;
}

/* The memory of a block with USED bytes in use. */
static size_t
block_bytes(size_t used)
{
    return used > BLOCK_BYTES ? used : BLOCK_BYTES;
}

void
key_table_close(struct key_table *table)
{
    key_table_release_slots(table);
    for (size_t b = 0; b < table->blocks; b++) {
        if (table->block[b] == NULL)
            continue;
        size_t bytes = block_bytes(block_used(table, b));
        if (bytes > BLOCK_BYTES)
            key_memory_give(table->memory, table->block[b], bytes);
        else
            key_memory_give_block(table->memory, table->block[b],
                                  read_head(table, b).slab);
    }
    key_memory_give(table->memory, table->block,
                    table->block_room * sizeof *table->block);
    key_table_open(table, table->memory, table->sum_bytes > 0);
}

/* Make room for COUNT more blocks in the list of blocks. */
static enum key_result
reserve_blocks(struct key_table *table, size_t count)
{
    enum key_result result = KEY_OK;
    size_t needed = table->blocks + count;
    size_t room = table->block_room + table->block_room / 2;

    if (needed <= table->block_room)
        return KEY_OK;
    if (needed > BLOCKS_MAX)
        return KEY_LIMIT;
    room = room > needed ? room : needed;
    unsigned char **block =
        key_memory_take(table->memory, room * sizeof *block, &result);
    if (block == NULL)
        return result;
    if (table->blocks > 0)
        memcpy(block, table->block, table->blocks * sizeof *block);
    key_memory_give(table->memory, table->block,
                    table->block_room * sizeof *block);
    table->block = block;
    table->block_room = room;
    return KEY_OK;
}

/*
 * Append a block with USED bytes, or room for short entries.  The references
 * that BYTES beyond one block take point to no block.
 */
static enum key_result
append_block(struct key_table *table, size_t used)
{
    size_t bytes = block_bytes(used);
    size_t count = (bytes + BLOCK_BYTES - 1) >> BLOCK_LOG;
    enum key_result result = reserve_blocks(table, count);

    if (result != KEY_OK)
        return result;
    struct block_head head = {.used = used};
    unsigned char *block =
        bytes > BLOCK_BYTES
            ? key_memory_take(table->memory, bytes, &result)
            : key_memory_take_block(table->memory, &head.slab, &result);
    if (block == NULL)
        return result;
    memcpy(block, &head, sizeof head);
    table->block[table->blocks] = block;
    for (size_t b = 1; b < count; b++)
        table->block[table->blocks + b] = NULL;
    table->blocks += count;
    return KEY_OK;
}

/* Start a block for short entries. */
static enum key_result
start_block(struct key_table *table)
{
    size_t block = table->blocks;
    enum key_result result = append_block(table, BLOCK_HEAD);

    if (result != KEY_OK)
        return result;
    if (table->current != NO_BLOCK)
        memcpy(table->block[table->current], &table->used, sizeof table->used);
    table->current = block;
    table->used = BLOCK_HEAD;
    return KEY_OK;
}

/* Set REFERENCE to a new entry, which has BYTES with its sum. */
static enum key_result
place_entry(struct key_table *table, size_t bytes, uint32_t *reference)
{
    enum key_result result = KEY_OK;

    bytes = (bytes + UNIT - 1) & ~(UNIT - 1);
    if (bytes > SHARED_ENTRY_MAX) {
        *reference = (uint32_t)(table->blocks << BLOCK_UNITS_LOG |
                                (BLOCK_HEAD + table->sum_bytes) >> UNIT_LOG);
        return append_block(table, BLOCK_HEAD + bytes);
    }
    if (bytes > BLOCK_BYTES - table->used)
        result = start_block(table);
    if (result != KEY_OK)
        return result;
    *reference = (uint32_t)(table->current << BLOCK_UNITS_LOG |
                            (table->used + table->sum_bytes) >> UNIT_LOG);
    table->used += bytes;
    return KEY_OK;
}

/* ---- entries ---- */

static inline unsigned char *
entry_at(const struct key_table *table, uint32_t reference)
{
    size_t unit = reference & (((uint32_t)1 << BLOCK_UNITS_LOG) - 1);

    return table->block[reference >> BLOCK_UNITS_LOG] + (unit << UNIT_LOG);
}

/* The bytes before the key of an entry. */
static size_t
head_bytes(uint32_t size)
{
    size_t bytes = KEY_ENTRY_SIZE_AT + 1;

    for (; size > 127; size >>= 7)
        bytes++;
    return bytes;
}

static inline bool
has_key(const unsigned char *entry, const unsigned char *key, uint32_t size)
{
    struct key_entry read = key_entry_read(entry);

    return read.size == size && (size == 0 || memcmp(read.key, key, size) == 0);
}

const unsigned char *
key_table_next(const struct key_table *table, struct key_cursor *cursor)
{
    for (; cursor->block < table->blocks; cursor->block++, cursor->at = 0) {
        const unsigned char *block = table->block[cursor->block];
        if (block == NULL)
            continue;
        if (cursor->at == 0)
            cursor->at = BLOCK_HEAD;
        if (cursor->at == block_used(table, cursor->block))
            continue;
        const unsigned char *entry = block + cursor->at + table->sum_bytes;
        uint32_t size = key_entry_read(entry).size;
        size_t bytes = table->sum_bytes + head_bytes(size) + size;
        cursor->at += (bytes + UNIT - 1) & ~(UNIT - 1);
        return entry;
    }
    return NULL;
}

/* ---- buckets ---- */

/* The first bucket for TAG. */
static inline size_t
home_of(const struct key_table *table, uint32_t tag)
{
    return (size_t)((uint64_t)tag * table->buckets >> 32);
}

static inline size_t
bucket_after(const struct key_table *table, size_t bucket)
{
    return bucket + 1 < table->buckets ? bucket + 1 : 0;
}

/* The number of used slots, without a branch. */
static inline size_t
used_slots(const struct key_bucket *bucket)
{
    uint32_t used = 0;

    for (size_t s = 0; s < BUCKET_SLOTS; s++)
        used += bucket->reference[s] != 0;
    return used;
}

/* Put a key that the table does not have into a free slot, from B on. */
static inline void
put_slot(struct key_table *table, size_t b, uint32_t tag, uint32_t reference)
{
    size_t used;

    while ((used = used_slots(&table->bucket[b])) == BUCKET_SLOTS)
        b = bucket_after(table, b);
    table->bucket[b].tag[used] = tag;
    table->bucket[b].reference[used] = reference;
}

/* Make more slots. */
static enum key_result
grow(struct key_table *table)
{
    enum key_result result = KEY_OK;
    struct key_table grown = *table;

    grown.buckets = table->buckets + (table->buckets + 1) / 2;
    grown.buckets = grown.buckets > BUCKETS_MIN ? grown.buckets : BUCKETS_MIN;
    size_t bytes = grown.buckets * sizeof *grown.bucket;
    size_t more = (grown.buckets - table->buckets) * ORDER_BYTES;
    if (!key_memory_reserve(table->memory, more))
        return KEY_LIMIT;
    grown.bucket = key_memory_take_zeros(table->memory, bytes, &result);
    if (grown.bucket == NULL) {
        key_memory_unreserve(table->memory, more);
        return result;
    }
    for (size_t b = 0; b < table->buckets; b++) {
        const struct key_bucket *bucket = &table->bucket[b];
        for (size_t s = 0; s < BUCKET_SLOTS && bucket->reference[s] != 0; s++)
            put_slot(&grown, home_of(&grown, bucket->tag[s]), bucket->tag[s],
                     bucket->reference[s]);
    }
    give_buckets(table);
    *table = grown;
    return KEY_OK;
}

/*
 * Returns the entry of a key, or NULL: then *BUCKET is the one to put it into.
 * The table has buckets.
 */
static inline unsigned char *
find(const struct key_table *table, uint32_t tag, const unsigned char *key,
     uint32_t size, size_t *bucket)
{
    for (size_t b = home_of(table, tag);; b = bucket_after(table, b)) {
        const struct key_bucket *at = &table->bucket[b];
        size_t used = used_slots(at);
        bool has_tag = false;
        for (size_t s = 0; s < BUCKET_SLOTS; s++)
            has_tag |= at->tag[s] == tag;
        for (size_t s = 0; has_tag && s < used; s++) {
            if (at->tag[s] != tag)
                continue;
            unsigned char *entry = entry_at(table, at->reference[s]);
            if (has_key(entry, key, size))
                return entry;
        }
        if (used < BUCKET_SLOTS) {
            *bucket = b;
            return NULL;
        }
    }
}

/*
 * Returns the only reference that may have TAG; 0 if no reference has TAG, or
 * if several references may have it.  No branch depends on the slot.
 */
static inline uint32_t
guess(const struct key_bucket *bucket, uint32_t tag)
{
    uint32_t reference = 0;
    uint32_t found = 0;

    for (size_t s = 0; s < BUCKET_SLOTS; s++) {
        uint32_t mask = bucket->tag[s] == tag ? UINT32_MAX : 0;
        reference |= bucket->reference[s] & mask;
        found -= mask;
    }
    return found == 1 ? reference : 0;
}

/* Set ENTRY to a new entry, whose slot is in BUCKET if there is room. */
static enum key_result
append(struct key_table *table, size_t bucket, uint32_t tag,
       const unsigned char *key, uint32_t size, uint64_t count,
       unsigned char **entry)
{
    uint32_t reference;
    enum key_result result = KEY_OK;

    if (table->keys >= table->buckets * BUCKET_SLOTS / FULL_OF * FULL) {
        result = grow(table);
        bucket = home_of(table, tag);
    }
    if (result == KEY_OK)
        result = place_entry(table, table->sum_bytes + head_bytes(size) + size,
                             &reference);
    if (result != KEY_OK)
        return result;
    *entry = entry_at(table, reference);
    memset(*entry - table->sum_bytes, 0, table->sum_bytes);
    key_entry_write(*entry, key, size, count);
    put_slot(table, bucket, tag, reference);
    table->keys++;
    return KEY_OK;
}

static enum key_result
add(struct key_table *table, uint32_t tag, const unsigned char *key,
    uint32_t size, uint64_t count, unsigned char **entry)
{
    size_t bucket = 0;

    assert(size <= KEY_BYTES_MAX);
    *entry = table->buckets > 0 ? find(table, tag, key, size, &bucket) : NULL;
    if (*entry == NULL)
        return append(table, bucket, tag, key, size, count, entry);
    key_entry_count(*entry, count);
    return KEY_OK;
}

enum key_result
key_table_add(struct key_table *table, uint64_t hash, const unsigned char *key,
              uint32_t size, uint64_t count)
{
    unsigned char *entry;

    return add(table, (uint32_t)hash, key, size, count, &entry);
}

enum key_result
key_table_append(struct key_table *table, const unsigned char *key,
                 uint32_t size, uint64_t count)
{
    uint32_t reference;
    enum key_result result =
        place_entry(table, head_bytes(size) + size, &reference);

    assert(table->buckets == 0 && table->sum_bytes == 0 &&
           size < SHARED_ENTRY_MAX / 2);
    if (result != KEY_OK)
        return result;
    key_entry_write(entry_at(table, reference), key, size, count);
    table->keys++;
    return KEY_OK;
}

/* Fetch the buckets of items, then the likely entries. */
static void
fetch(const struct key_table *table, struct key_item *item, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (item[i].key == NULL)
            __builtin_prefetch(item[i].entry, 1);
        else if (table->buckets > 0)
            __builtin_prefetch(
                &table->bucket[home_of(table, (uint32_t)item[i].hash)]);
    }
    for (size_t i = 0; i < count; i++) {
        uint32_t tag = (uint32_t)item[i].hash;
        if (item[i].key == NULL)
            continue;
        item[i].entry = NULL;
        if (table->buckets == 0)
            continue;
        size_t home = home_of(table, tag);
        uint32_t reference = guess(&table->bucket[home], tag);
        if (reference == 0) {
            /* A key that is not in a full bucket may be in the next one. */
            if (table->bucket[home].reference[BUCKET_SLOTS - 1] != 0)
                __builtin_prefetch(&table->bucket[bucket_after(table, home)]);
            continue;
        }
        item[i].entry = entry_at(table, reference);
        __builtin_prefetch(item[i].entry, 1);
    }
}

/* As key_table_add_items(). */
static inline __attribute__((always_inline)) enum key_result
add_items(struct key_table *table, struct key_item *item, size_t count,
          const struct key_weights *weights, const bool are_counts,
          size_t *added)
{
    enum key_result result = KEY_OK;

    for (*added = 0; *added < count;) {
        struct key_item *next = item + *added;
        size_t some = count - *added < AHEAD ? count - *added : AHEAD;
        fetch(table, next, some);
        for (size_t i = 0; i < some; i++) {
            unsigned char *entry = next[i].entry;
            uint64_t times = are_counts ? key_weights_count(weights, *added + i)
                                        : next[i].count;
            if (next[i].key == NULL ||
                (entry != NULL && has_key(entry, next[i].key, next[i].size)))
                key_entry_count(entry, times);
            else
                result = add(table, (uint32_t)next[i].hash, next[i].key,
                             next[i].size, times, &next[i].entry);
            if (result != KEY_OK) {
                *added += i;
                return result;
            }
            if (weights != NULL && !are_counts) {
                struct decimal_sum weight =
                    key_weight_read(weights, *added + i);
                key_entry_weigh(next[i].entry, &weight);
            }
        }
        *added += some;
    }
    return KEY_OK;
}

enum key_result
key_table_add_items(struct key_table *table, struct key_item *item,
                    size_t count, const struct key_weights *weights,
                    size_t *added)
{
    /* Without weights, the loop has no trace of them. */
    if (weights == NULL)
        return add_items(table, item, count, NULL, false, added);
    return weights->are_counts
               ? add_items(table, item, count, weights, true, added)
               : add_items(table, item, count, weights, false, added);
}
