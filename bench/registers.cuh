/* SPDX-License-Identifier: MIT */
/*
 * registers.cuh -- count records of up to 16 cells in each thread's registers
 *
 * Include this file after kernels/binning/records.cuh.  Each thread has 16-bit counters
 * in 4 registers of 64 bits.  gpuhist has no such kernel, because auto would
 * never choose it.
 */

#ifndef GPUHIST_REGISTERS_CUH
#define GPUHIST_REGISTERS_CUH

namespace records
{

/* Four 16-bit counters in each register. */
constexpr unsigned int REGISTERS = 4;
constexpr unsigned int FIELDS = 4;
constexpr unsigned int FIELD_MAX = 0xffff;

struct registers {
    unsigned long long word[REGISTERS];
    unsigned int adds; /* since the last flush; no field exceeds this */
};

/* Add a thread's counters to the block's table, and clear them. */
__device__ __forceinline__ void
flush(registers &counters, unsigned int *table)
{
#pragma unroll
    for (unsigned int i = 0; i < REGISTERS * FIELDS; i++) {
        const unsigned int amount =
            static_cast<unsigned int>(counters.word[i / FIELDS] >>
                                      16 * (i % FIELDS)) &
            FIELD_MAX;
        if (amount != 0)
            atomicAdd(&table[i], amount);
    }
#pragma unroll
    for (unsigned int i = 0; i < REGISTERS; i++)
        counters.word[i] = 0;
    counters.adds = 0;
}

/*
 * Add 1 to the counter of CELL.  A variable index would move the counters to
 * memory, so the loop compares all indexes.
 */
__device__ __forceinline__ void
add(registers &counters, unsigned int *table, unsigned int cell)
{
    const unsigned long long one = 1ull << 16 * (cell % FIELDS);

#pragma unroll
    for (unsigned int i = 0; i < REGISTERS; i++)
        counters.word[i] += cell / FIELDS == i ? one : 0;
    if (++counters.adds == FIELD_MAX)
        flush(counters, table);
}

} // namespace records

/* At most 16 cells; 16 words of dynamic shared memory. */
extern "C" __global__ void
__launch_bounds__(records::THREADS_MAX, 1)
    count_records_registers(const struct counting task)
{
    using namespace records;
    extern __shared__ unsigned int table[];
    registers counters = {};

    clear(table, REGISTERS * FIELDS);
    for_records(
        task, [&](unsigned int cell) { add(counters, table, cell); }, no_round);
    flush(counters, table);
    __syncthreads();
    if (threadIdx.x < task.cells)
        add_to_histogram(task, threadIdx.x, table[threadIdx.x]);
}

#endif
