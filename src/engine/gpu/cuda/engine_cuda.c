/* SPDX-License-Identifier: MIT */
/*
 * engine_cuda.c -- one NVIDIA GPU, for device_engine.h
 *
 * A queue is a stream.  A stream runs its commands in order, and after a failed
 * command all later commands of the context fail.  So commands wait only for
 * events of other streams.
 */

#include <limits.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "engine/gpu/cuda/cu_context.h"
#include "engine/gpu/cuda/engine_cuda.h"
#include "engine/gpu/device/device_engine.h"
#include "engine/gpu/device/kernel.h"
#include "kernels/binning/counting.h"

struct engine_cuda {
    struct device_engine device; /* first: pointers to it point to this */
    struct cu_context context;
    bool is_current; /* after finish(): the context is current */

    /* Set by open(); missing handles are 0. */
    CUstream stream[QUEUES];
    CUmodule module;
    CUfunction function[DEVICE_KERNELS]; /* kernels in use */
    unsigned int block_threads;
};

static struct engine_cuda *
cuda_of(struct device_engine *device)
{
    return (struct engine_cuda *)device;
}

bool
engine_cuda_is_built(void)
{
    return kernel_image[0] != 0;
}

bool
engine_cuda_is_there(void)
{
    struct cu_api cu;

    return engine_cuda_is_built() && cu_load(&cu) == NULL;
}

/* ---- the device ---- */

static int
get_attribute(struct engine_cuda *cuda, CUdevice_attribute attribute,
              int *value, struct error *error)
{
    return CU_CALL(&cuda->context, error, cuDeviceGetAttribute, value,
                   attribute, cuda->context.number);
}

static int
cuda_open(struct device_engine *device, struct error *error)
{
    struct engine_cuda *cuda = cuda_of(device);
    int queues = device->has_shadow ? QUEUES : QUEUE_FETCHING;
    int shared_bytes;
    int cache_bytes;
    size_t memory_bytes;

    if (cu_context_open(&cuda->context, error) < 0 ||
        get_attribute(cuda,
                      CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN,
                      &shared_bytes, error) < 0 ||
        get_attribute(cuda, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE, &cache_bytes,
                      error) < 0 ||
        CU_CALL_V2(&cuda->context, error, cuDeviceTotalMem, &memory_bytes,
                   cuda->context.number) < 0)
        return -1;
    device->platform = KERNEL_CUDA;
    device->shared_bytes = (size_t)shared_bytes;
    device->cache_bytes = (uint64_t)cache_bytes;
    device->memory_bytes = memory_bytes;
    for (int i = 0; i < queues; i++) {
        if (CU_CALL(&cuda->context, error, cuStreamCreate, &cuda->stream[i],
                    CU_STREAM_NON_BLOCKING) < 0)
            return -1;
    }
    return 0;
}

/* The dynamic shared memory of a block of KERNEL. */
static size_t
shared_bytes_of(const struct device_engine *device, enum device_kernel kernel)
{
    return kernel == DEVICE_CARRY ? 0 : device->kernel.shared_bytes;
}

/* Lower *MOST to the blocks of KERNEL that a multiprocessor runs at a time. */
static int
limit_blocks(struct engine_cuda *cuda, enum device_kernel kernel, int *most,
             struct error *error)
{
    int blocks;

    if (CU_CALL(&cuda->context, error,
                cuOccupancyMaxActiveBlocksPerMultiprocessor, &blocks,
                cuda->function[kernel], (int)cuda->block_threads,
                shared_bytes_of(&cuda->device, kernel)) < 0)
        return -1;
    if (*most > blocks)
        *most = blocks;
    return 0;
}

/* Choose the number of threads in a block, and of blocks. */
static int
open_grid(struct engine_cuda *cuda, struct error *error)
{
    struct device_engine *device = &cuda->device;
    int multiprocessors;
    int threads;
    int blocks = INT_MAX;

    if (get_attribute(cuda, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT,
                      &multiprocessors, error) < 0 ||
        get_attribute(cuda, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR,
                      &threads, error) < 0)
        return -1;
    /* 1024 if such blocks fill a multiprocessor, else 512 (three for 1536). */
    cuda->block_threads = threads % 1024 == 0 ? 1024 : 512;
    if (device->block_threads > 0)
        cuda->block_threads = device->block_threads;
    for (int k = 0; k < DEVICE_KERNELS; k++) {
        if (cuda->function[k] != NULL && k != DEVICE_CARRY &&
            limit_blocks(cuda, (enum device_kernel)k, &blocks, error) < 0)
            return -1;
    }
    /* As many blocks as the device runs at a time. */
    device->blocks_max = (size_t)multiprocessors * (size_t)blocks;
    if (device->blocks_max == 0) {
        error_set(error, EXIT_NO_DEVICE, "%s: too small for the kernel",
                  device->engine.name);
        return -1;
    }
    snprintf(device->engine.strategy, sizeof device->engine.strategy,
             "%s, up to %zu blocks of %u threads", device->how,
             device->blocks_max, cuda->block_threads);
    return 0;
}

