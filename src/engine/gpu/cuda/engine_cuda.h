/* SPDX-License-Identifier: MIT */
/* engine_cuda.h -- one NVIDIA GPU */

#ifndef GPUHIST_ENGINE_CUDA_H
#define GPUHIST_ENGINE_CUDA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "engine/engine.h"
#include "engine/gpu/cuda/cu_visible.h"
#include "engine/gpu/device/kernel.h"

/* Returns whether this build has CUDA kernels. */
bool engine_cuda_is_built(void);

/* Returns whether, in addition, the machine has CUDA's driver, if perhaps no
   device. */
bool engine_cuda_is_there(void);

/*
 * Make the engine for the device ORDINAL of --list-devices, with STRATEGY or
 * the best strategy.  START says how CUDA starts; START.visible must outlive
 * the engine.  IS_ALONE: no other engine can count the chunks again, so the
 * engine need not hold chunks back until they are safe (engine.h).  The engine
 * may know TEXT_KEYS keys of text.  Returns NULL if out of memory.
 */
struct engine *engine_cuda_new(struct cu_start start, int ordinal,
                               const struct spec *spec, enum strategy strategy,
                               bool is_alone, uint32_t text_keys);

struct cuda_device {
    int ordinal;
    char name[96];
    size_t memory_bytes;
    size_t shared_bytes; /* of a block, at most */
    int major;           /* compute capability */
    int minor;
};

/*
 * Find all devices.  Returns the number of devices and sets *DEVICES to an
 * array, which the caller frees; or -1 with *ERROR set: no usable driver.
 */
int engine_cuda_list(struct cuda_device **devices, struct error *error);

#endif
