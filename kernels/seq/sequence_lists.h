/* SPDX-License-Identifier: MIT */
/*
 * sequence_lists.h -- k-mers that wait in lists, to be counted list by list
 *
 * This file is written in the common subset of C11, CUDA C++ and OpenCL C.
 *
 * Adding to cells anywhere in a histogram is slow if the histogram is larger
 * than the cache of the device.  So a kernel (sequence_kmers.h) puts the codes
 * of a chunk into lists in device memory, and after several chunks the kernel
 * sequence_drain_lists() counts one list after the other: each time, as many
 * cells as a block has counters for in shared memory.
 *
 * A list has 2^LIST_SHIFT of the cells.  They are the runs of SEQUENCE_LIST_RUN
 * cells that a hash chooses.  With prefixes of k-mers, lists would be as uneven
 * as the composition of the sequences.
 *
 * An entry of a list is a code.  The threads of a block sort the codes of a
 * round in shared memory, and write the codes of one list side by side.  Codes
 * for which a list has no room are added to the histogram at once, so any room
 * is correct.
 */

#ifndef GPUHIST_SEQUENCE_LISTS_H
#define GPUHIST_SEQUENCE_LISTS_H

#include "kernels/seq/sequence_block.h"

/* Entries that a thread of the drain loads at a time. */
#define SEQUENCE_DRAIN_LOADS 4

/* ---- which cells a list has ---- */

/* The number of CODE within its list. */
DEVICE_FN binning_u32
sequence_list_remainder(const struct sequence_task *task, binning_u32 code)
{
    return code & ((1u << task->work.list_shift) - 1);
}

/* The difference between the number of a list and the highest bits of the codes
   with this LOW. */
DEVICE_FN binning_u32
sequence_list_mix(const struct sequence_task *task, binning_u32 low)
{
    return low / SEQUENCE_LIST_RUN * 2654435761u >> 16 & (task->work.lists - 1);
}

/* The list of CODE. */
DEVICE_FN binning_u32
sequence_list_of(const struct sequence_task *task, binning_u32 code)
{
    return code >> task->work.list_shift ^
           sequence_list_mix(task, sequence_list_remainder(task, code));
}

/* The code with number LOW of LIST. */
DEVICE_FN binning_u32
sequence_list_code(const struct sequence_task *task, binning_u32 list,
                   binning_u32 low)
{
    return (list ^ sequence_list_mix(task, low)) << task->work.list_shift | low;
}

/* ---- putting codes into lists ---- */

struct sequence_lists {
    DEVICE_SHARED binning_u32 *total;  /* of all codes of a round */
    DEVICE_SHARED binning_u32 *place;  /* of each list: 0 between rounds */
    DEVICE_SHARED binning_u32 *target; /* ... from buffer to memory */
    DEVICE_SHARED binning_u32 *buffer;
    binning_u32 threads;         /* that may have codes in a round */
    struct sequence_front front; /* of the codes added at once */
};

/*
 * The shared memory starts with the sums, and then a word for each thread:
 * sequence_block_before().  It has room for the codes of a thread or more.  A
 * barrier follows.
 */
DEVICE_FN struct sequence_lists
sequence_lists_open(const struct sequence_task *task)
{
    binning_u32 lists = task->work.lists;
    binning_u32 words = SEQUENCE_SUMS + DEVICE_THREADS + 1 + 4 * lists;
    struct sequence_lists own;

    own.total = task->shared + SEQUENCE_SUMS + DEVICE_THREADS;
    own.place = own.total + 1;
    own.target = own.place + lists;
    own.front = sequence_front_open(own.target + lists, lists);
    own.buffer = task->shared + words;
    own.threads = (task->work.shared_words - words) / SEQUENCE_VECTOR;
    if (own.threads > DEVICE_THREADS)
        own.threads = DEVICE_THREADS;
    sequence_clear(task->shared, SEQUENCE_SUMS);
    sequence_clear(own.place, lists);
    return own;
}

/*
 * Turn PLACE, the number of codes of each list, into the start of each list in
 * the buffer, and reserve room in the lists.
 */
DEVICE_FN void
sequence_lists_reserve(const struct sequence_task *task,
                       const struct sequence_lists *lists)
{
    binning_u32 each = (task->work.lists + DEVICE_THREADS - 1) / DEVICE_THREADS;
    binning_u32 first = DEVICE_THREAD * each;
    binning_u32 end = first + each;
    binning_u32 start = 0;
    struct sequence_task behind = *task;

    if (end > task->work.lists)
        end = task->work.lists;
    DEVICE_ROLLED
    for (binning_u32 l = first; l < end; l++)
        start += lists->place[l];
    behind.shared += SEQUENCE_SUMS;
    start = sequence_block_before(&behind, start);
    DEVICE_ROLLED
    for (binning_u32 l = first; l < end; l++) {
        binning_u32 count = lists->place[l];
        binning_u32 at = 0;

        if (count != 0)
            at = DEVICE_TAKE_ROOM(&task->list_sizes[l], count);
        lists->place[l] = start;
        lists->target[l] = at - start;
        start += count;
    }
    if (DEVICE_THREAD == DEVICE_THREADS - 1)
        *lists->total = start;
}

