/* SPDX-License-Identifier: MIT */
/*
 * engine_opencl.c -- one device by OpenCL 1.2, for device_engine.h: a GPU or a
 * processor
 *
 * A device that shares the host's memory uses chunks in place.  To any other
 * device, copies are fast only from pinned memory.  OpenCL cannot pin existing
 * memory.  But drivers pin a mapped buffer with CL_MEM_ALLOC_HOST_PTR, and
 * recognise its address in clEnqueueWriteBuffer() and clEnqueueReadBuffer()
 * (NVIDIA OpenCL Best Practices Guide, "Pinned Memory"; AMD's guide calls it a
 * pre-pinned buffer).
 *
 * So the engine makes mapped buffers: for the checkpoints, and for one chunk
 * after the other.  A chunk moves to its buffer once and is filled there from
 * then on (engine.h: spare).  If the driver refuses a buffer, copies are
 * slower.
 *
 * A failed command does not stop its queue, so each command also waits for
 * events of its own queue.
 */

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/gpu/device/device_engine.h"
#include "engine/gpu/device/driver_abort.h"
#include "engine/gpu/device/gpu_probe.h"
#include "engine/gpu/device/kernel.h"
#include "engine/gpu/opencl/cl_api.h"
#include "engine/gpu/opencl/cl_devices.h"
#include "engine/gpu/opencl/cl_kernels.h"
#include "engine/gpu/opencl/engine_opencl.h"
#include "kernels/binning/counting.h"

/*
 * Thread blocks that keep a device busy: threads for each compute unit of a
 * GPU; blocks of one thread for each unit of a processor, several because some
 * blocks are slower than others.
 */
#define UNIT_THREADS 2048
#define PROCESSOR_GROUPS 4

/* Local memory of a thread block that no kernel asks for. */
#define LOCAL_BYTES_KEPT 1024

/* The least cache shared by all blocks, if any: NVIDIA's driver reports the
   size of the first-level caches instead. */
#define CACHE_BYTES ((cl_ulong)32 << 20)

struct engine_opencl {
    struct device_engine device; /* first: pointers to it point to this */
    int ordinal;                 /* or OPENCL_BEST, OPENCL_GPU */
    struct cl_caller caller;

    /* Set by open(); missing handles are NULL. */
    struct cl_target target;
    cl_uint units;
    cl_command_queue queue[QUEUES]; /* none for QUEUE_FETCHING */
    cl_command_queue mapping;       /* commands wait for no other queue */
    struct cl_kernels kernels;
};

static struct engine_opencl *
opencl_of(struct device_engine *device)
{
    return (struct engine_opencl *)device;
}

bool
engine_opencl_is_built(void)
{
    return kernel_source[0] != 0;
}

/* ---- the device ---- */

static int
get_info(struct engine_opencl *opencl, cl_device_info name, void *value,
         size_t size, struct error *error)
{
    return CL_CALL(&opencl->caller, error, clGetDeviceInfo,
                   opencl->target.device, name, size, value, NULL);
}

static void
get_text(struct engine_opencl *opencl, cl_device_info name, char *text,
         size_t size)
{
    atomic_store(opencl->caller.call, "clGetDeviceInfo");
    cl_device_text(&opencl->caller.api, opencl->target.device, name, text,
                   size);
}

/*
 * Set *ERROR: DEVICES do not include the wanted device.  Name the failed
 * platform, because its devices are missing.
 */
static void
fail_choice(const struct engine_opencl *opencl,
            const struct cl_devices *devices, struct error *error)
{
    char name[64];
    char why[128] = "";

    if (devices->failure != CL_SUCCESS &&
        devices->failure != CL_DEVICE_NOT_FOUND) {
        cl_describe(devices->failure, name, sizeof name);
        snprintf(why, sizeof why, ": %s: %s", devices->call, name);
    }
    if (opencl->ordinal == OPENCL_GPU)
        error_set(error, EXIT_NO_DEVICE, "opencl: no GPU among %zu device%s%s",
                  devices->count, devices->count == 1 ? "" : "s", why);
    else
        error_set(error, EXIT_NO_DEVICE,
                  "%s: no such device (this machine shows %zu)%s",
                  opencl->caller.name, devices->count, why);
}

