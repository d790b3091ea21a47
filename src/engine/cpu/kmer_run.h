/* kmer_run.h -- all k-mers as a sorted run in a temporary file */

#ifndef GPUHIST_KMER_RUN_H
#define GPUHIST_KMER_RUN_H

#include "engine/cpu/kmer_counts.h"

/*
 * Sort the codes of all partitions, if HAS_WIDE after they have absorbed cells
 * of the wide table: then the counts are settled.  This thread is alone.
 */
void kmer_run_sort(struct kmer_counts *counts, bool has_wide);

/*
 * Write the codes in all partitions, and in the wide table if HAS_WIDE, as a
 * run, if there are any, and empty these.  This thread is alone; if HAS_WIDE,
 * the counts are settled.  If it returns KEY_FAILED, counts->failure says why.
 */
enum key_result kmer_run_write(struct kmer_counts *counts, bool has_wide);

#endif
