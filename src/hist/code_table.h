/*
 * code_table.h -- distinct codes of 64 bits, each with a count
 *
 * The codes are codes of k-mers (kmer.h).  A table of keys (hist/key_table.h)
 * would take three times the memory for them, and their time.
 *
 * Open addressing, with linear probing.  A slot's number grows with the low
 * 32 bits of the hash, so a table grows in one pass over the old slots and the
 * new ones.  One thread at a time uses a table.
 */

#ifndef GPUHIST_CODE_TABLE_H
#define GPUHIST_CODE_TABLE_H

#include <stdint.h>

#include "hist/key_memory.h"
#include "kernels/text/hash.h"

struct code_slot {
    uint64_t code;
    uint64_t count; /* 0: free */
};

struct code_table {
    struct key_memory *memory;
    struct code_slot *slot; /* NULL: no slots */
    size_t slots;
    size_t codes;
};

/* The hash of CODE.  All bits of it are good. */
static inline uint64_t
code_hash(const struct hash_key *key, uint64_t code)
{
    return hash_mix(code ^ key->word[0], key->word[1] ^ HASH_GOLDEN);
}

/* Open an empty table.  It allocates nothing yet. */
void code_table_open(struct code_table *table, struct key_memory *memory);

/* Remove all codes, and release the slots. */
void code_table_close(struct code_table *table);

/*
 * Count the COUNT codes at CODE.  Sets *ADDED to the number of codes that are
 * counted: after a failure, only the first codes.
 */
enum key_result code_table_add(struct code_table *table,
                               const struct hash_key *key, const uint64_t *code,
                               size_t count, size_t *added);

/* Add COUNT, which is not 0, to the count of CODE. */
enum key_result code_table_count(struct code_table *table,
                                 const struct hash_key *key, uint64_t code,
                                 uint64_t count);

/*
 * Move the codes, which are below 2^BITS, to the first slots, sorted.  After
 * that, the table can only be read, sorted, restored and closed.  Takes no
 * memory.
 */
void code_table_sort(struct code_table *table, unsigned int bits);

/*
 * Let codes be added again to TABLE, which is sorted.  Takes as much memory as
 * the table has, until the work is done.  After a failure TABLE is still
 * sorted.
 */
enum key_result code_table_restore(struct code_table *table,
                                   const struct hash_key *key);

/* Sort COUNT slots by codes below 2^BITS, without memory. */
void code_slots_sort(struct code_slot *slot, size_t count, unsigned int bits);

#endif