/* Find the device. */
static int
find_device(struct engine_opencl *opencl, struct error *error)
{
    struct engine *engine = &opencl->device.engine;
    struct cl_devices devices;
    char name[96];

    if (opencl->ordinal == OPENCL_GPU && gpu_probe_opencl(error) < 0)
        return -1;
    /* A platform may call abort().  While loading or compiling a kernel, a
       platform may also replace our handler. */
    driver_abort_guard();
    if (cl_devices_find(&opencl->caller.api, &engine->call, &devices, error) <
        0)
        return -1;
    int chosen = cl_devices_choose(&devices, opencl->ordinal);
    if (chosen < 0) {
        fail_choice(opencl, &devices, error);
    } else {
        const struct cl_found *device = &devices.all[chosen];
        opencl->target.device = device->id;
        opencl->target.is_processor = (device->type & CL_DEVICE_TYPE_CPU) != 0;
        get_text(opencl, CL_DEVICE_NAME, name, sizeof name);
        snprintf(engine->name, sizeof engine->name, "opencl:%d (%s)", chosen,
                 name);
    }
    free(devices.all);
    driver_abort_guard();
    return chosen < 0 ? -1 : 0;
}

/* Query the device, and refuse a device that cannot count. */
static int
ask_device(struct engine_opencl *opencl, struct error *error)
{
    struct device_engine *device = &opencl->device;
    struct cl_target *target = &opencl->target;
    cl_device_fp_config doubles;
    cl_bool is_little;
    cl_bool is_unified;
    cl_ulong local_bytes;
    cl_ulong memory_bytes;
    cl_ulong cache_bytes;
    char extensions[4096];
    char profile[32];

    if (get_info(opencl, CL_DEVICE_ENDIAN_LITTLE, &is_little, sizeof is_little,
                 error) < 0 ||
        get_info(opencl, CL_DEVICE_HOST_UNIFIED_MEMORY, &is_unified,
                 sizeof is_unified, error) < 0 ||
        get_info(opencl, CL_DEVICE_DOUBLE_FP_CONFIG, &doubles, sizeof doubles,
                 error) < 0 ||
        get_info(opencl, CL_DEVICE_MAX_COMPUTE_UNITS, &opencl->units,
                 sizeof opencl->units, error) < 0 ||
        get_info(opencl, CL_DEVICE_LOCAL_MEM_SIZE, &local_bytes,
                 sizeof local_bytes, error) < 0 ||
        get_info(opencl, CL_DEVICE_GLOBAL_MEM_SIZE, &memory_bytes,
                 sizeof memory_bytes, error) < 0 ||
        get_info(opencl, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, &cache_bytes,
                 sizeof cache_bytes, error) < 0)
        return -1;
    get_text(opencl, CL_DEVICE_EXTENSIONS, extensions, sizeof extensions);
    device->platform =
        target->is_processor ? KERNEL_OPENCL_PROCESSOR : KERNEL_OPENCL;
    /* NVIDIA's driver refuses a launch that takes all of the local memory. */
    device->shared_bytes = (size_t)local_bytes;
    if (!target->is_processor && local_bytes > LOCAL_BYTES_KEPT)
        device->shared_bytes -= LOCAL_BYTES_KEPT;
    device->memory_bytes = memory_bytes;
    device->cache_bytes = cache_bytes > 0 && cache_bytes < CACHE_BYTES
                              ? CACHE_BYTES
                              : cache_bytes;
    device->is_in_place = is_unified;
    target->has_doubles = doubles != 0;
    target->has_atomics64 =
        strstr(extensions, "cl_khr_int64_base_atomics") != NULL;

    /* The embedded profile may round differently and lack 64-bit integers. */
    get_text(opencl, CL_DEVICE_PROFILE, profile, sizeof profile);
    bool host_is_little = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
    bool is_embedded = strcmp(profile, "EMBEDDED_PROFILE") == 0;
    if (is_little && host_is_little && !is_embedded)
        return 0;
    error_set(error, EXIT_NO_DEVICE, "%s: %s", opencl->caller.name,
              is_embedded ? "it has OpenCL's embedded profile only"
                          : "it or this processor is big-endian");
    return -1;
}

