/* SPDX-License-Identifier: MIT */
/* cu_context.c -- one NVIDIA GPU, and calls of its driver */

#include <stdbool.h>
#include <stdio.h>

#include "engine/gpu/cuda/cu_context.h"
#include "engine/gpu/device/gpu_probe.h"

int
cu_context_check(const struct cu_context *context, CUresult result,
                 struct error *error)
{
    char text[256];

    if (result == CUDA_SUCCESS)
        return 0;
    cu_describe(&context->cu, result, text, sizeof text);
    error_set(error, EXIT_NO_DEVICE, "%s: %s: %s", context->name,
              atomic_load(context->call), text);
    return -1;
}

int
cu_context_start(struct cu_api *cu, const char *_Atomic *call, int *count,
                 struct error *error)
{
    *count = -1;
    atomic_store(call, "cuInit");
    const char *missing =
        kernel_image[0] != 0 ? cu_load(cu) : "this gpuhist has no CUDA code";
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
    *count = result == CUDA_ERROR_NO_DEVICE ? 0 : -1;
    cu_describe(cu, result, text, sizeof text);
    error_set(error, EXIT_NO_DEVICE, "cuda: %s: %s", atomic_load(call), text);
    return -1;
}

/*
 * Start the driver and find the device.  Returns its number for the driver, or
 * -1 with *ERROR set.
 */
static int
find_device(struct cu_context *context, struct error *error)
{
    const struct cu_visible *visible = context->start.visible;
    int number = cu_visible_number(visible, context->ordinal);
    int missing = context->ordinal;
    int count;

    if (context->start.is_probed && gpu_probe_cuda(error) < 0)
        return -1;
    int result = cu_context_start(&context->cu, context->call, &count, error);
    if (result == 0 && number < count)
        missing = cu_visible_missing(visible, count);
    if (missing < 0)
        return number;
    /* The first device is missing only without any device. */
    if (count >= 0 && visible->is_narrowed && missing > 0)
        count = cu_visible_count(visible);
    if (count <= 0 && result < 0)
        return -1;
    error_clear(error);
    if (count > 0)
        error_set(error, EXIT_NO_DEVICE,
                  "cuda:%d: no such device (this machine shows %d)", missing,
                  count);
    else
        error_set(error, EXIT_NO_DEVICE, "cuda:%d: no such device", missing);
    return -1;
}

int
cu_context_open(struct cu_context *context, struct error *error)
{
    char name[96];

    int number = find_device(context, error);
    if (number < 0 ||
        CU_CALL(context, error, cuDeviceGet, &context->number, number) < 0 ||
        CU_CALL(context, error, cuDeviceGetName, name, sizeof name,
                context->number) < 0)
        return -1;
    snprintf(context->name, context->name_bytes, "cuda:%d (%s)",
             context->ordinal, name);
    if (CU_CALL(context, error, cuDevicePrimaryCtxRetain, &context->context,
                context->number) < 0)
        return -1;
    return CU_CALL(context, error, cuCtxSetCurrent, context->context);
}
