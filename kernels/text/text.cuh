/* SPDX-License-Identifier: MIT */
/*
 * text.cuh -- count fields of text: text_work.h has the order of the kernels,
 * the other files text_*.h what they do
 *
 * Include this file after sequences.cuh, which defines the blocks.
 */

#include "kernels/text/text_work.h"

#define TEXT_LOAD_SLOT(slot) text::load(slot)

namespace text
{

struct words {
    uint4 low;
    uint4 high;
};

/* A slot does not change while text_find runs. */
__device__ __forceinline__ struct text_slot
load(const struct text_slot *slot)
{
    const uint4 *const half = reinterpret_cast<const uint4 *>(slot);
    const uint4 low = __ldg(half);
    const uint4 high = __ldg(half + 1);

    return {{low.x | static_cast<unsigned long long>(low.y) << 32,
             low.z | static_cast<unsigned long long>(low.w) << 32,
             high.x | static_cast<unsigned long long>(high.y) << 32},
            high.z,
            high.w};
}

} // namespace text

#include "kernels/text/text_count.h"
#include "kernels/text/text_find.h"

namespace text
{

/* Threads of a block: several blocks fill a multiprocessor, so that some work
   while others wait at a barrier. */
constexpr unsigned int THREADS = 256;
constexpr unsigned int BLOCKS = 4; /* at least: with more, registers spill */

/* Run KERNEL for the chunk of the block. */
template <typename Kernel>
__device__ __forceinline__ void
run(const struct text_work &work, Kernel kernel)
{
    extern __shared__ unsigned int table[];
    struct text_task task = {
        work,
        reinterpret_cast<const unsigned char *>(work.data),
        reinterpret_cast<unsigned long long *>(work.histogram),
        reinterpret_cast<unsigned int *>(work.scratch),
        reinterpret_cast<unsigned int *>(work.status),
        reinterpret_cast<unsigned int *>(work.lists),
        reinterpret_cast<struct text_slot *>(work.slots),
        reinterpret_cast<const unsigned long long *>(work.arena),
        reinterpret_cast<const struct text_slot *>(work.learned),
        reinterpret_cast<const double *>(work.edges),
        table,
        0,
    };

    text_task_choose(&task, &work, blockIdx.y);
    kernel(&task);
}

} // namespace text

/*
 * The grid has blocks for each chunk in its first dimension, and the chunks of
 * the batch in its second, which text_learn does not have.  A block has
 * text::THREADS threads, and TEXT_SHARED_WORDS words of dynamic shared memory.
 */
extern "C" __global__ void
__launch_bounds__(text::THREADS) text_prepare(const struct text_work work)
{
    text::run(work,
              [](const struct text_task *task) { text_find_prepare(task); });
}

extern "C" __global__ void
__launch_bounds__(text::THREADS, text::BLOCKS)
    text_find(const struct text_work work)
{
    text::run(work, [](const struct text_task *task) {
        text_find_all(task, TEXT_FINDS_KEYS);
    });
}

extern "C" __global__ void
__launch_bounds__(text::THREADS, text::BLOCKS)
    text_find_spans(const struct text_work work)
{
    text::run(work, [](const struct text_task *task) {
        text_find_all(task, TEXT_FINDS_SPANS);
    });
}

extern "C" __global__ void
__launch_bounds__(text::THREADS, text::BLOCKS)
    text_find_numbers(const struct text_work work)
{
    text::run(work, [](const struct text_task *task) {
        text_find_all(task, TEXT_FINDS_NUMBERS);
    });
}

extern "C" __global__ void
__launch_bounds__(text::THREADS) text_count(const struct text_work work)
{
    text::run(work, [](const struct text_task *task) { text_count_all(task); });
}

extern "C" __global__ void
__launch_bounds__(text::THREADS) text_learn(const struct text_work work)
{
    text::run(work,
              [](const struct text_task *task) { text_find_learn(task); });
}
