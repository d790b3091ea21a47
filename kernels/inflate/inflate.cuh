/* SPDX-License-Identifier: MIT */
/*
 * inflate.cuh -- decode members of gzip files: inflate_work.h has the order of
 * the kernels, the other files inflate_*.h what they do
 *
 * Include this file after sequences.cuh, which defines the thread blocks.
 */

#include "kernels/inflate/inflate_work.h"

#define INFLATE_LOAD(words, i) ((words)[i])
#define INFLATE_REVERSE(word) __brev(word)
#define INFLATE_SHIFT(low, high, at) __funnelshift_r(low, high, at)
#define INFLATE_BELOW(word, bits) \
    ((word) & ~__funnelshift_l(0u, 0xffffffffu, bits))
#define INFLATE_RIGHT(word, bits) __funnelshift_r(word, 0u, bits)

#include "kernels/inflate/inflate_decode.h"
#include "kernels/inflate/inflate_sketch.h"
#include "kernels/inflate/inflate_sum.h"

namespace inflate
{

/* Run KERNEL, whose thread blocks have WORDS of shared memory. */
template <unsigned int WORDS, typename Kernel>
__device__ __forceinline__ void
run(const struct inflate_work &work, Kernel kernel)
{
    __shared__ __align__(16) unsigned int shared[WORDS];
    const struct inflate_batch batch = {
        work,
        reinterpret_cast<const unsigned char *>(work.packed),
        reinterpret_cast<const struct inflate_task *>(work.tasks),
        reinterpret_cast<unsigned char *>(work.content),
        reinterpret_cast<unsigned int *>(work.refused),
        reinterpret_cast<struct sequence_sketch *>(work.sketches),
        shared,
    };

    kernel(&batch);
}

} // namespace inflate

extern "C" __global__ void
__launch_bounds__(INFLATE_THREADS)
    inflate_decode(const struct inflate_work work)
{
    inflate::run<INFLATE_DECODE_WORDS>(
        work,
        [](const struct inflate_batch *batch) { inflate_decode_all(batch); });
}

extern "C" __global__ void
__launch_bounds__(INFLATE_SUM_THREADS)
    inflate_sum(const struct inflate_work work)
{
    inflate::run<INFLATE_SUM_WORDS>(
        work,
        [](const struct inflate_batch *batch) { inflate_sum_all(batch); });
}

extern "C" __global__ void
__launch_bounds__(INFLATE_SKETCH_THREADS)
    inflate_sketch(const struct inflate_work work)
{
    inflate::run<INFLATE_SKETCH_WORDS>(
        work,
        [](const struct inflate_batch *batch) { inflate_sketch_all(batch); });
}
