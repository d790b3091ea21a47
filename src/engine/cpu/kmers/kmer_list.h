/* SPDX-License-Identifier: MIT */
/* kmer_list.h -- the k-mers that occur, as a list of keys */

#ifndef GPUHIST_KMER_LIST_H
#define GPUHIST_KMER_LIST_H

#include "engine/cpu/kmers/kmer_counts.h"
#include "hist/key_file.h"
#include "hist/key_list.h"

/*
 * Make LIST of the k-mers of COUNTS, which are settled and not in cells.  It is
 * in the order of the keys, or if it is in a file, in ORDER.  No thread may be
 * counting; if IS_COUNTING, they go on afterwards, otherwise COUNTS can only be
 * restarted or closed.  The entries are in *ARRAY or *FILE; these and LIST were
 * all 0.  The caller closes both in any case, before COUNTS.
 */
enum key_result kmer_list_make(struct kmer_counts *counts, bool is_counting,
                               enum key_run_order order,
                               struct key_array *array, struct key_file *file,
                               struct key_list *list);

#endif
