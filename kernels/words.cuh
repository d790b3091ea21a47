/*
 * words.cuh -- count the values of 16-bit samples in shared memory
 *
 * 65,536 counters of 16 bits, two in a word, are 128 KiB: one table for each
 * block, one block for each multiprocessor.
 *
 * A counter must not wrap, nor carry into its neighbour.  Each add returns
 * the old value; the one thread whose add takes a counter from below 2^15 to
 * 2^15 or above moves 2^15 from it to the histogram.  Until it has done so
 * others may add more, but between two barriers a block counts no more than
 * 3 vectors of 8 samples for each of 1024 threads, 24,576: 2^15 - 1 and that
 * together stay below 2^16.
 *
 * A run of 8 equal samples, as in constant or sorted input, is one add of 8:
 * otherwise all lanes would wait in line for one counter.
 *
 * Where a sample is two letters, its low byte alone would choose the bank,
 * and letters have few low bytes: pairs of ACGT would meet in 4 of the 32
 * banks.  So five bits of the high byte are mixed into the counter's place:
 * spread().
 *
 * (Packed counters in shared memory: as RAPIDS RAFT proposes for its
 * histograms, there without the protection.)
 */

#include "counting.h"

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
 * The places in the table of the two values in PAIR; a place's value is its
 * own place, too.
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
 * Records of two bytes, counted by their bits.  One-dimensional grid, blocks
 * of 1024 threads, dynamic shared memory for 32,768 words.
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

    /* All threads of a block go round equally often: there are barriers. */
    const unsigned long long stride =
        static_cast<unsigned long long>(gridDim.x) * blockDim.x;
    unsigned long long first =
        static_cast<unsigned long long>(blockIdx.x) * blockDim.x;
    unsigned int round = 0;
    /* With one block on a multiprocessor, loads must be under way early. */
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

    /* Fewer than 8 samples are left. */
    const unsigned short *const samples =
        reinterpret_cast<const unsigned short *>(task.data);
    const unsigned long long rest = vector_count * SAMPLES + threadIdx.x;
    if (blockIdx.x == 0 && rest < task.size / 2)
        add(table, histogram, spread(samples[rest]), 1);
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
