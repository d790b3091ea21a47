/*
 * engine_opencl.c -- one device by OpenCL 1.2: a GPU, or a processor
 *
 * As engine_cuda.c: one queue copies chunks to the device, another one counts
 * them into a histogram on the device and copies that to checkpoints
 * (checkpoint.h) in host memory.
 *
 * A device that shares the host's memory uses chunks in place.  Copies to any
 * other one are fast from memory that its driver has pinned.  OpenCL has no way
 * to pin what is there already; but drivers pin a buffer that is made with
 * CL_MEM_ALLOC_HOST_PTR and mapped, and know it by its address when it is given
 * to clEnqueueWriteBuffer() or clEnqueueReadBuffer() (NVIDIA OpenCL Best
 * Practices Guide, "Pinned Memory"; AMD's guide calls it a pre-pinned buffer).
 * So such buffers are made and mapped for good: for the checkpoints, and one after
 * the other for the chunks.  A chunk moves there when it first comes by, and is
 * filled there from then on (engine.h: spare).  Where the driver has no more,
 * copies are slower.
 *
 * Each command waits for the one before, by its event, and a checkpoint for the
 * last: so a command that fails cannot go unnoticed.
 */

#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "counting.h"
#include "engine/gpu/checkpoint.h"
#include "engine/gpu/cl_api.h"
#include "engine/gpu/cl_devices.h"
#include "engine/gpu/engine_opencl.h"
#include "engine/gpu/floats_table.h"
#include "engine/gpu/kernel.h"
#include "engine/gpu/kernel_source.h"
#include "hist/rebin.h"
#include "weighing.h"

/*
 * As many groups as keep a device busy, if it does not tell: of a GPU's
 * compute unit, work-items; of a processor, groups of one work-item, several
 * of them because some are slower than others.
 */
#define UNIT_ITEMS 2048
#define GROUP_ITEMS_MAX 1024
#define PROCESSOR_GROUPS 4

/* Memory of the host that the driver has pinned. */
struct pinned {
    cl_mem memory;
    void *address; /* where it is mapped; NULL: there is none */
};

struct slot {
    cl_mem data;      /* a chunk, on the device or in place */
    cl_event copied;  /* it has arrived; NULL: it is in place */
    cl_event counted; /* it is in the histogram */
};

/* The histogram's way to a checkpoint. */
struct copy {
    struct pinned pinned; /* the checkpoint's memory, or else malloc()'s */
    cl_event made;
};

struct engine_opencl {
    struct engine engine; /* first: a struct engine * points to it */
    int ordinal;          /* or OPENCL_BEST, OPENCL_GPU */
    enum strategy wanted;
    bool is_alone;    /* there is no other engine */
    bool may_replace; /* chunks; see engine_opencl_new() */

    /* From open() on; handles that do not exist yet are NULL. */
    struct cl_api cl;
    cl_device_id device;
    bool is_processor;
    bool is_in_place; /* it shares the host's memory */
    bool is_pinning;  /* it does not, and pinned memory was never refused */
    bool has_doubles;
    bool has_atomics64;
    cl_uint units;
    cl_context context;
    cl_program program;
    cl_kernel count;
    cl_kernel carry; /* only for weights */
    cl_command_queue copying;
    cl_command_queue counting;
    cl_command_queue mapping;    /* which waits for neither */
    struct pinned *chunk_memory; /* for as many chunks as the pool has ... */
    size_t chunk_memories;       /* ... and so many of them exist */
    cl_mem histogram;            /* the persistent sum */
    cl_mem axes;                 /* what SPEC has, on the device */
    cl_mem edges;
    cl_mem lookup;
    struct slot slot[CHECKPOINT_SLOTS];
    const struct pool *pool; /* of the chunks to count */
    const struct spec *spec; /* of the histogram on the device */
    struct kernel kernel;
    size_t table_bytes;
    size_t group_items;
    size_t groups_max;

    struct checkpoints checkpoints;
    struct copy copy[CHECKPOINTS_MAX]; /* to each of them */
    uint64_t added;                    /* weights since the last carry */
};

static struct engine_opencl *
opencl_of(struct engine *engine)
{
    return (struct engine_opencl *)engine;
}

/* The library, for the call of that name, which may hang. */
static const struct cl_api *
at(struct engine_opencl *opencl, const char *call)
{
    atomic_store(&opencl->engine.call, call);
    return &opencl->cl;
}

/* Whether the last call failed; then *ERROR says so. */
static bool
failed(const struct engine_opencl *opencl, cl_int result, struct error *error)
{
    char text[64];

    if (result == CL_SUCCESS)
        return false;
    cl_describe(result, text, sizeof text);
    error_set(error, EXIT_NO_DEVICE, "%s: %s: %s", opencl->engine.name,
              atomic_load(&opencl->engine.call), text);
    return true;
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
    return failed(
               opencl,
               at(opencl, "clGetDeviceInfo")
                   ->clGetDeviceInfo(opencl->device, name, size, value, NULL),
               error)
               ? -1
               : 0;
}

