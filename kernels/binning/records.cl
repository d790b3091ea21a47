/* SPDX-License-Identifier: MIT */
/*
 * records.cl -- count any records, with each strategy
 *
 * A thread counts one record at a time; binning.h defines the cells of a
 * record.  The tables have 32-bit counters, and a record counts at most once in
 * a cell.  So a launch must have at most 2^32 - 1 records; device_engine.c
 * asserts this.
 */

/* The bits of an element; one load if the element is aligned. */
DEVICE_FN ulong
record_load(__global const uchar *element, uint type, uint is_swapped)
{
    uint size = binning_size(type);

    if (is_swapped || ((size_t)element & (size - 1)) != 0)
        return binning_load(element, type, is_swapped);
    switch (size) {
    case 1:
        return *element;
    case 2:
        return *(__global const ushort *)element;
    case 4:
        return *(__global const uint *)element;
    default:
        return *(__global const ulong *)element;
    }
}

/* Axis I, with constants for the members defined by the engine. */
DEVICE_FN struct binning_axis
record_axis(const struct work *work, uint i)
{
#ifdef AXIS_TYPE
    struct binning_axis axis = work->first_axis;

    axis.type = AXIS_TYPE;
    axis.kind = AXIS_KIND;
    axis.closed = AXIS_CLOSED;
    axis.is_swapped = AXIS_SWAPPED;
    return axis;
#else
    return work->axes[i];
#endif
}

DEVICE_FN uint
record_axis_count(const struct work *work)
{
#ifdef AXIS_TYPE
    return 1;
#else
    return work->task.axis_count;
#endif
}

/* The cell of RECORD on axis I; of a joint spec, its part of the cell. */
DEVICE_FN uint
record_cell(const struct work *work, __global const uchar *record, uint i)
{
    struct binning_axis axis = record_axis(work, i);
    ulong bits =
        record_load(record + axis.offset, axis.type, axis.is_swapped);

    return (uint)(axis.base +
                  axis.stride * binning_cell(&axis, &work->tables, bits));
}

/* ---- the table ---- */

DEVICE_FN void
table_clear(const struct work *work)
{
    uint cells = (uint)work->task.cells;
    uint slots = work->slots;

    switch (STRATEGY) {
    case STRATEGY_LANE:
        block_fill(work->table, cells * LANES, 0);
        break;
    case STRATEGY_SHARED:
        block_fill(work->table, cells, 0);
        break;
    default:
        block_fill(work->table, slots, 0);
        block_fill(work->table + slots, slots, NO_CELL);
        break;
    }
    block_barrier();
}

DEVICE_FN void
table_count(const struct work *work, uint cell)
{
    uint slots = work->slots;
    uint slot;

    switch (STRATEGY) {
    case STRATEGY_LANE:
        block_add(&work->table[cell * LANES + get_local_id(0) % LANES], 1);
        break;
    case STRATEGY_SHARED:
        block_add(&work->table[cell], 1);
        break;
    default:
        slot = slot_of(cell, slots);
        if (slot_claim(&work->table[slots + slot], cell))
            block_add(&work->table[slot], 1);
        else
            histogram_add(&work->histogram[cell], 1);
        break;
    }
}

/* The sum of a row; the threads start at different banks. */
DEVICE_FN ulong
table_row(const struct work *work, uint cell)
{
    ulong sum = 0;

    for (uint i = 0; i < LANES; i++)
        sum += work->table[cell * LANES + (cell + i) % LANES];
    return sum;
}

/* Add the table to the histogram. */
DEVICE_FN void
table_flush(const struct work *work)
{
    uint cells = (uint)work->task.cells;
    uint slots = work->slots;
    uint rows = STRATEGY == STRATEGY_GLOBAL ? slots : cells;

    block_barrier();
    for (uint i = get_local_id(0); i < rows; i += get_local_size(0)) {
        switch (STRATEGY) {
        case STRATEGY_LANE:
            histogram_add(&work->histogram[i], table_row(work, i));
            break;
        case STRATEGY_SHARED:
            histogram_add(&work->histogram[i], work->table[i]);
            break;
        default:
            if (work->table[i] != 0)
                histogram_add(&work->histogram[work->table[slots + i]],
                              work->table[i]);
            break;
        }
    }
}

/* ---- functions for COUNT ---- */

/* Count any records, with any strategy. */

DEVICE_FN void
count_records(const struct work *work)
{
    const struct counting *task = &work->task;
    struct thread_share share = share_of(task->size / task->record_bytes);

    table_clear(work);
    for (ulong i = share.first; i < share.end; i += share.step) {
        __global const uchar *record = work->data + i * task->record_bytes;
        uint joint = 0;

        for (uint a = 0; a < record_axis_count(work); a++) {
            uint cell = record_cell(work, record, a);
            if (task->is_joint)
                joint += cell;
            else
                table_count(work, cell);
        }
        if (task->is_joint)
            table_count(work, joint);
    }
    table_flush(work);
}

/*
 * Count records of one byte by their bits, with STRATEGY_LANE.  As in
 * bytes.cuh, each lane uses its own bank.  Four consecutive bytes use four
 * columns: otherwise a processor would wait for the store of a counter before
 * the next load of the counter.
 */
DEVICE_FN void
count_bytes(const struct work *work)
{
    __global const uint4 *vectors = (__global const uint4 *)work->data;
    ulong size = work->task.size;
    ulong vector_count = size / sizeof(uint4);
    struct thread_share share = share_of(vector_count);
    uint lane = get_local_id(0) % LANES;
    __local uint *column0 = work->table + lane;
    __local uint *column1 = work->table + (lane + 1) % LANES;
    __local uint *column2 = work->table + (lane + 2) % LANES;
    __local uint *column3 = work->table + (lane + 3) % LANES;

    table_clear(work);
    for (ulong i = share.first; i < share.end; i += share.step) {
        uint4 vector = vectors[i];
        uint word[4] = {vector.x, vector.y, vector.z, vector.w};

        for (uint w = 0; w < 4; w++) {
            block_add(&column0[(word[w] & 255) * LANES], 1);
            block_add(&column1[(word[w] >> 8 & 255) * LANES], 1);
            block_add(&column2[(word[w] >> 16 & 255) * LANES], 1);
            block_add(&column3[(word[w] >> 24) * LANES], 1);
        }
    }
    /* The last bytes, fewer than 16. */
    for (ulong i = vector_count * sizeof(uint4) + get_global_id(0); i < size;
         i += get_global_size(0))
        block_add(&column0[work->data[i] * LANES], 1);
    table_flush(work);
}
