/* SPDX-License-Identifier: MIT */
/* kmer_counter.h -- the k-mers that one thread counts */

#ifndef GPUHIST_KMER_COUNTER_H
#define GPUHIST_KMER_COUNTER_H

#include "engine/cpu/kmers/kmer_counts.h"

/*
 * Returns the bytes of a counter of k-mers of K bases; if it HAS_CELLS, with
 * those of its own table or lists.
 */
uint64_t kmer_counter_bytes(unsigned int k, bool has_cells);

/*
 * Returns the lists of another thread, or NULL: out of memory.  COUNTS has room
 * for more than THREADS never.
 */
struct kmer_counter *kmer_counter_new(struct kmer_counts *counts);

/*
 * Count all windows of a sequence: the LENGTH bases at BASE, which may be
 * reused afterwards.  After a failure some of them are counted.
 */
enum key_result kmer_counter_add(struct kmer_counter *counter,
                                 const unsigned char *base, size_t length);

/* Release COUNTER.  Counts that are not settled are lost. */
void kmer_counter_close(struct kmer_counter *counter);

/* ---- all threads ---- */

/*
 * Add what threads have in lists to the tables, and set *BROKEN to the number
 * of broken windows.  No thread may be counting.
 */
enum key_result kmer_counter_settle_all(struct kmer_counts *counts,
                                        uint64_t *broken);

/* kmer_counts_restart(), which no counter is an obstacle to. */
void kmer_counter_restart_all(struct kmer_counts *counts);

/*
 * Add what another device has counted to COUNTS: COUNT of each code, and BROKEN
 * windows.  COUNTS have a cell for each code.  No thread may be counting.
 */
void kmer_counter_add_table(struct kmer_counts *counts, uint64_t *count,
                            uint64_t broken);

#endif