/* Set *ERROR: DEVICES have no such one; maybe one that failed would have it. */
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
                  opencl->engine.name, devices->count, why);
}

/* Find the device. */
static int
find_device(struct engine_opencl *opencl, struct error *error)
{
    struct cl_devices devices;
    char name[96];

    if (cl_devices_find(&opencl->cl, &opencl->engine.call, &devices, error) < 0)
        return -1;
    int chosen = cl_devices_choose(&devices, opencl->ordinal);
    if (chosen < 0) {
        fail_choice(opencl, &devices, error);
    } else {
        const struct cl_found *device = &devices.all[chosen];
        opencl->device = device->id;
        opencl->is_processor = (device->type & CL_DEVICE_TYPE_CPU) != 0;
        cl_device_text(at(opencl, "clGetDeviceInfo"), opencl->device,
                       CL_DEVICE_NAME, name, sizeof name);
        snprintf(opencl->engine.name, sizeof opencl->engine.name,
                 "opencl:%d (%s)", chosen, name);
    }
    free(devices.all);
    return chosen < 0 ? -1 : 0;
}

/* What the device can do, and whether that is enough. */
static int
open_device(struct engine_opencl *opencl, struct error *error)
{
    cl_device_fp_config doubles;
    cl_bool is_little;
    cl_bool is_unified;
    char extensions[4096];
    char profile[32];

    if (find_device(opencl, error) < 0 ||
        get_info(opencl, CL_DEVICE_ENDIAN_LITTLE, &is_little, sizeof is_little,
                 error) < 0 ||
        get_info(opencl, CL_DEVICE_HOST_UNIFIED_MEMORY, &is_unified,
                 sizeof is_unified, error) < 0 ||
        get_info(opencl, CL_DEVICE_DOUBLE_FP_CONFIG, &doubles, sizeof doubles,
                 error) < 0 ||
        get_info(opencl, CL_DEVICE_MAX_COMPUTE_UNITS, &opencl->units,
                 sizeof opencl->units, error) < 0)
        return -1;
    cl_device_text(at(opencl, "clGetDeviceInfo"), opencl->device,
                   CL_DEVICE_EXTENSIONS, extensions, sizeof extensions);
    opencl->is_in_place = is_unified;
    opencl->has_doubles = doubles != 0;
    opencl->has_atomics64 =
        strstr(extensions, "cl_khr_int64_base_atomics") != NULL;
    if (!is_little) {
        error_set(error, EXIT_NO_DEVICE, "%s: it is big-endian",
                  opencl->engine.name);
        return -1;
    }

    /* The embedded one rounds as it likes, and need not have longs. */
    cl_device_text(at(opencl, "clGetDeviceInfo"), opencl->device,
                   CL_DEVICE_PROFILE, profile, sizeof profile);
    if (strcmp(profile, "EMBEDDED_PROFILE") == 0) {
        error_set(error, EXIT_NO_DEVICE,
                  "%s: it has OpenCL's embedded profile only",
                  opencl->engine.name);
        return -1;
    }

    cl_int result;
    opencl->context =
        at(opencl, "clCreateContext")
            ->clCreateContext(NULL, 1, &opencl->device, NULL, NULL, &result);
    return failed(opencl, result, error) ? -1 : 0;
}

/* Choose the kernel for the spec, if the device can have it. */
static int
choose_kernel(struct engine_opencl *opencl, struct error *error)
{
    const struct spec *spec = opencl->engine.spec;
    cl_ulong local_bytes;

    if (get_info(opencl, CL_DEVICE_LOCAL_MEM_SIZE, &local_bytes,
                 sizeof local_bytes, error) < 0)
        return -1;
    const char *why = kernel_choose(
        &opencl->kernel, spec,
        opencl->is_processor ? KERNEL_OPENCL_PROCESSOR : KERNEL_OPENCL,
        opencl->wanted, (size_t)local_bytes);
    if (why != NULL) {
        error_set(error, EXIT_NO_DEVICE,
                  "%s: --strategy=%s is not possible: %s", opencl->engine.name,
                  kernel_strategy_name(opencl->wanted), why);
        return -1;
    }
    if (!opencl->has_doubles && opencl->kernel.needs_doubles) {
        error_set(error, EXIT_NO_DEVICE,
                  "%s: it has no double precision, which these bins need",
                  opencl->engine.name);
        return -1;
    }
    return 0;
}

/* ---- the program ---- */

/* Compile OPENCL->program.  Returns CL_SUCCESS or what is wrong. */
static cl_int
build(struct engine_opencl *opencl, const char *options)
{
    return at(opencl, "clBuildProgram")
        ->clBuildProgram(opencl->program, 1, &opencl->device, options, NULL,
                         NULL);
}

