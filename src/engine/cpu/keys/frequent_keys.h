/* SPDX-License-Identifier: MIT */
/*
 * frequent_keys.h -- the cache of frequent keys of one thread
 *
 * Sets of two ways, a cache line each.  A way has the words of a key
 * (key_words_make()) and its tally.  Beside the sets are the key's entry in the
 * tables and, with weights, the sum of the weights.  The cache is small first,
 * so that few keys stay in the nearest processor cache.  It grows while
 * frequent keys have no room, and becomes small again where growing does not
 * help.
 *
 * The set of a key is the high bits of a sum of products of its words.
 * Doubling the sets divides each set in two, so the keys that move have room.
 * Which words collide depends on random factors.  Keys in the cache are
 * compared whole; a key without room is counted in the tables.
 */

#ifndef GPUHIST_FREQUENT_KEYS_H
#define GPUHIST_FREQUENT_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "hist/key_memory.h"
#include "kernels/text/hash.h"

/* ---- words ---- */

/*
 * The words of a short key in the cache are those of hash.h.  The words of a
 * longer key are the mark with the size, a hash, and 0; the entry has the
 * bytes.
 */
#define LONG_MARK 255
#define LONG_SIZE_SHIFT 8

/* The words that a longer key is read as, unless it has more bytes: three at
   each end, and two in the middle. */
#define LONG_WORDS 8

#define ZEROS_8 0, 0, 0, 0, 0, 0, 0, 0
#define ONES_8 255, 255, 255, 255, 255, 255, 255, 255

/* The mask for a key of N bytes starts at byte N: its last N bytes are ones. */
static const unsigned char key_words_window[] = {ZEROS_8, ZEROS_8, ZEROS_8,
                                                 ONES_8,  ONES_8,  ONES_8};

/* What is random in the words and in the sums of words of a cache. */
struct key_secret {
    struct hash_key hash_key;
    uint64_t factor[LONG_WORDS]; /* odd */
};

static inline void
key_secret_make(struct key_secret *secret, const struct hash_key *key)
{
    uint64_t *factor = secret->factor;

    secret->hash_key = *key;
    factor[0] = (key->word[0] ^ HASH_GOLDEN) | 1;
    factor[1] = key->word[0] | 1;
    factor[2] = key->word[1] | 1;
    for (size_t f = HASH_WORDS; f < LONG_WORDS; f++)
        factor[f] = hash_mix(factor[f - HASH_WORDS], HASH_EULER) | 1;
}

/*
 * Returns the hash of a key of SIZE bytes that is not short.  Most of these
 * have up to LONG_WORDS words: products of pairs of words, without a loop whose
 * end the processor cannot guess.  The products are mixed: the low bits of a
 * plain one do not depend on the high bits of its word.
 */
static inline uint64_t
key_long_hash(const struct key_secret *secret, const unsigned char *key,
              size_t size)
{
    const uint64_t *factor = secret->factor;
    const unsigned char *middle = key + size / 2;
    const unsigned char *end = key + size;

    if (size > LONG_WORDS * sizeof(uint64_t))
        return hash_bytes(&secret->hash_key, key, size);
    return hash_mix(hash_load(key) ^ factor[0],
                    hash_load(key + 8) ^ factor[1]) +
           hash_mix(hash_load(key + 16) ^ factor[2],
                    hash_load(end - 24) ^ factor[3]) +
           hash_mix(hash_load(end - 16) ^ factor[4],
                    hash_load(end - 8) ^ factor[5]) +
           hash_mix(hash_load(middle - 8) ^ factor[6],
                    hash_load(middle) ^ factor[7]);
}

/* Set WORD to what a cache with SECRET has of a key that is not short. */
static inline void
key_words_make_long(const struct key_secret *secret, const unsigned char *key,
                    uint32_t size, uint64_t word[HASH_WORDS])
{
    word[0] = LONG_MARK | (uint64_t)size << LONG_SIZE_SHIFT;
    word[1] = key_long_hash(secret, key, size);
    word[2] = 0;
}

/* The same of any key. */
static inline void
key_words_make(const struct key_secret *secret, const unsigned char *key,
               uint32_t size, uint64_t word[HASH_WORDS])
{
    if (size <= HASH_SHORT_MAX)
        hash_short_words(key, size, word);
    else
        key_words_make_long(secret, key, size, word);
}

/* Whether WORD is of a key that is not short. */
static inline bool
key_words_are_long(const uint64_t word[HASH_WORDS])
{
    return (word[0] & LONG_MARK) == LONG_MARK;
}

/* Whether key_words_load() can load a key: it is short, and the bytes before it
   are in the chunk. */
static inline bool
key_words_can_load(size_t at, uint32_t size)
{
    return size <= HASH_SHORT_MAX && at + size >= 8 * HASH_WORDS;
}

/* Set WORD to the words of such a key, which is at DATA + AT. */
static inline void
key_words_load(const unsigned char *data, size_t at, uint32_t size,
               uint64_t word[HASH_WORDS])
{
    const unsigned char *end = data + at + size;

    /* The mask removes the bytes before the key. */
    word[0] =
        (hash_load(end - 24) & hash_load(key_words_window + size)) | (size + 1);
    word[1] = hash_load(end - 16) & hash_load(key_words_window + size + 8);
    word[2] = hash_load(end - 8) & hash_load(key_words_window + size + 16);
}

