/*
 * engine_cuda.c -- one NVIDIA GPU
 *
 * A chunk is copied to the device on one stream; on another one the kernel
 * adds it to the histogram on the device.  So the copy of one chunk overlaps
 * with the counting of the one before.
 *
 * Every so many chunks the histogram is copied to a checkpoint (checkpoint.h) in
 * pinned host memory.  A large one is first copied on the device, so that
 * counting goes on while the copy travels.
 */

#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "counting.h"
#include "engine/gpu/checkpoint.h"
#include "engine/gpu/cu_api.h"
#include "engine/gpu/engine_cuda.h"
#include "engine/gpu/kernel.h"
#include "engine/gpu/kernel_image.h"
#include "hist/rebin.h"
#include "weighing.h"

/* Wait for events asleep: the CPU belongs to the rest of the pipeline. */
#define EVENT_TO_WAIT_FOR (CU_EVENT_DISABLE_TIMING | CU_EVENT_BLOCKING_SYNC)

struct slot {
    CUdeviceptr data; /* a chunk on the device */
    CUevent copied;   /* it has arrived */
    CUevent counted;  /* it is in the histogram */
};

/* The histogram's way to a checkpoint. */
struct copy {
    bool is_pinned; /* the checkpoint, by the driver; else it is malloc()'s */
    CUevent made;
};

struct engine_cuda {
    struct engine engine; /* first: a struct engine * points to it */
    int ordinal;
    enum strategy wanted;
    bool is_alone; /* there is no other engine */

    /* From open() on; handles that do not exist yet are 0. */
    struct cu_api cu;
    CUdevice device;
    CUcontext context;
    CUmodule module;
    CUfunction count;
    CUfunction carry; /* only for weights */
    CUstream copying;
    CUstream counting;
    CUstream fetching;      /* copies a large histogram to checkpoints */
    CUdeviceptr histogram;  /* the persistent sum */
    CUdeviceptr shadow;     /* a copy of a large one; 0: none is needed */
    CUevent shadowed;       /* that copy is made */
    struct histogram moved; /* on the host; a failed copy may still use it */
    CUdeviceptr axes;       /* what SPEC has, on the device */
    CUdeviceptr edges;
    CUdeviceptr lookup;
    struct slot slot[CHECKPOINT_SLOTS];
    const struct pool *pool; /* of the chunks to count */
    const struct spec *spec; /* of the histogram on the device */
    struct kernel kernel;
    size_t table_bytes;
    unsigned int block_threads;
    unsigned int resident_blocks; /* as many as the device holds at once */

    struct checkpoints checkpoints;
    struct copy copy[CHECKPOINTS_MAX]; /* to each of them */
    uint64_t added;                    /* weights since the last carry */
};

static struct engine_cuda *
cuda_of(struct engine *engine)
{
    return (struct engine_cuda *)engine;
}

/* The driver, for the call of that name, which may hang. */
static const struct cu_api *
at(struct engine_cuda *cuda, const char *call)
{
    atomic_store(&cuda->engine.call, call);
    return &cuda->cu;
}

/* Whether the last call failed; then *ERROR says so. */
static bool
failed(const struct engine_cuda *cuda, CUresult result, struct error *error)
{
    char text[256];

    if (result == CUDA_SUCCESS)
        return false;
    cu_describe(&cuda->cu, result, text, sizeof text);
    error_set(error, EXIT_NO_DEVICE, "%s: %s: %s", cuda->engine.name,
              atomic_load(&cuda->engine.call), text);
    return true;
}

bool
engine_cuda_is_built(void)
{
    return kernel_image[0] != 0;
}

/*
 * Load and start the driver; says how many devices there are, at least 1.
 * *CALL is what it is doing.
 */
static int
start_driver(struct cu_api *cu, const char *_Atomic *call, int *count,
             struct error *error)
{
    atomic_store(call, "cuInit");
    const char *missing =
        engine_cuda_is_built() ? cu_load(cu) : "this gpuhist has no CUDA code";
    if (missing != NULL) {
        error_set(error, EXIT_NO_DEVICE, "cuda: %s", missing);
        return -1;
    }