/* And the kernels that were made of it. */
static void
close_program(struct engine_opencl *opencl)
{
    if (opencl->carry != NULL)
        opencl->cl.clReleaseKernel(opencl->carry);
    if (opencl->count != NULL)
        opencl->cl.clReleaseKernel(opencl->count);
    opencl->carry = NULL;
    opencl->count = NULL;
    if (opencl->program != NULL)
        opencl->cl.clReleaseProgram(opencl->program);
    opencl->program = NULL;
}

/* Set *ERROR: the compiler's first words are the best explanation. */
static void
fail_build(struct engine_opencl *opencl, cl_int result, struct error *error)
{
    char name[64];
    char log[4096] = "";
    size_t size = 0;

    cl_describe(result, name, sizeof name);
    if (at(opencl, "clGetProgramBuildInfo")
            ->clGetProgramBuildInfo(opencl->program, opencl->device,
                                    CL_PROGRAM_BUILD_LOG, sizeof log - 1, log,
                                    &size) != CL_SUCCESS)
        log[0] = '\0';
    log[strcspn(log, "\n")] = '\0';
    error_set(error, EXIT_NO_DEVICE, "%s: clBuildProgram: %s%s%s",
              opencl->engine.name, name, log[0] != '\0' ? ": " : "", log);
}

/* The name that groups.cl has for STRATEGY. */
static const char *
strategy_macro(enum strategy strategy)
{
    switch (strategy) {
    case STRATEGY_LANE:
        return "STRATEGY_LANE";
    case STRATEGY_SHARED:
        return "STRATEGY_SHARED";
    default:
        return "STRATEGY_GLOBAL";
    }
}

/*
 * Write the compiler's options, which groups.cl explains, to TEXT; groups have
 * ITEMS, or any number if that is 0.
 */
static void
write_options(const struct engine_opencl *opencl, size_t items, char *text,
              size_t size)
{
    const struct spec *spec = opencl->engine.spec;
    const struct binning_axis *axis = &spec->counted[0];
    int length = snprintf(
        text, size,
        "-cl-std=CL1.2 -D COUNT=%s -D STRATEGY=%s -D LANES=%u%s%s%s%s",
        opencl->kernel.function, strategy_macro(opencl->kernel.strategy),
        opencl->kernel.lanes, opencl->is_processor ? " -D ONE_ITEM" : "",
        spec->has_weights ? " -D WEIGHTS" : "",
        opencl->has_atomics64 ? "" : " -D HISTOGRAM_HALVES",
        opencl->has_doubles ? "" : " -D BINNING_NO_DOUBLES");

    assert(length > 0 && (size_t)length < size);
    if (items > 0)
        length += snprintf(text + length, size - (size_t)length,
                           " -D GROUP_ITEMS=%zu", items);
    if (spec->axis_count == 1)
        snprintf(text + length, size - (size_t)length,
                 " -D AXIS_TYPE=%u -D AXIS_KIND=%u -D AXIS_CLOSED=%u "
                 "-D AXIS_SWAPPED=%u",
                 axis->type, axis->kind, axis->closed, axis->is_swapped);
}

/* Have the program for groups of ITEMS, or of any size if that is 0. */
static int
build_program(struct engine_opencl *opencl, size_t items, struct error *error)
{
    const char *source = kernel_source;
    char options[512];
    cl_int result;

    write_options(opencl, items, options, sizeof options);
    opencl->program = at(opencl, "clCreateProgramWithSource")
                          ->clCreateProgramWithSource(opencl->context, 1,
                                                      &source, NULL, &result);
    if (failed(opencl, result, error))
        return -1;
    result = build(opencl, options);
    if (result != CL_SUCCESS) {
        fail_build(opencl, result, error);
        return -1;
    }
    return 0;
}

/* ---- memory ---- */

/* A buffer of SIZE bytes; HOST is what FLAGS say about it, or NULL. */
static int
open_buffer(struct engine_opencl *opencl, cl_mem *memory, cl_mem_flags flags,
            size_t size, void *host, struct error *error)
{
    cl_int result;

    *memory = at(opencl, "clCreateBuffer")
                  ->clCreateBuffer(opencl->context, flags, size, host, &result);
    return failed(opencl, result, error) ? -1 : 0;
}

/* Have SIZE bytes; where they are refused, all goes on without. */
static void
open_pinned(struct engine_opencl *opencl, struct pinned *pinned, size_t size)
{
    struct error *shortage = &opencl->engine.shortage;
    cl_int result;

    if (open_buffer(opencl, &pinned->memory,
                    CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, size, NULL,
                    shortage) == 0) {
        pinned->address =
            at(opencl, "clEnqueueMapBuffer")
                ->clEnqueueMapBuffer(opencl->mapping, pinned->memory, CL_TRUE,
                                     CL_MAP_READ | CL_MAP_WRITE, 0, size, 0,
                                     NULL, NULL, &result);
        if (failed(opencl, result, shortage))
            pinned->address = NULL;
    }
    if (pinned->address == NULL)
        opencl->is_pinning = false;
}

