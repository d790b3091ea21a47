/* SPDX-License-Identifier: MIT */
/*
 * text_block.h -- what the kernels for text share
 *
 * This file is written in the common subset of C11, CUDA C++ and OpenCL C.
 * Threads and blocks are those of sequence_block.h: a file that includes this
 * file defines the same names, and
 *
 *     TEXT_LOAD_SLOT(slot)    the struct text_slot in device memory
 *
 * A block has at most TEXT_THREADS_MAX threads, and TEXT_SHARED_WORDS of shared
 * memory.
 */

#ifndef GPUHIST_TEXT_BLOCK_H
#define GPUHIST_TEXT_BLOCK_H

#include "kernels/seq/sequence_words.h"
#include "kernels/text/text_work.h"

/* The parameters of a kernel: those of a batch; after text_task_choose(), those
   of one chunk of the batch, for a block. */
struct text_task {
    struct text_work work;
    DEVICE_GLOBAL const unsigned char *data;
    DEVICE_GLOBAL binning_u64 *histogram;
    DEVICE_GLOBAL binning_u32 *scratch;
    DEVICE_GLOBAL binning_u32 *status;
    DEVICE_GLOBAL binning_u32 *list;
    DEVICE_GLOBAL struct text_slot *slots;
    DEVICE_GLOBAL const binning_u64 *arena;
    DEVICE_GLOBAL const struct text_slot *learned;
    DEVICE_GLOBAL const double *edges;
    DEVICE_SHARED binning_u32 *shared;
    binning_u32 size; /* of the chunk */
};

/* Let TASK, which has all of WORK, count chunk number CHUNK. */
DEVICE_FN void
text_task_choose(struct text_task *task, const struct text_work *work,
                 binning_u32 chunk)
{
    task->data += work->data_stride * (work->first_chunk + chunk);
    task->scratch += work->scratch_stride * chunk;
    task->status += chunk;
    task->list += text_list_words(work->list_room) * chunk;
    task->size = work->size[chunk];
}

DEVICE_FN void
text_refuse(const struct text_task *task, binning_u32 reasons)
{
    DEVICE_ADD_BITS(task->status, reasons);
}

/* The place of the lowest bit of MASK, which is not 0. */
DEVICE_FN binning_u32
text_lowest(binning_u32 mask)
{
    return DEVICE_POPCOUNT((mask & (0u - mask)) - 1);
}

/*
 * The 16 bytes at AT, a multiple of 16.  End bytes follow the data: they end
 * the last record as the end of the data does.
 */
DEVICE_FN struct sequence_bytes
text_load(const struct text_task *task, binning_u32 at)
{
    binning_u32 end = sequence_repeat(task->work.format.end);
    struct sequence_bytes bytes = {{end, end, end, end}};
    binning_u32 left = at < task->size ? task->size - at : 0;

    if (left >= TEXT_VECTOR)
        return DEVICE_LOAD(task->data, at / TEXT_VECTOR);
    /* Each step moves the following bytes to their places. */
    DEVICE_ROLLED
    while (left > 0) {
        for (binning_u32 w = SEQUENCE_WORDS - 1; w > 0; w--)
            bytes.word[w] = bytes.word[w] << 8 | bytes.word[w - 1] >> 24;
        bytes.word[0] = bytes.word[0] << 8 | task->data[at + --left];
    }
    return bytes;
}

/* ---- the shared memory ---- */

/* Counters of a tile. */
enum text_counter {
    TEXT_COUNTER_RECORDS, /* that start in the tile */
    TEXT_COUNTER_FIRST    /* the number of the first one, in the chunk */
};

/* Where the bytes of the window start: words, the first byte of each in its
   lowest bits. */
DEVICE_FN DEVICE_SHARED binning_u32 *
text_window_bytes(const struct text_task *task)
{
    return task->shared + TEXT_SHARED_COUNTERS + TEXT_MARGIN / 4;
}

/* The mask of the ends of records ... */
DEVICE_FN DEVICE_SHARED binning_u32 *
text_window_ends(const struct text_task *task)
{
    return task->shared + TEXT_SHARED_COUNTERS +
           (TEXT_WINDOW + 2 * TEXT_MARGIN) / 4 + 1;
}

/* ... and of the ends of fields, which ends of records are, too.  The highest
   bit of the word before each mask is that of the byte before the window. */
DEVICE_FN DEVICE_SHARED binning_u32 *
text_window_stops(const struct text_task *task)
{
    return text_window_ends(task) + TEXT_MASK_WORDS + 1;
}

/* A word for each thread. */
DEVICE_FN DEVICE_SHARED binning_u32 *
text_window_threads(const struct text_task *task)
{
    return text_window_stops(task) + TEXT_MASK_WORDS;
}

#endif