static int
open_queue(struct engine_opencl *opencl, cl_command_queue *queue,
           struct error *error)
{
    return CL_MAKE(&opencl->caller, error, queue, clCreateCommandQueue,
                   opencl->target.context, opencl->target.device, 0);
}

static int
opencl_open(struct device_engine *device, struct error *error)
{
    struct engine_opencl *opencl = opencl_of(device);
    struct cl_target *target = &opencl->target;

    if (find_device(opencl, error) < 0 || ask_device(opencl, error) < 0 ||
        CL_MAKE(&opencl->caller, error, &target->context, clCreateContext, NULL,
                1, &target->device, NULL, NULL) < 0 ||
        open_queue(opencl, &opencl->queue[QUEUE_COUNTING], error) < 0 ||
        open_queue(opencl, &opencl->queue[QUEUE_COPYING], error) < 0)
        return -1;
    return device->is_in_place ? 0
                               : open_queue(opencl, &opencl->mapping, error);
}

/* ---- memory ---- */

static int
opencl_allocate(struct device_engine *device, uintptr_t *memory, size_t size,
                void *in_place, struct error *error)
{
    struct engine_opencl *opencl = opencl_of(device);
    cl_mem_flags flags = in_place != NULL
                             ? CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR
                             : CL_MEM_READ_WRITE;
    cl_mem buffer;

    if (CL_MAKE(&opencl->caller, error, &buffer, clCreateBuffer,
                opencl->target.context, flags, size, in_place) < 0)
        return -1;
    *memory = (uintptr_t)buffer;
    return 0;
}

static void
opencl_release(struct device_engine *device, uintptr_t *memory)
{
    if (*memory != 0)
        opencl_of(device)->caller.api.clReleaseMemObject((cl_mem)*memory);
    *memory = 0;
}

static int
opencl_allocate_host(struct device_engine *device, struct host_memory *host,
                     size_t size, struct error *error)
{
    struct engine_opencl *opencl = opencl_of(device);
    cl_mem buffer;
    void *address;

    if (CL_MAKE(&opencl->caller, error, &buffer, clCreateBuffer,
                opencl->target.context,
                CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, size, NULL) < 0)
        return -1;
    host->handle = (uintptr_t)buffer;
    if (CL_MAKE(&opencl->caller, error, &address, clEnqueueMapBuffer,
                opencl->mapping, buffer, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0,
                size, 0, NULL, NULL) < 0)
        return -1;
    host->address = address;
    return 0;
}

static void
opencl_release_host(struct device_engine *device, struct host_memory *host)
{
    struct engine_opencl *opencl = opencl_of(device);

    /* A buffer that could not be mapped has no ADDRESS. */
    if (host->address != NULL) {
        opencl->caller.api.clEnqueueUnmapMemObject(
            opencl->mapping, (cl_mem)host->handle, host->address, 0, NULL,
            NULL);
        opencl->caller.api.clFinish(opencl->mapping);
    }
    opencl_release(device, &host->handle);
}

/* ---- commands ---- */

/* Collect the events that a command waits for. */
struct waits {
    cl_event event[2];
    cl_uint count;
    const cl_event *list;
};

static void
find_waits(struct waits *waits, const struct device_command *command)
{
    waits->count = 0;
    for (int i = 0; i < 2; i++) {
        if (command->after[i] != NULL)
            waits->event[waits->count++] = command->after[i]->handle;
    }
    waits->list = waits->count > 0 ? waits->event : NULL;
}

static void
opencl_close_event(struct device_engine *device, struct device_event *event)
{
    if (event->handle != NULL)
        opencl_of(device)->caller.api.clReleaseEvent(event->handle);
    event->handle = NULL;
}

/* COMMAND is queued; MADE is its event. */
static void
keep_event(struct device_engine *device, const struct device_command *command,
           cl_event made)
{
    opencl_close_event(device, command->event);
    command->event->handle = made;
    command->event->queue = command->queue;
}

static int
opencl_wait(struct device_engine *device, const struct device_event *event,
            struct error *error)
{
    const cl_event handle = event->handle;

