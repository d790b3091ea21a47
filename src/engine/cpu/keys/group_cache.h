/*
 * group_cache.h -- groups of which only a few figures are wanted
 *
 * Where of each group only the count, the sum, the least and the greatest
 * number are printed, a thread need not count each pair of a group and a
 * number.  It keeps these figures of the groups that it meets first, as long as
 * their keys and numbers are short.  All other records are counted as tuples.
 *
 * At the end, what the cache has becomes tuples, too: at most four numbers, as
 * often as it takes, have the same count, sum, least and greatest number.  So
 * nothing after the engines knows of the cache; but what they have is not what
 * the records have, so that it is never written to a state.
 *
 * A group is one cache line.  A table of small slots says where it is, with
 * some bits of a hash, so that mostly no other group is looked at; both are
 * fetched before they are needed.  Keys are words as those of frequent_keys.h,
 * but the bytes of long ones are beside each other.  There is room for few
 * groups first, and for more when it is full.
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

/* Whether histogram I of SPEC is one that group_cache_add() is for. */
bool group_cache_is_for(const struct spec *spec, size_t i);

/* Returns the most bytes of a cache. */
size_t group_cache_bytes(void);

void group_caches_open(struct group_caches *caches);

/*
 * Add what all caches have to COUNTS, each group once, and empty them.  No
 * thread may be counting.  If it returns KEY_FAILED, counts->failure says why.
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
 * Count those of the RECORDS that can be; SLICE has the fields of the spec,
 * record by record, in the chunk at DATA.  The slices of the others move to its
 * begin.  Returns how many these are.
 */
size_t group_cache_add(struct group_cache *cache, const unsigned char *data,
                       struct text_slice *slice, size_t records);

#endif
