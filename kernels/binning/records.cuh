/* SPDX-License-Identifier: MIT */
/*
 * records.cuh -- count any records, with each strategy
 *
 * Each thread counts one record at a time, in a grid-stride loop.  binning.h
 * defines the cells of a record.  A strategy decides where a block keeps its
 * counts until the counts are added to the histogram:
 *
 *     lane        a table in shared memory with a column for each lane
 *     shared      one table in shared memory
 *     packed      one table in shared memory with two 16-bit counters in a
 *                 word; words.cuh explains why they do not wrap
 *     global      the histogram itself, in global memory; the first cells that
 *                 a block meets have counters in shared memory, because
 *                 frequent cells are met early
 *
 * The tables have 32-bit counters, and a record counts at most once in a cell.
 * So a launch must have at most 2^32 - 1 records; device_engine.c asserts this.
 */

#include "kernels/binning/counting.h"

namespace records
{

constexpr unsigned int LANES = 32;
constexpr unsigned int THREADS_MAX = 1024;

/* The bits of an element; one load if the element is aligned. */
__device__ __forceinline__ unsigned long long
load(const unsigned char *element, unsigned int type, unsigned int is_swapped)
{
    const unsigned int size = binning_size(type);
    const unsigned long long address =
        reinterpret_cast<unsigned long long>(element);

    if (is_swapped || address % size != 0)
        return binning_load(element, type, is_swapped);
    switch (size) {
    case 1:
        return *element;
    case 2:
        return *reinterpret_cast<const unsigned short *>(element);
    case 4:
        return *reinterpret_cast<const unsigned int *>(element);
    default:
        return *reinterpret_cast<const unsigned long long *>(element);
    }
}

/* Call ADD with each cell in which RECORD counts. */
template <typename Add>
__device__ __forceinline__ void
for_cells(const struct counting &task, const unsigned char *record, Add add)
{
    const struct binning_axis *const axes =
        reinterpret_cast<const struct binning_axis *>(task.axes);
    const struct binning_tables tables = {
        reinterpret_cast<const double *>(task.edges),
        reinterpret_cast<const unsigned int *>(task.lookup),
    };
    unsigned long long joint = 0;

    for (unsigned int i = 0; i < task.axis_count; i++) {
        const struct binning_axis &axis = axes[i];
        const unsigned long long bits =
            load(record + axis.offset, axis.type, axis.is_swapped);
        const unsigned long long cell =
            axis.base + axis.stride * binning_cell(&axis, &tables, bits);
        if (task.is_joint)
            joint += cell;
        else
            add(static_cast<unsigned int>(cell));
    }
    if (task.is_joint)
        add(static_cast<unsigned int>(joint));
}

/*
 * Call ADD with each cell of each of this thread's records, and ROUND after
 * each record.  All threads of a block call ROUND equally often.
 */
template <typename Add, typename Round>
__device__ __forceinline__ void
for_records(const struct counting &task, Add add, Round round)
{
    const unsigned char *const data =
        reinterpret_cast<const unsigned char *>(task.data);
    const unsigned long long count = task.size / task.record_bytes;
    const unsigned long long stride =
        static_cast<unsigned long long>(gridDim.x) * blockDim.x;

    for (unsigned long long first =
             static_cast<unsigned long long>(blockIdx.x) * blockDim.x;
         first < count; first += stride) {
        const unsigned long long i = first + threadIdx.x;
        if (i < count)
            for_cells(task, data + i * task.record_bytes, add);
        round();
    }
}

__device__ __forceinline__ void
no_round()
{
}

__device__ __forceinline__ void
clear(unsigned int *table, unsigned int words)
{
    for (unsigned int i = threadIdx.x; i < words; i += blockDim.x)
        table[i] = 0;
    __syncthreads();
}

__device__ __forceinline__ void
add_to_histogram(const struct counting &task, unsigned int cell,
                 unsigned long long amount)
{
    if (amount != 0)
        atomicAdd(reinterpret_cast<unsigned long long *>(task.histogram) + cell,
                  amount);
}

/*
 * A strategy has a function to clear the block's table, and a function to add
 * the table to the histogram; all threads of a block call both.
 */

__device__ __forceinline__ void
open_lanes(const struct counting &task, unsigned int *table)
{
    clear(table, static_cast<unsigned int>(task.cells) * LANES);
}

__device__ __forceinline__ void
close_lanes(const struct counting &task, const unsigned int *table)
{
    const unsigned int cells = static_cast<unsigned int>(task.cells);

    __syncthreads();
    for (unsigned int cell = threadIdx.x; cell < cells; cell += blockDim.x) {
        unsigned long long sum = 0;
        for (unsigned int i = 0; i < LANES; i++)
            sum += table[cell * LANES + (cell + i) % LANES];
        add_to_histogram(task, cell, sum);
    }
}

__device__ __forceinline__ void
open_shared(const struct counting &task, unsigned int *table)
{
    clear(table, static_cast<unsigned int>(task.cells));
}

__device__ __forceinline__ void
close_shared(const struct counting &task, const unsigned int *table)
{
    const unsigned int cells = static_cast<unsigned int>(task.cells);

    __syncthreads();
    for (unsigned int cell = threadIdx.x; cell < cells; cell += blockDim.x)
        add_to_histogram(task, cell, table[cell]);
}

/* A thread counts at most ROUNDS records between two barriers: words.cuh. */
constexpr unsigned int SPILL = 0x8000;
constexpr unsigned int ROUNDS = 24;
static_assert(SPILL - 1 + ROUNDS * THREADS_MAX < 65536,
              "a packed counter could wrap");

__device__ __forceinline__ void
open_packed(const struct counting &task, unsigned int *table)
{
    clear(table, (static_cast<unsigned int>(task.cells) + 1) / 2);
}

__device__ __forceinline__ void
add_packed(const struct counting &task, unsigned int *table, unsigned int cell,
           unsigned int amount)
{
    const unsigned int shift = (cell & 1) * 16;
    const unsigned int old =
        atomicAdd(&table[cell >> 1], amount << shift) >> shift & 0xffff;

    if (old < SPILL && old + amount >= SPILL) {
        atomicSub(&table[cell >> 1], SPILL << shift);
        add_to_histogram(task, cell, SPILL);
    }
}

__device__ __forceinline__ void
close_packed(const struct counting &task, const unsigned int *table)
{
    const unsigned int pairs = (static_cast<unsigned int>(task.cells) + 1) / 2;

    __syncthreads();
    for (unsigned int i = threadIdx.x; i < pairs; i += blockDim.x) {
        add_to_histogram(task, 2 * i, table[i] & 0xffff);
        add_to_histogram(task, 2 * i + 1, table[i] >> 16);
    }
}

/*
 * Counters for the first cells that a block meets.  A slot belongs to the first
 * claiming cell until the block ends; no cell is ever evicted.
 */
constexpr unsigned int SLOTS = 4096;
constexpr unsigned int NO_CELL = 0xffffffff;

struct front {
    unsigned int cell[SLOTS];
    unsigned int count[SLOTS];
};

/* Adjacent cells are often used together: spread them over 2^32. */
__device__ __forceinline__ unsigned int
hash(unsigned int cell)
{
    return cell * 2654435761u;
}

/*
 * Whether the slot with this OWNER belongs to CELL.  A free slot is claimed for
 * CELL.
 */
__device__ __forceinline__ bool
claim(unsigned int *owner, unsigned int cell)
{
    unsigned int found = *static_cast<volatile unsigned int *>(owner);

    if (found == NO_CELL) {
        found = atomicCAS(owner, NO_CELL, cell);
        if (found == NO_CELL)
            return true;
    }
    return found == cell;
}

__device__ __forceinline__ void
open_front(front &front)
{
    for (unsigned int i = threadIdx.x; i < SLOTS; i += blockDim.x) {
        front.cell[i] = NO_CELL;
        front.count[i] = 0;
    }
    __syncthreads();
}

/* Add to the counter of CELL.  Returns whether CELL has one. */
__device__ __forceinline__ bool
add_front(front &front, unsigned int cell, unsigned int amount)
{
    const unsigned int slot = hash(cell) / (NO_CELL / SLOTS + 1);
    const bool has_slot = claim(&front.cell[slot], cell);

    if (has_slot)
        atomicAdd(&front.count[slot], amount);
    return has_slot;
}

__device__ __forceinline__ void
add_global(const struct counting &task, front &front, unsigned int cell)
{
    if (!add_front(front, cell, 1))
        add_to_histogram(task, cell, 1);
}

__device__ __forceinline__ void
close_front(const struct counting &task, const front &front)
{
    __syncthreads();
    for (unsigned int i = threadIdx.x; i < SLOTS; i += blockDim.x)
        add_to_histogram(task, front.cell[i], front.count[i]);
}

} // namespace records