/* Write the codes in the buffer to the lists. */
DEVICE_FN void
sequence_lists_write(const struct sequence_task *task,
                     const struct sequence_lists *lists)
{
    binning_u32 total = *lists->total;
    binning_u32 room = task->work.list_room;

    DEVICE_ROLLED
    for (binning_u32 i = DEVICE_THREAD; i < total; i += DEVICE_THREADS) {
        binning_u32 code = lists->buffer[i];
        binning_u32 list = sequence_list_of(task, code);
        binning_u32 at = lists->target[list] + i;

        if (at < room)
            task->list_entries[list * room + at] = code;
        else
            sequence_front_add(task, &lists->front,
                               task->work.first_kmer + code, 1);
    }
}

/* The code of window I, of 32 bases with CODES, whose reverse complement has
   the codes REVERSE. */
DEVICE_FN binning_u32
sequence_window_code(const struct sequence_task *task, binning_u64 codes,
                     binning_u64 reverse, binning_u32 i)
{
    binning_u32 unused = 32 - 2 * task->work.k;
    binning_u32 code = (binning_u32)(codes << 2 * i >> 32) >> unused;
    binning_u32 other = (binning_u32)(reverse >> 2 * i) << unused >> unused;

    return task->work.is_canonical && other < code ? other : code;
}

/*
 * A round of a block: put the k-mers of windows, as for sequence_count_codes(),
 * into lists.  A thread from LISTS->threads on adds nothing.
 */
DEVICE_FN void
sequence_lists_add(const struct sequence_task *task,
                   const struct sequence_lists *lists, binning_u64 codes,
                   binning_u32 whole)
{
    binning_u64 reverse = sequence_reverse(codes);

    DEVICE_UNROLL
    for (binning_u32 i = 0; i < SEQUENCE_VECTOR; i++) {
        binning_u32 code = sequence_window_code(task, codes, reverse, i);

        if ((whole >> i & 1) != 0)
            DEVICE_ADD(&lists->place[sequence_list_of(task, code)], 1);
    }
    DEVICE_BARRIER();
    sequence_lists_reserve(task, lists);
    DEVICE_BARRIER();
    DEVICE_UNROLL
    for (binning_u32 i = 0; i < SEQUENCE_VECTOR; i++) {
        binning_u32 code = sequence_window_code(task, codes, reverse, i);
        binning_u32 list = sequence_list_of(task, code);

        if ((whole >> i & 1) != 0)
            lists->buffer[DEVICE_TAKE(&lists->place[list], 1)] = code;
    }
    DEVICE_BARRIER();
    sequence_lists_write(task, lists);
    sequence_clear(lists->place, task->work.lists);
    DEVICE_BARRIER();
}

/* After the last round: add the remaining codes. */
DEVICE_FN void
sequence_lists_close(const struct sequence_task *task,
                     const struct sequence_lists *lists)
{
    sequence_front_close(task, &lists->front);
}

/* ---- the drain ---- */

/*
 * Count the entries of LIST whose numbers lie from FIRST on, below FIRST +
 * DRAIN_CELLS.  No other block has any of these cells.
 */
DEVICE_FN void
sequence_drain_part(const struct sequence_task *task, binning_u32 list,
                    binning_u32 first)
{
    DEVICE_GLOBAL const binning_u32 *entries =
        task->list_entries + list * task->work.list_room;
    binning_u32 cells = task->work.drain_cells;
    binning_u32 size = task->list_sizes[list];
    binning_u32 own[SEQUENCE_DRAIN_LOADS];

    if (size > task->work.list_room)
        size = task->work.list_room;
    if (size == 0)
        return;
    sequence_clear(task->shared, cells);
    DEVICE_BARRIER();
    DEVICE_ROLLED
    for (binning_u32 i = DEVICE_THREAD; i < size;
         i += SEQUENCE_DRAIN_LOADS * DEVICE_THREADS) {
        DEVICE_UNROLL
        for (binning_u32 j = 0; j < SEQUENCE_DRAIN_LOADS; j++) {
            binning_u32 at = i + j * DEVICE_THREADS;
            own[j] = at < size ? entries[at] : 0;
        }
        DEVICE_UNROLL
        for (binning_u32 j = 0; j < SEQUENCE_DRAIN_LOADS; j++) {
            binning_u32 cell = sequence_list_remainder(task, own[j]) - first;
            if (cell < cells && i + j * DEVICE_THREADS < size)
                DEVICE_ADD(&task->shared[cell], 1);
        }
    }
    DEVICE_BARRIER();
    DEVICE_ROLLED
    for (binning_u32 c = DEVICE_THREAD; c < cells; c += DEVICE_THREADS) {
        binning_u32 code = sequence_list_code(task, list, first + c);
        if (task->shared[c] != 0)
            DEVICE_RAISE_CELL(&task->histogram[task->work.first_kmer + code],
                              task->shared[c]);
    }
    /* Each thread clears the entries that it has read; but in PoCL 3, a loop
       with barriers needs a barrier at its end. */
    DEVICE_BARRIER();
}

/* Kernel: count the entries of all lists, and set the sizes of the lists to 0.
   Blocks that run together share lists, so that a cache holds the lists. */
DEVICE_FN void
sequence_drain_lists(const struct sequence_task *task)
{
    binning_u32 parts = (1u << task->work.list_shift) / task->work.drain_cells;

    DEVICE_ROLLED
    for (binning_u32 p = DEVICE_BLOCK; p < task->work.lists * parts;
         p += DEVICE_BLOCKS)
        sequence_drain_part(task, p / parts,
                            p % parts * task->work.drain_cells);
}

#endif
