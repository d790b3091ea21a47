/* SPDX-License-Identifier: MIT */
/*
 * floats.cuh -- count 32-bit floating-point samples in even bins
 *
 * floats.h defines the bin of a sample.  The table of a block has a row for
 * each cell, with some columns; lanes with the same remainder share a column.
 * The more columns, the fewer lanes meet in a bank; the smaller the table, the
 * more blocks run on a multiprocessor.  Several lanes that add to one counter
 * at a time cost as much as one lane.  With one column, bins a multiple of 32
 * apart share a bank.
 *
 * The order of the table's rows is NaN, underflow, bins, overflow: flow cells
 * need no branch.
 */

#include "kernels/binning/counting.h"
#include "kernels/binning/floats.h"

namespace floats
{

constexpr unsigned int THREADS_MAX = 1024;
constexpr unsigned int SAMPLES = 4; /* in a vector */

/*
 * Two blocks need 2048 threads on a multiprocessor, with 32 registers each.
 * Compute capability 10.0 would need local memory.
 */
#if defined __CUDA_ARCH__ && __CUDA_ARCH__ != 800 && __CUDA_ARCH__ != 900
constexpr unsigned int BLOCKS_MIN = 1;
#else
constexpr unsigned int BLOCKS_MIN = 2;
#endif

constexpr unsigned int MINUS_INFINITY = 0xff800000;

/* The bits of FLOATS_ROUNDER plus a small integer, less that integer. */
constexpr unsigned int ROUNDER_BITS = 0x4b400000;

/* A row is the number of a bin plus FIRST_ROW. */
constexpr unsigned int FIRST_ROW = 2;

/*
 * The data of a counting thread.  Offsets are in bytes, modulo 2^32.  A sample
 * is below edge I if it is less than threshold 1 + I; threshold 0 is -INFINITY.
 */
struct float_counter {
    struct floats_rule rule;
    const char *thresholds;
    char *table;
    unsigned int row_bytes;
    unsigned int start; /* of this lane, for bin -ROUNDER_BITS */
};

/*
 * The bin of the sample X, plus ROUNDER_BITS, by comparison with the edge
 * nearest to POSITION.  NaN has the position -1 and is not even at or above
 * -INFINITY, so the bin of NaN is -2.
 */
__device__ __forceinline__ unsigned int
compare(const struct float_counter &counter, float position, float x)
{
    /* The edge above the position, which counts from the middle of a bin. */
    const unsigned int edge =
        __float_as_uint(__fadd_ru(position, FLOATS_ROUNDER));
    const unsigned int offset =
        (edge + 1 - ROUNDER_BITS) * static_cast<unsigned int>(sizeof(float));
    const float threshold =
        *reinterpret_cast<const float *>(counter.thresholds + offset);

    return x >= threshold ? edge : edge - 1;
}

/*
 * Count the samples with these BITS.  If the place of any sample is not
 * certain, all are compared: a branch for each would cost more.
 */
template <unsigned int COUNT>
__device__ __forceinline__ void
count(const struct float_counter &counter, const unsigned int (&bits)[COUNT])
{
    struct floats_place places[COUNT];
    unsigned int found[COUNT]; /* bins, plus ROUNDER_BITS */
    bool are_certain = true;

#pragma unroll
    for (unsigned int i = 0; i < COUNT; i++) {
        places[i] = floats_find(&counter.rule, bits[i]);
        found[i] = __float_as_uint(places[i].position + FLOATS_ROUNDER);
        are_certain = are_certain && places[i].is_certain;
    }
    if (!are_certain) {
#pragma unroll
        for (unsigned int i = 0; i < COUNT; i++)
            found[i] =
                compare(counter, places[i].position, __uint_as_float(bits[i]));
    }
#pragma unroll
    for (unsigned int i = 0; i < COUNT; i++) {
        const unsigned int offset =
            found[i] * counter.row_bytes + counter.start;
        atomicAdd(reinterpret_cast<unsigned int *>(counter.table + offset), 1u);
    }
}

/*
 * Add TABLE to the HISTOGRAM of an axis of BINS bins.  TABLE has COLUMNS
 * columns and ROWS rows: NaN, underflow, the bins, and overflow.
 */
__device__ __forceinline__ void
add_table(unsigned long long *histogram, const unsigned int *table,
          unsigned int rows, unsigned int columns, unsigned int bins)
{
    for (unsigned int row = threadIdx.x; row < rows; row += blockDim.x) {
        const unsigned int cell = row == 0          ? bins + BINNING_NAN
                                  : row == 1        ? bins + BINNING_UNDERFLOW
                                  : row == bins + 2 ? bins + BINNING_OVERFLOW
                                                    : row - 2;
        unsigned long long sum = 0;
        for (unsigned int i = 0; i < columns; i++)
            sum += table[row * columns + (row + i) % columns];
        if (sum != 0)
            atomicAdd(&histogram[cell], sum);
    }
}

} // namespace floats

