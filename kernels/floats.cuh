/*
 * floats.cuh -- count 32-bit floating-point samples in even bins
 *
 * As in bytes.cuh each lane has a column of its own in the block's table.
 *
 * The position of a sample among the bins is computed in float.  Its error
 * is bounded (floats.h); where the position is further than that bound from a whole
 * number, so from every edge, the bin is certain.  For the others one
 * comparison decides: with the smallest float that is at or above the edge
 * (or above it, where that bin is closed on the right).  A float is at or
 * above the edge, a double, exactly when it is not below that float.
 *
 * The rows of the table are in the order of the axis, so that no flow cell
 * needs a branch: underflow, bins, overflow, NaN.
 */

#include "counting.h"
#include "floats.h"

namespace floats
{

constexpr unsigned int LANES = 32;
constexpr unsigned int THREADS_MAX = 1024;

/* Added to a number below 2^22, it leaves the nearest integer in low bits. */
constexpr float ROUNDER = 12582912; /* 1.5 * 2^23 */

/* What is needed of an axis. */
struct quick {
    float lo;
    float scale;
    float bins;
    float certain; /* the bin is, if a position is so close to its middle */
};

__device__ __forceinline__ quick
make_quick(const struct binning_axis &axis)
{
    return quick{static_cast<float>(axis.lo), static_cast<float>(axis.scale),
                 static_cast<float>(axis.bins),
                 static_cast<float>(0.5 - floats_margin(&axis))};
}

/* The smallest float at or above EDGE; or above it, if it is EXCLUDED. */
__device__ __forceinline__ float
threshold(double edge, bool excluded)
{
    const float above = __double2float_ru(edge);

    if (!excluded || static_cast<double>(above) > edge)
        return above;
    /* The next float: zero has no sign here that matters. */
    const int bits = __float_as_int(above);
    return above == 0 ? __int_as_float(1)
           : bits > 0 ? __int_as_float(bits + 1)
                      : __int_as_float(bits - 1);
}

/* The row of a sample in the table. */
__device__ __forceinline__ unsigned int
row_of(const quick &quick, const float *thresholds, float x)
{
    /* So that the nearest integer is the bin: the position less one half. */
    const float raw = __fmaf_rn(x - quick.lo, quick.scale, -0.5f);
    /* Far outside is -1 or bins.  NaN is -1, but never certain. */
    const float position = fminf(fmaxf(raw, -1.0f), quick.bins);
    const float rounded = position + ROUNDER;
    const float excess = position - (rounded - ROUNDER);
    const int bin = __float_as_int(rounded) - __float_as_int(ROUNDER);

    if (fabsf(excess) < quick.certain && raw == raw)
        return static_cast<unsigned int>(bin + 1);
    if (x != x)
        return static_cast<unsigned int>(quick.bins) + 2;
    const int edge = excess > 0 ? bin + 1 : bin;
    return static_cast<unsigned int>(x < thresholds[edge] ? edge : edge + 1);
}

} // namespace floats

/*
 * Records of one f4 in the machine's byte order, one EVEN axis for which
 * floats_are_enough().
 * One-dimensional grid and blocks of any size that is a multiple of 32;
 * dynamic shared memory for cells * 33 words.
 */
extern "C" __global__ void
__launch_bounds__(floats::THREADS_MAX) count_floats(const struct counting task)
{
    using namespace floats;
    extern __shared__ unsigned int table[];
    const struct binning_axis &axis =
        *reinterpret_cast<const struct binning_axis *>(task.axes);
    const quick quick = make_quick(axis);
    const unsigned int bins = static_cast<unsigned int>(axis.bins);
    const unsigned int rows = static_cast<unsigned int>(task.cells);
    float *const thresholds = reinterpret_cast<float *>(table + rows * LANES);

    for (unsigned int i = threadIdx.x; i < rows * LANES; i += blockDim.x)
        table[i] = 0;
    for (unsigned int i = threadIdx.x; i <= bins; i += blockDim.x) {
        const bool excluded = axis.closed == BINNING_RIGHT ||
                              (axis.closed == BINNING_NUMPY && i == bins);
        thresholds[i] = threshold(binning_even_edge(&axis, i), excluded);
    }
    __syncthreads();

    unsigned int *const column = table + threadIdx.x % LANES;
    const uint4 *const vectors = reinterpret_cast<const uint4 *>(task.data);
    const unsigned long long vector_count = task.size / sizeof(uint4);
    const unsigned long long thread =
        static_cast<unsigned long long>(blockIdx.x) * blockDim.x + threadIdx.x;
    const unsigned long long threads =
        static_cast<unsigned long long>(gridDim.x) * blockDim.x;
    auto count = [&](unsigned int bits) {
        const unsigned int row =
            row_of(quick, thresholds, __uint_as_float(bits));
        atomicAdd(&column[row * LANES], 1u);
    };

    for (unsigned long long i = thread; i < vector_count; i += threads) {
        const uint4 vector = __ldcs(vectors + i);
        count(vector.x);
        count(vector.y);
        count(vector.z);
        count(vector.w);
    }

    /* Fewer than 4 samples are left. */
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
