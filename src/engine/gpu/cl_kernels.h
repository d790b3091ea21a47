/*
 * cl_kernels.h -- the OpenCL kernels, compiled for a device and a spec
 *
 * They are compiled for one strategy; where there is one axis, for its type
 * and kind; and for groups of a size, or of any.
 */

#ifndef GPUHIST_CL_KERNELS_H
#define GPUHIST_CL_KERNELS_H

#include <stdbool.h>
#include <stddef.h>

#include "engine/gpu/cl_call.h"
#include "engine/gpu/kernel.h"
#include "hist/spec.h"
#include "util/error.h"

/* What kernels are compiled for. */
struct cl_target {
    cl_device_id device;
    cl_context context;
    const struct spec *spec;
    const struct kernel *kernel;
    bool is_processor;
    bool has_doubles;
    bool has_atomics64;
};

/* Handles that do not exist are NULL. */
struct cl_kernels {
    cl_program program;
    cl_kernel count;
    cl_kernel carry;    /* only for weights */
    size_t group_items; /* work-items of a group */
};

/*
 * Set *ITEMS: how many work-items a group should have.  Returns 0, or -1 with
 * *ERROR set.
 */
int cl_kernels_find_items(struct cl_caller *caller,
                          const struct cl_target *target, size_t *items,
                          struct error *error);

/*
 * Compile the KERNELS, all 0, for groups of ITEMS; or if that is 0, for any,
 * and choose one.  Returns 0, or -1 with *ERROR set; cl_kernels_close() is due
 * in both cases.
 */
int cl_kernels_open(struct cl_kernels *kernels, struct cl_caller *caller,
                    const struct cl_target *target, size_t items,
                    struct error *error);

/* All is 0 again. */
void cl_kernels_close(struct cl_kernels *kernels, struct cl_caller *caller);

#endif
