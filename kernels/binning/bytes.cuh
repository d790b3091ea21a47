/* SPDX-License-Identifier: MIT */
/*
 * bytes.cuh -- count the byte values of records of 1 to 4 bytes
 *
 * A byte of a record is a channel, as of an image; each channel has its own
 * histogram.  The privatized histograms of a block are a table of 32-bit
 * counters in shared memory.  The table has 256 rows of 32 words, one row for
 * each value: a word's place in its row is its bank.  Each channel has as many
 * columns as fit into a row:
 *
 *     bytes of a record    columns of a channel
 *     1                    32
 *     2                    16
 *     3                    10; the last two words are unused
 *     4                    8
 *
 * At any time, the lanes of a warp count different channels: each lane starts
 * with another channel, and then all lanes go on to their next channel.  So two
 * lanes of a warp never use one column, and one bank: constant input is as fast
 * as random input, and no lane waits for another lane of the warp.  The warps
 * of a block share the table through shared-memory atomics.
 *
 * With records of 3 bytes, 16-byte vectors start with each channel in turn, and
 * 30 lanes of each warp take a vector each.  With 2 or 4 bytes, all vectors
 * start with the first channel, and each lane rotates its words.  The next
 * vector is loaded ahead.
 *
 * (R. Shams and R. A. Kennedy, "Efficient histogram algorithms for NVIDIA CUDA
 * compatible devices", 2007, is the usual reference for privatized tables.  A
 * column for each lane became affordable once blocks had 32 KiB of shared
 * memory with fast atomics.)
 *
 * A counter has 32 bits, so one launch must count at most 2^32 - 1 records;
 * device_engine.c asserts this.
 */

#include "kernels/binning/counting.h"

namespace bytes
{

constexpr unsigned int VALUES = 256;
constexpr unsigned int BANKS = 32;
constexpr unsigned int WARP = 32;
constexpr unsigned int THREADS_MAX = 1024;

/*
 * Count the bytes of VECTOR by a lane that starts with channel LANE % CHANNELS;
 * column[i] is the lane's column for the i-th channel from there.
 */
template <unsigned int CHANNELS>
__device__ __forceinline__ void
count_vector(unsigned int *table, const unsigned int (&column)[CHANNELS],
             unsigned int lane, const uint4 &vector)
{
    const unsigned int words[] = {vector.x, vector.y, vector.z, vector.w};

#pragma unroll
    for (unsigned int i = 0; i < sizeof vector; i++) {
        const unsigned int word =
            CHANNELS % 2 == 0
                ? __funnelshift_r(words[i / 4], words[i / 4], 8 * lane)
                : words[i / 4];
        const unsigned int value = word >> i % 4 * 8 & (VALUES - 1);
        atomicAdd(&table[value * BANKS | column[i % CHANNELS]], 1u);
    }
}

/* Add the table to the histogram. */
template <unsigned int COLUMNS>
__device__ __forceinline__ void
merge(const struct counting &task, const unsigned int *table)
{
    const struct binning_axis *const axes =
        reinterpret_cast<const struct binning_axis *>(task.axes);
    unsigned long long *const histogram =
        reinterpret_cast<unsigned long long *>(task.histogram);

    /* Each thread sums a row; the threads start at different banks. */
    for (unsigned int i = threadIdx.x; i < task.axis_count * VALUES;
         i += blockDim.x) {
        const struct binning_axis &axis = axes[i / VALUES];
        const unsigned int value = i % VALUES;
        const unsigned int *const row =
            table + value * BANKS + axis.offset * COLUMNS;
        unsigned long long sum = 0;
        for (unsigned int j = 0; j < COLUMNS; j++)
            sum += row[(value + j) % COLUMNS];
        if (sum != 0)
            atomicAdd(&histogram[axis.base + value], sum);
    }
}

/* Count records of CHANNELS bytes. */
template <unsigned int CHANNELS>
__device__ __forceinline__ void
count(const struct counting &task)
{
    constexpr unsigned int COLUMNS = BANKS / CHANNELS;
    constexpr unsigned int LANES = COLUMNS * CHANNELS; /* that count */
    extern __shared__ unsigned int table[];
    const unsigned int lane = threadIdx.x % WARP;

    for (unsigned int i = threadIdx.x; i < VALUES * BANKS; i += blockDim.x)
        table[i] = 0;
    __syncthreads();

    unsigned int column[CHANNELS];
#pragma unroll
    for (unsigned int i = 0; i < CHANNELS; i++)
        column[i] = (lane + i) % CHANNELS * COLUMNS + lane / CHANNELS;

    /*
     * With 3 channels, i % 3 == lane % 3 for each vector i of a lane.  With at
     * most 2^32 records, all numbers of vectors are below 2^31.
     */
    const uint4 *const vectors = reinterpret_cast<const uint4 *>(task.data);
    const unsigned int vector_count =
        static_cast<unsigned int>(task.size / sizeof(uint4));
    const unsigned int warps = blockDim.x / WARP;
    const unsigned int first =
        (blockIdx.x * warps + threadIdx.x / WARP) * LANES + lane;
    const unsigned int stride = gridDim.x * warps * LANES;

    if (lane < LANES) {
        /* Each byte is read once, so caching is useless. */
        uint4 next = {};
        if (first < vector_count)
            next = __ldcs(vectors + first);
        for (unsigned int i = first; i < vector_count; i += stride) {
            const uint4 vector = next;
            if (i + stride < vector_count)
                next = __ldcs(vectors + i + stride);
            count_vector(table, column, lane, vector);
        }

        /* The first lanes count the last bytes, fewer than 16, one each. */
        const unsigned char *const data =
            reinterpret_cast<const unsigned char *>(task.data);
        const unsigned long long tail =
            task.size / sizeof(uint4) * sizeof(uint4) + first;
        if (tail < task.size)
            atomicAdd(&table[data[tail] * BANKS + tail % CHANNELS * COLUMNS],
                      1u);
    }
    __syncthreads();
    merge<COLUMNS>(task, table);
}

} // namespace bytes

/*
 * Count records of 1 to 4 bytes whose axes have one byte each, by the bits of
 * the byte; not jointly.  Bytes without an axis are counted too, but not added
 * to the histogram.  The kernels read no byte after the last byte.  The grid
 * and the blocks are one-dimensional; a block has a multiple of 32 threads and
 * 256 * 32 words of dynamic shared memory.
 */
extern "C" __global__ void
__launch_bounds__(bytes::THREADS_MAX) count_bytes(const struct counting task)
{
    bytes::count<1>(task);
}

extern "C" __global__ void
__launch_bounds__(bytes::THREADS_MAX) count_bytes_2(const struct counting task)
{
    bytes::count<2>(task);
}

extern "C" __global__ void
__launch_bounds__(bytes::THREADS_MAX) count_bytes_3(const struct counting task)
{
    bytes::count<3>(task);
}

extern "C" __global__ void
__launch_bounds__(bytes::THREADS_MAX) count_bytes_4(const struct counting task)
{
    bytes::count<4>(task);
}