    char text[256];
    CUresult result = cu->cuInit(0);
    if (result == CUDA_SUCCESS) {
        atomic_store(call, "cuDeviceGetCount");
        result = cu->cuDeviceGetCount(count);
    }
    if (result == CUDA_SUCCESS && *count == 0)
        result = CUDA_ERROR_NO_DEVICE;
    if (result == CUDA_SUCCESS)
        return 0;
    cu_describe(cu, result, text, sizeof text);
    error_set(error, EXIT_NO_DEVICE, "cuda: %s: %s", atomic_load(call), text);
    return -1;
}

/* Find the device and make its primary context current. */
static int
open_device(struct engine_cuda *cuda, struct error *error)
{
    int count;
    char name[96];

    if (start_driver(&cuda->cu, &cuda->engine.call, &count, error) < 0)
        return -1;
    if (cuda->ordinal >= count) {
        error_set(error, EXIT_NO_DEVICE,
                  "%s: no such device (this machine shows %d)",
                  cuda->engine.name, count);
        return -1;
    }
    if (failed(
            cuda,
            at(cuda, "cuDeviceGet")->cuDeviceGet(&cuda->device, cuda->ordinal),
            error) ||
        failed(cuda,
               at(cuda, "cuDeviceGetName")
                   ->cuDeviceGetName(name, sizeof name, cuda->device),
               error))
        return -1;
    snprintf(cuda->engine.name, sizeof cuda->engine.name, "cuda:%d (%s)",
             cuda->ordinal, name);
    if (failed(cuda,
               at(cuda, "cuDevicePrimaryCtxRetain")
                   ->cuDevicePrimaryCtxRetain(&cuda->context, cuda->device),
               error) ||
        failed(cuda,
               at(cuda, "cuCtxSetCurrent")->cuCtxSetCurrent(cuda->context),
               error))
        return -1;
    return 0;
}

static int
get_function(struct engine_cuda *cuda, const char *name, CUfunction *function,
             struct error *error)
{
    return failed(cuda,
                  at(cuda, "cuModuleGetFunction")
                      ->cuModuleGetFunction(function, cuda->module, name),
                  error)
               ? -1
               : 0;
}

static int
get_attribute(struct engine_cuda *cuda, CUdevice_attribute attribute,
              int *value, struct error *error)
{
    return failed(cuda,
                  at(cuda, "cuDeviceGetAttribute")
                      ->cuDeviceGetAttribute(value, attribute, cuda->device),
                  error)
               ? -1
               : 0;
}

/* How many threads a block of the kernel has, and how many blocks there are. */
static int
open_grid(struct engine_cuda *cuda, struct error *error)
{
    int multiprocessors;
    int threads;
    int blocks;

    if (get_attribute(cuda, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT,
                      &multiprocessors, error) < 0 ||
        get_attribute(cuda, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR,
                      &threads, error) < 0)
        return -1;
    /* 1024 where they fill a multiprocessor, else 512 (of 1536: three). */
    cuda->block_threads = threads % 1024 == 0 ? 1024 : 512;
    if (failed(cuda,
               at(cuda, "cuOccupancyMaxActiveBlocksPerMultiprocessor")
                   ->cuOccupancyMaxActiveBlocksPerMultiprocessor(
                       &blocks, cuda->count, (int)cuda->block_threads,
                       cuda->kernel.shared_bytes),
               error))
        return -1;
    cuda->resident_blocks = (unsigned int)(multiprocessors * blocks);
    if (cuda->resident_blocks == 0) {
        error_set(error, EXIT_NO_DEVICE, "%s: too small for the kernel",
                  cuda->engine.name);
        return -1;
    }
    snprintf(cuda->engine.strategy, sizeof cuda->engine.strategy,
             "%s (%s), up to %u blocks of %u threads",
             kernel_strategy_name(cuda->kernel.strategy), cuda->kernel.function,
             cuda->resident_blocks, cuda->block_threads);
    return 0;
}

