/*
 * key_spectrum.h -- the spectrum of the keys in tables, or in runs
 *
 * All tables are read once, in any order; only runs are merged.
 */

#ifndef GPUHIST_KEY_SPECTRUM_H
#define GPUHIST_KEY_SPECTRUM_H

#include "engine/cpu/keys/key_counts.h"
#include "engine/cpu/kmers/kmer_counts.h"
#include "hist/spectrum.h"

/*
 * Make ARRAY, in MEMORY, of the multiplicities of KEYS, or of KMERS if that is
 * NULL, and set *TOTAL, as spectrum_list() does.  KEYS are tuples of COMPONENTS
 * components, or if it is 1, no tuples.  They are settled, and no
 * thread may be counting.  If IS_COUNTING, threads go on afterwards; otherwise
 * KEYS or KMERS can only be restarted or closed.  If it returns KEY_FAILED,
 * their FAILURE says why.
 */
enum key_result key_spectrum_make(struct key_counts *keys,
                                  struct kmer_counts *kmers, size_t components,
                                  bool is_counting, struct key_memory *memory,
                                  struct key_array *array, uint64_t *total);

#endif
