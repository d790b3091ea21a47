/* kmer_run.h -- all k-mers as a sorted run in a temporary file */

#ifndef GPUHIST_KMER_RUN_H
#define GPUHIST_KMER_RUN_H

#include "engine/cpu/kmers/kmer_counts.h"

/*
 * Sort the codes of all partitions, if HAS_WIDE after they have absorbed cells
 * of the wide table: then the counts are settled.  This thread is alone.
 */
void kmer_run_sort(struct kmer_counts *counts, bool has_wide);

/*
 * Let codes be added again to the partitions, which are sorted.  After
 * KEY_LIMIT, only some partitions allow that.  This thread is alone.
 */
enum key_result kmer_run_restore(struct kmer_counts *counts);

/*
 * Append the codes in all partitions, which are sorted, and in the wide table
 * if HAS_WIDE, to RUNS as a run, if there are any.  Returns 0, or -1:
 * counts->failure says why.
 */
int kmer_run_put(struct kmer_counts *counts, bool has_wide,
                 struct key_runs *runs);

/*
 * Write the codes in all partitions, and in the wide table if HAS_WIDE, as a
 * run, if there are any, and empty these.  This thread is alone; if HAS_WIDE,
 * the counts are settled.  If it returns KEY_FAILED, counts->failure says why.
 */
enum key_result kmer_run_write(struct kmer_counts *counts, bool has_wide);

#endif
