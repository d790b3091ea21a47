/* SPDX-License-Identifier: MIT */
/*
 * inflate_kernels.h -- the kernels for deflate data on a device that is emulated
 *
 * The device's memory is the host's.  A caller makes it end where kernels must
 * end, so that a sanitizer sees what they do.
 */

#ifndef GPUHIST_INFLATE_KERNELS_H
#define GPUHIST_INFLATE_KERNELS_H

#include "device_items.h"

static inline void
device_add_cell(binning_u64 *cell, binning_u64 amount)
{
    *cell += amount;
}

#include "inflate_words.h"

/* Those of the headers are inlined, so they have no address. */

static void
inflate_kernels_decode(const void *batch)
{
    inflate_decode_all(batch);
}

static void
inflate_kernels_sum(const void *batch)
{
    inflate_sum_all(batch);
}

static void
inflate_kernels_sketch(const void *batch)
{
    inflate_sketch_all(batch);
}

/* Run KERNEL in GROUPS of ITEMS, with WORDS of shared memory. */
static inline void
inflate_kernels_launch(void (*kernel)(const void *),
                       struct inflate_batch *batch, binning_u32 groups,
                       binning_u32 items, size_t words)
{
    binning_u32 *shared = malloc(words * sizeof *shared);

    if (shared == NULL)
        abort();
    batch->shared = shared;
    device.groups = groups;
    device.items = items;
    device_run_groups(kernel, batch, shared, words);
    free(shared);
}

#define INFLATE_KERNELS_POINTER(number) ((void *)(uintptr_t)(number))

static inline struct inflate_batch
inflate_kernels_batch(const struct inflate_work *work)
{
    const struct inflate_batch batch = {
        .work = *work,
        .packed = INFLATE_KERNELS_POINTER(work->packed),
        .tasks = INFLATE_KERNELS_POINTER(work->tasks),
        .content = INFLATE_KERNELS_POINTER(work->content),
        .refused = INFLATE_KERNELS_POINTER(work->refused),
        .sketches = INFLATE_KERNELS_POINTER(work->sketches),
    };

    return batch;
}

/* Decode the members of WORK, whose addresses are those of host memory. */
static inline void
inflate_kernels_run_decode(const struct inflate_work *work, binning_u32 groups,
                           binning_u32 items)
{
    struct inflate_batch batch = inflate_kernels_batch(work);

    if (items > INFLATE_THREADS)
        items = INFLATE_THREADS;
    inflate_kernels_launch(inflate_kernels_decode, &batch, groups, items,
                           INFLATE_DECODE_WORDS);
}

/* Likewise compare their sums. */
static inline void
inflate_kernels_run_sum(const struct inflate_work *work, binning_u32 groups,
                        binning_u32 items)
{
    struct inflate_batch batch = inflate_kernels_batch(work);

    inflate_kernels_launch(inflate_kernels_sum, &batch, groups, items,
                           INFLATE_SUM_WORDS);
}

/* Likewise sketch their content. */
static inline void
inflate_kernels_run_sketch(const struct inflate_work *work, binning_u32 groups,
                           binning_u32 items)
{
    struct inflate_batch batch = inflate_kernels_batch(work);

    inflate_kernels_launch(inflate_kernels_sketch, &batch, groups, items,
                           INFLATE_SKETCH_WORDS);
}

#endif
