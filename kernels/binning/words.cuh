/* SPDX-License-Identifier: MIT */
/*
 * words.cuh -- count the values of 16-bit samples in shared memory
 *
 * The table has 65,536 counters of 16 bits, two in a word: 128 KiB.  Each block
 * has one table, and each multiprocessor has one block.
 *
 * A counter must not wrap: the carry would reach the other counter of the word.
 * Each add returns the old value.  The thread whose add takes a counter from
 * below 2^15 to 2^15 or above moves 2^15 from the counter to the histogram.
 * Before this move other threads may add more; but between two barriers a block
 * counts at most 3 vectors of 8 samples for each of 1024 threads: 24,576
 * samples.  A counter stays below 2^15 + 24,576, so below 2^16.
 *
 * A run of 8 equal samples, as in constant or sorted input, is a single add of
 * 8; otherwise all lanes would wait for one counter.
 *
 * If a sample is two letters, its low byte alone would choose the bank, and
 * letters have few different low bytes: pairs of ACGT would use 4 of the 32
 * banks.  So spread() mixes five bits of the high byte into the counter's
 * place.
 *
 * (RAPIDS RAFT proposes packed counters in shared memory for its histograms,
 * without the protection against wrapping.)
 */

#include "kernels/binning/counting.h"

namespace words
{

constexpr unsigned int VALUES = 65536;
constexpr unsigned int THREADS_MAX = 1024;
constexpr unsigned int SPILL = 0x8000;
constexpr unsigned int SAMPLES = 8; /* in a vector */
constexpr unsigned int ROUNDS = 3;  /* between two barriers */
static_assert(SPILL - 1 + ROUNDS * SAMPLES * THREADS_MAX < 65536,
              "a packed counter could wrap");

/*
 * The places in the table of the two values in PAIR.  The function is its own
 * inverse, and also returns the values of two places.
 */
__device__ __forceinline__ unsigned int
spread(unsigned int pair)
{
    return pair ^ (pair >> 7 & 0x003e003e);
}

__device__ __forceinline__ void
add(unsigned int *table, unsigned long long *histogram, unsigned int place,
    unsigned int amount)
{
    const unsigned int shift = (place & 1) * 16;
    const unsigned int old =
        atomicAdd(&table[place >> 1], amount << shift) >> shift & 0xffff;

    if (old < SPILL && old + amount >= SPILL) {
        atomicSub(&table[place >> 1], SPILL << shift);
        atomicAdd(&histogram[spread(place)],
                  static_cast<unsigned long long>(SPILL));
    }
}

__device__ __forceinline__ void
add_pair(unsigned int *table, unsigned long long *histogram, unsigned int pair)
{
    const unsigned int places = spread(pair);

    add(table, histogram, places & 0xffff, 1);
    add(table, histogram, places >> 16, 1);
}

__device__ __forceinline__ void
add_vector(unsigned int *table, unsigned long long *histogram,
           const uint4 vector)
{
    const bool is_run = vector.x == vector.y && vector.x == vector.z &&
                        vector.x == vector.w &&
                        vector.x == __byte_perm(vector.x, 0, 0x1032);

    if (is_run) {
        add(table, histogram, spread(vector.x) & 0xffff, SAMPLES);
        return;
    }
    add_pair(table, histogram, vector.x);
    add_pair(table, histogram, vector.y);
    add_pair(table, histogram, vector.z);
    add_pair(table, histogram, vector.w);
}

} // namespace words

/*
 * Count records of two bytes by their bits.  The grid is one-dimensional; a
 * block has 1024 threads and 32,768 words of dynamic shared memory.
 */
extern "C" __global__ void
__launch_bounds__(words::THREADS_MAX) count_words(const struct counting task)
{
    using namespace words;
    extern __shared__ unsigned int table[];
    const uint4 *const vectors = reinterpret_cast<const uint4 *>(task.data);
    const unsigned long long vector_count = task.size / sizeof(uint4);
    unsigned long long *const histogram =
        reinterpret_cast<unsigned long long *>(task.histogram);

    for (unsigned int i = threadIdx.x; i < VALUES / 2; i += blockDim.x)
        table[i] = 0;
    __syncthreads();

    /* All threads of a block loop equally often, because of the barriers. */
    const unsigned long long stride =
        static_cast<unsigned long long>(gridDim.x) * blockDim.x;
    unsigned long long first =
        static_cast<unsigned long long>(blockIdx.x) * blockDim.x;
    unsigned int round = 0;
    /* With one block on a multiprocessor, prefetch the next vector. */
    uint4 next = {};
    if (first + threadIdx.x < vector_count)
        next = __ldcs(vectors + first + threadIdx.x);
    for (; first < vector_count; first += stride) {
        const unsigned long long i = first + threadIdx.x;
        const uint4 vector = next;
        if (i + stride < vector_count)
            next = __ldcs(vectors + i + stride);
        if (i < vector_count)
            add_vector(table, histogram, vector);
        if (++round == ROUNDS) {
            round = 0;
            __syncthreads();
        }
    }
    __syncthreads();

    /* The last samples, fewer than 8. */
    const unsigned short *const samples =
        reinterpret_cast<const unsigned short *>(task.data);
    const unsigned long long tail = vector_count * SAMPLES + threadIdx.x;
    if (blockIdx.x == 0 && tail < task.size / 2)
        add(table, histogram, spread(samples[tail]), 1);
    __syncthreads();

    for (unsigned int i = threadIdx.x; i < VALUES / 2; i += blockDim.x) {
        const unsigned int pair = table[i];
        if ((pair & 0xffff) != 0)
            atomicAdd(&histogram[spread(2 * i)],
                      static_cast<unsigned long long>(pair & 0xffff));
        if (pair >> 16 != 0)
            atomicAdd(&histogram[spread(2 * i + 1)],
                      static_cast<unsigned long long>(pair >> 16));
    }
}
