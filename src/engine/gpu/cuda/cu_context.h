/* SPDX-License-Identifier: MIT */
/*
 * cu_context.h -- one NVIDIA GPU, and calls of its driver
 */

#ifndef GPUHIST_CU_CONTEXT_H
#define GPUHIST_CU_CONTEXT_H

#include <stdatomic.h>

#include "base/error.h"
#include "engine/gpu/cuda/cu_api.h"
#include "engine/gpu/cuda/cu_visible.h"

/* A fat binary of kernels/kernels.cu (kernel_image.S); in a build without nvcc
   its first byte is 0. */
extern const unsigned char kernel_image[];

struct cu_context {
    /* Set by the owner. */
    struct cu_start start;
    int ordinal;
    const char *_Atomic *call; /* gets the name of the current function */
    char *name;                /* has "cuda:0", and gets the GPU's name */
    size_t name_bytes;

    /* Set by cu_context_open(); missing handles are 0. */
    struct cu_api cu;
    CUdevice number;
    CUcontext context;
};

/* What a lease's token points to (lease.h) if the bytes that it leases may be
   in the memory of a GPU, too. */
struct cu_lease_owner {
    /*
     * The host's SIZE bytes at FROM are leased.  Start to copy those that are
     * still in the GPU's memory to TO, within the GPU, in STREAM, if it is that
     * of CONTEXT, which is an engine's.  Sets *LEFT: so many of the first bytes
     * must come from the host.  Returns 0, or -1 with *ERROR set.
     */
    int (*copy)(void *decoder, const struct cu_context *context, CUdeviceptr to,
                const unsigned char *from, size_t size, CUstream stream,
                size_t *left, struct error *error);
    void *decoder;
};

/*
 * Load and start the driver.  Sets *COUNT to the number of devices, and *CALL
 * to the name of the current function.  Returns 0, or -1 with *ERROR set; then
 * *COUNT is 0 if the driver works but shows no device, and -1 otherwise.
 */
int cu_context_start(struct cu_api *cu, const char *_Atomic *call, int *count,
                     struct error *error);

/*
 * Start the driver, find the device and make its primary context current.
 * Returns 0, or -1 with *ERROR set.
 */
int cu_context_open(struct cu_context *context, struct error *error);

/*
 * Returns 0, or -1 with *ERROR set if RESULT, of the last call, is a failure.
 */
int cu_context_check(const struct cu_context *context, CUresult result,
                     struct error *error);

/*
 * Call the driver's function NAME, which may hang.  0, or -1 with *ERROR set.
 * The second macro is for a NAME whose symbol ends in _v2.
 */
#define CU_CALL(context, error, name, ...) \
    (atomic_store((context)->call, #name), \
     cu_context_check(context, (context)->cu.name(__VA_ARGS__), error))
#define CU_CALL_V2(context, error, name, ...) \
    (atomic_store((context)->call, #name),    \
     cu_context_check(context, (context)->cu.name##_v2(__VA_ARGS__), error))

#endif
