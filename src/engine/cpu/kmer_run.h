/* kmer_run.h -- all k-mers as a sorted run in a temporary file */

#ifndef GPUHIST_KMER_RUN_H
#define GPUHIST_KMER_RUN_H

#include "engine/cpu/kmer_counts.h"

/* Sort the codes of all partitions.  This thread is alone. */
void kmer_run_sort(struct kmer_counts *counts);

/*
 * Write the codes in all partitions as a run, if there are any, and empty the
 * partitions.  This thread is alone.  If it returns KEY_FAILED,
 * counts->failure says why.
 */
enum key_result kmer_run_write(struct kmer_counts *counts);

#endif
