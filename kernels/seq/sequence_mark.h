/* SPDX-License-Identifier: MIT */
/*
 * sequence_mark.h -- the kernels that find the lines and the bases of a chunk,
 * and refuse chunks that devices do not count
 *
 * This file is written in the common subset of C11, CUDA C++ and OpenCL C.
 */

#ifndef GPUHIST_SEQUENCE_MARK_H
#define GPUHIST_SEQUENCE_MARK_H

#include "kernels/seq/sequence_fasta.h"
#include "kernels/seq/sequence_fastq.h"

/* Kernel: find the state before each tile; refuses nothing yet. */
DEVICE_FN void
sequence_mark_lines(const struct sequence_task *task)
{
    binning_u32 is_fasta = task->data[0] != '@';

    if (sequence_thread() == 0) {
        task->scratch[sequence_format_at(task->size)] = is_fasta;
        *task->status = 0;
    }
    if (is_fasta)
        sequence_fasta_lines(task);
    else
        sequence_fastq_lines(task);
}

/* Kernel: write the masks of bases, and of FASTQ the line ends. */
DEVICE_FN void
sequence_mark_classify(const struct sequence_task *task)
{
    binning_u32 size = task->size;

    if (sequence_is_fasta(task))
        sequence_fasta_classify(task);
    else
        sequence_fastq_classify(task);
    DEVICE_ROLLED
    for (binning_u32 i = sequence_vectors(size) + sequence_thread();
         i < 2 * sequence_masks_words(size); i += sequence_threads())
        sequence_masks(task)[i] = 0;
}

/* Kernel: check each record of FASTQ. */
DEVICE_FN void
sequence_mark_check(const struct sequence_task *task)
{
    if (!sequence_is_fasta(task))
        sequence_fastq_check(task);
}

#endif
