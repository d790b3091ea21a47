/* SPDX-License-Identifier: MIT */
/*
 * text_count.h -- the kernel that counts the cells of records
 *
 * This file is written in the common subset of C11, CUDA C++ and OpenCL C.
 */

#ifndef GPUHIST_TEXT_COUNT_H
#define GPUHIST_TEXT_COUNT_H

#include "kernels/text/text_block.h"

/*
 * Counters in shared memory for the first cells that a block meets: a slot
 * belongs to the first cell that claims the slot, until the block ends.  Few
 * keys, and frequent keys among many, are counted in slots.
 */
#define TEXT_FRONT_FREE 0xffffffffu

/* A block starts with this many records: fewer are not worth its counters. */
#define TEXT_COUNT_RECORDS 4096

DEVICE_FN void
text_count_cell(const struct text_task *task, binning_u32 cell)
{
    /* Adjacent cells are often used together: spread them. */
    binning_u32 slot = cell * 2654435761u >> 16 & (TEXT_FRONT_SLOTS - 1);

    if (DEVICE_CLAIM(&task->shared[slot], cell))
        DEVICE_ADD(&task->shared[TEXT_FRONT_SLOTS + slot], 1);
    else
        DEVICE_ADD_CELL(&task->histogram[cell], 1);
}

/* text_count */
DEVICE_FN void
text_count_all(const struct text_task *task)
{
    DEVICE_GLOBAL const binning_u32 *cells =
        task->scratch + text_cells_at(task->size);
    binning_u32 records = task->scratch[0];
    binning_u32 useful =
        (records + TEXT_COUNT_RECORDS - 1) / TEXT_COUNT_RECORDS;
    binning_u32 blocks = useful < DEVICE_BLOCKS ? useful : DEVICE_BLOCKS;

    if (task->status[0] != 0 || DEVICE_BLOCK >= blocks)
        return;
    DEVICE_ROLLED
    for (binning_u32 i = DEVICE_THREAD; i < TEXT_FRONT_SLOTS;
         i += DEVICE_THREADS) {
        task->shared[i] = TEXT_FRONT_FREE;
        task->shared[TEXT_FRONT_SLOTS + i] = 0;
    }
    DEVICE_BARRIER();
    DEVICE_ROLLED
    for (binning_u32 i = DEVICE_BLOCK * DEVICE_THREADS + DEVICE_THREAD;
         i < records; i += blocks * DEVICE_THREADS)
        text_count_cell(task, cells[i]);
    DEVICE_BARRIER();
    DEVICE_ROLLED
    for (binning_u32 i = DEVICE_THREAD; i < TEXT_FRONT_SLOTS;
         i += DEVICE_THREADS) {
        binning_u32 count = task->shared[TEXT_FRONT_SLOTS + i];
        if (count != 0)
            DEVICE_ADD_CELL(&task->histogram[task->shared[i]], count);
    }
    if (DEVICE_BLOCK == 0 && DEVICE_THREAD == 0)
        DEVICE_ADD_CELL(&task->histogram[TEXT_TOTAL_RECORDS], records);
}

#endif