/*
 * All kernels below have a one-dimensional grid and blocks of up to 1024
 * threads, a multiple of 32.  The comments give the dynamic shared memory of a
 * block.
 */

/* Strategy lane; 32 words for each cell. */
extern "C" __global__ void
__launch_bounds__(records::THREADS_MAX, 1)
    count_records_lane(const struct counting task)
{
    using namespace records;
    extern __shared__ unsigned int table[];
    unsigned int *const column = table + threadIdx.x % LANES;

    open_lanes(task, table);
    for_records(
        task, [&](unsigned int cell) { atomicAdd(&column[cell * LANES], 1u); },
        no_round);
    close_lanes(task, table);
}

/* Strategy shared; a word for each cell. */
extern "C" __global__ void
__launch_bounds__(records::THREADS_MAX, 1)
    count_records_shared(const struct counting task)
{
    using namespace records;
    extern __shared__ unsigned int table[];

    open_shared(task, table);
    for_records(
        task, [&](unsigned int cell) { atomicAdd(&table[cell], 1u); },
        no_round);
    close_shared(task, table);
}

/* Strategy packed; a word for each pair of cells. */
extern "C" __global__ void
__launch_bounds__(records::THREADS_MAX, 1)
    count_records_packed(const struct counting task)
{
    using namespace records;
    extern __shared__ unsigned int table[];
    unsigned int rounds = 0;

    open_packed(task, table);
    for_records(
        task, [&](unsigned int cell) { add_packed(task, table, cell, 1); },
        [&]() {
            if (++rounds == ROUNDS) {
                rounds = 0;
                __syncthreads();
            }
        });
    close_packed(task, table);
}

/* Strategy global; no dynamic shared memory. */
extern "C" __global__ void
__launch_bounds__(records::THREADS_MAX, 1)
    count_records_global(const struct counting task)
{
    using namespace records;
    __shared__ front front;

    open_front(front);
    for_records(
        task, [&](unsigned int cell) { add_global(task, front, cell); },
        no_round);
    close_front(task, front);
}