/* A copy of SIZE bytes at FROM on the device; none if SIZE is 0. */
static int
upload(struct engine_opencl *opencl, cl_mem *to, const void *from, size_t size,
       struct error *error)
{
    if (size == 0)
        return 0;
    if (open_buffer(opencl, to, CL_MEM_READ_ONLY, size, NULL, error) < 0 ||
        failed(opencl,
               at(opencl, "clEnqueueWriteBuffer")
                   ->clEnqueueWriteBuffer(opencl->counting, *to, CL_TRUE, 0,
                                          size, from, 0, NULL, NULL),
               error))
        return -1;
    return 0;
}

/* The tables of LOOKUP axes, or the one of count_floats. */
static int
upload_lookup(struct engine_opencl *opencl, struct error *error)
{
    const struct spec *spec = opencl->engine.spec;
    size_t count;

    if (!opencl->kernel.has_floats)
        return upload(opencl, &opencl->lookup, spec->lookup,
                      spec->lookup_count * sizeof *spec->lookup, error);
    uint32_t *words = floats_table_make(&spec->counted[0], &count);
    if (words == NULL) {
        error_set(error, EXIT_DATA, "out of memory");
        return -1;
    }
    int result =
        upload(opencl, &opencl->lookup, words, count * sizeof *words, error);
    free(words);
    return result;
}

/* The spec on the device. */
static int
open_spec(struct engine_opencl *opencl, struct error *error)
{
    const struct spec *spec = opencl->engine.spec;

    if (upload(opencl, &opencl->axes, spec->counted,
               spec->axis_count * sizeof *spec->counted, error) < 0 ||
        upload(opencl, &opencl->edges, spec->edges.edge,
               spec->edges.count * sizeof *spec->edges.edge, error) < 0 ||
        upload_lookup(opencl, error) < 0)
        return -1;
    return 0;
}

/* Memory for a checkpoint. */
static int
open_value(struct engine_opencl *opencl, struct checkpoint *checkpoint,
           struct copy *copy, struct error *error)
{
    if (opencl->is_pinning)
        open_pinned(opencl, &copy->pinned, opencl->table_bytes);
    checkpoint->value = copy->pinned.address;
    if (checkpoint->value == NULL)
        checkpoint->value = malloc(opencl->table_bytes);
    if (checkpoint->value != NULL)
        return 0;
    error_set(error, EXIT_DATA, "out of memory");
    return -1;
}

static int
open_histogram(struct engine_opencl *opencl, struct error *error)
{
    const uint64_t zero = 0;

    if (open_buffer(opencl, &opencl->histogram, CL_MEM_READ_WRITE,
                    opencl->table_bytes, NULL, error) < 0 ||
        failed(opencl,
               at(opencl, "clEnqueueFillBuffer")
                   ->clEnqueueFillBuffer(opencl->counting, opencl->histogram,
                                         &zero, sizeof zero, 0,
                                         opencl->table_bytes, 0, NULL, NULL),
               error))
        return -1;
    for (size_t i = 0; i < opencl->checkpoints.count; i++) {
        if (open_value(opencl, &opencl->checkpoints.all[i], &opencl->copy[i],
                       error) < 0)
            return -1;
    }
    return 0;
}

static int
open_queue(struct engine_opencl *opencl, cl_command_queue *queue,
           struct error *error)
{
    cl_int result;

    *queue =
        at(opencl, "clCreateCommandQueue")
            ->clCreateCommandQueue(opencl->context, opencl->device, 0, &result);
    return failed(opencl, result, error) ? -1 : 0;
}

/* Have pinned memory for one chunk more, as long as there is one without. */
static void
make_spare(struct engine_opencl *opencl)
{
    if (!opencl->is_pinning || !opencl->may_replace ||
        opencl->engine.spare != NULL ||
        opencl->chunk_memories == opencl->pool->chunk_count)
        return;
    struct pinned *memory = &opencl->chunk_memory[opencl->chunk_memories];
    open_pinned(opencl, memory, opencl->pool->chunk_bytes);
    opencl->chunk_memories++;
    opencl->engine.spare = memory->address;
}

/* What a device that does not share the host's memory needs. */
static int
open_transfers(struct engine_opencl *opencl, struct error *error)
{
    for (int i = 0; i < CHECKPOINT_SLOTS; i++) {
        if (open_buffer(opencl, &opencl->slot[i].data, CL_MEM_READ_ONLY,
                        opencl->pool->chunk_bytes, NULL, error) < 0)
            return -1;
    }
    if (open_queue(opencl, &opencl->mapping, error) < 0)
        return -1;
    opencl->chunk_memory =
        calloc(opencl->pool->chunk_count, sizeof *opencl->chunk_memory);
    if (opencl->chunk_memory == NULL) {
        error_set(error, EXIT_DATA, "out of memory");
        return -1;
    }
    opencl->is_pinning = true;
    make_spare(opencl);
    return 0;
}