/* Get KERNEL of the module. */
static int
open_kernel(struct engine_cuda *cuda, enum device_kernel kernel,
            struct error *error)
{
    const struct device_engine *device = &cuda->device;
    const char *name = kernel == DEVICE_COUNT ? device->kernel.function
                                              : device_kernel_name(kernel);

    if (CU_CALL(&cuda->context, error, cuModuleGetFunction,
                &cuda->function[kernel], cuda->module, name) < 0)
        return -1;
    if (kernel == DEVICE_CARRY)
        return 0;
    return CU_CALL(&cuda->context, error, cuFuncSetAttribute,
                   cuda->function[kernel],
                   CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                   (int)shared_bytes_of(device, kernel));
}

static int
cuda_open_kernels(struct device_engine *device, struct error *error)
{
    struct engine_cuda *cuda = cuda_of(device);

    if (CU_CALL(&cuda->context, error, cuModuleLoadData, &cuda->module,
                kernel_image) < 0)
        return -1;
    for (int k = 0; k < DEVICE_KERNELS; k++) {
        if ((device->kernels >> k & 1) != 0 &&
            open_kernel(cuda, (enum device_kernel)k, error) < 0)
            return -1;
    }
    return open_grid(cuda, error);
}

/* ---- memory ---- */

static int
cuda_allocate(struct device_engine *device, uintptr_t *memory, size_t size,
              void *in_place, struct error *error)
{
    struct engine_cuda *cuda = cuda_of(device);
    CUdeviceptr address;

    (void)in_place;
    if (CU_CALL_V2(&cuda->context, error, cuMemAlloc, &address, size) < 0)
        return -1;
    *memory = (uintptr_t)address;
    return 0;
}

static void
cuda_release(struct device_engine *device, uintptr_t *memory)
{
    if (*memory != 0)
        cuda_of(device)->context.cu.cuMemFree_v2(*memory);
    *memory = 0;
}

static int
cuda_allocate_host(struct device_engine *device, struct host_memory *host,
                   size_t size, struct error *error)
{
    return CU_CALL(&cuda_of(device)->context, error, cuMemHostAlloc,
                   &host->address, size, 0);
}

static void
cuda_release_host(struct device_engine *device, struct host_memory *host)
{
    if (host->address != NULL)
        cuda_of(device)->context.cu.cuMemFreeHost(host->address);
}

static int
cuda_pin(struct device_engine *device, void *data, size_t size,
         struct error *error)
{
    return CU_CALL_V2(&cuda_of(device)->context, error, cuMemHostRegister, data,
                      size, CU_MEMHOSTREGISTER_PORTABLE);
}

static void
cuda_unpin(struct device_engine *device, void *data)
{
    cuda_of(device)->context.cu.cuMemHostUnregister(data);
}

/* ---- commands ---- */

static int
cuda_open_event(struct device_engine *device, struct device_event *event,
                struct error *error)
{
    /* The event blocks: a busy wait would take the CPU from other threads. */
    unsigned int flags =
        CU_EVENT_DISABLE_TIMING |
        (event->use == EVENT_AWAITED ? CU_EVENT_BLOCKING_SYNC : 0);
    CUevent made;

    if (CU_CALL(&cuda_of(device)->context, error, cuEventCreate, &made, flags) <
        0)
        return -1;
    event->handle = made;
    return 0;
}

static void
cuda_close_event(struct device_engine *device, struct device_event *event)
{
    if (event->handle != NULL)
        cuda_of(device)->context.cu.cuEventDestroy_v2(event->handle);
}

static int
cuda_wait(struct device_engine *device, const struct device_event *event,
          struct error *error)
{
    return CU_CALL(&cuda_of(device)->context, error, cuEventSynchronize,
                   event->handle);
}

/* Record EVENT in its stream. */
static int
record(struct engine_cuda *cuda, const struct device_event *event,
       struct error *error)
{
    return CU_CALL(&cuda->context, error, cuEventRecord, event->handle,
                   cuda->stream[event->queue]);
}

/* Make COMMAND's stream wait; called before the command.  A loose event is
   recorded only now: most are for commands of their own stream. */
static int
start(struct engine_cuda *cuda, const struct device_command *command,
      struct error *error)
{
    for (int i = 0; i < 2; i++) {
        const struct device_event *event = command->after[i];
        if (event == NULL || event->queue == command->queue)
            continue;
        if ((event->use == EVENT_LOOSE && record(cuda, event, error) < 0) ||
            CU_CALL(&cuda->context, error, cuStreamWaitEvent,
                    cuda->stream[command->queue], event->handle, 0) < 0)
            return -1;
    }
    return 0;
}

