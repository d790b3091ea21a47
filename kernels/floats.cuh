/*
 * floats.cuh -- count 32-bit floating-point samples in even bins
 *
 * As in bytes.cuh, each lane has its own column in the block's table.  floats.h
 * defines the bin of a sample.
 *
 * The order of the table's rows is underflow, bins, overflow, NaN, so that
 * underflow and overflow need no branch.
 */

#include "counting.h"
#include "floats.h"

namespace floats
{

constexpr unsigned int LANES = 32;
constexpr unsigned int THREADS_MAX = 1024;

/* The table's row for a sample with these BITS. */
__device__ __forceinline__ unsigned int
row_of(const struct floats_rule &rule, const float *thresholds,
       unsigned int bits)
{
    const struct floats_place place = floats_find(&rule, bits);
    const float x = __uint_as_float(bits);

    if (place.is_certain)
        return static_cast<unsigned int>(place.bin + 1);
    if (x != x)
        return static_cast<unsigned int>(rule.bins) + 2;
    return static_cast<unsigned int>(
        x < thresholds[place.edge] ? place.edge : place.edge + 1);
}

} // namespace floats

/*
 * Count records of one f4 in the machine's byte order, on one EVEN axis for
 * which floats_are_enough().  The grid and the blocks are one-dimensional; a
 * block has a multiple of 32 threads and cells * 33 words of dynamic shared
 * memory.
 */
extern "C" __global__ void
__launch_bounds__(floats::THREADS_MAX) count_floats(const struct counting task)
{
    using namespace floats;
    extern __shared__ unsigned int table[];
    const struct binning_axis &axis =
        *reinterpret_cast<const struct binning_axis *>(task.axes);
    const struct floats_rule rule = floats_make_rule(&axis);
    const unsigned int bins = static_cast<unsigned int>(axis.bins);
    const unsigned int rows = static_cast<unsigned int>(task.cells);
    float *const thresholds = reinterpret_cast<float *>(table + rows * LANES);

    for (unsigned int i = threadIdx.x; i < rows * LANES; i += blockDim.x)
        table[i] = 0;
    for (unsigned int i = threadIdx.x; i <= bins; i += blockDim.x)
        thresholds[i] = floats_of_key(floats_edge_key(&axis, i));
    __syncthreads();

    unsigned int *const column = table + threadIdx.x % LANES;
    const uint4 *const vectors = reinterpret_cast<const uint4 *>(task.data);
    const unsigned long long vector_count = task.size / sizeof(uint4);
    const unsigned long long thread =
        static_cast<unsigned long long>(blockIdx.x) * blockDim.x + threadIdx.x;
    const unsigned long long threads =
        static_cast<unsigned long long>(gridDim.x) * blockDim.x;
    auto count = [&](unsigned int bits) {
        atomicAdd(&column[row_of(rule, thresholds, bits) * LANES], 1u);
    };

    for (unsigned long long i = thread; i < vector_count; i += threads) {
        const uint4 vector = __ldcs(vectors + i);
        count(vector.x);
        count(vector.y);
        count(vector.z);
        count(vector.w);
    }

    /* The last samples, fewer than 4. */
    const unsigned int *const samples =
        reinterpret_cast<const unsigned int *>(task.data);
    const unsigned long long rest = vector_count * 4 + thread;
    if (rest < task.size / 4)
        count(samples[rest]);
    __syncthreads();

    unsigned long long *const histogram =
        reinterpret_cast<unsigned long long *>(task.histogram);
    for (unsigned int row = threadIdx.x; row < rows; row += blockDim.x) {
        const unsigned int cell = row == 0      ? bins + BINNING_UNDERFLOW
                                  : row <= bins ? row - 1
                                                : row;
        unsigned long long sum = 0;
        for (unsigned int i = 0; i < LANES; i++)
            sum += table[row * LANES + (row + i) % LANES];
        if (sum != 0)
            atomicAdd(&histogram[cell], sum);
    }
}