static int
open_memory(struct engine_opencl *opencl, struct error *error)
{
    if (open_queue(opencl, &opencl->counting, error) < 0 ||
        open_queue(opencl, &opencl->copying, error) < 0 ||
        (!opencl->is_in_place && open_transfers(opencl, error) < 0) ||
        open_histogram(opencl, error) < 0 || open_spec(opencl, error) < 0)
        return -1;
    return 0;
}

/* ---- the kernels ---- */

/*
 * How many work-items a group should have.  As many as can be: of small groups
 * there may be more than have room for their tables, so that some begin when
 * others have ended, and most of the device waits for them.
 */
static int
find_items(struct engine_opencl *opencl, size_t *items, struct error *error)
{
    size_t most;

    *items = 1;
    if (opencl->is_processor)
        return 0;
    if (get_info(opencl, CL_DEVICE_MAX_WORK_GROUP_SIZE, &most, sizeof most,
                 error) < 0)
        return -1;
    while (2 * *items <= most && *items < GROUP_ITEMS_MAX)
        *items *= 2;
    return 0;
}

/* Have a kernel of the program, for groups of any size up to *MOST. */
static int
open_kernel(struct engine_opencl *opencl, const char *name, cl_kernel *kernel,
            size_t *most, struct error *error)
{
    cl_int result;
    size_t size;

    *kernel = at(opencl, "clCreateKernel")
                  ->clCreateKernel(opencl->program, name, &result);
    if (failed(opencl, result, error) ||
        failed(opencl,
               at(opencl, "clGetKernelWorkGroupInfo")
                   ->clGetKernelWorkGroupInfo(*kernel, opencl->device,
                                              CL_KERNEL_WORK_GROUP_SIZE,
                                              sizeof size, &size, NULL),
               error))
        return -1;
    if (*most > size)
        *most = size;
    return 0;
}

/* The parameters of the kernels that stay as they are. */
static int
set_arguments(struct engine_opencl *opencl, struct error *error)
{
    const cl_uint planes = opencl->engine.spec->planes;
    const cl_uint slots = opencl->kernel.slots;
    const struct {
        cl_uint index;
        size_t size;
        const void *value;
    } arguments[] = {
        {2, sizeof opencl->histogram, &opencl->histogram},
        {3, sizeof opencl->axes, &opencl->axes},
        {4, sizeof opencl->edges, &opencl->edges},
        {5, sizeof opencl->lookup, &opencl->lookup},
        {6, sizeof planes, &planes},
        {7, sizeof slots, &slots},
        {8, opencl->kernel.shared_bytes, NULL},
    };

    for (size_t i = 0; i < sizeof arguments / sizeof *arguments; i++) {
        if (failed(opencl,
                   at(opencl, "clSetKernelArg")
                       ->clSetKernelArg(opencl->count, arguments[i].index,
                                        arguments[i].size, arguments[i].value),
                   error))
            return -1;
    }
    if (opencl->carry != NULL &&
        failed(opencl,
               at(opencl, "clSetKernelArg")
                   ->clSetKernelArg(opencl->carry, 1, sizeof opencl->histogram,
                                    &opencl->histogram),
               error))
        return -1;
    return 0;
}

/* Start KERNEL, with the events WAIT; *EVENT happens when it has ended. */
static int
launch(struct engine_opencl *opencl, cl_kernel kernel, size_t groups,
       const struct counting *task, cl_uint waits, const cl_event *wait,
       cl_event *event, struct error *error)
{
    size_t global = groups * opencl->group_items;

    if (failed(opencl,
               at(opencl, "clSetKernelArg")
                   ->clSetKernelArg(kernel, 0, sizeof *task, task),
               error) ||
        failed(opencl,
               at(opencl, "clEnqueueNDRangeKernel")
                   ->clEnqueueNDRangeKernel(opencl->counting, kernel, 1, NULL,
                                            &global, &opencl->group_items,
                                            waits, waits > 0 ? wait : NULL,
                                            event),
               error))
        return -1;
    return 0;
}

/*
 * Launch the kernels once, without input.  A device that has too few registers
 * for so large groups need not say so before.
 */
static int
try_kernels(struct engine_opencl *opencl, struct error *error)
{
    struct counting task = kernel_task(opencl->engine.spec, 0);

    /* Any buffer will do. */
    if (failed(opencl,
               at(opencl, "clSetKernelArg")
                   ->clSetKernelArg(opencl->count, 1, sizeof opencl->histogram,
                                    &opencl->histogram),
               error) ||
        launch(opencl, opencl->count, opencl->groups_max, &task, 0, NULL, NULL,
               error) < 0 ||
        (opencl->carry != NULL &&
         launch(opencl, opencl->carry, opencl->groups_max, &task, 0, NULL, NULL,
                error) < 0) ||
        failed(opencl, at(opencl, "clFinish")->clFinish(opencl->counting),
               error))
        return -1;
    return 0;
}

