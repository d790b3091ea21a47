/* cl_call.c -- OpenCL calls whose name is known while they run */

#include "engine/gpu/opencl/cl_call.h"

int
cl_call_check(const struct cl_caller *caller, cl_int result,
              struct error *error)
{
    char text[64];

    if (result == CL_SUCCESS)
        return 0;
    cl_describe(result, text, sizeof text);
    error_set(error, EXIT_NO_DEVICE, "%s: %s: %s", caller->name,
              atomic_load(caller->call), text);
    return -1;
}
