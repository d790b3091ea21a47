/* SPDX-License-Identifier: MIT */
/*
 * weights.cuh -- add up the weights of any records, exactly
 *
 * weighing.h splits a weight into addends for a few planes of its cell.  All
 * planes have 64 bits and wrap, as in two's complement.
 */

#include "kernels/binning/counting.h"
#include "kernels/binning/weighing.h"

namespace weights
{

/* Call ADD with plane, cell and addend, for each addend of each record. */
template <typename Add>
__device__ __forceinline__ void
for_weights(const struct counting &task, Add add)
{
    const unsigned char *const data =
        reinterpret_cast<const unsigned char *>(task.data);
    const unsigned long long count = task.size / task.record_bytes;
    const unsigned long long threads =
        static_cast<unsigned long long>(gridDim.x) * blockDim.x;

    for (unsigned long long i =
             static_cast<unsigned long long>(blockIdx.x) * blockDim.x +
             threadIdx.x;
         i < count; i += threads) {
        const unsigned char *const record = data + i * task.record_bytes;
        struct weighing_parts parts;

        weighing_split(task.weight_type,
                       records::load(record + task.weight_offset,
                                     task.weight_type, task.weight_is_swapped),
                       &parts);
        records::for_cells(task, record, [&](unsigned int cell) {
            add(0, cell, 1);
#pragma unroll
            for (unsigned int p = 0; p < WEIGHING_PARTS_MAX; p++) {
                if (p < parts.count && parts.addend[p] != 0)
                    add(1 + parts.first + p, cell,
                        static_cast<unsigned long long>(parts.addend[p]));
            }
        });
    }
}

/*
 * Add to a 64-bit sum in shared memory.  The sum has two 32-bit halves, because
 * 64-bit atomics are slow in shared memory.
 */
__device__ __forceinline__ void
add_halves(unsigned int *low, unsigned int *high, unsigned long long addend)
{
    const unsigned int addend_low = static_cast<unsigned int>(addend);
    const unsigned int old = atomicAdd(low, addend_low);
    const unsigned int carry = old + addend_low < old ? 1 : 0;
    const unsigned int addend_high =
        static_cast<unsigned int>(addend >> 32) + carry;

    if (addend_high != 0)
        atomicAdd(high, addend_high);
}

__device__ __forceinline__ unsigned long long
join_halves(unsigned int low, unsigned int high)
{
    return static_cast<unsigned long long>(high) << 32 | low;
}

} // namespace weights

/*
 * All kernels below have a one-dimensional grid and blocks of up to 1024
 * threads.  The comments give the dynamic shared memory of a block.  PLANES is
 * the number of planes of a cell, with the plane of counts.
 */

/* Keep sums in a table of the block; 2 words for each plane of each cell. */
extern "C" __global__ void
__launch_bounds__(records::THREADS_MAX, 1)
    add_weights_shared(const struct counting task, unsigned int planes)
{
    extern __shared__ unsigned int table[];
    const unsigned int cells = static_cast<unsigned int>(task.cells);
    const unsigned int count = cells * planes;
    unsigned int *const low = table;
    unsigned int *const high = table + count;

    records::clear(table, 2 * count);
    weights::for_weights(task, [&](unsigned int plane, unsigned int cell,
                                   unsigned long long addend) {
        const unsigned int i = plane * cells + cell;
        weights::add_halves(&low[i], &high[i], addend);
    });
    __syncthreads();
    for (unsigned int i = threadIdx.x; i < count; i += blockDim.x)
        records::add_to_histogram(task, i,
                                  weights::join_halves(low[i], high[i]));
}

/*
 * Add to the histogram itself.  As in records.cuh, the first cells that a block
 * meets have sums in shared memory: counting_weight_slots() slots, each of one
 * word and 2 words for each plane.
 */
extern "C" __global__ void
__launch_bounds__(records::THREADS_MAX, 1)
    add_weights_global(const struct counting task, unsigned int planes)
{
    extern __shared__ unsigned int table[];
    const unsigned int slots = counting_weight_slots(planes);
    unsigned long long *const histogram =
        reinterpret_cast<unsigned long long *>(task.histogram);
    unsigned int *const low = table;
    unsigned int *const high = low + planes * slots;
    unsigned int *const owners = high + planes * slots;

    records::clear(table, 2 * planes * slots);
    for (unsigned int i = threadIdx.x; i < slots; i += blockDim.x)
        owners[i] = records::NO_CELL;
    __syncthreads();
    weights::for_weights(task, [&](unsigned int plane, unsigned int cell,
                                   unsigned long long addend) {
        const unsigned int slot = records::hash(cell) >> 16 & (slots - 1);
        const unsigned int i = plane * slots + slot;
        if (records::claim(&owners[slot], cell))
            weights::add_halves(&low[i], &high[i], addend);
        else
            atomicAdd(&histogram[plane * task.cells + cell], addend);
    });
    __syncthreads();
    for (unsigned int i = threadIdx.x; i < planes * slots; i += blockDim.x) {
        const unsigned int owner = owners[i & (slots - 1)];
        const unsigned long long sum = weights::join_halves(low[i], high[i]);
        if (sum != 0)
            atomicAdd(&histogram[i / slots * task.cells + owner], sum);
    }
}

/* Call weighing_carry() for all cells; each thread handles one at a time. */
extern "C" __global__ void
__launch_bounds__(records::THREADS_MAX, 1)
    carry_weights(const struct counting task)
{
    unsigned long long *const sums =
        reinterpret_cast<unsigned long long *>(task.histogram) + task.cells;
    const unsigned long long threads =
        static_cast<unsigned long long>(gridDim.x) * blockDim.x;

    for (unsigned long long cell =
             static_cast<unsigned long long>(blockIdx.x) * blockDim.x +
             threadIdx.x;
         cell < task.cells; cell += threads)
        weighing_carry(sums + cell, weighing_digits(task.weight_type),
                       task.cells);
}
