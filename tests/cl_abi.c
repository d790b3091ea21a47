/* SPDX-License-Identifier: MIT */
/*
 * cl_abi.c -- src/engine/gpu/opencl/cl_api.h compared with CL/cl.h
 *
 * Nothing here runs: if it compiles, every function that the program looks up
 * in the OpenCL library is declared as Khronos declares it.
 */

/* All types are declared twice: a difference is an error. */
#include "engine/gpu/opencl/cl_api.h"

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <CL/cl_ext.h>

#define SAME_FUNCTION(type, symbol, parameters)                            \
    _Static_assert(                                                        \
        __builtin_types_compatible_p(__typeof__(symbol), type parameters), \
        #symbol ": not as in CL/cl.h");
CL_API(SAME_FUNCTION)

/* Here a name is a macro of CL/cl.h, which hides the one of cl_api.h. */
#define SAME_VALUE(name, value) \
    _Static_assert((name) == (value), #value ": not as in CL/cl.h");
CL_RESULTS(SAME_VALUE)
CL_CONSTANTS(SAME_VALUE)
