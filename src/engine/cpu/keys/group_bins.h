/* SPDX-License-Identifier: MIT */
/*
 * group_bins.h -- groups whose numbers are counted in bins
 *
 * A group in the cache of a thread has a row of counters: one for each cell of
 * the axis of the numbers, also for flow cells and for records that lack a
 * number.  So a record with a known group costs no tuple.  At the end, and
 * before a snapshot, the counters become the tuples that the records have, so
 * unlike the figures of groups (group_cache.h), they may be written to a state.
 *
 * A counter has 16 bits: then the rows of a thousand groups stay in the
 * second-level cache.  A counter that overflows becomes a tuple, too.
 *
 * With --range=auto, the rows follow the thread's lattice: when the lattice
 * widens, the counters of several bins are added up.
 *
 * Rows take a share of the memory for keys.  Records whose group has no row are
 * counted as tuples.
 */

#ifndef GPUHIST_GROUP_BINS_H
#define GPUHIST_GROUP_BINS_H

#include <stdbool.h>
#include <stddef.h>

#include "engine/cpu/keys/key_codes.h"
#include "engine/cpu/keys/key_counts.h"
#include "hist/spec.h"
#include "text/text_slice.h"

struct group_cache; /* cached_groups.h */

/* Whether own axis I of SPEC, which is grouped, has few enough bins. */
bool group_bins_is_for(const struct spec *spec, size_t i);

/* Returns the bytes of what group_bins_new() makes, beside the rows. */
size_t group_bins_bytes(void);

/* Returns rows for the groups of CACHE, which group_bins_close() frees; or
   NULL: out of memory. */
struct group_bins *group_bins_new(const struct group_cache *cache);

/* Release the rows of CACHE, which may have none. */
void group_bins_close(struct group_cache *cache);

/*
 * Count those of *RECORDS that the cache can count; CODES are the thread's.
 * Otherwise as group_cache_add(): the slices of the other records move to KEPT,
 * and *RECORDS becomes their number.
 */
enum key_result group_bins_add(struct group_cache *cache,
                               struct key_codes *codes,
                               const unsigned char *data,
                               const struct text_slice *slice, size_t *records,
                               bool are_plain, struct text_slice *kept);

/*
 * Add the rows of CACHE to COUNTS, and leave the groups with empty rows.  No
 * thread may be counting.  If it returns KEY_FAILED, counts->failure says why.
 * If COUNTS is NULL, CACHE is the calling thread's, and others may be counting.
 * A later call returns the same failure.
 */
enum key_result group_bins_settle(struct group_cache *cache,
                                  struct key_counts *counts);

#endif
