/*
 * engine_cuda.c -- one NVIDIA GPU
 *
 * Each chunk goes through a slot: its copy to the device on one stream, then
 * on another one the kernel, which adds to the histogram on the device, and a
 * copy of that whole histogram (2 KiB) into the slot's pinned snapshot.  So
 * the copy of one chunk overlaps with the counting of the one before, and
 * when the last event of a slot has happened its snapshot is the sum of all
 * chunks up to this one: they are safe.  What the device does afterwards
 * cannot touch them any more.
 */

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "cu_api.h"
#include "engine_cuda.h"
#include "kernel_image.h"

enum {
    SLOTS = ENGINE_DEPTH_MAX,
    VECTOR_BYTES = 16, /* what a thread loads at a time */
    /* Enough to outweigh that each block clears and merges its table. */
    VECTORS_PER_THREAD = 4,
};

struct slot {
    CUdeviceptr data;           /* the chunk on the device */
    struct histogram *snapshot; /* pinned host memory */
    CUevent copied;             /* the chunk is on the device */
    CUevent counted;            /* and its counts are in the snapshot */
};

struct engine_cuda {
    struct engine engine; /* first: a struct engine * points to it */
    int ordinal;

    /* From open() on; handles that do not exist yet are 0. */
    struct cu_api cu;
    CUdevice device;
    CUcontext context;
    CUmodule module;
    CUfunction kernel;
    CUstream copying;
    CUstream counting;
    CUdeviceptr histogram; /* struct histogram; the persistent sum */
    struct histogram *snapshots;
    struct slot slot[SLOTS];
    const struct pool *pool; /* of the chunks to count */
    unsigned int block_threads;
    unsigned int resident_blocks; /* as many as the device holds at once */

    uint64_t submitted;       /* chunks so far; number n uses slot n % SLOTS */
    uint64_t completed;       /* chunks */
    uint64_t slot_end[SLOTS]; /* bytes submitted up to the slot's chunk */
    uint64_t submitted_bytes;
};

static struct engine_cuda *
cuda_of(struct engine *engine)
{
    return (struct engine_cuda *)engine;
}

/* Whether a driver call failed; then *ERROR says which. */
static bool
failed(const struct engine_cuda *cuda, CUresult result, const char *call,
       struct error *error)
{
    char text[256];

    if (result == CUDA_SUCCESS)
        return false;
    cu_describe(&cuda->cu, result, text, sizeof text);
    error_set(error, EXIT_NO_DEVICE, "%s: %s: %s", cuda->engine.name, call,
              text);
    return true;
}

bool
engine_cuda_is_built(void)
{
    return kernel_image[0] != 0;
}

/* Load and start the driver; says how many devices there are, at least 1. */
static int
start_driver(struct cu_api *cu, int *count, struct error *error)
{
    const char *missing =
        engine_cuda_is_built() ? cu_load(cu) : "this gpuhist has no CUDA code";
    if (missing != NULL) {
        error_set(error, EXIT_NO_DEVICE, "cuda: %s", missing);
        return -1;
    }

    char text[256];
    const char *call = "cuInit";
    CUresult result = cu->cuInit(0);
    if (result == CUDA_SUCCESS) {
        call = "cuDeviceGetCount";
        result = cu->cuDeviceGetCount(count);
    }
    if (result == CUDA_SUCCESS && *count == 0)
        result = CUDA_ERROR_NO_DEVICE;
    if (result == CUDA_SUCCESS)
        return 0;
    cu_describe(cu, result, text, sizeof text);
    error_set(error, EXIT_NO_DEVICE, "cuda: %s: %s", call, text);
    return -1;
}

