/*
 * group_cache.h -- groups whose count, sum, least and greatest number are
 * wanted
 *
 * If only these four figures of each group are printed, a thread need not count
 * each pair of a group and a number.  The thread keeps the figures of the first
 * groups whose keys and numbers are short.  All other records are counted as
 * tuples.
 *
 * At the end, the groups in the cache become tuples, too: at most four numbers,
 * repeated as needed, have the same count, sum, least and greatest number.  So
 * nothing after the engines knows the cache.  But these tuples are stand-ins:
 * never write them to a state.
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

#include "engine/cpu/keys/key_counts.h"
#include "hist/spec.h"
#include "sync/thread_list.h"
#include "text/text_slice.h"

/* Those of all threads. */
struct group_caches {
    struct thread_list list;
};

/* Whether group_cache_add() can count histogram I of SPEC. */
bool group_cache_is_for(const struct spec *spec, size_t i);

/* Returns the most bytes of a cache. */
size_t group_cache_bytes(void);

void group_caches_open(struct group_caches *caches);

/*
 * Add the groups of all caches to COUNTS, each group once, and empty the
 * caches.  No thread may be counting.  If it returns KEY_FAILED,
 * counts->failure says why.
 */
enum key_result group_caches_settle(struct group_caches *caches,
                                    struct key_counts *counts);

/* Forget all groups.  No thread may be counting. */
void group_caches_restart(struct group_caches *caches);

void group_caches_close(struct group_caches *caches);

/* Returns a cache for another thread and histogram I of SPEC, which CACHES
   releases; or NULL: out of memory. */
struct group_cache *group_cache_new(struct group_caches *caches,
                                    const struct spec *spec, size_t i,
                                    const struct hash_key *key);

/*
 * Count the RECORDS that the cache can count; SLICE has the fields of the spec,
 * record by record, in the chunk at DATA.  The slices of the other records move
 * to its start.  Returns the number of the other records.
 */
size_t group_cache_add(struct group_cache *cache, const unsigned char *data,
                       struct text_slice *slice, size_t records);

#endif
