/* SPDX-License-Identifier: MIT */
/*
 * sequences.cl -- count sequences: sequence_work.h has the order of the
 * kernels, the other files sequence_*.h what they do
 *
 * This file is compiled if SEQUENCES is defined.  The range has the blocks for
 * each chunk in its first dimension, and the chunks of the batch in its second.
 * A block has BLOCK_THREADS threads, or any power of two if the macro is not
 * defined.
 */

/* Run FUNCTION for the chunk of the block. */
#define SEQUENCE_RUN(function)                                     \
    {                                                              \
        struct sequence_task task = {                              \
            work,   data,    histogram, scratch,                   \
            status, entries, sizes,     shared,  0,                \
        };                                                         \
        sequence_task_choose(&task, &work, (uint)get_group_id(1)); \
        function(&task);                                           \
    }

#define SEQUENCE_PARAMETERS                                       \
    const struct sequence_work work, __global const uchar *data,  \
        __global ulong *histogram, __global uint *scratch,        \
        __global uint *status, __global uint *entries,            \
        __global uint *sizes, __local uint *shared

__kernel BLOCK_SIZE void
sequence_lines(SEQUENCE_PARAMETERS)
SEQUENCE_RUN(sequence_mark_lines)

__kernel BLOCK_SIZE void
sequence_classify(SEQUENCE_PARAMETERS)
SEQUENCE_RUN(sequence_mark_classify)

__kernel BLOCK_SIZE void
sequence_check(SEQUENCE_PARAMETERS)
SEQUENCE_RUN(sequence_mark_check)

__kernel BLOCK_SIZE void
sequence_fields(SEQUENCE_PARAMETERS)
SEQUENCE_RUN(sequence_count_fields)

__kernel BLOCK_SIZE void
sequence_kmers(SEQUENCE_PARAMETERS)
SEQUENCE_RUN(sequence_count_kmers)

__kernel BLOCK_SIZE void
sequence_lists(SEQUENCE_PARAMETERS)
SEQUENCE_RUN(sequence_list_kmers)

__kernel BLOCK_SIZE void
sequence_drain(SEQUENCE_PARAMETERS)
SEQUENCE_RUN(sequence_drain_lists)