/* Find the device and make its primary context current. */
static int
open_device(struct engine_cuda *cuda, struct error *error)
{
    const struct cu_api *cu = &cuda->cu;
    int count;
    char name[96];

    if (start_driver(&cuda->cu, &count, error) < 0)
        return -1;
    if (cuda->ordinal >= count) {
        error_set(error, EXIT_NO_DEVICE,
                  "%s: no such device (this machine shows %d)",
                  cuda->engine.name, count);
        return -1;
    }
    if (failed(cuda, cu->cuDeviceGet(&cuda->device, cuda->ordinal),
               "cuDeviceGet", error) ||
        failed(cuda, cu->cuDeviceGetName(name, sizeof name, cuda->device),
               "cuDeviceGetName", error))
        return -1;
    snprintf(cuda->engine.name, sizeof cuda->engine.name, "cuda:%d (%s)",
             cuda->ordinal, name);
    if (failed(cuda, cu->cuDevicePrimaryCtxRetain(&cuda->context, cuda->device),
               "cuDevicePrimaryCtxRetain", error) ||
        failed(cuda, cu->cuCtxSetCurrent(cuda->context), "cuCtxSetCurrent",
               error))
        return -1;
    return 0;
}

/* Load the kernel and find out how much of it the device runs at once. */
static int
open_kernel(struct engine_cuda *cuda, struct error *error)
{
    const struct cu_api *cu = &cuda->cu;
    int multiprocessors;
    int threads;
    int blocks;

    if (failed(cuda, cu->cuModuleLoadData(&cuda->module, kernel_image),
               "cuModuleLoadData", error) ||
        failed(
            cuda,
            cu->cuModuleGetFunction(&cuda->kernel, cuda->module, "count_bytes"),
            "cuModuleGetFunction", error) ||
        failed(cuda,
               cu->cuDeviceGetAttribute(
                   &multiprocessors, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT,
                   cuda->device),
               "cuDeviceGetAttribute", error) ||
        failed(cuda,
               cu->cuDeviceGetAttribute(
                   &threads, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR,
                   cuda->device),
               "cuDeviceGetAttribute", error))
        return -1;

    /* 1024 where they fill a multiprocessor, else 512 (of 1536: three). */
    cuda->block_threads = threads % 1024 == 0 ? 1024 : 512;
    if (failed(cuda,
               cu->cuOccupancyMaxActiveBlocksPerMultiprocessor(
                   &blocks, cuda->kernel, (int)cuda->block_threads, 0),
               "cuOccupancyMaxActiveBlocksPerMultiprocessor", error))
        return -1;
    cuda->resident_blocks = (unsigned int)(multiprocessors * blocks);
    if (cuda->resident_blocks == 0) {
        error_set(error, EXIT_NO_DEVICE, "%s: too small for the kernel",
                  cuda->engine.name);
        return -1;
    }
    snprintf(cuda->engine.strategy, sizeof cuda->engine.strategy,
             "lane-private shared memory, up to %u blocks of %u threads",
             cuda->resident_blocks, cuda->block_threads);
    return 0;
}

static int
open_slot(struct engine_cuda *cuda, struct slot *slot, struct error *error)
{
    const struct cu_api *cu = &cuda->cu;
    /* Wait for events asleep: the CPU belongs to the rest of the pipeline. */
    unsigned int flags = CU_EVENT_DISABLE_TIMING | CU_EVENT_BLOCKING_SYNC;

    if (failed(cuda, cu->cuMemAlloc_v2(&slot->data, cuda->pool->chunk_bytes),
               "cuMemAlloc", error) ||
        failed(cuda, cu->cuEventCreate(&slot->copied, CU_EVENT_DISABLE_TIMING),
               "cuEventCreate", error) ||
        failed(cuda, cu->cuEventCreate(&slot->counted, flags), "cuEventCreate",
               error))
        return -1;
    return 0;
}

static int
open_memory(struct engine_cuda *cuda, struct error *error)
{
    const struct cu_api *cu = &cuda->cu;
    void *snapshots = NULL;

    if (failed(cuda, cu->cuStreamCreate(&cuda->copying, CU_STREAM_NON_BLOCKING),
               "cuStreamCreate", error) ||
        failed(cuda,
               cu->cuStreamCreate(&cuda->counting, CU_STREAM_NON_BLOCKING),
               "cuStreamCreate", error) ||
        failed(cuda,
               cu->cuMemAlloc_v2(&cuda->histogram, sizeof(struct histogram)),
               "cuMemAlloc", error) ||
        failed(cuda,
               cu->cuMemsetD8Async(cuda->histogram, 0, sizeof(struct histogram),
                                   cuda->counting),
               "cuMemsetD8Async", error) ||
        failed(
            cuda,
            cu->cuMemHostAlloc(&snapshots, SLOTS * sizeof(struct histogram), 0),
            "cuMemHostAlloc", error))
        return -1;

    cuda->snapshots = snapshots;
    for (int i = 0; i < SLOTS; i++) {
        cuda->slot[i].snapshot = &cuda->snapshots[i];
        if (open_slot(cuda, &cuda->slot[i], error) < 0)
            return -1;
    }
    return 0;
}