    return CL_CALL(&opencl_of(device)->caller, error, clWaitForEvents, 1,
                   &handle);
}

static int
opencl_clear(struct device_engine *device, const struct device_command *command,
             uintptr_t memory, size_t size, struct error *error)
{
    struct engine_opencl *opencl = opencl_of(device);
    const uint64_t zero = 0;
    struct device_event cleared = {0};
    struct waits waits;
    cl_event made = NULL;

    find_waits(&waits, command);
    if (CL_CALL(&opencl->caller, error, clEnqueueFillBuffer,
                opencl->queue[command->queue], (cl_mem)memory, &zero,
                sizeof zero, 0, size, waits.count, waits.list, &made) < 0)
        return -1;
    if (command->event != NULL) {
        keep_event(device, command, made);
        return 0;
    }
    cleared.handle = made;
    int result = opencl_wait(device, &cleared, error);
    opencl_close_event(device, &cleared);
    return result;
}

static int
opencl_write(struct device_engine *device, const struct device_command *command,
             uintptr_t to, size_t at, const void *from, size_t size,
             struct error *error)
{
    struct engine_opencl *opencl = opencl_of(device);
    bool is_blocking = command->event == NULL;
    struct waits waits;
    cl_event made = NULL;

    find_waits(&waits, command);
    if (CL_CALL(&opencl->caller, error, clEnqueueWriteBuffer,
                opencl->queue[command->queue], (cl_mem)to, is_blocking, at,
                size, from, waits.count, waits.list,
                is_blocking ? NULL : &made) < 0)
        return -1;
    if (!is_blocking)
        keep_event(device, command, made);
    return 0;
}

static int
opencl_read(struct device_engine *device, const struct device_command *command,
            void *to, uintptr_t from, size_t size, struct error *error)
{
    struct engine_opencl *opencl = opencl_of(device);
    bool is_blocking = command->event == NULL;
    struct waits waits;
    cl_event made = NULL;

    find_waits(&waits, command);
    if (CL_CALL(&opencl->caller, error, clEnqueueReadBuffer,
                opencl->queue[command->queue], (cl_mem)from, is_blocking, 0,
                size, to, waits.count, waits.list,
                is_blocking ? NULL : &made) < 0)
        return -1;
    if (!is_blocking)
        keep_event(device, command, made);
    return 0;
}

static int
opencl_flush(struct device_engine *device, enum device_queue queue,
             struct error *error)
{
    struct engine_opencl *opencl = opencl_of(device);

    return CL_CALL(&opencl->caller, error, clFlush, opencl->queue[queue]);
}

static int
set_argument(struct engine_opencl *opencl, cl_kernel kernel, cl_uint index,
             size_t size, const void *value, struct error *error)
{
    return CL_CALL(&opencl->caller, error, clSetKernelArg, kernel, index, size,
                   value);
}

/* Set the arguments of a launch that change. */
static int
set_changing(struct engine_opencl *opencl, const struct device_launch *launch,
             struct error *error)
{
    const struct device_slot *slot = launch->slot;
    cl_kernel kernel = opencl->kernels.kernel[launch->kernel];

    if (launch->kernel != DEVICE_CARRY &&
        set_argument(opencl, kernel, 1, sizeof slot->data, &slot->data, error) <
            0)
        return -1;
    if (launch->work == NULL)
        return set_argument(opencl, kernel, 0, sizeof *launch->task,
                            launch->task, error);
    return set_argument(opencl, kernel, 0, sizeof *launch->work, launch->work,
                        error);
}

static int
opencl_launch(struct device_engine *device,
              const struct device_command *command,
              const struct device_launch *launch, struct error *error)
{
    struct engine_opencl *opencl = opencl_of(device);
    const struct cl_kernels *kernels = &opencl->kernels;
    cl_command_queue queue = opencl->queue[command->queue];
    cl_kernel launched = kernels->kernel[launch->kernel];
    const size_t threads[] = {launch->blocks * kernels->block_threads,
                              launch->chunks};
    const size_t block[] = {kernels->block_threads, 1};
    struct waits waits;
    cl_event made = NULL;

    find_waits(&waits, command);
    if (set_changing(opencl, launch, error) < 0 ||
        CL_CALL(&opencl->caller, error, clEnqueueNDRangeKernel, queue, launched,
                2, NULL, threads, block, waits.count, waits.list,
                command->event != NULL ? &made : NULL) < 0)
        return -1;
    if (command->event == NULL)
        return CL_CALL(&opencl->caller, error, clFinish, queue);
    keep_event(device, command, made);
    return 0;
}

