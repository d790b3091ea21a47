/* SPDX-License-Identifier: MIT */
/* cl_devices.h -- the OpenCL devices of this machine */

#ifndef GPUHIST_CL_DEVICES_H
#define GPUHIST_CL_DEVICES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "engine/gpu/opencl/cl_api.h"

/* Values in place of an ordinal. */
enum {
    OPENCL_BEST = -1, /* the first GPU; without a GPU, the first device */
    OPENCL_GPU = -2,  /* the first GPU */
};

struct cl_found {
    cl_platform_id platform;
    cl_device_id id;
    cl_device_type type;
};

/* The devices of all platforms, and the first failure of a platform. */
struct cl_devices {
    struct cl_found *all; /* the caller frees it; index: ordinal */
    size_t count;
    cl_int failure;   /* CL_SUCCESS: none; CL_DEVICE_NOT_FOUND: no device */
    const char *call; /* the function that failed */
};

/*
 * Load OpenCL and find all devices, at least one.  If a platform fails, the
 * devices of all others are still found.  Sets *CALL to the name of the current
 * function, for a watchdog.  Thread-safe.  Returns 0, or -1 with *ERROR set.
 */
int cl_devices_find(struct cl_api *cl, const char *_Atomic *call,
                    struct cl_devices *devices, struct error *error);

/*
 * Returns the index of the device for ORDINAL, which may also be a value above;
 * -1: no such device.
 */
int cl_devices_choose(const struct cl_devices *devices, int ordinal);

/* Write a text about DEVICE to TEXT, cut off at SIZE; "" without a device. */
void cl_device_text(const struct cl_api *cl, cl_device_id device,
                    cl_device_info name, char *text, size_t size);

/* A device as printed in the list; unreported texts are empty. */
struct cl_device {
    int ordinal;
    char name[96];
    char platform[64];
    uint64_t memory_bytes;
    size_t local_bytes; /* the most that a thread block can have */
    bool is_gpu;
    bool is_processor;
};

/*
 * Find all devices.  Returns their number, at least 1, and sets *DEVICES to an
 * array that the caller frees; or -1 with *ERROR set.
 */
int cl_devices_list(struct cl_device **devices, struct error *error);

#endif
