/* SPDX-License-Identifier: MIT */
/*
 * sequence_block.h -- what the kernels for sequences share: blocks of threads
 *
 * This file is written in the common subset of C11, CUDA C++ and OpenCL C.  A
 * thread is a work-item in OpenCL; a block, which has shared memory, is a
 * work-group there.  A block has a power of two of threads, at most
 * SEQUENCE_TILE_VECTORS.  Any number of blocks works on one chunk.  A file that
 * includes this file defines
 *
 *     DEVICE_SHARED              the qualifier of a block's shared memory
 *     DEVICE_THREAD, ..._THREADS the number of a thread in its block; of all
 *     DEVICE_BLOCK, ..._BLOCKS   the number of a block; of all
 *     DEVICE_BARRIER()           all threads of a block meet, and see what each
 *                                  has written to the shared memory
 *     DEVICE_POPCOUNT(word)
 *     DEVICE_LOAD(data, vector)  the struct sequence_bytes of whole vectors
 *     DEVICE_ADD(word, amount)   adds to a word of the shared memory
 *     DEVICE_TAKE(word, amount)  adds, and returns the word before
 *     DEVICE_CLAIM(word, cell)   whether a word of the shared memory is CELL;
 *                                  one that is SEQUENCE_NO_CELL becomes CELL
 *     DEVICE_ADD_CELL(cell, amount)     adds to 64 bits in device memory
 *     DEVICE_RAISE_CELL(cell, amount)   ... that nobody else uses meanwhile
 *     DEVICE_ADD_BITS(word, bits)       sets bits of a word there
 *     DEVICE_TAKE_ROOM(word, amount)    as DEVICE_TAKE(), of a word there
 *     DEVICE_UNROLL              before a loop that indexes private arrays
 *     DEVICE_ROLLED              before a loop that is long enough as it is
 *
 * What adds, takes, claims or sets bits is atomic.
 */

#ifndef GPUHIST_SEQUENCE_BLOCK_H
#define GPUHIST_SEQUENCE_BLOCK_H

#include "kernels/seq/sequence_words.h"
#include "kernels/seq/sequence_work.h"

/* The parameters of a kernel: those of a batch; after sequence_task_choose(),
   those of one chunk of the batch, for a block. */
struct sequence_task {
    struct sequence_work work;
    DEVICE_GLOBAL const unsigned char *data;
    DEVICE_GLOBAL binning_u64 *histogram;
    DEVICE_GLOBAL binning_u32 *scratch;
    DEVICE_GLOBAL binning_u32 *status;
    DEVICE_GLOBAL binning_u32 *list_entries;
    DEVICE_GLOBAL binning_u32 *list_sizes;
    DEVICE_SHARED binning_u32 *shared;
    binning_u32 size; /* of the chunk */
};

/* Let TASK, which has all of WORK, count chunk number CHUNK. */
DEVICE_FN void
sequence_task_choose(struct sequence_task *task,
                     const struct sequence_work *work, binning_u32 chunk)
{
    task->data += work->data_stride * (work->first_chunk + chunk);
    task->scratch += work->scratch_stride * chunk;
    task->status += chunk;
    task->size = work->size[chunk];
}

/* The number of a thread among the threads of all blocks, and the number of
   threads. */
DEVICE_FN binning_u32
sequence_thread(void)
{
    return DEVICE_BLOCK * DEVICE_THREADS + DEVICE_THREAD;
}

DEVICE_FN binning_u32
sequence_threads(void)
{
    return DEVICE_BLOCKS * DEVICE_THREADS;
}

/* ---- memory ---- */

/* The bytes of VECTOR, which starts in the data; 0 after the end. */
DEVICE_FN struct sequence_bytes
sequence_load(const struct sequence_task *task, binning_u32 vector)
{
    binning_u32 at = vector * SEQUENCE_VECTOR;
    binning_u32 left = task->size - at;
    struct sequence_bytes bytes = {{0, 0, 0, 0}};

    if (left >= SEQUENCE_VECTOR)
        return DEVICE_LOAD(task->data, vector);
    /* Each step moves the following bytes to their places. */
    DEVICE_ROLLED
    while (left > 0) {
        for (binning_u32 w = SEQUENCE_WORDS - 1; w > 0; w--)
            bytes.word[w] = bytes.word[w] << 8 | bytes.word[w - 1] >> 24;
        bytes.word[0] = bytes.word[0] << 8 | task->data[at + --left];
    }
    return bytes;
}

/* The mask of the bases of each vector, and at least 4 of 0. */
DEVICE_FN DEVICE_GLOBAL unsigned short *
sequence_masks(const struct sequence_task *task)
{
    return (DEVICE_GLOBAL unsigned short *)task->scratch;
}

