/* SPDX-License-Identifier: MIT */
/*
 * key_cache.h -- the cache and the lists of one thread, for key_counter.c
 */

#ifndef GPUHIST_KEY_CACHE_H
#define GPUHIST_KEY_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/cpu/keys/frequent_keys.h"
#include "hist/key_table.h"
#include "sync/thread_list.h"

/* How many partitions there may be. */
#define PARTITIONS_LOG_MAX 9
#define PARTITIONS_MAX (1 << PARTITIONS_LOG_MAX)

/* In all lists of a thread together, and in one list. */
#define LISTED 8192
#define LIST_MAX 64

/* With so many items, a list is added if no other thread has locked the table;
   if one has, after so many more. */
#define LIST_TRY 32
#define LIST_RETRY 8

struct key_counts;

struct key_counter {
    struct thread_link link; /* in the list of COUNTS */
    struct frequent_keys frequent;
    struct key_counts *counts;
    struct hash_key hash_key;    /* of COUNTS */
    unsigned int partitions_log; /* of COUNTS */
    size_t start;                /* the partition to add to first */
    unsigned int misses;         /* that could enter the cache */
    uint64_t tallied;            /* keys since all counts were 0, at most */

    /* Since the size of the cache was last considered: */
    size_t seen;         /* keys */
    size_t missed;       /* keys that the cache did not have */
    size_t crowded;      /* missed keys without room in their sets, about */
    unsigned int shrunk; /* how often growing did not help */

    size_t list_items; /* that a list has room for */

    /* With weights; else NULL.  The weights follow the items. */
    int64_t *weight; /* of each item: as in struct key_weights */
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

/*
 * Where the smallest cache starts, after the items and their weights: a
 * multiple of a cache line.
 */
static inline size_t
key_cache_frequent_at(unsigned int partitions_log, bool has_weights)
{
    size_t item = sizeof(struct key_item) + (has_weights ? sizeof(int64_t) : 0);
    size_t bytes =
        sizeof(struct key_counter) + key_cache_items(partitions_log) * item;

    return (bytes + 63) / 64 * 64;
}

/* Returns the bytes of a counter, with its smallest cache. */
static inline size_t
key_cache_bytes(unsigned int partitions_log, bool has_weights)
{
    return key_cache_frequent_at(partitions_log, has_weights) +
           frequent_keys_bytes(FREQUENT_LOG_MIN, has_weights);
}

#endif
