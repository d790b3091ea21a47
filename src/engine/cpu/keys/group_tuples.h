/* SPDX-License-Identifier: MIT */
/*
 * group_tuples.h -- the tuples of all numbers of groups, in order
 *
 * A state has all numbers.  So at the end the groups are sorted, and the
 * numbers of each group; their tuples are written one after the other, without
 * a hash table, to tables that key_counts.h keeps beside the others.
 */

#ifndef GPUHIST_GROUP_TUPLES_H
#define GPUHIST_GROUP_TUPLES_H

#include "engine/cpu/keys/cached_groups.h"
#include "engine/cpu/keys/key_counts.h"

/*
 * Add the tuples of all groups of CACHE, with all their numbers, to the sorted
 * tables of COUNTS, which have none yet, or to runs.  No thread is counting.
 * If it returns KEY_FAILED, counts->failure says why.
 */
enum key_result group_tuples_make(const struct group_cache *cache,
                                  struct key_counts *counts);

#endif
