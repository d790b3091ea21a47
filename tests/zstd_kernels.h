/* SPDX-License-Identifier: MIT */
/*
 * zstd_kernels.h -- the kernels for zstd on a device that is emulated
 *
 * The device's memory is the host's.  A caller makes it end where kernels must
 * end, so that a sanitizer sees what they do.
 */

#ifndef GPUHIST_ZSTD_KERNELS_H
#define GPUHIST_ZSTD_KERNELS_H

#include "device_items.h"

static inline void
device_add_cell(binning_u64 *cell, binning_u64 amount)
{
    *cell += amount;
}

#include "zstd_words.h"

/* Those of the headers are inlined, so they have no address. */

static void
zstd_kernels_prepare(const void *batch)
{
    zstd_copy_prepare(batch);
}

static void
zstd_kernels_entropy(const void *batch)
{
    zstd_entropy_all(batch);
}

static void
zstd_kernels_join(const void *batch)
{
    zstd_join_all(batch);
}

static void
zstd_kernels_place(const void *batch)
{
    zstd_place_all(batch);
}

static void
zstd_kernels_resolve(const void *batch)
{
    zstd_copy_resolve(batch);
}

static void
zstd_kernels_sum(const void *batch)
{
    zstd_sum_all(batch);
}

/* Run KERNEL in GROUPS of ITEMS, with WORDS of shared memory. */
static inline void
zstd_kernels_launch(void (*kernel)(const void *), struct zstd_batch *batch,
                    binning_u32 groups, binning_u32 items, size_t words)
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

#define ZSTD_KERNELS_POINTER(number) ((void *)(uintptr_t)(number))

/* Run all kernels for WORK, whose addresses are those of host memory. */
static inline void
zstd_kernels_run(const struct zstd_work *work, binning_u32 groups,
                 binning_u32 items)
{
    struct zstd_batch batch = {
        .work = *work,
        .packed = ZSTD_KERNELS_POINTER(work->packed),
        .tasks = ZSTD_KERNELS_POINTER(work->tasks),
        .found = ZSTD_KERNELS_POINTER(work->found),
        .literals = ZSTD_KERNELS_POINTER(work->literals),
        .sequences = ZSTD_KERNELS_POINTER(work->sequences),
        .sources = ZSTD_KERNELS_POINTER(work->sources),
        .content = ZSTD_KERNELS_POINTER(work->content),
        .before = ZSTD_KERNELS_POINTER(work->before),
        .left = ZSTD_KERNELS_POINTER(work->left),
        .left_before = ZSTD_KERNELS_POINTER(work->left_before),
        .progress = ZSTD_KERNELS_POINTER(work->progress),
        .sums = ZSTD_KERNELS_POINTER(work->sums),
    };
    binning_u32 entropy = items < ZSTD_ENTROPY_THREADS
                              ? items
                              : (binning_u32)ZSTD_ENTROPY_THREADS;
    binning_u32 sum =
        items < ZSTD_SUM_THREADS ? items : (binning_u32)ZSTD_SUM_THREADS;

    zstd_kernels_launch(zstd_kernels_entropy, &batch, groups, entropy,
                        ZSTD_ENTROPY_WORDS);
    zstd_kernels_launch(zstd_kernels_prepare, &batch, groups, items, 1);
    zstd_kernels_launch(zstd_kernels_join, &batch, 1, items, ZSTD_JOIN_WORDS);
    zstd_kernels_launch(zstd_kernels_place, &batch, groups, items,
                        ZSTD_PLACE_WORDS);
    zstd_kernels_launch(zstd_kernels_resolve, &batch, groups, items, 1);
    zstd_kernels_launch(zstd_kernels_sum, &batch, groups, sum,
                        ZSTD_SUM_WORDS_SHARED);
}

#endif