/* Load the kernel for the spec. */
static int
open_kernel(struct engine_cuda *cuda, struct error *error)
{
    const struct spec *spec = cuda->engine.spec;
    int shared_bytes;

    if (get_attribute(cuda,
                      CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN,
                      &shared_bytes, error) < 0)
        return -1;
    const char *why =
        kernel_choose(&cuda->kernel, spec, cuda->wanted, (size_t)shared_bytes);
    if (why != NULL) {
        error_set(error, EXIT_NO_DEVICE,
                  "%s: --strategy=%s is not possible: %s", cuda->engine.name,
                  kernel_strategy_name(cuda->wanted), why);
        return -1;
    }
    if (failed(cuda,
               at(cuda, "cuModuleLoadData")
                   ->cuModuleLoadData(&cuda->module, kernel_image),
               error) ||
        get_function(cuda, cuda->kernel.function, &cuda->count, error) < 0 ||
        (spec->has_weights &&
         get_function(cuda, "carry_weights", &cuda->carry, error) < 0) ||
        failed(cuda,
               at(cuda, "cuFuncSetAttribute")
                   ->cuFuncSetAttribute(
                       cuda->count,
                       CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                       (int)cuda->kernel.shared_bytes),
               error))
        return -1;
    return open_grid(cuda, error);
}

static int
open_slot(struct engine_cuda *cuda, struct slot *slot, struct error *error)
{
    if (failed(cuda,
               at(cuda, "cuMemAlloc")
                   ->cuMemAlloc_v2(&slot->data, cuda->pool->chunk_bytes),
               error) ||
        failed(cuda,
               at(cuda, "cuEventCreate")
                   ->cuEventCreate(&slot->copied, EVENT_TO_WAIT_FOR),
               error) ||
        failed(cuda,
               at(cuda, "cuEventCreate")
                   ->cuEventCreate(&slot->counted, CU_EVENT_DISABLE_TIMING),
               error))
        return -1;
    return 0;
}

/* Memory for a checkpoint; where the driver pins no more, copies are slower. */
static int
open_value(struct engine_cuda *cuda, struct checkpoint *checkpoint,
           struct copy *copy, struct error *error)
{
    void *memory = NULL;

    copy->is_pinned =
        !failed(cuda,
                at(cuda, "cuMemHostAlloc")
                    ->cuMemHostAlloc(&memory, cuda->table_bytes, 0),
                &cuda->engine.shortage);
    if (!copy->is_pinned)
        memory = malloc(cuda->table_bytes);
    checkpoint->value = memory;
    if (memory != NULL)
        return 0;
    error_set(error, EXIT_DATA, "out of memory");
    return -1;
}

/* Memory for all checkpoints, and what to wait for. */
static int
open_checkpoints(struct engine_cuda *cuda, struct error *error)
{
    for (size_t i = 0; i < cuda->checkpoints.count; i++) {
        struct copy *copy = &cuda->copy[i];
        if (open_value(cuda, &cuda->checkpoints.all[i], copy, error) < 0 ||
            failed(cuda,
                   at(cuda, "cuEventCreate")
                       ->cuEventCreate(&copy->made, EVENT_TO_WAIT_FOR),
                   error))
            return -1;
    }
    return 0;
}

/* Copy SIZE bytes at FROM to the device; nothing is there if SIZE is 0. */
static int
upload(struct engine_cuda *cuda, CUdeviceptr *to, const void *from, size_t size,
       struct error *error)
{
    if (size == 0)
        return 0;
    if (failed(cuda, at(cuda, "cuMemAlloc")->cuMemAlloc_v2(to, size), error) ||
        failed(cuda,
               at(cuda, "cuMemcpyHtoDAsync")
                   ->cuMemcpyHtoDAsync_v2(*to, from, size, cuda->counting),
               error))
        return -1;
    return 0;
}

/* The spec on the device. */
static int
open_spec(struct engine_cuda *cuda, struct error *error)
{
    const struct spec *spec = cuda->engine.spec;

    if (upload(cuda, &cuda->axes, spec->counted,
               spec->axis_count * sizeof *spec->counted, error) < 0 ||
        upload(cuda, &cuda->edges, spec->edges.edge,
               spec->edges.count * sizeof *spec->edges.edge, error) < 0 ||
        upload(cuda, &cuda->lookup, spec->lookup,
               spec->lookup_count * sizeof *spec->lookup, error) < 0)
        return -1;
    return 0;
}

