/*
 * bytes.cuh -- count byte values, each lane in its own column
 *
 * The privatized histogram of a block is a table of 32-bit counters.  It has
 * 256 rows, one for each value, and 32 columns, one for each lane of a warp.
 * Counter (value, lane) is word value * 32 + lane of shared memory, in bank
 * `lane`.  So the 32 lanes of a warp always use 32 different banks: constant
 * input is as fast as random input, and no lane waits for another lane of its
 * warp.  The warps of a block share the table through shared-memory atomics.
 *
 * (R. Shams and R. A. Kennedy, "Efficient histogram algorithms for NVIDIA CUDA
 * compatible devices", 2007, is the usual reference for privatized tables.  A
 * column for each lane became affordable once blocks had 32 KiB of shared
 * memory with fast atomics.)
 *
 * A counter has 32 bits, so one launch must count at most 2^32 - 1 bytes;
 * device_engine.c asserts this.
 */

#include "counting.h"

namespace bytes
{

constexpr unsigned int VALUES = 256;
constexpr unsigned int LANES = 32;
constexpr unsigned int THREADS_MAX = 1024;

__device__ __forceinline__ void
count_word(unsigned int *column, unsigned int word)
{
    atomicAdd(&column[(word & 255) * LANES], 1u);
    atomicAdd(&column[(word >> 8 & 255) * LANES], 1u);
    atomicAdd(&column[(word >> 16 & 255) * LANES], 1u);
    atomicAdd(&column[(word >> 24) * LANES], 1u);
}

} // namespace bytes

/*
 * Count records of one byte by their bits.  The kernel reads nothing beyond the
 * last byte.  The grid and the blocks are one-dimensional; a block has a
 * multiple of 32 threads and 256 * 32 words of dynamic shared memory.
 */
extern "C" __global__ void
__launch_bounds__(bytes::THREADS_MAX) count_bytes(const struct counting task)
{
    using namespace bytes;
    extern __shared__ unsigned int table[];
    const unsigned char *const data =
        reinterpret_cast<const unsigned char *>(task.data);
    const unsigned long long size = task.size;
    unsigned long long *const histogram =
        reinterpret_cast<unsigned long long *>(task.histogram);

    for (unsigned int i = threadIdx.x; i < VALUES * LANES; i += blockDim.x)
        table[i] = 0;
    __syncthreads();

    unsigned int *column = table + threadIdx.x % LANES;
    const uint4 *vectors = reinterpret_cast<const uint4 *>(data);
    const unsigned long long vector_count = size / sizeof(uint4);
    const unsigned long long thread =
        static_cast<unsigned long long>(blockIdx.x) * blockDim.x + threadIdx.x;
    const unsigned long long threads =
        static_cast<unsigned long long>(gridDim.x) * blockDim.x;

    /* A grid-stride loop; each byte is read once, so caching is useless. */
    for (unsigned long long i = thread; i < vector_count; i += threads) {
        const uint4 vector = __ldcs(vectors + i);
        count_word(column, vector.x);
        count_word(column, vector.y);
        count_word(column, vector.z);
        count_word(column, vector.w);
    }

    /* The first threads count the last bytes, fewer than 16, one each. */
    const unsigned long long rest = vector_count * sizeof(uint4) + thread;
    if (rest < size)
        atomicAdd(&column[data[rest] * LANES], 1u);
    __syncthreads();

    /* Each thread sums a row; the threads start at different banks. */
    for (unsigned int value = threadIdx.x; value < VALUES;
         value += blockDim.x) {
        unsigned long long sum = 0;
        for (unsigned int i = 0; i < LANES; i++)
            sum += table[value * LANES + (value + i) % LANES];
        if (sum != 0)
            atomicAdd(&histogram[value], sum);
    }
}
