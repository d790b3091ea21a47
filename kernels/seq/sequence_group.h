/*
 * sequence_group.h -- what the kernels for sequences share: groups of items
 *
 * This file is written in the common subset of C11, CUDA C++ and OpenCL C.  An
 * item is a thread of CUDA or a work-item of OpenCL; a group, which shares
 * memory, is a block or a work-group.  It has a power of two of items, at most
 * SEQUENCE_TILE_VECTORS.  Any number of groups does; all of them are those of
 * one chunk.  A file that includes this one defines
 *
 *     SEQUENCE_LOCAL               the qualifier of a group's shared memory
 *     SEQUENCE_ITEM, ..._ITEMS     the number of an item in its group; of all
 *     SEQUENCE_GROUP, ..._GROUPS   the number of a group; of all
 *     SEQUENCE_BARRIER()           all items of a group meet, and see what each
 *                                  has written to the shared memory
 *     SEQUENCE_POPCOUNT(word)
 *     SEQUENCE_LOAD(data, vector)  the struct sequence_bytes of whole vectors
 *     SEQUENCE_ADD(word, amount)   adds to a word of the shared memory
 *     SEQUENCE_TAKE(word, amount)  adds, and returns what it was
 *     SEQUENCE_CLAIM(word, cell)   whether a word of the shared memory is CELL;
 *                                  one that is SEQUENCE_NO_CELL becomes CELL
 *     SEQUENCE_ADD_CELL(cell, amount)     adds to 64 bits in device memory
 *     SEQUENCE_RAISE_CELL(cell, amount)   ... that nobody else uses meanwhile
 *     SEQUENCE_ADD_BITS(word, bits)       sets bits of a word there
 *     SEQUENCE_TAKE_ROOM(word, amount)    as SEQUENCE_TAKE(), of a word there
 *     SEQUENCE_UNROLL              before a loop that indexes private arrays
 *     SEQUENCE_ROLLED              before a loop that is long enough as it is
 *
 * What adds, takes, claims or sets bits is atomic.
 */

#ifndef GPUHIST_SEQUENCE_GROUP_H
#define GPUHIST_SEQUENCE_GROUP_H

#include "kernels/seq/sequence_words.h"
#include "kernels/seq/sequence_work.h"

/* The parameters of a kernel: first those of a batch; and after
   sequence_task_choose() those of one of its chunks, for a group. */
struct sequence_task {
    struct sequence_work work;
    BINNING_GLOBAL const unsigned char *data;
    BINNING_GLOBAL binning_u64 *histogram;
    BINNING_GLOBAL binning_u32 *scratch;
    BINNING_GLOBAL binning_u32 *status;
    BINNING_GLOBAL binning_u32 *list_entries;
    BINNING_GLOBAL binning_u32 *list_sizes;
    SEQUENCE_LOCAL binning_u32 *shared;
    binning_u32 size; /* of the chunk */
};

/* Let TASK, which has all of WORK, have its chunk number CHUNK. */
BINNING_FUNCTION void
sequence_task_choose(struct sequence_task *task,
                     const struct sequence_work *work, binning_u32 chunk)
{
    task->data += work->data_stride * (work->first_chunk + chunk);
    task->scratch += work->scratch_stride * chunk;
    task->status += chunk;
    task->size = work->size[chunk];
}

/* The number of an item among those of all groups, and how many there are. */
BINNING_FUNCTION binning_u32
sequence_item(void)
{
    return SEQUENCE_GROUP * SEQUENCE_ITEMS + SEQUENCE_ITEM;
}

BINNING_FUNCTION binning_u32
sequence_items(void)
{
    return SEQUENCE_GROUPS * SEQUENCE_ITEMS;
}

/* ---- memory ---- */

/* The bytes of VECTOR, which begins in the data; 0 behind the end. */
BINNING_FUNCTION struct sequence_bytes
sequence_load(const struct sequence_task *task, binning_u32 vector)
{
    binning_u32 at = vector * SEQUENCE_VECTOR;
    binning_u32 left = task->size - at;
    struct sequence_bytes bytes = {{0, 0, 0, 0}};

    if (left >= SEQUENCE_VECTOR)
        return SEQUENCE_LOAD(task->data, vector);
    /* Each byte moves those behind it to their places. */
    SEQUENCE_ROLLED
    while (left > 0) {
        for (binning_u32 w = SEQUENCE_WORDS - 1; w > 0; w--)
            bytes.word[w] = bytes.word[w] << 8 | bytes.word[w - 1] >> 24;
        bytes.word[0] = bytes.word[0] << 8 | task->data[at + --left];
    }
    return bytes;
}

/* The mask of the bases of each vector, and at least 4 of 0. */
BINNING_FUNCTION BINNING_GLOBAL unsigned short *
sequence_masks(const struct sequence_task *task)
{
    return (BINNING_GLOBAL unsigned short *)task->scratch;
}