/* Have the kernels for groups of ITEMS; 0: of any size. */
static int
open_kernels(struct engine_opencl *opencl, size_t items, struct error *error)
{
    size_t most = GROUP_ITEMS_MAX;

    if (build_program(opencl, items, error) < 0 ||
        open_kernel(opencl, "count", &opencl->count, &most, error) < 0 ||
        (opencl->engine.spec->has_weights &&
         open_kernel(opencl, "carry", &opencl->carry, &most, error) < 0) ||
        set_arguments(opencl, error) < 0)
        return -1;
    /* If ITEMS, MOST may be too little: NVIDIA's driver always says 256. */
    opencl->group_items = items > 0 ? items : 1;
    while (items == 0 && 2 * opencl->group_items <= most)
        opencl->group_items *= 2;
    opencl->groups_max =
        opencl->units * (opencl->is_processor
                             ? PROCESSOR_GROUPS
                             : UNIT_ITEMS / opencl->group_items);
    snprintf(opencl->engine.strategy, sizeof opencl->engine.strategy,
             "%s (%s), up to %zu groups of %zu work-item%s",
             kernel_strategy_name(opencl->kernel.strategy),
             opencl->kernel.function, opencl->groups_max, opencl->group_items,
             opencl->group_items == 1 ? "" : "s");
    return 0;
}

/* Have them for the largest groups that there can be. */
static int
open_groups(struct engine_opencl *opencl, struct error *error)
{
    size_t items;

    if (find_items(opencl, &items, error) < 0)
        return -1;
    int result = open_kernels(opencl, items, error);
    /* A processor's groups have one item: that is no question of size. */
    if (opencl->is_processor)
        return result;
    if (result == 0 && try_kernels(opencl, error) == 0)
        return 0;
    close_program(opencl);
    error_clear(error);
    return open_kernels(opencl, 0, error);
}

static int
opencl_open(struct engine *engine, const struct pool *pool, struct error *error)
{
    struct engine_opencl *opencl = opencl_of(engine);

    /* A group's counters are 32 bits wide. */
    assert(pool->chunk_bytes <= UINT32_MAX);
    opencl->pool = pool;
    opencl->table_bytes = (size_t)spec_table_bytes(engine->spec);
    checkpoint_plan(&opencl->checkpoints, engine, opencl->table_bytes,
                    pool->chunk_bytes, opencl->is_alone);
    if (open_device(opencl, error) < 0 || choose_kernel(opencl, error) < 0 ||
        open_memory(opencl, error) < 0 || open_groups(opencl, error) < 0)
        return -1;
    return 0;
}

/* ---- counting ---- */

static void
close_event(const struct engine_opencl *opencl, cl_event *event)
{
    if (*event != NULL)
        opencl->cl.clReleaseEvent(*event);
    *event = NULL;
}

static void
close_memory(const struct engine_opencl *opencl, cl_mem *memory)
{
    if (*memory != NULL)
        opencl->cl.clReleaseMemObject(*memory);
    *memory = NULL;
}

/* Have the SIZE bytes at DATA where the device can read them: SLOT->data. */
static int
place(struct engine_opencl *opencl, struct slot *slot, unsigned char *data,
      size_t size, struct error *error)
{
    close_event(opencl, &slot->copied);
    if (opencl->is_in_place) {
        /* A new one for each chunk: it has what the memory has now. */
        close_memory(opencl, &slot->data);
        return open_buffer(opencl, &slot->data,
                           CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR, size, data,
                           error);
    }
    /* The slot's last chunk must have been counted; not by this thread. */
    cl_uint waits = slot->counted != NULL ? 1 : 0;
    return failed(opencl,
                  at(opencl, "clEnqueueWriteBuffer")
                      ->clEnqueueWriteBuffer(opencl->copying, slot->data,
                                             CL_FALSE, 0, size, data, waits,
                                             waits > 0 ? &slot->counted : NULL,
                                             &slot->copied),
                  error)
               ? -1
               : 0;
}

/* Make room for more weights, where that is due. */
static int
carry(struct engine_opencl *opencl, const struct counting *task,
      uint64_t records, struct error *error)
{
    if (opencl->added + records > WEIGHING_ADDS_MAX) {
        if (launch(opencl, opencl->carry, opencl->groups_max, task, 0, NULL,
                   NULL, error) < 0)
            return -1;
        opencl->added = 0;
    }
    opencl->added += records;
    return 0;
}

/* The slot of the chunk that was submitted last. */
static const struct slot *
last_slot(const struct engine_opencl *opencl)
{
    uint64_t last = opencl->checkpoints.submitted + CHECKPOINT_SLOTS - 1;

    return &opencl->slot[last % CHECKPOINT_SLOTS];
}

/* Count the SIZE bytes in SLOT, after the chunk before it. */
static int
count(struct engine_opencl *opencl, struct slot *slot, size_t size,
      struct error *error)
{
    const struct spec *spec = opencl->engine.spec;
    uint64_t records = size / spec->record.bytes;
    struct counting task = kernel_task(spec, size);
    const struct slot *previous = last_slot(opencl);
    cl_event wait[2];
    cl_uint waits = 0;
    cl_event counted = NULL;

