/* SPDX-License-Identifier: MIT */
/*
 * kmer_spill.h -- k-mers beyond the memory, in a temporary file
 *
 * A table of a partition that has no room is written as it is, by the thread
 * that has its lock, while other threads count on.  In the end the partitions
 * are read one by one: the codes of one partition are few.
 */

#ifndef GPUHIST_KMER_SPILL_H
#define GPUHIST_KMER_SPILL_H

#include "engine/cpu/kmers/kmer_counts.h"
#include "hist/key_run.h"

/*
 * The table of partition P, whose lock this thread has, has no room: write its
 * codes and empty it.  Returns KEY_LIMIT if that does not help, so that a
 * thread that is alone must make room; after KEY_FAILED, counts->failure says
 * why.  The thread is inside the safepoint.
 */
enum key_result kmer_spill_partition(struct kmer_counts *counts, size_t p);

/*
 * Write the codes of all partitions, and release their tables.  This thread is
 * alone.  The tables may be sorted.  Returns as kmer_spill_partition(), but
 * never KEY_LIMIT.
 */
enum key_result kmer_spill_all(struct kmer_counts *counts);

/*
 * As kmer_spill_all(), of settled counts, with the wide table if there is one:
 * after that, all codes are written.
 */
enum key_result kmer_spill_settled(struct kmer_counts *counts);

/* ---- reading, after kmer_spill_settled() ---- */

/* Returns how many threads should read, and sets *MEMORY to the memory for
   the reader of each. */
unsigned int kmer_spill_readers(const struct kmer_counts *counts,
                                size_t *memory);

/* Keep the error of READER, if any, in COUNTS.  Returns its result. */
enum key_result kmer_spill_result(struct kmer_counts *counts,
                                  struct code_reader *reader);

/*
 * Put all k-mers, in order, into RUNS, which has no runs, as one run, if there
 * are any.  If KEEPS, the codes can be read again; otherwise COUNTS can only be
 * restarted or closed.
 */
enum key_result kmer_spill_sort(struct kmer_counts *counts, bool keeps,
                                struct key_runs *runs);

#endif