/* ---- the kernels ---- */

/* An argument of a kernel that does not change. */
struct argument {
    cl_uint index;
    size_t size;
    const void *value;
};

/* Set COUNT arguments of KERNEL, if it is in use. */
static int
set_constant(struct engine_opencl *opencl, enum device_kernel kernel,
             const struct argument *argument, size_t count, struct error *error)
{
    cl_kernel handle = opencl->kernels.kernel[kernel];

    for (size_t i = 0; handle != NULL && i < count; i++) {
        if (set_argument(opencl, handle, argument[i].index, argument[i].size,
                         argument[i].value, error) < 0)
            return -1;
    }
    return 0;
}

/* Set the kernel arguments that do not change. */
static int
set_arguments(struct engine_opencl *opencl, struct error *error)
{
    const struct device_engine *device = &opencl->device;
    const cl_uint planes = device->engine.spec->planes;
    const cl_uint slots = device->kernel.slots;
    const struct argument counting[] = {
        {2, sizeof(cl_mem), &device->histogram},
        {3, sizeof(cl_mem), &device->axes},
        {4, sizeof(cl_mem), &device->edges},
        {5, sizeof(cl_mem), &device->lookup},
        {6, sizeof planes, &planes},
        {7, sizeof slots, &slots},
        {8, device->kernel.shared_bytes, NULL},
    };
    const struct argument carrying[] = {
        {1, sizeof(cl_mem), &device->histogram},
    };
    const struct argument sequences[] = {
        {2, sizeof(cl_mem), &device->histogram},
        {3, sizeof(cl_mem), &device->scratch},
        {4, sizeof(cl_mem), &device->refusals},
        {5, sizeof(cl_mem), &device->list_entries},
        {6, sizeof(cl_mem), &device->list_sizes},
        {7, device->kernel.shared_bytes, NULL},
    };

    if (set_constant(opencl, DEVICE_COUNT, counting,
                     sizeof counting / sizeof *counting, error) < 0 ||
        set_constant(opencl, DEVICE_CARRY, carrying,
                     sizeof carrying / sizeof *carrying, error) < 0)
        return -1;
    for (int k = DEVICE_LINES; k < DEVICE_KERNELS; k++) {
        if (set_constant(opencl, (enum device_kernel)k, sequences,
                         sizeof sequences / sizeof *sequences, error) < 0)
            return -1;
    }
    return 0;
}

/* Compile the kernels for blocks of THREADS; 0: for blocks of any size. */
static int
open_kernels(struct engine_opencl *opencl, size_t threads, struct error *error)
{
    struct device_engine *device = &opencl->device;
    struct cl_kernels *kernels = &opencl->kernels;

    if (cl_kernels_open(kernels, &opencl->caller, &opencl->target, threads,
                        error) < 0 ||
        set_arguments(opencl, error) < 0)
        return -1;
    device->blocks_max =
        opencl->units * (opencl->target.is_processor
                             ? PROCESSOR_GROUPS
                             : UNIT_THREADS / kernels->block_threads);
    snprintf(device->engine.strategy, sizeof device->engine.strategy,
             "%s, up to %zu groups of %zu work-item%s", device->how,
             device->blocks_max, kernels->block_threads,
             kernels->block_threads == 1 ? "" : "s");
    return 0;
}

/*
 * Launch the kernels once, without input.  Only a launch tells that the device
 * has too few registers for blocks of this size.
 */
