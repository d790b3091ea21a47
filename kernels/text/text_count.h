/*
 * text_count.h -- the kernel that counts the cells of records
 *
 * This file is written in the common subset of C11, CUDA C++ and OpenCL C.
 */

#ifndef GPUHIST_TEXT_COUNT_H
#define GPUHIST_TEXT_COUNT_H

#include "kernels/text/text_group.h"

/*
 * Counters in shared memory for the first cells that a group meets: a slot
 * belongs to the first cell that claims it, until the group ends.  Few keys,
 * and hot ones among many, are counted there.
 */
#define TEXT_FRONT_FREE 0xffffffffu

/* A group begins with this many records: fewer are not worth its counters. */
#define TEXT_COUNT_RECORDS 4096

BINNING_FUNCTION void
text_count_cell(const struct text_task *task, binning_u32 cell)
{
    /* Adjacent cells are often used together: spread them. */
    binning_u32 slot = cell * 2654435761u >> 16 & (TEXT_FRONT_SLOTS - 1);

    if (SEQUENCE_CLAIM(&task->shared[slot], cell))
        SEQUENCE_ADD(&task->shared[TEXT_FRONT_SLOTS + slot], 1);
    else
        SEQUENCE_ADD_CELL(&task->histogram[cell], 1);
}

/* text_count */
BINNING_FUNCTION void
text_count_all(const struct text_task *task)
{
    BINNING_GLOBAL const binning_u32 *cells =
        task->scratch + text_cells_at(task->size);
    binning_u32 records = task->scratch[0];
    binning_u32 useful =
        (records + TEXT_COUNT_RECORDS - 1) / TEXT_COUNT_RECORDS;
    binning_u32 groups = useful < SEQUENCE_GROUPS ? useful : SEQUENCE_GROUPS;

    if (task->status[0] != 0 || SEQUENCE_GROUP >= groups)
        return;
    SEQUENCE_ROLLED
    for (binning_u32 i = SEQUENCE_ITEM; i < TEXT_FRONT_SLOTS;
         i += SEQUENCE_ITEMS) {
        task->shared[i] = TEXT_FRONT_FREE;
        task->shared[TEXT_FRONT_SLOTS + i] = 0;
    }
    SEQUENCE_BARRIER();
    SEQUENCE_ROLLED
    for (binning_u32 i = SEQUENCE_GROUP * SEQUENCE_ITEMS + SEQUENCE_ITEM;
         i < records; i += groups * SEQUENCE_ITEMS)
        text_count_cell(task, cells[i]);
    SEQUENCE_BARRIER();
    SEQUENCE_ROLLED
    for (binning_u32 i = SEQUENCE_ITEM; i < TEXT_FRONT_SLOTS;
         i += SEQUENCE_ITEMS) {
        binning_u32 count = task->shared[TEXT_FRONT_SLOTS + i];
        if (count != 0)
            SEQUENCE_ADD_CELL(&task->histogram[task->shared[i]], count);
    }
    if (SEQUENCE_GROUP == 0 && SEQUENCE_ITEM == 0)
        SEQUENCE_ADD_CELL(&task->histogram[TEXT_TOTAL_RECORDS], records);
}

#endif
