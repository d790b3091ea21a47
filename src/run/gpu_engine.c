/* gpu_engine.c -- the engines of a plan's GPUs */

#include "run/gpu_engine.h"
#include "engine/gpu/cuda/engine_cuda.h"
#include "engine/gpu/opencl/engine_opencl.h"

struct engine *
gpu_engine_new(const struct plan *plan, const struct spec *spec, size_t i,
               struct engine **second)
{
    if (plan->device == DEVICE_OPENCL)
        return engine_opencl_new(plan->gpu[i], spec, plan->strategy,
                                 plan->gpu_is_alone, plan->spare_chunks > 0);
    /* With OpenCL, devices do not count text that has keys. */
    if (plan->device == DEVICE_AUTO && plan->gpu_keys == 0)
        *second = engine_opencl_new(OPENCL_GPU, spec, plan->strategy,
                                    plan->gpu_is_alone, plan->spare_chunks > 0);
    return engine_cuda_new(plan->cuda, plan->gpu[i], spec, plan->strategy,
                           plan->gpu_is_alone, plan->gpu_keys);
}