static int
cuda_open(struct engine *engine, const struct pool *pool, struct error *error)
{
    struct engine_cuda *cuda = cuda_of(engine);

    /* The kernel's counters of one launch are 32 bits wide. */
    assert(pool->chunk_bytes <= UINT32_MAX);
    cuda->pool = pool;
    if (open_device(cuda, error) < 0 || open_kernel(cuda, error) < 0 ||
        open_memory(cuda, error) < 0)
        return -1;
    return 0;
}

/*
 * Pin the memory of CHUNK when it first comes by, for every device.  Where
 * that is refused (a limit on locked memory, say) copies are slower.
 */
static void
pin(const struct engine_cuda *cuda, struct chunk *chunk)
{
    if (chunk->pinning_tried)
        return;
    chunk->pinning_tried = true;
    if (cuda->cu.cuMemHostRegister_v2(chunk->data, cuda->pool->chunk_bytes,
                                      CU_MEMHOSTREGISTER_PORTABLE) ==
        CUDA_SUCCESS)
        chunk->pinned_with = cuda;
}

/* As many blocks as the chunk keeps busy. */
static unsigned int
grid_blocks(const struct engine_cuda *cuda, size_t size)
{
    size_t block_bytes =
        (size_t)cuda->block_threads * VECTORS_PER_THREAD * VECTOR_BYTES;
    size_t blocks = (size + block_bytes - 1) / block_bytes;

    return blocks < cuda->resident_blocks ? (unsigned int)blocks
                                          : cuda->resident_blocks;
}

static int
cuda_submit(struct engine *engine, struct chunk *chunk, struct error *error)
{
    struct engine_cuda *cuda = cuda_of(engine);
    const struct cu_api *cu = &cuda->cu;
    unsigned int number = (unsigned int)(cuda->submitted % SLOTS);
    struct slot *slot = &cuda->slot[number];
    unsigned long long size = chunk->used;
    void *parameters[] = {&slot->data, &size, &cuda->histogram};

    assert(cuda->submitted - cuda->completed < SLOTS);
    assert(size > 0 && size <= cuda->pool->chunk_bytes);
    pin(cuda, chunk);
    if (failed(cuda,
               cu->cuMemcpyHtoDAsync_v2(slot->data, chunk->data, size,
                                        cuda->copying),
               "cuMemcpyHtoDAsync", error) ||
        failed(cuda, cu->cuEventRecord(slot->copied, cuda->copying),
               "cuEventRecord", error) ||
        failed(cuda, cu->cuStreamWaitEvent(cuda->counting, slot->copied, 0),
               "cuStreamWaitEvent", error) ||
        failed(cuda,
               cu->cuLaunchKernel(cuda->kernel, grid_blocks(cuda, size), 1, 1,
                                  cuda->block_threads, 1, 1, 0, cuda->counting,
                                  parameters, NULL),
               "cuLaunchKernel", error) ||
        failed(cuda,
               cu->cuMemcpyDtoHAsync_v2(slot->snapshot, cuda->histogram,
                                        sizeof *slot->snapshot, cuda->counting),
               "cuMemcpyDtoHAsync", error) ||
        failed(cuda, cu->cuEventRecord(slot->counted, cuda->counting),
               "cuEventRecord", error))
        return -1;

    cuda->submitted++;
    cuda->submitted_bytes += size;
    cuda->slot_end[number] = cuda->submitted_bytes;
    return 0;
}