/* Record COMMAND's event, unless it is loose, or wait; called after the
   command. */
static int
end(struct engine_cuda *cuda, const struct device_command *command,
    struct error *error)
{
    CUstream stream = cuda->stream[command->queue];

    if (command->event == NULL)
        return CU_CALL(&cuda->context, error, cuStreamSynchronize, stream);
    command->event->queue = command->queue;
    return command->event->use == EVENT_LOOSE
               ? 0
               : record(cuda, command->event, error);
}

static int
cuda_clear(struct device_engine *device, const struct device_command *command,
           uintptr_t memory, size_t size, struct error *error)
{
    struct engine_cuda *cuda = cuda_of(device);

    if (start(cuda, command, error) < 0 ||
        CU_CALL(&cuda->context, error, cuMemsetD8Async, memory, 0, size,
                cuda->stream[command->queue]) < 0)
        return -1;
    return end(cuda, command, error);
}

static int
cuda_write(struct device_engine *device, const struct device_command *command,
           uintptr_t to, size_t at, const void *from, size_t size,
           struct error *error)
{
    struct engine_cuda *cuda = cuda_of(device);

    if (start(cuda, command, error) < 0 ||
        CU_CALL_V2(&cuda->context, error, cuMemcpyHtoDAsync, to + at, from,
                   size, cuda->stream[command->queue]) < 0)
        return -1;
    return end(cuda, command, error);
}

static int
cuda_write_leased(struct device_engine *device,
                  const struct device_command *command, uintptr_t to, size_t at,
                  void *token, const void *from, size_t size,
                  struct error *error)
{
    struct engine_cuda *cuda = cuda_of(device);
    CUstream stream = cuda->stream[command->queue];
    const struct cu_lease_owner *owner = token;
    size_t left;

    if (start(cuda, command, error) < 0 ||
        owner->copy(owner->decoder, &cuda->context, to + at, from, size, stream,
                    &left, error) < 0 ||
        (left > 0 && CU_CALL_V2(&cuda->context, error, cuMemcpyHtoDAsync,
                                to + at, from, left, stream) < 0))
        return -1;
    return end(cuda, command, error);
}

static int
cuda_read(struct device_engine *device, const struct device_command *command,
          void *to, uintptr_t from, size_t size, struct error *error)
{
    struct engine_cuda *cuda = cuda_of(device);

    if (start(cuda, command, error) < 0 ||
        CU_CALL_V2(&cuda->context, error, cuMemcpyDtoHAsync, to, from, size,
                   cuda->stream[command->queue]) < 0)
        return -1;
    return end(cuda, command, error);
}

static int
cuda_copy(struct device_engine *device, const struct device_command *command,
          uintptr_t to, uintptr_t from, size_t size, struct error *error)
{
    struct engine_cuda *cuda = cuda_of(device);

    if (start(cuda, command, error) < 0 ||
        CU_CALL_V2(&cuda->context, error, cuMemcpyDtoDAsync, to, from, size,
                   cuda->stream[command->queue]) < 0)
        return -1;
    return end(cuda, command, error);
}

/* Launch with PARAMETERS. */
static int
launch_with(struct engine_cuda *cuda, const struct device_command *command,
            const struct device_launch *launch, void **parameters,
            struct error *error)
{
    size_t shared_bytes = shared_bytes_of(&cuda->device, launch->kernel);

    if (start(cuda, command, error) < 0 ||
        CU_CALL(&cuda->context, error, cuLaunchKernel,
                cuda->function[launch->kernel], (unsigned int)launch->blocks,
                (unsigned int)launch->chunks, 1, cuda->block_threads, 1, 1,
                (unsigned int)shared_bytes, cuda->stream[command->queue],
                parameters, NULL) < 0)
        return -1;
    return end(cuda, command, error);
}

static int
launch_samples(struct engine_cuda *cuda, const struct device_command *command,
               const struct device_launch *launch, struct error *error)
{
    const struct device_engine *device = &cuda->device;
    struct counting task = *launch->task;
    /* A kernel takes only as many arguments as it has parameters. */
    unsigned int planes = device->engine.spec->planes;
    struct binning_axis axis = device->spec->counted[0];
    void *parameters[] = {
        &task, device->engine.spec->has_weights ? (void *)&planes : &axis};

    task.data = launch->slot->data;
    task.histogram = device->histogram;
    task.axes = device->axes;
    task.edges = device->edges;
    task.lookup = device->lookup;
    return launch_with(cuda, command, launch, parameters, error);
}