/*
 * Count records of one f4 with the lowest byte first, on one EVEN axis with
 * floats_are_enough().  The grid and the blocks are one-dimensional; a block
 * has a multiple of 32 threads and cells * (1 + columns) words of dynamic
 * shared memory.
 */
extern "C" __global__ void
__launch_bounds__(floats::THREADS_MAX, floats::BLOCKS_MIN)
    count_floats(const struct counting task)
{
    using namespace floats;
    extern __shared__ unsigned int shared[];
    const struct binning_axis &axis =
        *reinterpret_cast<const struct binning_axis *>(task.axes);
    const unsigned int bins = static_cast<unsigned int>(axis.bins);
    const unsigned int rows = static_cast<unsigned int>(task.cells);
    const unsigned int columns = task.columns;
    float *const thresholds = reinterpret_cast<float *>(shared);
    unsigned int *const table = shared + rows;
    const unsigned int row_bytes = columns * sizeof *table;
    const struct float_counter counter = {
        floats_make_rule(&axis),
        reinterpret_cast<const char *>(thresholds),
        reinterpret_cast<char *>(table),
        row_bytes,
        threadIdx.x % columns * static_cast<unsigned int>(sizeof *table) -
            (ROUNDER_BITS - FIRST_ROW) * row_bytes,
    };

    /* Less than 2^32: the number of samples, and of vectors and threads. */
    const uint4 *const vectors = reinterpret_cast<const uint4 *>(task.data);
    const unsigned int vector_count =
        static_cast<unsigned int>(task.size / sizeof(uint4));
    const unsigned int thread = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned int threads = gridDim.x * blockDim.x;

    /* A vector is loaded ahead, the first one while the table is made. */
    uint4 next = {};
    if (thread < vector_count)
        next = __ldcs(vectors + thread);

    for (unsigned int i = threadIdx.x; i < rows * columns; i += blockDim.x)
        table[i] = 0;
    for (unsigned int i = threadIdx.x; i <= bins + 1; i += blockDim.x)
        thresholds[i] = i == 0 ? __uint_as_float(MINUS_INFINITY)
                               : floats_of_key(floats_edge_key(&axis, i - 1));
    __syncthreads();

    for (unsigned int i = thread; i < vector_count; i += threads) {
        const uint4 vector = next;
        if (i + threads < vector_count)
            next = __ldcs(vectors + i + threads);
        count(counter, {vector.x, vector.y, vector.z, vector.w});
    }

    /* The last samples, fewer than 4. */
    const unsigned int *const samples =
        reinterpret_cast<const unsigned int *>(task.data);
    const unsigned int tail = vector_count * SAMPLES + thread;
    if (tail < task.size / 4)
        count(counter, {samples[tail]});
    __syncthreads();

    add_table(reinterpret_cast<unsigned long long *>(task.histogram), table,
              rows, columns, bins);
}