static int
cuda_complete(struct engine *engine, struct error *error)
{
    struct engine_cuda *cuda = cuda_of(engine);
    unsigned int number = (unsigned int)(cuda->completed % SLOTS);
    const struct slot *slot = &cuda->slot[number];

    assert(cuda->completed < cuda->submitted);
    if (failed(cuda, cuda->cu.cuEventSynchronize(slot->counted),
               "cuEventSynchronize", error))
        return -1;
    /* A device that loses count without an error must not go unnoticed. */
    if (histogram_total(slot->snapshot) != cuda->slot_end[number]) {
        error_set(error, EXIT_NO_DEVICE, "%s: the counts do not add up",
                  engine->name);
        return -1;
    }
    engine->histogram = *slot->snapshot;
    cuda->completed++;
    return 0;
}

/* Undo pin(), for all chunks. */
static void
unpin(const struct engine_cuda *cuda)
{
    for (size_t i = 0; i < cuda->pool->chunk_count; i++) {
        if (cuda->pool->chunks[i].pinned_with == cuda)
            cuda->cu.cuMemHostUnregister(cuda->pool->chunks[i].data);
    }
}

/* Nothing here can fail in a way that matters: the counts are safe. */
static void
cuda_close(struct engine *engine)
{
    struct engine_cuda *cuda = cuda_of(engine);
    const struct cu_api *cu = &cuda->cu;

    if (cuda->context != NULL) {
        cu->cuCtxSetCurrent(cuda->context);
        /* After a failure there may be work that uses what goes next. */
        if (cuda->copying != NULL)
            cu->cuStreamSynchronize(cuda->copying);
        if (cuda->counting != NULL)
            cu->cuStreamSynchronize(cuda->counting);
        unpin(cuda);
        for (int i = 0; i < SLOTS; i++) {
            if (cuda->slot[i].counted != NULL)
                cu->cuEventDestroy_v2(cuda->slot[i].counted);
            if (cuda->slot[i].copied != NULL)
                cu->cuEventDestroy_v2(cuda->slot[i].copied);
            if (cuda->slot[i].data != 0)
                cu->cuMemFree_v2(cuda->slot[i].data);
        }
        if (cuda->snapshots != NULL)
            cu->cuMemFreeHost(cuda->snapshots);
        if (cuda->histogram != 0)
            cu->cuMemFree_v2(cuda->histogram);
        if (cuda->counting != NULL)
            cu->cuStreamDestroy_v2(cuda->counting);
        if (cuda->copying != NULL)
            cu->cuStreamDestroy_v2(cuda->copying);
        if (cuda->module != NULL)
            cu->cuModuleUnload(cuda->module);
        cu->cuDevicePrimaryCtxRelease_v2(cuda->device);
    }
    free(cuda);
}

static const struct engine_type cuda_type = {
    .taker = TAKER_DEVICE,
    .depth = SLOTS,
    .open = cuda_open,
    .submit = cuda_submit,
    .complete = cuda_complete,
    .close = cuda_close,
};

struct engine *
engine_cuda_new(int ordinal)
{
    struct engine_cuda *cuda = calloc(1, sizeof *cuda);

    if (cuda == NULL)
        return NULL;
    cuda->engine.type = &cuda_type;
    cuda->ordinal = ordinal;
    snprintf(cuda->engine.name, sizeof cuda->engine.name, "cuda:%d", ordinal);
    return &cuda->engine;
}

int
engine_cuda_list(struct cuda_device **devices, struct error *error)
{
    struct cu_api cu;
    int count;

    if (start_driver(&cu, &count, error) < 0)
        return -1;
    *devices = calloc((size_t)count, sizeof **devices);
    if (*devices == NULL) {
        error_set(error, EXIT_DATA, "out of memory");
        return -1;
    }
    for (int i = 0; i < count; i++) {
        struct cuda_device *found = &(*devices)[i];
        CUdevice device;

        /* What a device does not tell stays empty. */
        found->ordinal = i;
        if (cu.cuDeviceGet(&device, i) != CUDA_SUCCESS)
            continue;
        cu.cuDeviceGetName(found->name, sizeof found->name, device);
        cu.cuDeviceTotalMem_v2(&found->memory_bytes, device);
        cu.cuDeviceGetAttribute(&found->major,
                                CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR,
                                device);
        cu.cuDeviceGetAttribute(&found->minor,
                                CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR,
                                device);
    }
    return count;
}
