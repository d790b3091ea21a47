/* SPDX-License-Identifier: MIT */
/*
 * sequences.cuh -- count sequences: sequence_work.h has the order of the
 * kernels, the other files sequence_*.h what they do
 */

#include "kernels/seq/sequence_words.h"

/* What sequence_block.h asks for. */
#define DEVICE_SHARED
#define DEVICE_THREAD threadIdx.x
#define DEVICE_THREADS blockDim.x
#define DEVICE_BLOCK blockIdx.x
#define DEVICE_BLOCKS gridDim.x
#define DEVICE_BARRIER() __syncthreads()
#define DEVICE_POPCOUNT(word) static_cast<unsigned int>(__popc(word))
#define DEVICE_LOAD(data, vector) sequences::load(data, vector)
#define DEVICE_ADD(word, amount) atomicAdd(word, amount)
#define DEVICE_TAKE(word, amount) atomicAdd(word, amount)
#define DEVICE_CLAIM(word, cell) records::claim(word, cell)
#define DEVICE_ADD_CELL(cell, amount) \
    atomicAdd(cell, static_cast<unsigned long long>(amount))
#define DEVICE_RAISE_CELL(cell, amount) (*(cell) += (amount))
#define DEVICE_ADD_BITS(word, bits) atomicOr(word, bits)
#define DEVICE_TAKE_ROOM(word, amount) atomicAdd(word, amount)
#define DEVICE_UNROLL _Pragma("unroll")
#define DEVICE_ROLLED _Pragma("unroll 1")

namespace sequences
{

__device__ __forceinline__ struct sequence_bytes
load(const unsigned char *data, unsigned int vector)
{
    const uint4 words = reinterpret_cast<const uint4 *>(data)[vector];

    return {{words.x, words.y, words.z, words.w}};
}

} // namespace sequences

#include "kernels/seq/sequence_fields.h"
#include "kernels/seq/sequence_kmers.h"
#include "kernels/seq/sequence_mark.h"

namespace sequences
{

/* Run KERNEL for the chunk of the block. */
template <typename Kernel>
__device__ __forceinline__ void
run(const struct sequence_work &work, Kernel kernel)
{
    extern __shared__ unsigned int table[];
    struct sequence_task task = {
        work,
        reinterpret_cast<const unsigned char *>(work.data),
        reinterpret_cast<unsigned long long *>(work.histogram),
        reinterpret_cast<unsigned int *>(work.scratch),
        reinterpret_cast<unsigned int *>(work.status),
        reinterpret_cast<unsigned int *>(work.list_entries),
        reinterpret_cast<unsigned int *>(work.list_sizes),
        table,
        0,
    };

    sequence_task_choose(&task, &work, blockIdx.y);
    kernel(&task);
}

} // namespace sequences

/*
 * The grid has blocks for each chunk in its first dimension, and the chunks of
 * the batch in its second one, of sequence_drain one.  A block has a power of
 * two of threads, up to 1024, and work.shared_words words of dynamic shared
 * memory, at least 2048.
 */
extern "C" __global__ void
__launch_bounds__(records::THREADS_MAX)
    sequence_lines(const struct sequence_work work)
{
    sequences::run(work, [](const struct sequence_task *task) {
        sequence_mark_lines(task);
    });
}

extern "C" __global__ void
__launch_bounds__(records::THREADS_MAX)
    sequence_classify(const struct sequence_work work)
{
    sequences::run(work, [](const struct sequence_task *task) {
        sequence_mark_classify(task);
    });
}

extern "C" __global__ void
__launch_bounds__(records::THREADS_MAX)
    sequence_check(const struct sequence_work work)
{
    sequences::run(work, [](const struct sequence_task *task) {
        sequence_mark_check(task);
    });
}

extern "C" __global__ void
__launch_bounds__(records::THREADS_MAX)
    sequence_fields(const struct sequence_work work)
{
    sequences::run(work, [](const struct sequence_task *task) {
        sequence_count_fields(task);
    });
}

extern "C" __global__ void
__launch_bounds__(records::THREADS_MAX)
    sequence_kmers(const struct sequence_work work)
{
    sequences::run(work, [](const struct sequence_task *task) {
        sequence_count_kmers(task);
    });
}

/* Blocks of sequence_lists that must have room on a multiprocessor, where two
   can have room: the compiler would use the registers of both for one.  For
   sm_100 half of the registers are too few. */
#if defined __CUDA_ARCH__ && __CUDA_ARCH__ >= 900 && __CUDA_ARCH__ < 1000
#    define SEQUENCE_LISTS_BLOCKS 2
#else
#    define SEQUENCE_LISTS_BLOCKS 1
#endif

extern "C" __global__ void
__launch_bounds__(records::THREADS_MAX, SEQUENCE_LISTS_BLOCKS)
    sequence_lists(const struct sequence_work work)
{
    sequences::run(work, [](const struct sequence_task *task) {
        sequence_list_kmers(task);
    });
}

extern "C" __global__ void
__launch_bounds__(records::THREADS_MAX)
    sequence_drain(const struct sequence_work work)
{
    sequences::run(work, [](const struct sequence_task *task) {
        sequence_drain_lists(task);
    });
}