/* The number of line ends of each tile; of FASTA see sequence_fasta.h. */
DEVICE_FN DEVICE_GLOBAL binning_u32 *
sequence_tile_counts(const struct sequence_task *task)
{
    return task->scratch + sequence_tiles_at(task->size);
}

/* The offset of each line end. */
DEVICE_FN DEVICE_GLOBAL binning_u32 *
sequence_ends(const struct sequence_task *task)
{
    return task->scratch + sequence_ends_at(task->size);
}

/* Whether the chunk is of FASTA; otherwise it is of FASTQ.  All kernels but the
   first read the answer of the first kernel: the data may change while a device
   that hangs goes on. */
DEVICE_FN int
sequence_is_fasta(const struct sequence_task *task)
{
    return task->scratch[sequence_format_at(task->size)] != 0;
}

/* The vectors of a tile that each thread of a block has. */
DEVICE_FN binning_u32
sequence_vectors_each(void)
{
    return SEQUENCE_TILE_VECTORS / DEVICE_THREADS;
}

/* ---- refusals ---- */

/* Why a chunk is refused: the bits of the status. */
enum sequence_refusal {
    SEQUENCE_REFUSED_LINES = 1,   /* too many, or not four for each record */
    SEQUENCE_REFUSED_FORM = 2,    /* a line that no such record has */
    SEQUENCE_REFUSED_BASE = 4,    /* a byte among the bases that is not a
                                     base */
    SEQUENCE_REFUSED_LENGTH = 8,  /* a read longer than the tables */
    SEQUENCE_REFUSED_CODE = 16,   /* a base without a code */
    SEQUENCE_REFUSED_QUALITY = 32 /* a quality that the tables lack */
};

DEVICE_FN void
sequence_refuse(const struct sequence_task *task, binning_u32 reasons)
{
    if (reasons != 0)
        DEVICE_ADD_BITS(task->status, reasons);
}

/* ---- what all threads of a block compute together ---- */

/* Add up AMOUNT of all threads.  The shared memory is free again afterwards. */
DEVICE_FN binning_u32
sequence_block_sum(const struct sequence_task *task, binning_u32 amount)
{
    binning_u32 sum;

    if (DEVICE_THREAD == 0)
        task->shared[0] = 0;
    DEVICE_BARRIER();
    if (amount != 0)
        DEVICE_ADD(&task->shared[0], amount);
    DEVICE_BARRIER();
    sum = task->shared[0];
    DEVICE_BARRIER();
    return sum;
}

/* Add up AMOUNT of the threads before this thread.  Takes a word of the shared
   memory for each thread; the memory is free again afterwards. */
DEVICE_FN binning_u32
sequence_block_before(const struct sequence_task *task, binning_u32 amount)
{
    DEVICE_SHARED binning_u32 *word = &task->shared[DEVICE_THREAD];
    binning_u32 sum = amount;

    *word = sum;
    DEVICE_BARRIER();
    for (binning_u32 step = 1; step < DEVICE_THREADS; step *= 2) {
        if (DEVICE_THREAD >= step)
            sum += task->shared[DEVICE_THREAD - step];
        DEVICE_BARRIER();
        *word = sum;
        DEVICE_BARRIER();
    }
    return sum - amount;
}

/* The number of lines in the data.  The shared memory is free afterwards. */
DEVICE_FN binning_u32
sequence_block_lines(const struct sequence_task *task)
{
    DEVICE_GLOBAL const binning_u32 *count = sequence_tile_counts(task);
    binning_u32 tiles = sequence_tiles(task->size);
    binning_u32 sum = 0;

    DEVICE_ROLLED
    for (binning_u32 i = DEVICE_THREAD; i < tiles; i += DEVICE_THREADS)
        sum += count[i];
    return sequence_block_sum(task, sum) + (task->data[task->size - 1] != '\n');
}

/* ---- counters in shared memory for the first cells that a block meets ---- */

#define SEQUENCE_NO_CELL 0xffffffffu
#define SEQUENCE_SLOTS_MAX 4096

/*
 * A slot belongs to the first cell of the histogram that claims the slot, until
 * the block ends: frequent cells are met early.  A chunk has less than 2^30
 * bytes, so a counter does not wrap.
 */
struct sequence_front {
    DEVICE_SHARED binning_u32 *owner;
    DEVICE_SHARED binning_u32 *count;
    binning_u32 slots; /* 0 or a power of two */
};

/* The slots that a front has in WORDS of the shared memory. */
DEVICE_FN binning_u32
sequence_front_slots(binning_u32 words)
{
    binning_u32 slots = words >= 2;

    while (slots != 0 && slots < SEQUENCE_SLOTS_MAX && 4 * slots <= words)
        slots *= 2;
    return slots;
}

