/*
 * key_cache.h -- what key_counter.c has of one thread: its cache and its lists
 */

#ifndef GPUHIST_KEY_CACHE_H
#define GPUHIST_KEY_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hash.h"
#include "hist/key_table.h"

/* How many partitions there may be. */
#define PARTITIONS_LOG_MAX 9
#define PARTITIONS_MAX (1 << PARTITIONS_LOG_MAX)

/* In all lists of a thread together, and in one list. */
#define LISTED 4096
#define LIST_MAX 64

/* The cache: a cache line for each two keys. */
#define SETS 1024
#define WAYS 2

/* Of SAMPLING keys that missed it, one may enter the cache. */
#define SAMPLING 16

/* The bits of a hash from here on choose the set: no tag has them. */
#define SET_SHIFT 32

/* A tally: the count since it was last added to the table, above a credit. */
#define TALLY_COUNT_SHIFT 32
#define TALLY_ONE (((uint64_t)1 << TALLY_COUNT_SHIFT) + 1)
#define TALLY_CREDIT ((uint64_t)UINT32_MAX)
#define TALLIED_MAX ((size_t)1 << 31) /* keys, until tallies could overflow */

struct key_counts;

struct key_set {
    uint64_t word[WAYS][HASH_WORDS]; /* first word 0: none */
    uint64_t tally[WAYS];
};

struct key_counter {
    _Alignas(64) struct key_set set[SETS];
    unsigned char *entry[SETS][WAYS]; /* of the keys in the sets */
    struct key_counts *counts;
    struct hash_key hash_key;    /* of COUNTS */
    unsigned int partitions_log; /* of COUNTS */
    struct key_counter *next;    /* in the list of COUNTS, under its lock */
    size_t start;                /* the partition to add to first */
    unsigned int misses;         /* that could enter the cache */
    uint64_t tallied;            /* keys since all counts were 0, at most */
    size_t list_items;           /* that a list has room for */

    /* With weights; else NULL.  They are behind the items. */
    int64_t (*tally_weight)[WAYS]; /* beside the tallies: nanos */
    int64_t *weight;               /* of each item: as in struct key_weights */
    const struct decimal_sum *wide;

    size_t used[PARTITIONS_MAX]; /* of each list */
    struct key_item item[];      /* list p: from p * stride on */
};

/* A list for each partition; places between them, against conflicts. */
static inline size_t
key_cache_stride(const struct key_counter *counter)
{
    return counter->list_items + 2;
}

/* The items in a list. */
static inline size_t
key_cache_list_items(unsigned int partitions_log)
{
    size_t items = (size_t)LISTED >> partitions_log;

    return items < LIST_MAX ? items : LIST_MAX;
}

/* The items of all lists, with the places between them. */
static inline size_t
key_cache_items(unsigned int partitions_log)
{
    return (key_cache_list_items(partitions_log) + 2) << partitions_log;
}

/* What a counter takes for weights. */
static inline size_t
key_cache_weight_bytes(unsigned int partitions_log, bool has_weights)
{
    return has_weights ? (SETS * WAYS + key_cache_items(partitions_log)) *
                             sizeof(int64_t)
                       : 0;
}

/* Returns the bytes of a counter. */
static inline size_t
key_cache_bytes(unsigned int partitions_log, bool has_weights)
{
    return sizeof(struct key_counter) +
           key_cache_items(partitions_log) * sizeof(struct key_item) +
           key_cache_weight_bytes(partitions_log, has_weights);
}

#endif