static int
try_kernels(struct device_engine *device, struct error *error)
{
    const struct device_command command = {.queue = QUEUE_COUNTING};
    const struct counting task = kernel_task(device->engine.spec, 0);
    struct sequence_work work = device->work;
    /* Without input, any buffer will do; and sequences refuse a 0. */
    const struct device_slot slot = {.data = device->histogram};
    struct device_launch launch = {
        .blocks = device->blocks_max, .chunks = 1, .slot = &slot};

    work.size[0] = 1;
    for (int k = 0; k < DEVICE_KERNELS; k++) {
        bool is_sample = k <= DEVICE_CARRY;
        launch.kernel = (enum device_kernel)k;
        launch.task = is_sample ? &task : NULL;
        launch.work = is_sample ? NULL : &work;
        if ((device->kernels >> k & 1) != 0 &&
            opencl_launch(device, &command, &launch, error) < 0)
            return -1;
    }
    return 0;
}

/* Use the largest blocks that the device can launch. */
static int
opencl_open_kernels(struct device_engine *device, struct error *error)
{
    struct engine_opencl *opencl = opencl_of(device);
    size_t threads;

    opencl->target.spec = device->engine.spec;
    opencl->target.kernel = &device->kernel;
    opencl->target.kernels = device->kernels;
    if (!opencl->target.has_doubles && device->kernel.needs_doubles) {
        error_set(error, EXIT_NO_DEVICE,
                  "%s: it has no double precision, which these bins need",
                  opencl->caller.name);
        return -1;
    }
    if (cl_kernels_find_threads(&opencl->caller, &opencl->target, &threads,
                                error) < 0)
        return -1;
    int result = open_kernels(opencl, threads, error);
    driver_abort_guard();
    /* A processor's blocks have one thread, so no smaller block can help. */
    if (opencl->target.is_processor)
        return result;
    if (result == 0 && try_kernels(device, error) == 0)
        return 0;
    cl_kernels_close(&opencl->kernels, &opencl->caller);
    error_clear(error);
    return open_kernels(opencl, 0, error);
}

/* ---- the end ---- */

static bool
opencl_finish(struct device_engine *device)
{
    struct engine_opencl *opencl = opencl_of(device);

    for (int i = 0; i < QUEUES; i++) {
        if (opencl->queue[i] != NULL)
            opencl->caller.api.clFinish(opencl->queue[i]);
    }
    return opencl->target.context != NULL;
}

static void
opencl_close(struct device_engine *device)
{
    struct engine_opencl *opencl = opencl_of(device);
    const struct cl_api *cl = &opencl->caller.api;

    cl_kernels_close(&opencl->kernels, &opencl->caller);
    if (opencl->mapping != NULL)
        cl->clReleaseCommandQueue(opencl->mapping);
    for (int i = 0; i < QUEUES; i++) {
        if (opencl->queue[i] != NULL)
            cl->clReleaseCommandQueue(opencl->queue[i]);
    }
    if (opencl->target.context != NULL)
        cl->clReleaseContext(opencl->target.context);
}

struct engine *
engine_opencl_new(int ordinal, const struct spec *spec, enum strategy strategy,
                  bool is_alone, bool may_replace)
{
    static const struct device_operations operations = {
        .open = opencl_open,
        .open_kernels = opencl_open_kernels,
        .allocate = opencl_allocate,
        .allocate_host = opencl_allocate_host,
        .clear = opencl_clear,
        .write = opencl_write,
        .read = opencl_read,
        .launch = opencl_launch,
        .flush = opencl_flush,
        .wait = opencl_wait,
        .finish = opencl_finish,
        .close_event = opencl_close_event,
        .release = opencl_release,
        .release_host = opencl_release_host,
        .close = opencl_close,
    };
    struct engine_opencl *opencl = calloc(1, sizeof *opencl);

    if (opencl == NULL)
        return NULL;
    struct engine *engine = &opencl->device.engine;
    device_engine_init(&opencl->device, &operations, device_job_of(spec), spec,
                       strategy, is_alone, 0);
    opencl->device.may_replace = may_replace;
    opencl->ordinal = ordinal;
    opencl->caller.call = &engine->call;
    opencl->caller.name = engine->name;
    if (ordinal >= 0)
        snprintf(engine->name, sizeof engine->name, "opencl:%d", ordinal);
    else
        snprintf(engine->name, sizeof engine->name, "opencl");
    return engine;
}
