/*
 * groups.cl -- what all OpenCL kernels have in common
 *
 * A work-group keeps counts in a table in local memory, and adds them to the
 * histogram in the end.  On a GPU it has many work-items, which share the
 * table by atomics.  On a processor it has one, and ONE_ITEM is defined: then
 * nobody else uses the table, and the group's share of the input is in one
 * piece.
 *
 * The build puts binning.h, counting.h, floats.h, weighing.h and the files *.cl
 * one behind the other.  The engine compiles them for one kind of spec, and
 * defines
 *
 *     COUNT               the function that counts: count_bytes, say
 *     STRATEGY            one of those below
 *     LANES               columns of a table with STRATEGY_LANE
 *     ONE_ITEM            see above
 *     GROUP_ITEMS         of a group; not defined: the compiler decides, and
 *                         groups are as large as it then says
 *     WEIGHTS             where weights are added up
 *     AXIS_TYPE, AXIS_KIND, AXIS_CLOSED, AXIS_SWAPPED
 *                         of the axis, where there is only one: a kernel made
 *                         for them takes half of the time
 *     HISTOGRAM_HALVES    where the device has no 64-bit atomics
 *     BINNING_NO_DOUBLES  where it has no doubles
 */

#define STRATEGY_LANE 0   /* a table with a column for each lane */
#define STRATEGY_SHARED 1 /* a table for the group */
#define STRATEGY_GLOBAL 2 /* the histogram; frequent cells have counters */

#ifdef ONE_ITEM
#    define group_barrier()
#else
#    define group_barrier() barrier(CLK_LOCAL_MEM_FENCE)
#endif

#ifdef GROUP_ITEMS
#    define GROUP_SIZE __attribute__((reqd_work_group_size(GROUP_ITEMS, 1, 1)))
#else
#    define GROUP_SIZE
#endif

#ifndef HISTOGRAM_HALVES
#    pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#endif

/* What a kernel is given. */
struct work {
    struct counting task;
    __global const uchar *data;
    __global ulong *histogram;
    __global const struct binning_axis *axes;
    struct binning_axis first_axis;
    struct binning_tables tables;
    uint planes;
    uint slots; /* STRATEGY_GLOBAL: so many cells have counters in TABLE */
    __local uint *table;
};

/* What a work-item counts: each STEP from FIRST to END. */
struct share {
    ulong first;
    ulong end;
    ulong step;
};

/* Its share of COUNT things. */
BINNING_FUNCTION struct share
share_of(ulong count)
{
#ifdef ONE_ITEM
    ulong most = (count + get_num_groups(0) - 1) / get_num_groups(0);
    ulong first = get_group_id(0) * most;
    struct share share = {first, min(first + most, count), 1};
#else
    struct share share = {get_global_id(0), count, get_global_size(0)};
#endif
    return share;
}

/* Add to a counter in local memory; returns what it was. */
BINNING_FUNCTION uint
group_add(__local uint *counter, uint amount)
{
#ifdef ONE_ITEM
    uint old = *counter;

    *counter = old + amount;
    return old;
#else
    return atomic_add(counter, amount);
#endif
}

/* The same for the halves of a 64-bit sum in local memory. */
BINNING_FUNCTION void
group_add_halves(__local uint *low, __local uint *high, ulong addend)
{
    uint old = group_add(low, (uint)addend);
    uint carry = old + (uint)addend < old ? 1 : 0;
    uint addend_high = (uint)(addend >> 32) + carry;

    if (addend_high != 0)
        group_add(high, addend_high);
}

/* Add to a cell of the histogram, modulo 2^64. */
BINNING_FUNCTION void
histogram_add(__global ulong *cell, ulong amount)
{
    if (amount == 0)
        return;
#ifdef HISTOGRAM_HALVES
    /* Each add that wraps the lower half carries, in any order. */
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

/* ---- counters for the cells that a group meets first ---- */

#define NO_CELL 0xffffffffu

/* Neighbouring cells are often used together: spread them over 2^32. */
BINNING_FUNCTION uint
slot_of(uint cell, uint slots)
{
    return (cell * 2654435761u >> 16) & (slots - 1);
}

/*
 * Whether the slot with the number OWNER is CELL's; it claims a free one.  It
 * keeps that until the group ends: so nothing is ever evicted.
 */
BINNING_FUNCTION bool
slot_claim(__local uint *owner, uint cell)
{
    uint found = *(volatile __local uint *)owner;

    if (found != NO_CELL)
        return found == cell;
#ifdef ONE_ITEM
    *owner = cell;
    return true;
#else
    found = atomic_cmpxchg(owner, NO_CELL, cell);
    return found == NO_CELL || found == cell;
#endif
}

/* Set COUNT words at TABLE to VALUE, all items together. */
BINNING_FUNCTION void
group_fill(__local uint *table, uint count, uint value)
{
    for (uint i = get_local_id(0); i < count; i += get_local_size(0))
        table[i] = value;
}