static int
open_histogram(struct engine_cuda *cuda, struct error *error)
{
    bool has_shadow = cuda->checkpoints.is_large && !cuda->is_alone;

    if (failed(cuda,
               at(cuda, "cuMemAlloc")
                   ->cuMemAlloc_v2(&cuda->histogram, cuda->table_bytes),
               error) ||
        failed(cuda,
               at(cuda, "cuMemsetD8Async")
                   ->cuMemsetD8Async(cuda->histogram, 0, cuda->table_bytes,
                                     cuda->counting),
               error))
        return -1;
    if (has_shadow &&
        (failed(cuda,
                at(cuda, "cuMemAlloc")
                    ->cuMemAlloc_v2(&cuda->shadow, cuda->table_bytes),
                error) ||
         failed(cuda,
                at(cuda, "cuEventCreate")
                    ->cuEventCreate(&cuda->shadowed, CU_EVENT_DISABLE_TIMING),
                error) ||
         failed(cuda,
                at(cuda, "cuStreamCreate")
                    ->cuStreamCreate(&cuda->fetching, CU_STREAM_NON_BLOCKING),
                error)))
        return -1;
    return open_checkpoints(cuda, error);
}

static int
open_memory(struct engine_cuda *cuda, struct error *error)
{
    if (failed(cuda,
               at(cuda, "cuStreamCreate")
                   ->cuStreamCreate(&cuda->copying, CU_STREAM_NON_BLOCKING),
               error) ||
        failed(cuda,
               at(cuda, "cuStreamCreate")
                   ->cuStreamCreate(&cuda->counting, CU_STREAM_NON_BLOCKING),
               error) ||
        open_histogram(cuda, error) < 0 || open_spec(cuda, error) < 0)
        return -1;
    for (int i = 0; i < CHECKPOINT_SLOTS; i++) {
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
    cuda->table_bytes = (size_t)spec_table_bytes(engine->spec);
    checkpoint_plan(&cuda->checkpoints, engine, cuda->table_bytes,
                    pool->chunk_bytes, cuda->is_alone);
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
pin(struct engine_cuda *cuda, struct chunk *chunk)
{
    if (chunk->pinning_tried)
        return;
    chunk->pinning_tried = true;
    if (!failed(cuda,
                at(cuda, "cuMemHostRegister")
                    ->cuMemHostRegister_v2(chunk->data, cuda->pool->chunk_bytes,
                                           CU_MEMHOSTREGISTER_PORTABLE),
                &cuda->engine.shortage))
        chunk->pinned_with = cuda;
}

/* As many blocks as the chunk keeps busy. */
static unsigned int
grid_blocks(const struct engine_cuda *cuda, size_t size)
{
    size_t blocks = kernel_blocks(&cuda->kernel, size);

    return blocks < cuda->resident_blocks ? (unsigned int)blocks
                                          : cuda->resident_blocks;
}

static int
launch(struct engine_cuda *cuda, CUfunction function, unsigned int blocks,
       size_t shared_bytes, struct counting *task, struct error *error)
{
    unsigned int planes = cuda->engine.spec->planes;
    /* The second one is for the kernels of weights alone. */
    void *parameters[] = {task, &planes};

    return failed(cuda,
                  at(cuda, "cuLaunchKernel")
                      ->cuLaunchKernel(function, blocks, 1, 1,
                                       cuda->block_threads, 1, 1,
                                       (unsigned int)shared_bytes,
                                       cuda->counting, parameters, NULL),
                  error)
               ? -1
               : 0;
}

/* Count SIZE bytes at DATA, both on the device. */
static int
count(struct engine_cuda *cuda, CUdeviceptr data, size_t size,
      struct error *error)
{
    const struct spec *spec = cuda->engine.spec;
    uint64_t records = size / spec->record.bytes;
    struct counting task = kernel_task(spec, size);

    task.data = data;
    task.histogram = cuda->histogram;
    task.axes = cuda->axes;
    task.edges = cuda->edges;
    task.lookup = cuda->lookup;
    if (spec->has_weights) {
        if (cuda->added + records > WEIGHING_ADDS_MAX) {
            if (launch(cuda, cuda->carry, cuda->resident_blocks, 0, &task,
                       error) < 0)
                return -1;
            cuda->added = 0;
        }
        cuda->added += records;
    }
    return launch(cuda, cuda->count, grid_blocks(cuda, size),
                  cuda->kernel.shared_bytes, &task, error);
}

/* Begin to copy a large histogram to checkpoint number I. */
static int
copy_large(struct engine_cuda *cuda, size_t i, struct error *error)
{
    const struct checkpoints *checkpoints = &cuda->checkpoints;
    const struct copy *previous =
        &cuda->copy[(i + checkpoints->count - 1) % checkpoints->count];

    /* The shadow must have been copied before it is written again. */
    if (checkpoints->begun > 1 &&
        failed(cuda,
               at(cuda, "cuStreamWaitEvent")
                   ->cuStreamWaitEvent(cuda->counting, previous->made, 0),
               error))
        return -1;
    if (failed(cuda,
               at(cuda, "cuMemcpyDtoDAsync")
                   ->cuMemcpyDtoDAsync_v2(cuda->shadow, cuda->histogram,
                                          cuda->table_bytes, cuda->counting),
               error) ||
        failed(cuda,
               at(cuda, "cuEventRecord")
                   ->cuEventRecord(cuda->shadowed, cuda->counting),
               error) ||
        failed(cuda,
               at(cuda, "cuStreamWaitEvent")
                   ->cuStreamWaitEvent(cuda->fetching, cuda->shadowed, 0),
               error) ||
        failed(cuda,
               at(cuda, "cuMemcpyDtoHAsync")
                   ->cuMemcpyDtoHAsync_v2(checkpoints->all[i].value,
                                          cuda->shadow, cuda->table_bytes,
                                          cuda->fetching),
               error) ||
        failed(cuda,
               at(cuda, "cuEventRecord")
                   ->cuEventRecord(cuda->copy[i].made, cuda->fetching),
               error))
        return -1;
    return 0;
}

/* Begin to copy the histogram, with all that was submitted. */
static int
begin_checkpoint(struct engine_cuda *cuda, struct error *error)
{
    size_t i = checkpoint_begin(&cuda->checkpoints, cuda->spec);

    if (cuda->shadow != 0)
        return copy_large(cuda, i, error);
    if (failed(cuda,
               at(cuda, "cuMemcpyDtoHAsync")
                   ->cuMemcpyDtoHAsync_v2(cuda->checkpoints.all[i].value,
                                          cuda->histogram, cuda->table_bytes,
                                          cuda->counting),
               error) ||
        failed(cuda,
               at(cuda, "cuEventRecord")
                   ->cuEventRecord(cuda->copy[i].made, cuda->counting),
               error))
        return -1;
    return 0;
}

/* Go on with the lattices of the chunk's spec: seldom, and so by the CPU. */
static int
move_on(struct engine_cuda *cuda, const struct spec *spec, struct error *error)
{
    struct histogram *moved = &cuda->moved;

    if (moved->value == NULL &&
        histogram_open(moved, spec->cells, spec->planes) < 0) {
        error_set(error, EXIT_DATA, "out of memory");
        return -1;
    }
    if (failed(cuda,
               at(cuda, "cuMemcpyDtoHAsync")
                   ->cuMemcpyDtoHAsync_v2(moved->value, cuda->histogram,
                                          cuda->table_bytes, cuda->counting),
               error) ||
        failed(cuda,
               at(cuda, "cuStreamSynchronize")
                   ->cuStreamSynchronize(cuda->counting),
               error))
        return -1;
    if (rebin_histogram(cuda->spec, spec, moved) < 0) {
        error_set(error, EXIT_DATA, "out of memory");
        return -1;
    }
    if (failed(cuda,
               at(cuda, "cuMemcpyHtoDAsync")
                   ->cuMemcpyHtoDAsync_v2(cuda->histogram, moved->value,
                                          cuda->table_bytes, cuda->counting),
               error) ||
        failed(
            cuda,
            at(cuda, "cuMemcpyHtoDAsync")
                ->cuMemcpyHtoDAsync_v2(cuda->axes, spec->counted,
                                       spec->axis_count * sizeof *spec->counted,
                                       cuda->counting),
            error) ||
        failed(cuda,
               at(cuda, "cuStreamSynchronize")
                   ->cuStreamSynchronize(cuda->counting),
               error))
        return -1;
    cuda->spec = spec;
    return 0;
}

static int
cuda_submit(struct engine *engine, struct chunk *chunk, struct error *error)
{
    struct engine_cuda *cuda = cuda_of(engine);
    struct checkpoints *checkpoints = &cuda->checkpoints;
    struct slot *slot = &cuda->slot[checkpoints->submitted % CHECKPOINT_SLOTS];
    /* It is somebody else's when a call that hung returns: see engine.h. */
    const struct spec *spec = chunk->spec;
    size_t used = chunk->used;

    assert(checkpoints->submitted - checkpoints->completed < engine->depth);
    assert(used > 0 && used <= cuda->pool->chunk_bytes);
    pin(cuda, chunk);
    if (cuda->spec->generation < spec->generation &&
        move_on(cuda, spec, error) < 0)
        return -1;
    /* The slot's last chunk must have been counted; not by this thread. */
    if (checkpoints->submitted >= CHECKPOINT_SLOTS &&
        failed(cuda,
               at(cuda, "cuStreamWaitEvent")
                   ->cuStreamWaitEvent(cuda->copying, slot->counted, 0),
               error))
        return -1;
    if (failed(cuda,
               at(cuda, "cuMemcpyHtoDAsync")
                   ->cuMemcpyHtoDAsync_v2(slot->data, chunk->data, used,
                                          cuda->copying),
               error) ||
        failed(cuda,
               at(cuda, "cuEventRecord")
                   ->cuEventRecord(slot->copied, cuda->copying),
               error) ||
        failed(cuda,
               at(cuda, "cuStreamWaitEvent")
                   ->cuStreamWaitEvent(cuda->counting, slot->copied, 0),
               error) ||
        count(cuda, slot->data, used, error) < 0 ||
        failed(cuda,
               at(cuda, "cuEventRecord")
                   ->cuEventRecord(slot->counted, cuda->counting),
               error))
        return -1;
    if (checkpoint_submit(checkpoints, used / engine->spec->record.bytes))
        return begin_checkpoint(cuda, error);
    return 0;
}

/* Complete the oldest chunk, which is safe as far as this engine is. */
static int
complete_copied(struct engine_cuda *cuda, size_t *count, struct error *error)
{
    struct checkpoints *checkpoints = &cuda->checkpoints;
    const struct slot *slot =
        &cuda->slot[checkpoints->completed % CHECKPOINT_SLOTS];

    if (failed(cuda,
               at(cuda, "cuEventSynchronize")->cuEventSynchronize(slot->copied),
               error))
        return -1;
    checkpoints->completed++;
    *count = 1;
    return 0;
}

static int
cuda_complete(struct engine *engine, size_t *count, struct error *error)
{
    struct engine_cuda *cuda = cuda_of(engine);
    struct checkpoints *checkpoints = &cuda->checkpoints;

    assert(checkpoints->completed < checkpoints->submitted);
    if (checkpoint_releases(checkpoints))
        return complete_copied(cuda, count, error);
    if (!checkpoint_is_under_way(checkpoints) &&
        begin_checkpoint(cuda, error) < 0)
        return -1;
    const struct copy *copy =
        &cuda->copy[checkpoints->made % checkpoints->count];
    if (failed(cuda,
               at(cuda, "cuEventSynchronize")->cuEventSynchronize(copy->made),
               error))
        return -1;
    return checkpoint_end(checkpoints, count, error);
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

static void
close_event(const struct engine_cuda *cuda, CUevent event)
{
    if (event != NULL)
        cuda->cu.cuEventDestroy_v2(event);
}

static void
close_memory(const struct engine_cuda *cuda, CUdeviceptr memory)
{
    if (memory != 0)
        cuda->cu.cuMemFree_v2(memory);
}

static void
close_stream(const struct engine_cuda *cuda, CUstream stream)
{
    if (stream != NULL)
        cuda->cu.cuStreamDestroy_v2(stream);
}

/* Release what is in the context, which is current. */
static void
close_context(const struct engine_cuda *cuda)
{
    const struct cu_api *cu = &cuda->cu;

    /* After a failure there may be work that uses what goes next. */
    if (cuda->copying != NULL)
        cu->cuStreamSynchronize(cuda->copying);
    if (cuda->counting != NULL)
        cu->cuStreamSynchronize(cuda->counting);
    if (cuda->fetching != NULL)
        cu->cuStreamSynchronize(cuda->fetching);
    unpin(cuda);
    for (int i = 0; i < CHECKPOINT_SLOTS; i++) {
        close_event(cuda, cuda->slot[i].counted);
        close_event(cuda, cuda->slot[i].copied);
        close_memory(cuda, cuda->slot[i].data);
    }
    for (int i = 0; i < CHECKPOINTS_MAX; i++) {
        close_event(cuda, cuda->copy[i].made);
        if (cuda->copy[i].is_pinned)
            cu->cuMemFreeHost(cuda->checkpoints.all[i].value);
    }
    close_event(cuda, cuda->shadowed);
    close_memory(cuda, cuda->shadow);
    close_memory(cuda, cuda->histogram);
    close_memory(cuda, cuda->axes);
    close_memory(cuda, cuda->edges);
    close_memory(cuda, cuda->lookup);
    close_stream(cuda, cuda->fetching);
    close_stream(cuda, cuda->counting);
    close_stream(cuda, cuda->copying);
    if (cuda->module != NULL)
        cu->cuModuleUnload(cuda->module);
}

/* Nothing here can fail in a way that matters: the counts are safe. */
static void
cuda_close(struct engine *engine)
{
    struct engine_cuda *cuda = cuda_of(engine);

    if (cuda->context != NULL) {
        /* Where that fails, all that is in the context goes with it. */
        if (cuda->cu.cuCtxSetCurrent(cuda->context) == CUDA_SUCCESS)
            close_context(cuda);
        cuda->cu.cuDevicePrimaryCtxRelease_v2(cuda->device);
    }
    for (int i = 0; i < CHECKPOINTS_MAX; i++) {
        if (!cuda->copy[i].is_pinned)
            free(cuda->checkpoints.all[i].value);
    }
    histogram_close(&cuda->moved);
    error_clear(&engine->shortage);
    free(cuda);
}

static const struct engine_type cuda_type = {
    .kind = CONSUMER_DEVICE,
    .open = cuda_open,
    .submit = cuda_submit,
    .complete = cuda_complete,
    .close = cuda_close,
};

struct engine *
engine_cuda_new(int ordinal, const struct spec *spec, enum strategy strategy,
                bool is_alone)
{
    struct engine_cuda *cuda = calloc(1, sizeof *cuda);

    if (cuda == NULL)
        return NULL;
    cuda->engine.type = &cuda_type;
    cuda->engine.spec = spec;
    cuda->engine.histogram_spec = spec;
    cuda->spec = spec;
    cuda->ordinal = ordinal;
    cuda->wanted = strategy;
    cuda->is_alone = is_alone;
    snprintf(cuda->engine.name, sizeof cuda->engine.name, "cuda:%d", ordinal);
    return &cuda->engine;
}

int
engine_cuda_list(struct cuda_device **devices, struct error *error)
{
    struct cu_api cu;
    const char *_Atomic call;
    int count;

    if (start_driver(&cu, &call, &count, error) < 0)
        return -1;
    *devices = calloc((size_t)count, sizeof **devices);
    if (*devices == NULL) {
        error_set(error, EXIT_DATA, "out of memory");
        return -1;
    }
    for (int i = 0; i < count; i++) {
        struct cuda_device *found = &(*devices)[i];
        CUdevice device;
        int shared_bytes = 0;

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
        cu.cuDeviceGetAttribute(
            &shared_bytes,
            CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, device);
        found->shared_bytes = (size_t)shared_bytes;
    }
    return count;
}