    if (spec->has_weights && carry(opencl, &task, records, error) < 0)
        return -1;
    if (slot->copied != NULL)
        wait[waits++] = slot->copied;
    if (previous->counted != NULL)
        wait[waits++] = previous->counted;
    size_t groups = kernel_blocks(&opencl->kernel, size);
    if (groups > opencl->groups_max)
        groups = opencl->groups_max;
    if (failed(opencl,
               at(opencl, "clSetKernelArg")
                   ->clSetKernelArg(opencl->count, 1, sizeof slot->data,
                                    &slot->data),
               error) ||
        launch(opencl, opencl->count, groups, &task, waits, wait, &counted,
               error) < 0)
        return -1;
    close_event(opencl, &slot->counted);
    slot->counted = counted;
    return 0;
}

/* Begin to copy the histogram, with all that was submitted: a chunk at least. */
static int
begin_checkpoint(struct engine_opencl *opencl, struct error *error)
{
    const struct slot *last = last_slot(opencl);
    size_t i = checkpoint_begin(&opencl->checkpoints, opencl->spec);
    struct copy *copy = &opencl->copy[i];

    close_event(opencl, &copy->made);
    if (failed(opencl,
               at(opencl, "clEnqueueReadBuffer")
                   ->clEnqueueReadBuffer(opencl->counting, opencl->histogram,
                                         CL_FALSE, 0, opencl->table_bytes,
                                         opencl->checkpoints.all[i].value, 1,
                                         &last->counted, &copy->made),
               error) ||
        failed(opencl, at(opencl, "clFlush")->clFlush(opencl->counting), error))
        return -1;
    return 0;
}

/* Go on with the lattices of the chunk's spec: seldom, and so by the CPU. */
static int
move_on(struct engine_opencl *opencl, const struct spec *spec,
        struct error *error)
{
    struct histogram histogram;
    int result = -1;

    if (histogram_open(&histogram, spec->cells, spec->planes) < 0) {
        error_set(error, EXIT_DATA, "out of memory");
        return -1;
    }
    if (!failed(opencl,
                at(opencl, "clEnqueueReadBuffer")
                    ->clEnqueueReadBuffer(opencl->counting, opencl->histogram,
                                          CL_TRUE, 0, opencl->table_bytes,
                                          histogram.value, 0, NULL, NULL),
                error)) {
        if (rebin_histogram(opencl->spec, spec, &histogram) < 0)
            error_set(error, EXIT_DATA, "out of memory");
        else if (!failed(opencl,
                         at(opencl, "clEnqueueWriteBuffer")
                             ->clEnqueueWriteBuffer(
                                 opencl->counting, opencl->histogram, CL_TRUE,
                                 0, opencl->table_bytes, histogram.value, 0,
                                 NULL, NULL),
                         error) &&
                 !failed(opencl,
                         at(opencl, "clEnqueueWriteBuffer")
                             ->clEnqueueWriteBuffer(
                                 opencl->counting, opencl->axes, CL_TRUE, 0,
                                 spec->axis_count * sizeof *spec->counted,
                                 spec->counted, 0, NULL, NULL),
                         error))
            result = 0;
    }
    histogram_close(&histogram);
    opencl->spec = spec;
    return result;
}

static int
opencl_submit(struct engine *engine, struct chunk *chunk, struct error *error)
{
    struct engine_opencl *opencl = opencl_of(engine);
    struct checkpoints *checkpoints = &opencl->checkpoints;
    struct slot *slot =
        &opencl->slot[checkpoints->submitted % CHECKPOINT_SLOTS];
    /* It is somebody else's when a call that hung returns: see engine.h. */
    const struct spec *spec = chunk->spec;
    unsigned char *data = chunk->data;
    size_t used = chunk->used;

    assert(checkpoints->submitted - checkpoints->completed < engine->depth);
    assert(used > 0 && used <= opencl->pool->chunk_bytes);
    if (opencl->spec->generation < spec->generation &&
        move_on(opencl, spec, error) < 0)
        return -1;
    if (place(opencl, slot, data, used, error) < 0 ||
        count(opencl, slot, used, error) < 0)
        return -1;
    /* Nothing begins before this; and each queue waits for the other. */
    if (failed(opencl, at(opencl, "clFlush")->clFlush(opencl->copying),
               error) ||
        failed(opencl, at(opencl, "clFlush")->clFlush(opencl->counting), error))
        return -1;
    make_spare(opencl);
    if (checkpoint_submit(checkpoints, used / engine->spec->record.bytes))
        return begin_checkpoint(opencl, error);
    return 0;
}

static int
wait_for(struct engine_opencl *opencl, const cl_event *event,
         struct error *error)
{
    return failed(opencl,
                  at(opencl, "clWaitForEvents")->clWaitForEvents(1, event),
                  error)
               ? -1
               : 0;
}

