/*
 * hot_keys.h -- the cache of frequent keys of one thread
 *
 * Sets of two ways, a cache line each.  A way has the words of a key
 * (key_words.h), its tally, and beside them its entry in the tables and, with
 * weights, their sum.  The cache is small first, so that few keys stay in the
 * nearest processor cache.  It grows while frequent keys have no room, and
 * becomes small again where growing does not help.
 *
 * The set of a key is the high bits of a sum of products of its words.  Twice
 * as many sets divide each set in two, so that what moves has room.  Which
 * words collide depends on random factors.  Keys in the cache are compared
 * whole; one without room is counted in the tables.
 */

#ifndef GPUHIST_HOT_KEYS_H
#define GPUHIST_HOT_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hist/key_memory.h"
#include "kernels/text/hash.h"

#define HOT_WAYS 2

/* The log of the number of sets, first and at most, and how much it grows. */
#define HOT_LOG_MIN 10
#define HOT_LOG_MAX 14
#define HOT_LOG_STEP 2

/* A tally: the count since it was last added to the table, above a credit. */
#define TALLY_COUNT_SHIFT 32
#define TALLY_ONE (((uint64_t)1 << TALLY_COUNT_SHIFT) + 1)
#define TALLY_CREDIT ((uint64_t)UINT32_MAX)
#define TALLIED_MAX ((size_t)1 << 31) /* keys, until tallies could overflow */

/* The greatest magnitude of a weight that a way holds, which is a nano
   (base/decimal_sum.h). */
#define HOT_WEIGHT_MOST ((UINT64_C(1) << 61) - 1)

struct hot_set {
    _Alignas(64) uint64_t word[HOT_WAYS][HASH_WORDS]; /* first word 0: none */
    uint64_t tally[HOT_WAYS];
};

struct hot_keys {
    struct hot_set *set;
    unsigned char *(*entry)[HOT_WAYS]; /* of the keys in the sets */
    int64_t (*weight)[HOT_WAYS];       /* nanos; or NULL: no weights */
    unsigned int shift;                /* 64 - SETS_LOG */
    unsigned int sets_log;
    unsigned int sets_log_max;
    uint64_t factor[HASH_WORDS]; /* odd, random */
    void *least;                 /* memory of the caller, for HOT_LOG_MIN */
};

/* The bytes of 2^SETS_LOG sets. */
static inline size_t
hot_keys_bytes(unsigned int sets_log, bool has_weights)
{
    size_t way = sizeof(struct hot_set) / HOT_WAYS + sizeof(unsigned char *) +
                 (has_weights ? sizeof(int64_t) : 0);

    return (HOT_WAYS * way) << sets_log;
}

static inline size_t
hot_keys_sets(const struct hot_keys *hot)
{
    return (size_t)1 << hot->sets_log;
}

/* The number of the set for the key with these words. */
static inline size_t
hot_keys_set(const struct hot_keys *hot, const uint64_t word[HASH_WORDS])
{
    uint64_t sum = word[0] * hot->factor[0] + word[1] * hot->factor[1] +
                   word[2] * hot->factor[2];

    return (size_t)(sum >> hot->shift);
}

/*
 * Open an empty cache.  MEMORY has hot_keys_bytes(HOT_LOG_MIN), is aligned to a
 * cache line, and outlives it.  The cache may grow to MOST bytes.
 */
void hot_keys_open(struct hot_keys *hot, void *memory,
                   const struct hash_key *key, bool has_weights, size_t most);

/* Take more sets from MEMORY, if it has room; all keys move. */
void hot_keys_grow(struct hot_keys *hot, struct key_memory *memory);

/* Make the cache empty and small.  What its tallies have is lost. */
void hot_keys_shrink(struct hot_keys *hot, struct key_memory *memory);

#endif