static int
launch_sequences(struct engine_cuda *cuda, const struct device_command *command,
                 const struct device_launch *launch, struct error *error)
{
    struct sequence_work work = *launch->work;
    void *parameters[] = {&work};

    work.data = launch->slot->data;
    work.histogram = cuda->device.histogram;
    work.scratch = cuda->device.scratch;
    work.list_entries = cuda->device.list_entries;
    work.list_sizes = cuda->device.list_sizes;
    work.status = cuda->device.refusals;
    return launch_with(cuda, command, launch, parameters, error);
}

static int
launch_text(struct engine_cuda *cuda, const struct device_command *command,
            const struct device_launch *launch, struct error *error)
{
    const struct device_engine *device = &cuda->device;
    struct text_work work = *launch->text;
    void *parameters[] = {&work};

    work.data = launch->slot->data;
    work.histogram = device->histogram;
    work.scratch = device->scratch;
    work.status = device->refusals;
    work.lists = device->text.lists;
    work.slots = device->text.slots;
    work.edges = device->edges;
    work.arena = device->text.arena;
    work.learned = device->text.learned;
    return launch_with(cuda, command, launch, parameters, error);
}

static int
cuda_launch(struct device_engine *device, const struct device_command *command,
            const struct device_launch *launch, struct error *error)
{
    if (launch->text != NULL)
        return launch_text(cuda_of(device), command, launch, error);
    return launch->work != NULL
               ? launch_sequences(cuda_of(device), command, launch, error)
               : launch_samples(cuda_of(device), command, launch, error);
}

/* ---- the end ---- */

static bool
cuda_finish(struct device_engine *device)
{
    struct engine_cuda *cuda = cuda_of(device);

    if (cuda->context.context == NULL)
        return false;
    /* If this fails, closing the context frees the memory. */
    cuda->is_current =
        cuda->context.cu.cuCtxSetCurrent(cuda->context.context) == CUDA_SUCCESS;
    for (int i = 0; i < QUEUES && cuda->is_current; i++) {
        if (cuda->stream[i] != NULL)
            cuda->context.cu.cuStreamSynchronize(cuda->stream[i]);
    }
    return cuda->is_current;
}

static void
cuda_close(struct device_engine *device)
{
    struct engine_cuda *cuda = cuda_of(device);

    for (int i = 0; i < QUEUES && cuda->is_current; i++) {
        if (cuda->stream[i] != NULL)
            cuda->context.cu.cuStreamDestroy_v2(cuda->stream[i]);
    }
    if (cuda->module != NULL && cuda->is_current)
        cuda->context.cu.cuModuleUnload(cuda->module);
    if (cuda->context.context != NULL)
        cuda->context.cu.cuDevicePrimaryCtxRelease_v2(cuda->context.number);
}

struct engine *
engine_cuda_new(struct cu_start start, int ordinal, const struct spec *spec,
                enum strategy strategy, bool is_alone, uint32_t text_keys)
{
    static const struct device_operations operations = {
        .open = cuda_open,
        .open_kernels = cuda_open_kernels,
        .open_event = cuda_open_event,
        .allocate = cuda_allocate,
        .allocate_host = cuda_allocate_host,
        .pin = cuda_pin,
        .clear = cuda_clear,
        .write = cuda_write,
        .write_leased = cuda_write_leased,
        .read = cuda_read,
        .copy = cuda_copy,
        .launch = cuda_launch,
        .wait = cuda_wait,
        .finish = cuda_finish,
        .close_event = cuda_close_event,
        .release = cuda_release,
        .release_host = cuda_release_host,
        .unpin = cuda_unpin,
        .close = cuda_close,
    };
    struct engine_cuda *cuda = calloc(1, sizeof *cuda);

    if (cuda == NULL)
        return NULL;
    device_engine_init(&cuda->device, &operations, device_job_of(spec), spec,
                       strategy, is_alone, text_keys);
    cuda->context =
        (struct cu_context){.start = start,
                            .ordinal = ordinal,
                            .call = &cuda->device.engine.call,
                            .name = cuda->device.engine.name,
                            .name_bytes = sizeof cuda->device.engine.name};
    snprintf(cuda->device.engine.name, sizeof cuda->device.engine.name,
             "cuda:%d", ordinal);
    return &cuda->device.engine;
}

/* ---- the list ---- */

int
engine_cuda_list(struct cuda_device **devices, struct error *error)
{
    struct cu_api cu;
    const char *_Atomic call;
    int count;

    if (cu_context_start(&cu, &call, &count, error) < 0)
        return -1;
    *devices = calloc((size_t)count, sizeof **devices);
    if (*devices == NULL)
        return error_fail_memory(error);
    for (int i = 0; i < count; i++) {
        struct cuda_device *found = &(*devices)[i];
        CUdevice device;
        int shared_bytes = 0;

        /* Unreported values stay empty or 0. */
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
