/* SPDX-License-Identifier: MIT */
/* cl_kernels.c -- the OpenCL kernels, compiled for a device and a spec */

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "engine/gpu/opencl/cl_api.h"
#include "engine/gpu/opencl/cl_kernels.h"

#define BLOCK_THREADS_MAX 1024

/*
 * The largest thread blocks are the best.  If more small blocks are launched
 * than fit with their tables, some blocks start only after others have ended,
 * and most of the device is idle meanwhile.
 */
int
cl_kernels_find_threads(struct cl_caller *caller,
                        const struct cl_target *target, size_t *threads,
                        struct error *error)
{
    size_t most = 0;

    *threads = 1;
    if (target->is_processor)
        return 0;
    if (CL_CALL(caller, error, clGetDeviceInfo, target->device,
                CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof most, &most, NULL) < 0)
        return -1;
    while (2 * *threads <= most && *threads < BLOCK_THREADS_MAX)
        *threads *= 2;
    return 0;
}

/* Set *ERROR, with the start of the compiler's log as the reason. */
static void
fail_build(struct cl_caller *caller, const struct cl_target *target,
           cl_program program, cl_int result, struct error *error)
{
    char name[64];
    char log[4096] = "";
    size_t size = 0;

    cl_describe(result, name, sizeof name);
    if (CL_START(caller, clGetProgramBuildInfo)(
            program, target->device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log,
            &size) != CL_SUCCESS)
        log[0] = '\0';
    log[strcspn(log, "\n")] = '\0';
    error_set(error, EXIT_NO_DEVICE, "%s: clBuildProgram: %s%s%s", caller->name,
              name, log[0] != '\0' ? ": " : "", log);
}

/* Returns the name of STRATEGY in block.cl. */
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

/* Append the options for samples to TEXT, which has LENGTH bytes of SIZE. */
static void
write_sample_options(const struct cl_target *target, char *text, size_t length,
                     size_t size)
{
    const struct spec *spec = target->spec;
    const struct binning_axis *axis = &spec->counted[0];

    length += (size_t)snprintf(
        text + length, size - length,
        " -D COUNT=%s -D STRATEGY=%s -D LANES=%u%s", target->kernel->function,
        strategy_macro(target->kernel->strategy), target->kernel->lanes,
        spec->has_weights ? " -D WEIGHTS" : "");
    assert(length < size);
    if (spec->axis_count == 1)
        snprintf(text + length, size - length,
                 " -D AXIS_TYPE=%u -D AXIS_KIND=%u -D AXIS_CLOSED=%u "
                 "-D AXIS_SWAPPED=%u",
                 axis->type, axis->kind, axis->closed, axis->is_swapped);
}

/*
 * Write the compiler's options, which block.cl explains, to TEXT.  THREADS is
 * the size of a block; 0: any size.
 */
static void
write_options(const struct cl_target *target, size_t threads, char *text,
              size_t size)
{
    char block[40] = "";

    if (threads > 0)
        snprintf(block, sizeof block, " -D BLOCK_THREADS=%zu", threads);
    int length =
        snprintf(text, size, "-cl-std=CL1.2%s%s%s%s",
                 target->is_processor ? " -D ONE_THREAD" : "",
                 target->has_atomics64 ? "" : " -D HISTOGRAM_HALVES",
                 target->has_doubles ? "" : " -D BINNING_NO_DOUBLES", block);

    assert(length > 0 && (size_t)length < size);
    if (target->spec->uses_tables)
        snprintf(text + length, size - (size_t)length, " -D SEQUENCES");
    else
        write_sample_options(target, text, (size_t)length, size);
}

static int
open_program(struct cl_caller *caller, const struct cl_target *target,
             size_t threads, cl_program *program, struct error *error)
{
    const char *source = kernel_source;
    char options[512];

    write_options(target, threads, options, sizeof options);
    if (CL_MAKE(caller, error, program, clCreateProgramWithSource,
                target->context, 1, &source, NULL) < 0)
        return -1;
    cl_int result = CL_START(caller, clBuildProgram)(
        *program, 1, &target->device, options, NULL, NULL);
    if (result == CL_SUCCESS)
        return 0;
    fail_build(caller, target, *program, result, error);
    return -1;
}

/* The name of KERNEL in the program. */
static const char *
name_of(enum device_kernel kernel)
{
    return kernel == DEVICE_COUNT   ? "count"
           : kernel == DEVICE_CARRY ? "carry"
                                    : device_kernel_name(kernel);
}

/* Get a kernel of the program.  Lower *MOST to the kernel's largest block. */
static int
open_kernel(struct cl_kernels *kernels, struct cl_caller *caller,
            const struct cl_target *target, enum device_kernel kernel,
            size_t *most, struct error *error)
{
    cl_kernel *made = &kernels->kernel[kernel];
    size_t size = 0;

    if (CL_MAKE(caller, error, made, clCreateKernel, kernels->program,
                name_of(kernel)) < 0 ||
        CL_CALL(caller, error, clGetKernelWorkGroupInfo, *made, target->device,
                CL_KERNEL_WORK_GROUP_SIZE, sizeof size, &size, NULL) < 0)
        return -1;
    if (*most > size)
        *most = size;
    return 0;
}

int
cl_kernels_open(struct cl_kernels *kernels, struct cl_caller *caller,
                const struct cl_target *target, size_t threads,
                struct error *error)
{
    size_t most = BLOCK_THREADS_MAX;

    if (open_program(caller, target, threads, &kernels->program, error) < 0)
        return -1;
    for (int k = 0; k < DEVICE_KERNELS; k++) {
        if ((target->kernels >> k & 1) != 0 &&
            open_kernel(kernels, caller, target, (enum device_kernel)k, &most,
                        error) < 0)
            return -1;
    }
    /*
     * After a build for THREADS, MOST may be too low: NVIDIA's driver always
     * says 256.
     */
    kernels->block_threads = threads > 0 ? threads : 1;
    while (threads == 0 && 2 * kernels->block_threads <= most)
        kernels->block_threads *= 2;
    return 0;
}

void
cl_kernels_close(struct cl_kernels *kernels, struct cl_caller *caller)
{
    for (int k = 0; k < DEVICE_KERNELS; k++) {
        if (kernels->kernel[k] != NULL)
            caller->api.clReleaseKernel(kernels->kernel[k]);
    }
    if (kernels->program != NULL)
        caller->api.clReleaseProgram(kernels->program);
    *kernels = (struct cl_kernels){0};
}
