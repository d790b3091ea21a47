/* SPDX-License-Identifier: MIT */
/*
 * sequence_job.c -- a device counts the fields and the k-mers of sequences
 *
 * Several kernels run for each batch of chunks (kernels/seq/sequence_work.h).
 * If the device cannot count a chunk, the device sets a word, which is copied
 * to the host after the last kernel.
 *
 * If the device's cache has no room for the cells of k-mers, chunks put their
 * k-mers into lists (kernels/seq/sequence_lists.h).  The lists are part of the
 * histogram: drained before its copy, and lost with the histogram.  The host
 * only knows an upper bound of the entries: the bytes of chunks, which have no
 * more k-mers.  A k-mer without room in a list is counted directly.
 */

#include <stdio.h>

#include "engine/gpu/device/device_engine.h"
#include "engine/gpu/device/device_refusals.h"
#include "engine/sequence_layout.h"

/*
 * Shared memory of a block, where a device has it: two blocks of 1024 threads
 * have room on a multiprocessor.
 */
#define SHARED_BYTES ((size_t)96 << 10)
#define SHARED_BYTES_MIN ((size_t)8 << 10) /* that the kernels need */

/* Of the scratch memory of a chunk, in words. */
#define SCRATCH_ALIGNMENT 32

/*
 * Entries of all lists.  A drain reads and writes all cells, so the lists have
 * several entries for each cell, if the device has the memory; and at least
 * one.
 */
#define LIST_CELL_ENTRIES 8
#define LIST_ENTRIES_MAX ((uint64_t)1 << 29)
#define LIST_MEMORY_SHARE \
    8 /* the lists take one part in this many of the
                               device's memory */

static void
shape(const struct device_engine *device, uint64_t *cells, unsigned int *planes)
{
    struct sequence_work work;

    *cells = sequence_layout_make(device->engine.spec, &work);
    *planes = 1;
}

/* ---- opening ---- */

/* Describe the kernels in use; KMERS: with k-mers. */
static void
describe(struct device_engine *device, enum device_kernel kmers)
{
    snprintf(device->how, sizeof device->how, "sequences (%s%s%s)",
             device_kernel_name(DEVICE_FIELDS), device->work.k > 0 ? ", " : "",
             device->work.k > 0 ? device_kernel_name(kmers) : "");
}

static int
choose(struct device_engine *device, struct error *error)
{
    size_t shared_bytes = device->shared_bytes < SHARED_BYTES
                              ? device->shared_bytes
                              : SHARED_BYTES;

    if (device->wanted != STRATEGY_AUTO) {
        error_set(error, EXIT_NO_DEVICE,
                  "%s: --tune=strategy=%s is not possible: sequences have no "
                  "strategies",
                  device->engine.name, kernel_strategy_name(device->wanted));
        return -1;
    }
    if (shared_bytes < SHARED_BYTES_MIN) {
        error_set(error, EXIT_NO_DEVICE,
                  "%s: sequences need %zu bytes of shared memory, it has %zu",
                  device->engine.name, SHARED_BYTES_MIN, shared_bytes);
        return -1;
    }
    device->batch = device_refusals_batch(device);
    sequence_layout_make(device->engine.spec, &device->work);
    device->work.data_stride = (binning_u32)device->stride;
    device->work.shared_words =
        (binning_u32)(shared_bytes / sizeof(binning_u32));
    device->kernels = 1u << DEVICE_LINES | 1u << DEVICE_CLASSIFY |
                      1u << DEVICE_CHECK | 1u << DEVICE_FIELDS;
    if (device->work.k > 0)
        device->kernels |= 1u << DEVICE_KMERS;
    device->kernel.shared_bytes =
        device->work.shared_words * sizeof(binning_u32);
    describe(device, DEVICE_KMERS);
    return 0;
}

static bool
is_listed(const struct device_engine *device)
{
    return device->list_entries != 0;
}

static int
clear_lists(struct device_engine *device, const struct device_event *after,
            struct device_event *event, struct error *error)
{
    const struct device_command command = {QUEUE_COUNTING, {after}, event};
    size_t bytes = device->work.lists * sizeof(binning_u32);

    device->listed = 0;
    /* clear() takes multiples of 8. */
    return device->operations->clear(device, &command, device->list_sizes,
                                     bytes + bytes % sizeof(uint64_t), error);
}

/* Allocate the entries of all lists, fewer if memory is short.  Without lists,
   device->list_entries is 0. */
static void
open_entries(struct device_engine *device, uint64_t cells)
{
    uint64_t most =
        device->memory_bytes / LIST_MEMORY_SHARE / sizeof(binning_u32);
    /* Memory in place is the host's. */
    uint64_t entries = device->is_in_place ? cells : cells * LIST_CELL_ENTRIES;

    while (entries > most || entries > LIST_ENTRIES_MAX)
        entries /= 2;
    /* Lists that one batch fills are useless. */
    if (entries < device->batch * device->pool->chunk_bytes)
        return;
    for (; entries >= cells && !is_listed(device); entries /= 2) {
        device->work.list_room = (binning_u32)(entries / device->work.lists);
        (void)device->operations->allocate(device, &device->list_entries,
                                           entries * sizeof(binning_u32), NULL,
                                           &device->engine.shortage);
    }
}

