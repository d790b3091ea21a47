/* SPDX-License-Identifier: MIT */
/*
 * sequence_kmers.h -- the kernels that count the k-mers of a chunk that is not
 * refused, or put them into lists
 *
 * This file is written in the common subset of C11, CUDA C++ and OpenCL C.
 *
 * Adding to the same cell of the histogram from everywhere would be slow:
 * frequent cells have counters in shared memory.  Cells beyond the cache of the
 * device are slow, too: then the k-mers of a chunk are put into lists
 * (sequence_lists.h).
 */

#ifndef GPUHIST_SEQUENCE_KMERS_H
#define GPUHIST_SEQUENCE_KMERS_H

#include "kernels/seq/sequence_lists.h"
#include "kernels/seq/sequence_windows.h"

/* Where k-mers are counted: all k-mers in the shared memory, or the first ones
   that are met. */
struct sequence_kmer_table {
    DEVICE_SHARED binning_u32 *shared;
    binning_u32 cells; /* 0: they do not fit */
    binning_u32 copies;
    struct sequence_front front;
};

/* A barrier follows. */
DEVICE_FN struct sequence_kmer_table
sequence_kmer_table_open(const struct sequence_task *task)
{
    binning_u32 words = task->work.shared_words - SEQUENCE_SUMS;
    struct sequence_kmer_table table;

    table.shared = task->shared + SEQUENCE_SUMS;
    table.cells = 1u << 2 * task->work.k;
    if (table.cells > words)
        table.cells = 0;
    table.copies = sequence_copies(table.cells, words);
    sequence_clear(task->shared, SEQUENCE_SUMS + table.cells * table.copies);
    table.front = sequence_front_open(
        table.shared, sequence_front_slots(table.cells > 0 ? 0 : words));
    return table;
}

/* Add AMOUNT to the k-mers with CODE. */
DEVICE_FN void
sequence_kmer_table_add(const struct sequence_task *task,
                        const struct sequence_kmer_table *table,
                        binning_u32 code, binning_u32 amount)
{
    if (amount == 0)
        return;
    if (table->cells != 0)
        DEVICE_ADD(&table->shared[sequence_place(code, table->copies)], amount);
    else
        sequence_front_add(task, &table->front, task->work.first_kmer + code,
                           amount);
}

/* After a barrier. */
DEVICE_FN void
sequence_kmer_table_close(const struct sequence_task *task,
                          const struct sequence_kmer_table *table)
{
    sequence_table_close(task, table->shared, table->cells, table->copies,
                         task->work.first_kmer);
    sequence_front_close(task, &table->front);
}

/*
 * Count the k-mers of the windows that start at the bits of WHOLE, below bit
 * 16, of 32 bases with these CODES.  Equal neighbours are added together, as in
 * runs of one base.
 */
DEVICE_FN void
sequence_count_codes(const struct sequence_task *task,
                     const struct sequence_kmer_table *table, binning_u64 codes,
                     binning_u32 whole)
{
    binning_u32 unused = 32 - 2 * task->work.k;
    binning_u64 reverse = sequence_reverse(codes);
    binning_u32 last = 0;
    binning_u32 amount = 0;

    DEVICE_ROLLED
    for (; whole != 0; whole >>= 1, codes <<= 2, reverse >>= 2) {
        binning_u32 code = (binning_u32)(codes >> 32) >> unused;
        binning_u32 other = (binning_u32)reverse << unused >> unused;

        if ((whole & 1) == 0)
            continue;
        if (task->work.is_canonical && other < code)
            code = other;
        if (code != last) {
            sequence_kmer_table_add(task, table, last, amount);
            last = code;
            amount = 0;
        }
        amount++;
    }
    sequence_kmer_table_add(task, table, last, amount);
}

/* What a thread has counted. */
struct sequence_windows {
    binning_u32 count;
    binning_u32 broken;
};

/* The k-mers of the windows that start in VECTOR.  Adds their number to
   *WINDOWS. */
DEVICE_FN struct sequence_codes
sequence_windows_find(const struct sequence_task *task, binning_u32 vector,
                      struct sequence_windows *windows)
{
    struct sequence_codes found = sequence_is_fasta(task)
                                      ? sequence_fasta_codes(task, vector)
                                      : sequence_fastq_codes(task, vector);

    windows->count += DEVICE_POPCOUNT(found.starts);
    windows->broken += DEVICE_POPCOUNT(found.starts ^ found.whole);
    return found;
}

/* Add WINDOWS to the sums of the block. */
DEVICE_FN void
sequence_windows_add(const struct sequence_task *task,
                     const struct sequence_windows *windows)
{
    sequence_sum_add(task, 0, windows->count);
    sequence_sum_add(task, SEQUENCE_TOTAL_BROKEN - SEQUENCE_TOTAL_WINDOWS,
                     windows->broken);
}

/* Kernel: count the k-mers.  Each thread looks at one vector after the
   other. */
DEVICE_FN void
sequence_count_kmers(const struct sequence_task *task)
{
    binning_u32 vectors = sequence_vectors(task->size);
    struct sequence_windows windows = {0, 0};
    struct sequence_kmer_table table;

    if (*task->status != 0)
        return;
    table = sequence_kmer_table_open(task);
    DEVICE_BARRIER();
    DEVICE_ROLLED
    for (binning_u32 v = sequence_thread(); v < vectors;
         v += sequence_threads()) {
        struct sequence_codes found = sequence_windows_find(task, v, &windows);

        if (found.whole != 0)
            sequence_count_codes(task, &table, found.codes, found.whole);
    }
    sequence_windows_add(task, &windows);
    DEVICE_BARRIER();
    sequence_kmer_table_close(task, &table);
    sequence_sums_close(task, SEQUENCE_TOTAL_WINDOWS);
}

/* Kernel: put the k-mers into lists.  Threads of a block look at a vector each,
   as many as may have codes in a round. */
DEVICE_FN void
sequence_list_kmers(const struct sequence_task *task)
{
    binning_u32 vectors = sequence_vectors(task->size);
    struct sequence_lists lists;
    binning_u32 step;

    if (*task->status != 0)
        return;
    lists = sequence_lists_open(task);
    DEVICE_BARRIER();
    step = lists.threads * DEVICE_BLOCKS;
    DEVICE_ROLLED
    for (binning_u32 first = DEVICE_BLOCK * lists.threads; first < vectors;
         first += step) {
        struct sequence_windows windows = {0, 0};
        struct sequence_codes found = {0, 0, 0};

        if (DEVICE_THREAD < lists.threads && first + DEVICE_THREAD < vectors)
            found =
                sequence_windows_find(task, first + DEVICE_THREAD, &windows);
        sequence_windows_add(task, &windows);
        sequence_lists_add(task, &lists, found.codes, found.whole);
    }
    sequence_lists_close(task, &lists);
    sequence_sums_close(task, SEQUENCE_TOTAL_WINDOWS);
}

#endif
