/* engine_opencl.h -- one device by OpenCL 1.2: a GPU, or a processor */

#ifndef GPUHIST_ENGINE_OPENCL_H
#define GPUHIST_ENGINE_OPENCL_H

#include <stdbool.h>

#include "engine/engine.h"
#include "engine/gpu/cl_devices.h"
#include "engine/gpu/kernel.h"

/* Whether this build has OpenCL kernels at all. */
bool engine_opencl_is_built(void);

/*
 * The engine for device ORDINAL, counted through all platforms, or for the one
 * that cl_devices_choose() takes.  With MAY_REPLACE it may have a chunk of
 * memory more than the pool has, to replace that of chunks.  The rest as for
 * engine_cuda_new().
 */
struct engine *engine_opencl_new(int ordinal, const struct spec *spec,
                                 enum strategy strategy, bool is_alone,
                                 bool may_replace);

#endif