/* Open a front with SLOTS, which take two words of the shared memory each, from
   AT on.  A barrier follows. */
DEVICE_FN struct sequence_front
sequence_front_open(DEVICE_SHARED binning_u32 *at, binning_u32 slots)
{
    struct sequence_front front;

    front.slots = slots;
    front.owner = at;
    front.count = at + front.slots;
    DEVICE_ROLLED
    for (binning_u32 i = DEVICE_THREAD; i < front.slots; i += DEVICE_THREADS) {
        front.owner[i] = SEQUENCE_NO_CELL;
        front.count[i] = 0;
    }
    return front;
}

/* Add AMOUNT to CELL of the histogram. */
DEVICE_FN void
sequence_front_add(const struct sequence_task *task,
                   const struct sequence_front *front, binning_u32 cell,
                   binning_u32 amount)
{
    /* Adjacent cells are often used together: spread them. */
    binning_u32 slot = cell * 2654435761u >> 16 & (front->slots - 1);

    if (front->slots != 0 && DEVICE_CLAIM(&front->owner[slot], cell))
        DEVICE_ADD(&front->count[slot], amount);
    else
        DEVICE_ADD_CELL(&task->histogram[cell], amount);
}

/* After a barrier: add the counters to the histogram. */
DEVICE_FN void
sequence_front_close(const struct sequence_task *task,
                     const struct sequence_front *front)
{
    DEVICE_ROLLED
    for (binning_u32 i = DEVICE_THREAD; i < front->slots; i += DEVICE_THREADS) {
        if (front->count[i] != 0)
            DEVICE_ADD_CELL(&task->histogram[front->owner[i]], front->count[i]);
    }
}

/* ---- tables in shared memory ---- */

/* The most copies of a table: with as many copies as banks of the memory, no
   two threads that run together use the same copy. */
#define SEQUENCE_COPIES_MAX 32

/* How many copies of CELLS counters have room in WORDS: a power of two. */
DEVICE_FN binning_u32
sequence_copies(binning_u32 cells, binning_u32 words)
{
    binning_u32 copies = 1;

    while (copies < SEQUENCE_COPIES_MAX && copies < DEVICE_THREADS &&
           2 * copies * cells <= words)
        copies *= 2;
    return copies;
}

/* Set WORDS of the shared memory from AT on to 0.  A barrier follows. */
DEVICE_FN void
sequence_clear(DEVICE_SHARED binning_u32 *at, binning_u32 words)
{
    DEVICE_ROLLED
    for (binning_u32 i = DEVICE_THREAD; i < words; i += DEVICE_THREADS)
        at[i] = 0;
}

/* Where a thread counts CELL of a table with COPIES. */
DEVICE_FN binning_u32
sequence_place(binning_u32 cell, binning_u32 copies)
{
    return cell * copies + (DEVICE_THREAD & (copies - 1));
}

/*
 * After a barrier: add a table of CELLS, each with COPIES side by side, to the
 * histogram from FIRST on.
 */
DEVICE_FN void
sequence_table_close(const struct sequence_task *task,
                     DEVICE_SHARED const binning_u32 *table, binning_u32 cells,
                     binning_u32 copies, binning_u32 first)
{
    DEVICE_ROLLED
    for (binning_u32 c = DEVICE_THREAD; c < cells; c += DEVICE_THREADS) {
        binning_u32 sum = 0;

        /* The threads start at different banks. */
        DEVICE_ROLLED
        for (binning_u32 i = 0; i < copies; i++)
            sum += table[c * copies + ((c + i) & (copies - 1))];
        if (sum != 0)
            DEVICE_ADD_CELL(&task->histogram[first + c], sum);
    }
}

/* ---- sums for two of the totals ---- */

/* The first words of the shared memory. */
#define SEQUENCE_SUMS 2

/* Add AMOUNT to sum I of the shared memory. */
DEVICE_FN void
sequence_sum_add(const struct sequence_task *task, binning_u32 i,
                 binning_u32 amount)
{
    if (amount != 0)
        DEVICE_ADD(&task->shared[i], amount);
}

/* After a barrier: add both sums to the totals from FIRST on. */
DEVICE_FN void
sequence_sums_close(const struct sequence_task *task, binning_u32 first)
{
    for (binning_u32 i = DEVICE_THREAD; i < SEQUENCE_SUMS; i += DEVICE_THREADS)
        if (task->shared[i] != 0)
            DEVICE_ADD_CELL(&task->histogram[first + i], task->shared[i]);
}

#endif
