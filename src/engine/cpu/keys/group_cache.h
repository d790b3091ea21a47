/* SPDX-License-Identifier: MIT */
/*
 * group_cache.h -- groups whose count, sum, least and greatest number, or
 * percentiles are wanted
 *
 * If only these figures of each group are printed, a thread need not count each
 * pair of a group and a number.  The thread keeps the figures of the first
 * groups whose keys and numbers are short, and for percentiles their numbers
 * (group_values.h), in a share of the memory for keys.  All other records are
 * counted as tuples.
 *
 * At the end, the groups in the cache become tuples, too: a few numbers,
 * repeated as needed, have the same count, sum, least and greatest number, and
 * the same numbers at the printed ranks.  So nothing after the engines knows
 * the cache.  But these tuples are stand-ins: never write them to a state.
 *
 * Without groups, all records are one group, whose key has no bytes: then a
 * tuple is the code of a number.
 *
 * A group is one cache line.  A table of small slots leads to the group.  A
 * slot has some bits of a hash, so that other groups are seldom looked at.
 * Slot and group are fetched before they are needed.  Keys are words as in
 * frequent_keys.h, but the bytes of long keys are together.  There is room for
 * few groups first, and for more when it is full.
 */

#ifndef GPUHIST_GROUP_CACHE_H
#define GPUHIST_GROUP_CACHE_H

#include <stdbool.h>
#include <stddef.h>

#include "engine/cpu/keys/group_values.h"
#include "engine/cpu/keys/key_counts.h"
#include "hist/spec.h"
#include "sync/thread_list.h"
#include "text/text_slice.h"

/* Those of all threads. */
struct group_caches {
    struct thread_list list;
    bool has_bins;    /* the numbers are counted in bins (group_bins.h) */
    bool has_values;  /* percentiles are wanted */
    bool has_numbers; /* group_caches_find() finds numbers */
    struct values_memory memory;
};

/* Whether group_cache_add(), or group_bins_add() if the numbers have bins, can
   count histogram I of SPEC. */
bool group_cache_is_for(const struct spec *spec, size_t i);

/* Returns the most bytes of a cache for histogram I of SPEC, beside the
   numbers of groups. */
size_t group_cache_bytes(const struct spec *spec, size_t i);

/* Returns the bytes of the slices of a batch for one of several histograms. */
size_t group_cache_kept_bytes(const struct spec *spec);

/* Open CACHES for histogram I of SPEC, whose numbers take a share of LIMIT
   bytes of MEMORY, which outlives CACHES and may be opened later. */
void group_caches_open(struct group_caches *caches, const struct spec *spec,
                       size_t i, struct key_memory *memory, size_t limit);

/*
 * Add the groups of all caches to COUNTS, each group once, and empty the caches
 * unless CACHES has numbers then.  No thread may be counting.  If it returns
 * KEY_FAILED, counts->failure says why.
 */
enum key_result group_caches_settle(struct group_caches *caches,
                                    struct key_counts *counts);

/* The same of CACHES with bins: the rows become the tuples of the records, and
   the groups stay, with empty rows. */
enum key_result group_caches_settle_bins(struct group_caches *caches,
                                         struct key_counts *counts);

/* As find() of struct group_numbers (hist/group_numbers.h), until CACHES are
   restarted or closed; CONTEXT are CACHES, which have numbers. */
bool group_caches_find(void *context, const struct key_entry *except,
                       size_t exceptions, const uint64_t *rank, size_t count,
                       struct ordered_decimal *found);

/* Forget all groups.  No thread may be counting. */
void group_caches_restart(struct group_caches *caches);

void group_caches_close(struct group_caches *caches);

/* Returns a cache for another thread, with KEYS, and histogram I of SPEC, which
   CACHES releases; or NULL: out of memory. */
struct group_cache *group_cache_new(struct group_caches *caches,
                                    const struct spec *spec, size_t i,
                                    struct key_counter *keys,
                                    const struct hash_key *key);

/* KEYS of the thread are closed. */
void group_cache_leave(struct group_cache *cache);

/*
 * Count the RECORDS that the cache can count; SLICE has the fields of the spec,
 * record by record, in the chunk at DATA; ARE_PLAIN says whether they are
 * field_values_are_plain().  The slices of the other records move to KEPT,
 * which may be SLICE.  Returns the number of the other records; if it is
 * RECORDS, KEPT may have none.
 */
size_t group_cache_add(struct group_cache *cache, const unsigned char *data,
                       const struct text_slice *slice, size_t records,
                       bool are_plain, struct text_slice *kept);

#endif
