/* SPDX-License-Identifier: MIT */
/*
 * weights.cl -- add up the weights of any records, exactly
 *
 * As in weights.cuh, weighing.h splits a weight into addends for a few planes
 * of its cell.  All planes have 64 bits and wrap, as in two's complement.  In
 * local memory a plane is two 32-bit words.
 */

#ifdef WEIGHTS

/* The sums of a plane in the table: one for each cell, or for each slot. */
DEVICE_FN uint
weights_rows(const struct work *work)
{
    return STRATEGY == STRATEGY_GLOBAL ? work->slots
                                       : (uint)work->task.cells;
}

/* Add ADDEND to PLANE of CELL. */
DEVICE_FN void
weights_add(const struct work *work, uint plane, uint cell, ulong addend)
{
    uint rows = weights_rows(work);
    __local uint *low = work->table;
    __local uint *high = low + work->planes * rows;
    __local uint *owners = high + work->planes * rows;
    uint row = cell;

    if (STRATEGY == STRATEGY_GLOBAL) {
        row = slot_of(cell, rows);
        if (!slot_claim(&owners[row], cell)) {
            histogram_add(&work->histogram[plane * work->task.cells + cell],
                          addend);
            return;
        }
    }
    block_add_halves(&low[plane * rows + row], &high[plane * rows + row],
                     addend);
}

/* Add a record's count and its weight, split into PARTS, to CELL. */
DEVICE_FN void
weights_add_record(const struct work *work, uint cell,
                   const struct weighing_parts *parts)
{
    weights_add(work, 0, cell, 1);
    for (uint p = 0; p < WEIGHING_PARTS_MAX; p++) {
        if (p < parts->count && parts->addend[p] != 0)
            weights_add(work, 1 + parts->first + p, cell,
                        (ulong)parts->addend[p]);
    }
}

/* A function for COUNT: STRATEGY_SHARED and STRATEGY_GLOBAL. */
DEVICE_FN void
add_weights(const struct work *work)
{
    const struct counting *task = &work->task;
    struct thread_share share = share_of(task->size / task->record_bytes);
    uint rows = weights_rows(work);
    uint sums = work->planes * rows;
    __local uint *owners = work->table + 2 * sums;

    block_fill(work->table, 2 * sums, 0);
    if (STRATEGY == STRATEGY_GLOBAL)
        block_fill(owners, rows, NO_CELL);
    block_barrier();

    for (ulong i = share.first; i < share.end; i += share.step) {
        __global const uchar *record = work->data + i * task->record_bytes;
        struct weighing_parts parts;
        uint joint = 0;

        weighing_split(task->weight_type,
                       record_load(record + task->weight_offset,
                                   task->weight_type, task->weight_is_swapped),
                       &parts);
        for (uint a = 0; a < record_axis_count(work); a++) {
            uint cell = record_cell(work, record, a);
            if (task->is_joint)
                joint += cell;
            else
                weights_add_record(work, cell, &parts);
        }
        if (task->is_joint)
            weights_add_record(work, joint, &parts);
    }

    block_barrier();
    for (uint i = get_local_id(0); i < sums; i += get_local_size(0)) {
        uint row = i % rows;
        uint cell = STRATEGY == STRATEGY_GLOBAL ? owners[row] : row;
        ulong sum = (ulong)work->table[sums + i] << 32 | work->table[i];

        /* A free slot has no cell, and its sums are 0. */
        if (sum != 0)
            histogram_add(&work->histogram[i / rows * task->cells + cell],
                          sum);
    }
}

/* Call weighing_carry() for all cells; a thread handles one at a time. */
__kernel BLOCK_SIZE void
carry(const struct counting task, __global ulong *histogram)
{
    __global ulong *sums = histogram + task.cells;

    for (ulong cell = get_global_id(0); cell < task.cells;
         cell += get_global_size(0))
        weighing_carry(sums + cell, weighing_digits(task.weight_type),
                       task.cells);
}

#endif
