/* SPDX-License-Identifier: MIT */
/*
 * zstd.cuh -- decode blocks of zstd: zstd_work.h has the order of the kernels,
 * the other files zstd_*.h what they do
 *
 * Include this file after sequences.cuh, which defines the thread blocks.
 */

#include "kernels/zstd/zstd_work.h"

#define ZSTD_LOAD_4(words, i) zstd::load(words, i)
#define ZSTD_STORE_4(words, i, of) zstd::store(words, i, of)
#define ZSTD_STORE_BYTES(bytes, i, of) zstd::store_bytes(bytes, i, of)
#define ZSTD_AWAIT(word, least) zstd::await(word, least)
#define ZSTD_COUNT(word) zstd::count(word)
#define ZSTD_ASK(address) zstd::ask(address)
#define ZSTD_SHIFT(low, high, bits) __funnelshift_r(low, high, bits)

#include "kernels/zstd/zstd_kernel.h"

namespace zstd
{

/* Between two looks at a word. */
constexpr unsigned int AWAIT_NANOSECONDS = 20;

__device__ __forceinline__ struct zstd_words
load(const unsigned int *words, unsigned int i)
{
    const uint4 of = reinterpret_cast<const uint4 *>(words)[i];

    return {{of.x, of.y, of.z, of.w}};
}

__device__ __forceinline__ void
store(unsigned int *words, unsigned int i, const struct zstd_words &of)
{
    reinterpret_cast<uint4 *>(words)[i] =
        make_uint4(of.word[0], of.word[1], of.word[2], of.word[3]);
}

__device__ __forceinline__ void
store_bytes(unsigned char *bytes, unsigned int i, const unsigned int *of)
{
    /* The highest bits are not of bytes. */
    reinterpret_cast<unsigned int *>(bytes)[i] =
        __byte_perm(__byte_perm(of[0], of[1], 0x0040),
                    __byte_perm(of[2], of[3], 0x0040), 0x5410);
}

__device__ __forceinline__ void
await(const unsigned int *word, unsigned int least)
{
    while (*static_cast<const volatile unsigned int *>(word) < least)
        __nanosleep(AWAIT_NANOSECONDS);
    __threadfence();
}

__device__ __forceinline__ void
count(unsigned int *word)
{
    __threadfence();
    atomicAdd(word, 1u);
}

__device__ __forceinline__ void
ask(const unsigned char *address)
{
    asm volatile("prefetch.global.L2 [%0];" ::"l"(address));
}

} // namespace zstd

#include "kernels/zstd/zstd_copy.h"
#include "kernels/zstd/zstd_entropy.h"
#include "kernels/zstd/zstd_place.h"
#include "kernels/zstd/zstd_sum.h"

namespace zstd
{

/* Run KERNEL, whose thread blocks have WORDS of shared memory. */
template <unsigned int WORDS, typename Kernel>
__device__ __forceinline__ void
run(const struct zstd_work &work, Kernel kernel)
{
    __shared__ __align__(16) unsigned int shared[WORDS];
    const struct zstd_batch batch = {
        work,
        reinterpret_cast<const unsigned char *>(work.packed),
        reinterpret_cast<const struct zstd_task *>(work.tasks),
        reinterpret_cast<struct zstd_found *>(work.found),
        reinterpret_cast<unsigned char *>(work.literals),
        reinterpret_cast<struct zstd_sequence *>(work.sequences),
        reinterpret_cast<unsigned int *>(work.sources),
        reinterpret_cast<unsigned char *>(work.content),
        reinterpret_cast<const unsigned char *>(work.before),
        reinterpret_cast<struct zstd_left *>(work.left),
        reinterpret_cast<const struct zstd_left *>(work.left_before),
        reinterpret_cast<struct zstd_progress *>(work.progress),
        reinterpret_cast<binning_u64 *>(work.sums),
        shared,
    };

    kernel(&batch);
}

} // namespace zstd

/* A block has ZSTD_THREADS threads, or for zstd_entropy ZSTD_ENTROPY_THREADS,
   for zstd_sum ZSTD_SUM_THREADS.  zstd_join has one block. */
extern "C" __global__ void
__launch_bounds__(ZSTD_THREADS) zstd_prepare(const struct zstd_work work)
{
    zstd::run<1>(
        work, [](const struct zstd_batch *batch) { zstd_copy_prepare(batch); });
}

extern "C" __global__ void
__launch_bounds__(ZSTD_ENTROPY_THREADS)
    zstd_entropy(const struct zstd_work work)
{
    zstd::run<ZSTD_ENTROPY_WORDS>(
        work, [](const struct zstd_batch *batch) { zstd_entropy_all(batch); });
}

extern "C" __global__ void
__launch_bounds__(ZSTD_THREADS) zstd_join(const struct zstd_work work)
{
    zstd::run<ZSTD_JOIN_WORDS>(
        work, [](const struct zstd_batch *batch) { zstd_join_all(batch); });
}

extern "C" __global__ void
__launch_bounds__(ZSTD_THREADS) zstd_place(const struct zstd_work work)
{
    zstd::run<ZSTD_PLACE_WORDS>(
        work, [](const struct zstd_batch *batch) { zstd_place_all(batch); });
}

/* With as few registers as the compiler would use, some would be spilled. */
extern "C" __global__ void
__launch_bounds__(ZSTD_THREADS, 4) zstd_resolve(const struct zstd_work work)
{
    zstd::run<1>(
        work, [](const struct zstd_batch *batch) { zstd_copy_resolve(batch); });
}

/* The blocks of a multiprocessor: so few that values loaded ahead may stay in
   registers. */
#define ZSTD_SUM_RESIDENT 8

extern "C" __global__ void
__launch_bounds__(ZSTD_SUM_THREADS, ZSTD_SUM_RESIDENT)
    zstd_sum(const struct zstd_work work)
{
    zstd::run<ZSTD_SUM_WORDS_SHARED>(
        work, [](const struct zstd_batch *batch) { zstd_sum_all(batch); });
}