/* The number of line ends of each tile; of FASTA see sequence_fasta.h. */
BINNING_FUNCTION BINNING_GLOBAL binning_u32 *
sequence_tile_counts(const struct sequence_task *task)
{
    return task->scratch + sequence_tiles_at(task->size);
}

/* The offset of each line end. */
BINNING_FUNCTION BINNING_GLOBAL binning_u32 *
sequence_ends(const struct sequence_task *task)
{
    return task->scratch + sequence_ends_at(task->size);
}

/* Whether the chunk is one of FASTA; else it is one of FASTQ.  All kernels but
   the first ask for what that has found: the data may change while a device
   that hangs goes on. */
BINNING_FUNCTION int
sequence_is_fasta(const struct sequence_task *task)
{
    return task->scratch[sequence_format_at(task->size)] != 0;
}

/* The vectors of a tile that each item of a group has. */
BINNING_FUNCTION binning_u32
sequence_vectors_each(void)
{
    return SEQUENCE_TILE_VECTORS / SEQUENCE_ITEMS;
}

/* ---- refusals ---- */

/* Why a chunk is refused: the bits of the status. */
enum sequence_refusal {
    SEQUENCE_REFUSED_LINES = 1,   /* too many, or not four for each record */
    SEQUENCE_REFUSED_FORM = 2,    /* a line that is none of such a record */
    SEQUENCE_REFUSED_BASE = 4,    /* a byte among the bases that is none */
    SEQUENCE_REFUSED_LENGTH = 8,  /* a read longer than the tables */
    SEQUENCE_REFUSED_CODE = 16,   /* a base without a code */
    SEQUENCE_REFUSED_QUALITY = 32 /* a quality that the tables lack */
};

BINNING_FUNCTION void
sequence_refuse(const struct sequence_task *task, binning_u32 reasons)
{
    if (reasons != 0)
        SEQUENCE_ADD_BITS(task->status, reasons);
}

/* ---- what all items of a group compute together ---- */

/* Add up AMOUNT of all items.  The shared memory is free again afterwards. */
BINNING_FUNCTION binning_u32
sequence_group_sum(const struct sequence_task *task, binning_u32 amount)
{
    binning_u32 sum;

    if (SEQUENCE_ITEM == 0)
        task->shared[0] = 0;
    SEQUENCE_BARRIER();
    if (amount != 0)
        SEQUENCE_ADD(&task->shared[0], amount);
    SEQUENCE_BARRIER();
    sum = task->shared[0];
    SEQUENCE_BARRIER();
    return sum;
}

/* Add up AMOUNT of the items before this one.  It takes a word of the shared
   memory for each item; the memory is free again afterwards. */
BINNING_FUNCTION binning_u32
sequence_group_before(const struct sequence_task *task, binning_u32 amount)
{
    SEQUENCE_LOCAL binning_u32 *word = &task->shared[SEQUENCE_ITEM];
    binning_u32 sum = amount;

    *word = sum;
    SEQUENCE_BARRIER();
    for (binning_u32 step = 1; step < SEQUENCE_ITEMS; step *= 2) {
        if (SEQUENCE_ITEM >= step)
            sum += task->shared[SEQUENCE_ITEM - step];
        SEQUENCE_BARRIER();
        *word = sum;
        SEQUENCE_BARRIER();
    }
    return sum - amount;
}

/* The number of lines in the data.  The shared memory is free afterwards. */
BINNING_FUNCTION binning_u32
sequence_group_lines(const struct sequence_task *task)
{
    BINNING_GLOBAL const binning_u32 *count = sequence_tile_counts(task);
    binning_u32 tiles = sequence_tiles(task->size);
    binning_u32 sum = 0;

    SEQUENCE_ROLLED
    for (binning_u32 i = SEQUENCE_ITEM; i < tiles; i += SEQUENCE_ITEMS)
        sum += count[i];
    return sequence_group_sum(task, sum) + (task->data[task->size - 1] != '\n');
}

/* ---- counters in shared memory for the first cells that a group meets ---- */

#define SEQUENCE_NO_CELL 0xffffffffu
#define SEQUENCE_SLOTS_MAX 4096

/*
 * A slot belongs to the first cell of the histogram that claims it, until the
 * group ends: frequent cells are met early.  A chunk has less than 2^30 bytes,
 * so a counter does not wrap.
 */
struct sequence_front {
    SEQUENCE_LOCAL binning_u32 *owner;
    SEQUENCE_LOCAL binning_u32 *count;
    binning_u32 slots; /* 0 or a power of two */
};

/* The slots that a front has in WORDS of the shared memory. */
BINNING_FUNCTION binning_u32
sequence_front_slots(binning_u32 words)
{
    binning_u32 slots = words >= 2;

    while (slots != 0 && slots < SEQUENCE_SLOTS_MAX && 4 * slots <= words)
        slots *= 2;
    return slots;
}