/* Open the lists of k-mers, if useful, as far as memory allows. */
static int
open_lists(struct device_engine *device, struct error *error)
{
    uint64_t cells = (uint64_t)1 << 2 * device->work.k;

    /* A processor has no faster shared memory. */
    if (device->work.k == 0 || device->platform == KERNEL_OPENCL_PROCESSOR ||
        cells * sizeof(uint64_t) <= device->cache_bytes)
        return 0;
    sequence_work_divide(&device->work);
    open_entries(device, cells);
    if (!is_listed(device)) {
        device->work.lists = 0;
        return 0;
    }
    device->kernels ^= 1u << DEVICE_KMERS | 1u << DEVICE_LISTS;
    device->kernels |= 1u << DEVICE_DRAIN;
    describe(device, DEVICE_LISTS);
    if (device->operations->allocate(
            device, &device->list_sizes,
            (device->work.lists + 1) * sizeof(binning_u32), NULL, error) < 0)
        return -1;
    return clear_lists(device, device->last, NULL, error);
}

static int
open_scratch(struct device_engine *device, struct error *error)
{
    binning_u32 words =
        sequence_scratch_words((binning_u32)device->pool->chunk_bytes);
    binning_u32 stride =
        (words + SCRATCH_ALIGNMENT - 1) / SCRATCH_ALIGNMENT * SCRATCH_ALIGNMENT;

    device->work.scratch_stride = stride;
    if (device->operations->allocate(device, &device->scratch,
                                     ((device->batch - 1) * stride + words) *
                                         sizeof(binning_u32),
                                     NULL, error) < 0 ||
        device_open_event(device, &device->stepped, EVENT_LOOSE, error) < 0 ||
        open_lists(device, error) < 0)
        return -1;
    return device_refusals_open(device, error);
}

/* ---- counting ---- */

/* Count the entries of the lists. */
static int
drain(struct device_engine *device, struct error *error)
{
    const struct device_launch launch = {
        .kernel = DEVICE_DRAIN,
        .blocks = device->blocks_max,
        .chunks = 1,
        .slot = &device->slot[0], /* any that is in use */
        .work = &device->work,
    };

    if (device->listed == 0)
        return 0;
    if (device_launch(device, &launch, NULL, &device->stepped, error) < 0)
        return -1;
    return clear_lists(device, device->last, &device->stepped, error);
}

/* Make room in the lists for chunks of SIZE bytes. */
static int
make_room(struct device_engine *device, size_t size, struct error *error)
{
    uint64_t room = (uint64_t)device->work.lists * device->work.list_room;

    if (!is_listed(device))
        return 0;
    /* Some lists are fuller than others. */
    if (device->listed + size > room - room / 4 && drain(device, error) < 0)
        return -1;
    device->listed += size;
    return 0;
}

/* Make DEVICE->work for CHUNKS in SLOT and the slots after it.  Returns the
   bytes of all chunks and sets *TILES to the most tiles of a chunk. */
static size_t
prepare(struct device_engine *device, const struct device_slot *slot,
        size_t chunks, size_t *tiles)
{
    struct sequence_work *work = &device->work;
    size_t size = 0;

    *tiles = 0;
    work->first_chunk = (binning_u32)(slot->at / device->stride);
    for (size_t i = 0; i < chunks; i++) {
        size_t own = sequence_tiles((binning_u32)slot[i].size);
        work->size[i] = (binning_u32)slot[i].size;
        size += slot[i].size;
        *tiles = own > *tiles ? own : *tiles;
    }
    return size;
}

static int
count(struct device_engine *device, struct device_slot *slot, size_t chunks,
      struct error *error)
{
    struct device_slot *last = &slot[chunks - 1];
    size_t most = device->blocks_max < chunks ? 1 : device->blocks_max / chunks;
    size_t tiles;
    size_t size = prepare(device, slot, chunks, &tiles);
    struct device_launch launch = {
        .blocks = tiles < most ? tiles : most,
        .chunks = chunks,
        .slot = slot,
        .work = &device->work,
    };

    if (make_room(device, size, error) < 0)
        return -1;
    for (int k = DEVICE_LINES; k < DEVICE_DRAIN; k++) {
        const struct device_event *filled =
            k == DEVICE_LINES ? device_slot_filled(device, last) : NULL;
        launch.kernel = (enum device_kernel)k;
        if ((device->kernels >> k & 1) != 0 &&
            device_launch(device, &launch, filled, &device->stepped, error) < 0)
            return -1;
    }
    return device_refusals_read(device, last, chunks, error);
}

static int
start_over(struct device_engine *device, const struct spec *spec,
           struct error *error)
{
    (void)spec;
    return is_listed(device) ? clear_lists(device, device->last, NULL, error)
                             : 0;
}

static bool
adds_up(const struct spec *spec, const struct histogram *histogram,
        uint64_t number)
{
    (void)number;
    return sequence_layout_adds_up(spec, histogram);
}

const struct device_job sequence_job = {
    .shape = shape,
    .choose = choose,
    .open = open_scratch,
    .count = count,
    .settle = drain,
    .start_over = start_over,
    .adds_up = adds_up,
};