/* Complete the oldest chunk, which is safe as far as this engine is. */
static int
complete_copied(struct engine_opencl *opencl, size_t *count,
                struct error *error)
{
    struct checkpoints *checkpoints = &opencl->checkpoints;
    const struct slot *slot =
        &opencl->slot[checkpoints->completed % CHECKPOINT_SLOTS];

    if (wait_for(opencl, opencl->is_in_place ? &slot->counted : &slot->copied,
                 error) < 0)
        return -1;
    checkpoints->completed++;
    *count = 1;
    return 0;
}

static int
opencl_complete(struct engine *engine, size_t *count, struct error *error)
{
    struct engine_opencl *opencl = opencl_of(engine);
    struct checkpoints *checkpoints = &opencl->checkpoints;

    assert(checkpoints->completed < checkpoints->submitted);
    if (checkpoint_releases(checkpoints))
        return complete_copied(opencl, count, error);
    if (!checkpoint_is_under_way(checkpoints) &&
        begin_checkpoint(opencl, error) < 0)
        return -1;
    const struct copy *copy =
        &opencl->copy[checkpoints->made % checkpoints->count];
    if (wait_for(opencl, &copy->made, error) < 0)
        return -1;
    return checkpoint_end(checkpoints, count, error);
}

/* What is left of a failure to map has no ADDRESS. */
static void
unmap(const struct engine_opencl *opencl, const struct pinned *pinned)
{
    if (pinned->address != NULL)
        opencl->cl.clEnqueueUnmapMemObject(opencl->mapping, pinned->memory,
                                           pinned->address, 0, NULL, NULL);
}

/* Release all that is pinned, in the queue that has mapped it. */
static void
close_pinned(struct engine_opencl *opencl)
{
    for (size_t i = 0; i < opencl->chunk_memories; i++)
        unmap(opencl, &opencl->chunk_memory[i]);
    for (int i = 0; i < CHECKPOINTS_MAX; i++)
        unmap(opencl, &opencl->copy[i].pinned);
    opencl->cl.clFinish(opencl->mapping);
    for (size_t i = 0; i < opencl->chunk_memories; i++)
        close_memory(opencl, &opencl->chunk_memory[i].memory);
    for (int i = 0; i < CHECKPOINTS_MAX; i++)
        close_memory(opencl, &opencl->copy[i].pinned.memory);
    opencl->cl.clReleaseCommandQueue(opencl->mapping);
    free(opencl->chunk_memory);
}

/* Nothing here can fail in a way that matters: the counts are safe. */
static void
opencl_close(struct engine *engine)
{
    struct engine_opencl *opencl = opencl_of(engine);
    const struct cl_api *cl = &opencl->cl;

    /* After a failure there may be work that uses what goes next. */
    if (opencl->copying != NULL)
        cl->clFinish(opencl->copying);
    if (opencl->counting != NULL)
        cl->clFinish(opencl->counting);
    for (int i = 0; i < CHECKPOINT_SLOTS; i++) {
        close_event(opencl, &opencl->slot[i].counted);
        close_event(opencl, &opencl->slot[i].copied);
        close_memory(opencl, &opencl->slot[i].data);
    }
    for (int i = 0; i < CHECKPOINTS_MAX; i++) {
        close_event(opencl, &opencl->copy[i].made);
        if (opencl->copy[i].pinned.address == NULL)
            free(opencl->checkpoints.all[i].value);
    }
    if (opencl->mapping != NULL)
        close_pinned(opencl);
    close_memory(opencl, &opencl->histogram);
    close_memory(opencl, &opencl->axes);
    close_memory(opencl, &opencl->edges);
    close_memory(opencl, &opencl->lookup);
    close_program(opencl);
    if (opencl->copying != NULL)
        cl->clReleaseCommandQueue(opencl->copying);
    if (opencl->counting != NULL)
        cl->clReleaseCommandQueue(opencl->counting);
    if (opencl->context != NULL)
        cl->clReleaseContext(opencl->context);
    error_clear(&engine->shortage);
    free(opencl);
}

static const struct engine_type opencl_type = {
    .kind = CONSUMER_DEVICE,
    .open = opencl_open,
    .submit = opencl_submit,
    .complete = opencl_complete,
    .close = opencl_close,
};

struct engine *
engine_opencl_new(int ordinal, const struct spec *spec, enum strategy strategy,
                  bool is_alone, bool may_replace)
{
    struct engine_opencl *opencl = calloc(1, sizeof *opencl);

    if (opencl == NULL)
        return NULL;
    opencl->engine.type = &opencl_type;
    opencl->engine.spec = spec;
    opencl->engine.histogram_spec = spec;
    opencl->spec = spec;
    opencl->ordinal = ordinal;
    opencl->wanted = strategy;
    opencl->is_alone = is_alone;
    opencl->may_replace = may_replace;
    if (ordinal >= 0)
        snprintf(opencl->engine.name, sizeof opencl->engine.name, "opencl:%d",
                 ordinal);
    else
        snprintf(opencl->engine.name, sizeof opencl->engine.name, "opencl");
    return &opencl->engine;
}
