/*
 * bytes.cuh -- count byte values, each lane in a column of its own
 *
 * The privatized histogram of a block is a table of 256 rows, one for each
 * value, and 32 columns of 32-bit counters, one for each lane of a warp:
 * counter (value, lane) is the word value * 32 + lane of shared memory, which
 * lies in bank `lane`.  So the 32 lanes of a warp always hit 32 different
 * banks, whatever the data: constant input runs as fast as random input, and
 * no lane waits for another one of its warp.  The warps of a block share the
 * table through shared-memory atomics.
 *
 * (R. Shams and R. A. Kennedy, "Efficient histogram algorithms for NVIDIA
 * CUDA compatible devices", 2007, is the usual reference for privatized
 * tables; a table for each lane became affordable with 32 KiB of fast shared
 * atomics a block.)
 *
 * A counter is 32 bits wide: one launch must not count more than 2^32 - 1
 * bytes, which device_engine.c asserts.
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
 * Records of one byte, counted by their bits; nothing beyond the last byte is
 * read.  One-dimensional grid and blocks of any size that is a multiple of
 * 32; dynamic shared memory for 256 * 32 words.
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

    /* Grid-stride; every byte is read once, so it need not stay cached. */
    for (unsigned long long i = thread; i < vector_count; i += threads) {
        const uint4 vector = __ldcs(vectors + i);
        count_word(column, vector.x);
        count_word(column, vector.y);
        count_word(column, vector.z);
        count_word(column, vector.w);
    }

    /* Fewer than 16 bytes are left: one for each of the first threads. */
    const unsigned long long rest = vector_count * sizeof(uint4) + thread;
    if (rest < size)
        atomicAdd(&column[data[rest] * LANES], 1u);
    __syncthreads();

    /* Each thread sums a row, and begins at a bank of its own. */
    for (unsigned int value = threadIdx.x; value < VALUES;
         value += blockDim.x) {
        unsigned long long sum = 0;
        for (unsigned int i = 0; i < LANES; i++)
            sum += table[value * LANES + (value + i) % LANES];
        if (sum != 0)
            atomicAdd(&histogram[value], sum);
    }
}
