/* SPDX-License-Identifier: MIT */
/* engine_opencl.h -- one device by OpenCL 1.2: a GPU or a processor */

#ifndef GPUHIST_ENGINE_OPENCL_H
#define GPUHIST_ENGINE_OPENCL_H

#include <stdbool.h>

#include "engine/engine.h"
#include "engine/gpu/device/kernel.h"
#include "engine/gpu/opencl/cl_devices.h"

/* Returns whether this build has OpenCL kernels. */
bool engine_opencl_is_built(void);

/*
 * Make the engine for device ORDINAL, counted through all platforms, or for the
 * device that cl_devices_choose() takes.  With MAY_REPLACE the engine may
 * allocate one chunk more than the pool has, to replace the memory of chunks.
 * The other parameters are as in engine_cuda_new().
 */
struct engine *engine_opencl_new(int ordinal, const struct spec *spec,
                                 enum strategy strategy, bool is_alone,
                                 bool may_replace);

#endif