/* Open a front with SLOTS, which take two words of the shared memory each, from
   AT on.  A barrier follows. */
BINNING_FUNCTION struct sequence_front
sequence_front_open(SEQUENCE_LOCAL binning_u32 *at, binning_u32 slots)
{
    struct sequence_front front;

    front.slots = slots;
    front.owner = at;
    front.count = at + front.slots;
    SEQUENCE_ROLLED
    for (binning_u32 i = SEQUENCE_ITEM; i < front.slots; i += SEQUENCE_ITEMS) {
        front.owner[i] = SEQUENCE_NO_CELL;
        front.count[i] = 0;
    }
    return front;
}

/* Add AMOUNT to CELL of the histogram. */
BINNING_FUNCTION void
sequence_front_add(const struct sequence_task *task,
                   const struct sequence_front *front, binning_u32 cell,
                   binning_u32 amount)
{
    /* Adjacent cells are often used together: spread them. */
    binning_u32 slot = cell * 2654435761u >> 16 & (front->slots - 1);

    if (front->slots != 0 && SEQUENCE_CLAIM(&front->owner[slot], cell))
        SEQUENCE_ADD(&front->count[slot], amount);
    else
        SEQUENCE_ADD_CELL(&task->histogram[cell], amount);
}

/* After a barrier: add the counters to the histogram. */
BINNING_FUNCTION void
sequence_front_close(const struct sequence_task *task,
                     const struct sequence_front *front)
{
    SEQUENCE_ROLLED
    for (binning_u32 i = SEQUENCE_ITEM; i < front->slots; i += SEQUENCE_ITEMS) {
        if (front->count[i] != 0)
            SEQUENCE_ADD_CELL(&task->histogram[front->owner[i]],
                              front->count[i]);
    }
}

/* ---- tables in shared memory ---- */

/* The most copies of a table: with as many as the banks of the memory, no items
   that run together use the same one. */
#define SEQUENCE_COPIES_MAX 32

/* How many copies of CELLS counters have room in WORDS: a power of two. */
BINNING_FUNCTION binning_u32
sequence_copies(binning_u32 cells, binning_u32 words)
{
    binning_u32 copies = 1;

    while (copies < SEQUENCE_COPIES_MAX && copies < SEQUENCE_ITEMS &&
           2 * copies * cells <= words)
        copies *= 2;
    return copies;
}

/* Set WORDS of the shared memory from AT on to 0.  A barrier follows. */
BINNING_FUNCTION void
sequence_clear(SEQUENCE_LOCAL binning_u32 *at, binning_u32 words)
{
    SEQUENCE_ROLLED
    for (binning_u32 i = SEQUENCE_ITEM; i < words; i += SEQUENCE_ITEMS)
        at[i] = 0;
}

/* Where an item counts CELL of a table with COPIES. */
BINNING_FUNCTION binning_u32
sequence_place(binning_u32 cell, binning_u32 copies)
{
    return cell * copies + (SEQUENCE_ITEM & (copies - 1));
}

/*
 * After a barrier: add a table of CELLS, each with COPIES side by side, to the
 * histogram from FIRST on.
 */
BINNING_FUNCTION void
sequence_table_close(const struct sequence_task *task,
                     SEQUENCE_LOCAL const binning_u32 *table, binning_u32 cells,
                     binning_u32 copies, binning_u32 first)
{
    SEQUENCE_ROLLED
    for (binning_u32 c = SEQUENCE_ITEM; c < cells; c += SEQUENCE_ITEMS) {
        binning_u32 sum = 0;

        /* The items start at different banks. */
        SEQUENCE_ROLLED
        for (binning_u32 i = 0; i < copies; i++)
            sum += table[c * copies + ((c + i) & (copies - 1))];
        if (sum != 0)
            SEQUENCE_ADD_CELL(&task->histogram[first + c], sum);
    }
}

/* ---- sums for two of the totals ---- */

/* The first words of the shared memory. */
#define SEQUENCE_SUMS 2

/* Add AMOUNT to sum I of the shared memory. */
BINNING_FUNCTION void
sequence_sum_add(const struct sequence_task *task, binning_u32 i,
                 binning_u32 amount)
{
    if (amount != 0)
        SEQUENCE_ADD(&task->shared[i], amount);
}

/* After a barrier: add both sums to the totals from FIRST on. */
BINNING_FUNCTION void
sequence_sums_close(const struct sequence_task *task, binning_u32 first)
{
    for (binning_u32 i = SEQUENCE_ITEM; i < SEQUENCE_SUMS; i += SEQUENCE_ITEMS)
        if (task->shared[i] != 0)
            SEQUENCE_ADD_CELL(&task->histogram[first + i], task->shared[i]);
}

#endif
