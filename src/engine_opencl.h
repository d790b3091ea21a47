/* engine_opencl.h -- one device by OpenCL 1.2: a GPU, or a processor */

#ifndef GPUHIST_ENGINE_OPENCL_H
#define GPUHIST_ENGINE_OPENCL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine.h"
#include "error.h"

/* In place of an ordinal: which device to choose. */
enum {
    OPENCL_BEST = -1, /* the first GPU, or else the first of any kind */
    OPENCL_GPU = -2,  /* the first GPU */
};

/* Whether this build has OpenCL kernels at all. */
bool engine_opencl_is_built(void);

/*
 * The engine for device ORDINAL, counted through all platforms, or for one of
 * those above.  With MAY_REPLACE it may have a chunk of memory more than the
 * pool has, to replace that of chunks.  The rest as for engine_cuda_new().
 */
struct engine *engine_opencl_new(int ordinal, const struct spec *spec,
                                 enum strategy strategy, bool is_alone,
                                 bool may_replace);

struct opencl_device {
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
int engine_opencl_list(struct opencl_device **devices, struct error *error);

#endif
