/* SPDX-License-Identifier: MIT */
/* key_listing.h -- a list, or a spectrum, of the keys in tables */

#ifndef GPUHIST_KEY_LISTING_H
#define GPUHIST_KEY_LISTING_H

#include "engine/cpu/counter.h"
#include "engine/cpu/keys/key_counts.h"
#include "engine/cpu/kmers/kmer_counts.h"
#include "hist/spectrum.h"

/*
 * Sort the keys of COUNTS, which are settled, and make the list of COUNTER's
 * histogram in NAMES: in memory, or in a file if keys were spilled or have no
 * room.  As counter_type.list(); for KEY_FAILED, counts->failure says why.
 */
enum key_result key_listing_make(const struct counter *counter,
                                 struct key_counts *counts, bool is_counting,
                                 struct key_names *names);

/*
 * Make ARRAY, in MEMORY, of the multiplicities of KEYS, or of KMERS if that is
 * NULL, and set *TOTAL, as spectrum_list() does.  KEYS are tuples of COMPONENTS
 * components, or if it is 1, no tuples.  They are settled, and no thread may be
 * counting.  If IS_COUNTING, threads go on afterwards; otherwise KEYS or KMERS
 * can only be restarted or closed.  For KEY_FAILED, the FAILURE of KEYS or
 * KMERS says why.
 */
enum key_result key_listing_spectrum(struct key_counts *keys,
                                     struct kmer_counts *kmers,
                                     size_t components, bool is_counting,
                                     struct key_memory *memory,
                                     struct key_array *array, uint64_t *total);

/* Returns what each key brings to the tables, by SPEC. */
enum key_bringing key_listing_bringing(const struct spec *spec);

/* Add the memory and the files of COUNTS to USE. */
static inline void
key_listing_add_use(const struct key_counts *counts, struct counter_use *use)
{
    use->memory += atomic_load(&counts->memory.used);
    use->spills += counts->spills;
    use->spilled_bytes += counts->spilled_bytes;
}

#endif
