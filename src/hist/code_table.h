/* SPDX-License-Identifier: MIT */
/*
 * code_table.h -- distinct codes of one or two words, each with a count
 *
 * The codes are codes of k-mers (kmer.h).  A table of keys (hist/key_table.h)
 * would take three times the memory for them, and their time.
 *
 * In memory, a code is its words of 64 bits, the high one first; a slot is a
 * code and its count.  Functions take the number of words: where it is known at
 * compile time, code_read() of one word has the constant 0 as high word.
 *
 * Open addressing, with linear probing.  A slot's number grows with the low
 * 32 bits of the hash, so a table grows in one pass over the old slots and the
 * new ones.  One thread at a time uses a table.
 */

#ifndef GPUHIST_CODE_TABLE_H
#define GPUHIST_CODE_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "hist/key_memory.h"
#include "kernels/seq/kmer.h"
#include "kernels/text/hash.h"

#define CODE_WORDS_MAX 2

/* Of a function that is compiled for codes of one word, and of two. */
#define FOR_WORDS static inline __attribute__((always_inline))

struct code_table {
    struct key_memory *memory;
    unsigned int words; /* of a code: 1 or 2 */
    uint64_t *slot;     /* NULL: no slots.  Those with the count 0 are free */
    size_t slots;
    size_t codes;
};

/* ---- codes of one or two WORDS ---- */

/* The words of codes below 2^BITS. */
static inline unsigned int
code_words(unsigned int bits)
{
    return bits > 64 ? 2 : 1;
}

/* The code of one word with the bits LOW. */
static inline struct kmer_code
code_of(uint64_t low)
{
    return (struct kmer_code){0, low};
}

/* The code at AT. */
static inline struct kmer_code
code_read(const uint64_t *at, unsigned int words)
{
    return (struct kmer_code){words > 1 ? at[0] : 0, at[words - 1]};
}

/* Write CODE to AT. */
static inline void
code_write(uint64_t *at, struct kmer_code code, unsigned int words)
{
    at[0] = code.high;
    at[words - 1] = code.low;
}

static inline bool
code_is_same(struct kmer_code a, struct kmer_code b)
{
    return a.low == b.low && a.high == b.high;
}

/* No code is greater. */
#define CODE_LAST ((struct kmer_code){UINT64_MAX, UINT64_MAX})

/* The code after CODE, and the code before it. */
static inline struct kmer_code
code_after(struct kmer_code code)
{
    return (struct kmer_code){code.high + (code.low == UINT64_MAX),
                              code.low + 1};
}

static inline struct kmer_code
code_before(struct kmer_code code)
{
    return (struct kmer_code){code.high - (code.low == 0), code.low - 1};
}

/* The hash of CODE.  All bits of it are good. */
static inline uint64_t
code_hash(const struct hash_key *key, struct kmer_code code, unsigned int words)
{
    uint64_t low =
        hash_mix(code.low ^ key->word[0], key->word[1] ^ HASH_GOLDEN);

    return words > 1 ? hash_mix(code.high ^ low, key->word[0] ^ HASH_EULER)
                     : low;
}

/* ---- slots ---- */

/* The words of a slot. */
static inline size_t
code_slot_words(unsigned int words)
{
    return (size_t)words + 1;
}

/* The bytes of SLOTS slots. */
static inline size_t
code_slots_bytes(size_t slots, unsigned int words)
{
    return slots * code_slot_words(words) * sizeof(uint64_t);
}

/* The code, and the count, of slot I at SLOT. */
static inline struct kmer_code
code_slot_code(const uint64_t *slot, size_t i, unsigned int words)
{
    return code_read(slot + i * code_slot_words(words), words);
}

static inline uint64_t
code_slot_count(const uint64_t *slot, size_t i, unsigned int words)
{
    return slot[i * code_slot_words(words) + words];
}

/* Returns how many of the COUNT sorted slots at SLOT have codes below CODE. */
size_t code_slots_below(const uint64_t *slot, size_t count,
                        struct kmer_code code, unsigned int words);

/* Sort COUNT slots by codes below 2^BITS, without memory. */
void code_slots_sort(uint64_t *slot, size_t count, unsigned int bits,
                     unsigned int words);

/* ---- tables ---- */

/* Open an empty table of codes of so many WORDS.  It allocates nothing yet. */
void code_table_open(struct code_table *table, struct key_memory *memory,
                     unsigned int words);

/* Remove all codes, and keep the slots.  The table may be sorted. */
void code_table_clear(struct code_table *table);

/* Remove all codes, and release the slots. */
void code_table_close(struct code_table *table);

/*
 * Count the COUNT codes at CODE.  Sets *ADDED to the number of codes that are
 * counted: after a failure, only the first codes.
 */
enum key_result code_table_add(struct code_table *table,
                               const struct hash_key *key, const uint64_t *code,
                               size_t count, size_t *added);

/* As code_table_add(), of the codes of COUNT slots at FROM, whose counts, which
   are not 0, are added. */
enum key_result code_table_add_slots(struct code_table *table,
                                     const struct hash_key *key,
                                     const uint64_t *from, size_t count,
                                     size_t *added);

/* Add COUNT, which is not 0, to the count of CODE. */
enum key_result code_table_count(struct code_table *table,
                                 const struct hash_key *key,
                                 struct kmer_code code, uint64_t count);

/*
 * Move the codes, which are below 2^BITS, to the first slots, sorted.  After
 * that, the table can only be read, sorted, restored and closed.  Takes no
 * memory.
 */
void code_table_sort(struct code_table *table, unsigned int bits);

/* Remove all but the first CODES codes of TABLE, which is sorted. */
void code_table_truncate(struct code_table *table, size_t codes);

/*
 * Let codes be added again to TABLE, which is sorted.  Takes as much memory as
 * the table has, until the work is done.  After a failure TABLE is still
 * sorted.
 */
enum key_result code_table_restore(struct code_table *table,
                                   const struct hash_key *key);

#endif
