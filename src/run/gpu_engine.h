/* gpu_engine.h -- the engines of a plan's GPUs */

#ifndef GPUHIST_GPU_ENGINE_H
#define GPUHIST_GPU_ENGINE_H

#include <stddef.h>

#include "engine/engine.h"
#include "run/plan.h"

/*
 * Returns an engine to count SPEC with GPU number I of PLAN, or NULL: out of
 * memory.  With auto it is a CUDA device, and *SECOND is an OpenCL GPU, for a
 * machine without CUDA, or NULL.
 */
struct engine *gpu_engine_new(const struct plan *plan, const struct spec *spec,
                              size_t i, struct engine **second);

#endif
