/* engine_cuda.h -- one NVIDIA GPU */

#ifndef GPUHIST_ENGINE_CUDA_H
#define GPUHIST_ENGINE_CUDA_H

#include <stdbool.h>
#include <stddef.h>

#include "engine/engine.h"
#include "engine/gpu/kernel.h"
#include "util/error.h"

/* Whether this build has kernels at all. */
bool engine_cuda_is_built(void);

/*
 * The engine for device ORDINAL, as CUDA counts them, with a STRATEGY or the
 * best one.  IS_ALONE: nobody could count again what it loses, so it need not
 * hold chunks back until they are safe (engine.h).  NULL: no memory.
 */
struct engine *engine_cuda_new(int ordinal, const struct spec *spec,
                               enum strategy strategy, bool is_alone);

struct cuda_device {
    int ordinal;
    char name[96];
    size_t memory_bytes;
    size_t shared_bytes; /* that a block can have, at most */
    int major;           /* compute capability */
    int minor;
};

/*
 * Find all devices.  *DEVICES is an array of the number returned, for
 * free().  -1 with *ERROR set: there is no usable driver.
 */
int engine_cuda_list(struct cuda_device **devices, struct error *error);

#endif