/* The sum of the words, each by its FACTOR. */
static inline uint64_t
key_words_sum(const uint64_t word[HASH_WORDS],
              const uint64_t factor[HASH_WORDS])
{
    return word[0] * factor[0] + word[1] * factor[1] + word[2] * factor[2];
}

/* Whether A and B, which have SIZE bytes, more than HASH_SHORT_MAX, are equal.
   Most of them have up to LONG_WORDS words: no call, and no branch for each. */
static inline bool
key_long_is_same(const unsigned char *a, const unsigned char *b, size_t size)
{
    const unsigned char *a_end = a + size;
    const unsigned char *b_end = b + size;
    const unsigned char *a_middle = a + size / 2;
    const unsigned char *b_middle = b + size / 2;
    uint64_t differs = (hash_load(a) ^ hash_load(b)) |
                       (hash_load(a + 8) ^ hash_load(b + 8)) |
                       (hash_load(a + 16) ^ hash_load(b + 16)) |
                       (hash_load(a_end - 8) ^ hash_load(b_end - 8)) |
                       (hash_load(a_end - 16) ^ hash_load(b_end - 16)) |
                       (hash_load(a_end - 24) ^ hash_load(b_end - 24)) |
                       (hash_load(a_middle - 8) ^ hash_load(b_middle - 8)) |
                       (hash_load(a_middle) ^ hash_load(b_middle));

    _Static_assert(HASH_SHORT_MAX >= 23, "three words at each end");
    return differs == 0 &&
           (size <= LONG_WORDS * sizeof(uint64_t) || memcmp(a, b, size) == 0);
}

/* ---- sets ---- */

#define FREQUENT_WAYS 2

/* The log of the number of sets, first and at most, and how much it grows. */
#define FREQUENT_LOG_MIN 10
#define FREQUENT_LOG_MAX 14
#define FREQUENT_LOG_STEP 2

/* A tally: the count since it was last added to the table, above a credit. */
#define TALLY_COUNT_SHIFT 32
#define TALLY_ONE (((uint64_t)1 << TALLY_COUNT_SHIFT) + 1)
#define TALLY_CREDIT ((uint64_t)UINT32_MAX)
#define TALLIED_MAX ((size_t)1 << 31) /* keys, until tallies could overflow */

/* The greatest magnitude of a weight that a way holds, which is a nano
   (base/decimal_sum.h). */
#define FREQUENT_WEIGHT_MOST ((UINT64_C(1) << 61) - 1)

/* The last word of a key that is not short is the address of its bytes in the
   entry: a key is compared without the entry's head. */
struct frequent_set {
    _Alignas(
        64) uint64_t word[FREQUENT_WAYS][HASH_WORDS]; /* first word 0: none */
    uint64_t tally[FREQUENT_WAYS];
};

/* The bytes of the key of WAY, which is not short. */
static inline const unsigned char *
frequent_long_key(const struct frequent_set *set, size_t way)
{
    return (const unsigned char *)(uintptr_t)set->word[way][HASH_WORDS - 1];
}

struct frequent_keys {
    struct frequent_set *set;
    unsigned char *(*entry)[FREQUENT_WAYS]; /* of the keys in the sets */
    int64_t (*weight)[FREQUENT_WAYS];       /* nanos; or NULL: no weights */
    unsigned int shift;                     /* 64 - SETS_LOG */
    unsigned int sets_log;
    unsigned int sets_log_max;
    struct key_secret secret;
    void *least; /* memory of the caller, for FREQUENT_LOG_MIN */
};

/* The bytes of 2^SETS_LOG sets. */
static inline size_t
frequent_keys_bytes(unsigned int sets_log, bool has_weights)
{
    size_t way = sizeof(struct frequent_set) / FREQUENT_WAYS +
                 sizeof(unsigned char *) + (has_weights ? sizeof(int64_t) : 0);

    return (FREQUENT_WAYS * way) << sets_log;
}

static inline size_t
frequent_keys_sets(const struct frequent_keys *frequent)
{
    return (size_t)1 << frequent->sets_log;
}

/* The sum for the key with these words, however many sets there are. */
static inline uint64_t
frequent_keys_sum(const struct frequent_keys *frequent,
                  const uint64_t word[HASH_WORDS])
{
    return key_words_sum(word, frequent->secret.factor);
}

/* The number of the set for the key with these words. */
static inline size_t
frequent_keys_set(const struct frequent_keys *frequent,
                  const uint64_t word[HASH_WORDS])
{
    return (size_t)(frequent_keys_sum(frequent, word) >> frequent->shift);
}

/*
 * Open an empty cache.  MEMORY has frequent_keys_bytes(FREQUENT_LOG_MIN), is
 * aligned to a cache line, and outlives it.  The cache may grow to MOST bytes.
 */
void frequent_keys_open(struct frequent_keys *frequent, void *memory,
                        const struct hash_key *key, bool has_weights,
                        size_t most);

/* Take more sets from MEMORY, if it has room; all keys move. */
void frequent_keys_grow(struct frequent_keys *frequent,
                        struct key_memory *memory);

/* Make the cache empty and small.  The tallies are lost. */
void frequent_keys_shrink(struct frequent_keys *frequent,
                          struct key_memory *memory);

#endif
