/* cl_devices.h -- the OpenCL devices of this machine */

#ifndef GPUHIST_CL_DEVICES_H
#define GPUHIST_CL_DEVICES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/gpu/cl_api.h"
#include "util/error.h"

/* In place of an ordinal: which device to choose. */
enum {
    OPENCL_BEST = -1, /* the first GPU, or else the first of any kind */
    OPENCL_GPU = -2,  /* the first GPU */
};

struct cl_found {
    cl_platform_id platform;
    cl_device_id id;
    cl_device_type type;
};

/* What all platforms have, and the first of them that does not work. */
struct cl_devices {
    struct cl_found *all; /* for free(); a device's index is its ordinal */
    size_t count;
    cl_int failure;   /* or CL_SUCCESS; CL_DEVICE_NOT_FOUND: one has none */
    const char *call; /* that failed */
};

/*
 * Load OpenCL and find all devices, at least one.  A platform that does not
 * work does not hide the others.  *CALL is what it is doing, for whoever waits.
 * Any thread may call this at any time.  Returns 0, or -1 with *ERROR set.
 */
int cl_devices_find(struct cl_api *cl, const char *_Atomic *call,
                    struct cl_devices *devices, struct error *error);

/* Which of DEVICES is meant by ORDINAL, or one of those above; -1: none. */
int cl_devices_choose(const struct cl_devices *devices, int ordinal);

/* A text about DEVICE, cut off where SIZE is too small; "" if there is none. */
void cl_device_text(const struct cl_api *cl, cl_device_id device,
                    cl_device_info name, char *text, size_t size);

/* What a device is, for people; what it does not tell is empty. */
struct cl_device {
    int ordinal;
    char name[96];
    char platform[64];
    uint64_t memory_bytes;
    size_t local_bytes; /* that a work-group can have, at most */
    bool is_gpu;
    bool is_processor;
};

/*
 * Find all devices.  *DEVICES is an array of the number returned, at least 1,
 * for free().  -1 with *ERROR set: there are none.
 */
int cl_devices_list(struct cl_device **devices, struct error *error);

#endif
