/* SPDX-License-Identifier: MIT */
/* cl_devices.c -- the OpenCL devices of this machine */

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/gpu/opencl/cl_api.h"
#include "engine/gpu/opencl/cl_devices.h"

/*
 * Append the devices of PLATFORM, at least one.  Returns CL_SUCCESS, or the
 * failure of the function *CALL, which names the current call.
 */
static cl_int
find_on_platform(const struct cl_api *cl, const char *_Atomic *call,
                 cl_platform_id platform, struct cl_devices *devices)
{
    const cl_device_type types =
        CL_DEVICE_TYPE_GPU | CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_ACCELERATOR;
    cl_uint more = 0;

    atomic_store(call, "clGetDeviceIDs");
    cl_int result = cl->clGetDeviceIDs(platform, types, 0, NULL, &more);
    if (result == CL_SUCCESS && more == 0)
        result = CL_DEVICE_NOT_FOUND;
    if (result != CL_SUCCESS)
        return result;
    cl_device_id *ids = calloc(more, sizeof *ids);
    struct cl_found *all =
        realloc(devices->all, (devices->count + more) * sizeof *all);
    if (all != NULL)
        devices->all = all;
    if (ids == NULL || all == NULL)
        result = CL_OUT_OF_HOST_MEMORY;
    if (result == CL_SUCCESS)
        result = cl->clGetDeviceIDs(platform, types, more, ids, NULL);
    for (cl_uint i = 0; i < more && result == CL_SUCCESS; i++) {
        struct cl_found *device = &all[devices->count];
        *device = (struct cl_found){.platform = platform, .id = ids[i]};
        atomic_store(call, "clGetDeviceInfo");
        result = cl->clGetDeviceInfo(ids[i], CL_DEVICE_TYPE,
                                     sizeof device->type, &device->type, NULL);
        if (result == CL_SUCCESS)
            devices->count++;
    }
    free(ids);
    return result;
}

/* As cl_devices_find(), but only for one thread at a time. */
static int
find_all(struct cl_api *cl, const char *_Atomic *call,
         struct cl_devices *devices, struct error *error)
{
    const char *missing =
        kernel_source[0] != 0 ? cl_load(cl) : "this gpuhist has no OpenCL code";
    *devices = (struct cl_devices){.call = "clGetPlatformIDs"};
    if (missing != NULL) {
        error_set(error, EXIT_NO_DEVICE, "opencl: %s", missing);
        return -1;
    }

    char text[64];
    cl_platform_id platforms[64];
    cl_uint most = sizeof platforms / sizeof *platforms;
    cl_uint count = 0;
    devices->failure = cl->clGetPlatformIDs(most, platforms, &count);
    if (devices->failure == CL_SUCCESS && count == 0)
        devices->failure = CL_DEVICE_NOT_FOUND;
    else if (devices->failure != CL_SUCCESS)
        count = 0;
    for (cl_uint i = 0; i < count && i < most; i++) {
        cl_int result = find_on_platform(cl, call, platforms[i], devices);
        /*
         * A platform without devices is usual: any other failure explains more.
         */
        if (result != CL_SUCCESS && (devices->failure == CL_SUCCESS ||
                                     devices->failure == CL_DEVICE_NOT_FOUND)) {
            devices->failure = result;
            devices->call = atomic_load(call);
        }
    }
    if (devices->count > 0)
        return 0;
    free(devices->all);
    cl_describe(devices->failure, text, sizeof text);
    error_set(error, EXIT_NO_DEVICE, "opencl: no device: %s: %s", devices->call,
              text);
    return -1;
}

int
cl_devices_find(struct cl_api *cl, const char *_Atomic *call,
                struct cl_devices *devices, struct error *error)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

    atomic_store(call, "clGetPlatformIDs");
    /*
     * If another thread makes a call during the first call, PoCL 3.1 crashes or
     * finds no device.
     */
    pthread_mutex_lock(&lock);
    int result = find_all(cl, call, devices, error);
    pthread_mutex_unlock(&lock);
    return result;
}

void
cl_device_text(const struct cl_api *cl, cl_device_id device,
               cl_device_info name, char *text, size_t size)
{
    char *whole = NULL;
    size_t whole_size = 0;

    *text = '\0';
    if (cl->clGetDeviceInfo(device, name, 0, NULL, &whole_size) != CL_SUCCESS)
        return;
    whole = calloc(1, whole_size + 1);
    if (whole != NULL && cl->clGetDeviceInfo(device, name, whole_size, whole,
                                             NULL) == CL_SUCCESS)
        /* Some drivers pad the name with spaces. */
        snprintf(text, size, "%s", whole + strspn(whole, " "));
    free(whole);
}

int
cl_devices_choose(const struct cl_devices *devices, int ordinal)
{
    if (ordinal >= 0)
        return (size_t)ordinal < devices->count ? ordinal : -1;
    for (size_t i = 0; i < devices->count; i++) {
        if ((devices->all[i].type & CL_DEVICE_TYPE_GPU) != 0)
            return (int)i;
    }
    return ordinal == OPENCL_BEST ? 0 : -1;
}

int
cl_devices_list(struct cl_device **devices, struct error *error)
{
    struct cl_api cl;
    const char *_Atomic call;
    struct cl_devices found;

    if (cl_devices_find(&cl, &call, &found, error) < 0)
        return -1;
    *devices = calloc(found.count, sizeof **devices);
    if (*devices == NULL) {
        free(found.all);
        return error_fail_memory(error);
    }
    for (size_t i = 0; i < found.count; i++) {
        struct cl_device *device = &(*devices)[i];
        cl_ulong local_bytes = 0;

        /* A text that the device does not report stays empty. */
        device->ordinal = (int)i;
        device->is_gpu = (found.all[i].type & CL_DEVICE_TYPE_GPU) != 0;
        device->is_processor = (found.all[i].type & CL_DEVICE_TYPE_CPU) != 0;
        cl_device_text(&cl, found.all[i].id, CL_DEVICE_NAME, device->name,
                       sizeof device->name);
        cl.clGetPlatformInfo(found.all[i].platform, CL_PLATFORM_NAME,
                             sizeof device->platform - 1, device->platform,
                             NULL);
        cl.clGetDeviceInfo(found.all[i].id, CL_DEVICE_GLOBAL_MEM_SIZE,
                           sizeof device->memory_bytes, &device->memory_bytes,
                           NULL);
        cl.clGetDeviceInfo(found.all[i].id, CL_DEVICE_LOCAL_MEM_SIZE,
                           sizeof local_bytes, &local_bytes, NULL);
        device->local_bytes = (size_t)local_bytes;
    }
    free(found.all);
    return (int)found.count;
}
