/* SPDX-License-Identifier: MIT */
/*
 * cl_kernels.h -- the OpenCL kernels, compiled for a device and a spec
 *
 * Kernels are compiled for one strategy, and for thread blocks of one size or
 * of any size.  With one axis, they are also compiled for its type and kind.
 */

#ifndef GPUHIST_CL_KERNELS_H
#define GPUHIST_CL_KERNELS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "engine/gpu/device/device_engine.h"
#include "engine/gpu/device/kernel.h"
#include "engine/gpu/opencl/cl_api.h"
#include "hist/spec.h"

/* The target of the compilation. */
struct cl_target {
    cl_device_id device;
    cl_context context;
    const struct spec *spec;
    const struct kernel *kernel; /* only for samples */
    unsigned int kernels;        /* the bit of each enum device_kernel */
    bool is_processor;
    bool has_doubles;
    bool has_atomics64;
};

/* Missing handles are NULL. */
struct cl_kernels {
    cl_program program;
    cl_kernel kernel[DEVICE_KERNELS]; /* the target's kernels */
    size_t block_threads;             /* in a thread block */
};

/*
 * Set *THREADS to the number of threads that a block should have.  Returns 0,
 * or -1 with *ERROR set.
 */
int cl_kernels_find_threads(struct cl_caller *caller,
                            const struct cl_target *target, size_t *threads,
                            struct error *error);

/*
 * Compile the KERNELS, all 0, for blocks of THREADS threads; with THREADS 0,
 * for any size, and choose the size.  Returns 0, or -1 with *ERROR set.  The
 * caller calls cl_kernels_close() in both cases.
 */
int cl_kernels_open(struct cl_kernels *kernels, struct cl_caller *caller,
                    const struct cl_target *target, size_t threads,
                    struct error *error);

/* Release the KERNELS and set them to 0. */
void cl_kernels_close(struct cl_kernels *kernels, struct cl_caller *caller);

#endif
