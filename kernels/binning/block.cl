/* SPDX-License-Identifier: MIT */
/*
 * block.cl -- the common part of all OpenCL kernels
 *
 * OpenCL's work-item is called a thread here, and its work-group a thread
 * block, as in CUDA.  A block keeps counts in a table in local memory and adds
 * them to the histogram at the end.  On a GPU a block has many threads, which
 * share the table through atomics.  On a processor a block has one thread, and
 * ONE_THREAD is defined: the table needs no atomics, and the block's share of
 * the input is contiguous.
 *
 * The build concatenates binning.h, counting.h, this file, the files for
 * sequences, which are compiled if SEQUENCES is defined, and the files for
 * records, which are compiled otherwise.  The engine compiles them for one kind
 * of spec and defines
 *
 *     COUNT               the function that counts, for example count_bytes
 *     STRATEGY            one of STRATEGY_* below
 *     LANES               columns of a table with STRATEGY_LANE
 *     ONE_THREAD          see above
 *     BLOCK_THREADS       threads of a block; if not defined, the compiler
 *                         chooses the size of blocks
 *     WEIGHTS             if weights are added up
 *     AXIS_TYPE, AXIS_KIND, AXIS_CLOSED, AXIS_SWAPPED
 *                         if the spec has one axis: a kernel with these
 *                         constants takes half the time
 *     HISTOGRAM_HALVES    if the device has no 64-bit atomics
 *     BINNING_NO_DOUBLES  if the device has no doubles
 */

#define STRATEGY_LANE 0   /* a table with a column for each lane */
#define STRATEGY_SHARED 1 /* one table for the block */
#define STRATEGY_GLOBAL 2 /* the histogram; some cells have local counters */

#ifdef ONE_THREAD
#    define block_barrier()
#else
#    define block_barrier() barrier(CLK_LOCAL_MEM_FENCE)
#endif

#ifdef BLOCK_THREADS
#    define BLOCK_SIZE \
        __attribute__((reqd_work_group_size(BLOCK_THREADS, 1, 1)))
#else
#    define BLOCK_SIZE
#endif

#ifndef HISTOGRAM_HALVES
#    pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#endif

/* The parameters of a kernel. */
struct work {
    struct counting task;
    __global const uchar *data;
    __global ulong *histogram;
    __global const struct binning_axis *axes;
    struct binning_axis first_axis;
    struct binning_tables tables;
    uint planes;
    uint slots; /* STRATEGY_GLOBAL: cells with counters in TABLE */
    __local uint *table;
};

/* The indices that a thread counts: FIRST, FIRST + STEP, ... below END. */
struct thread_share {
    ulong first;
    ulong end;
    ulong step;
};

/* The share of this thread in COUNT indices. */
DEVICE_FN struct thread_share
share_of(ulong count)
{
#ifdef ONE_THREAD
    ulong most = (count + get_num_groups(0) - 1) / get_num_groups(0);
    ulong first = get_group_id(0) * most;
    struct thread_share share = {first, min(first + most, count), 1};
#else
    struct thread_share share = {get_global_id(0), count, get_global_size(0)};
#endif
    return share;
}

/* Add AMOUNT to a counter in local memory.  Returns its old value. */
DEVICE_FN uint
block_add(__local uint *counter, uint amount)
{
#ifdef ONE_THREAD
    uint old = *counter;

    *counter = old + amount;
    return old;
#else
    return atomic_add(counter, amount);
#endif
}

/* Add ADDEND to a 64-bit sum in local memory, which has two 32-bit halves. */
DEVICE_FN void
block_add_halves(__local uint *low, __local uint *high, ulong addend)
{
    uint old = block_add(low, (uint)addend);
    uint carry = old + (uint)addend < old ? 1 : 0;
    uint addend_high = (uint)(addend >> 32) + carry;

    if (addend_high != 0)
        block_add(high, addend_high);
}

/* Add AMOUNT to a cell of the histogram, modulo 2^64. */
DEVICE_FN void
histogram_add(__global ulong *cell, ulong amount)
{
    if (amount == 0)
        return;
#ifdef HISTOGRAM_HALVES
    /* An add that wraps the lower half carries; the order does not matter. */
    __global uint *word = (__global uint *)cell;
    uint old = atomic_add(&word[0], (uint)amount);
    uint carry = old + (uint)amount < old ? 1 : 0;
    uint high = (uint)(amount >> 32) + carry;

    if (high != 0)
        atomic_add(&word[1], high);
#else
    atom_add(cell, amount);
#endif
}

/* ---- counters for the first cells that a block meets ---- */

#define NO_CELL 0xffffffffu

/* The slot of CELL.  Adjacent cells are often used together: spread them. */
DEVICE_FN uint
slot_of(uint cell, uint slots)
{
    return (cell * 2654435761u >> 16) & (slots - 1);
}

/*
 * Whether the slot with this OWNER belongs to CELL.  A free slot is claimed for
 * CELL until the block ends; no cell is ever evicted.
 */
DEVICE_FN bool
slot_claim(__local uint *owner, uint cell)
{
    uint found = *(volatile __local uint *)owner;

    if (found != NO_CELL)
        return found == cell;
#ifdef ONE_THREAD
    *owner = cell;
    return true;
#else
    found = atomic_cmpxchg(owner, NO_CELL, cell);
    return found == NO_CELL || found == cell;
#endif
}

/* Set COUNT words at TABLE to VALUE; all threads of the block take part. */
DEVICE_FN void
block_fill(__local uint *table, uint count, uint value)
{
    for (uint i = get_local_id(0); i < count; i += get_local_size(0))
        table[i] = value;
}
