/* SPDX-License-Identifier: MIT */
/*
 * cu_abi.c -- src/engine/gpu/cuda/cu_api.h compared with the CUDA toolkit's cuda.h
 *
 * Nothing here runs: if it compiles, every function that the program looks up
 * in the driver has the parameters that the toolkit declares.
 */

/* Names of cu_api.h that cuda.h defines differently, out of its way. */
#define CUresult own_CUresult
#define CUdevice_attribute own_CUdevice_attribute
#define CUfunction_attribute own_CUfunction_attribute

#define CUDA_SUCCESS own_CUDA_SUCCESS
#define CUDA_ERROR_NO_DEVICE own_CUDA_ERROR_NO_DEVICE
#define CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT \
    own_CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT
#define CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE own_CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE
#define CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR \
    own_CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR
#define CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR \
    own_CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR
#define CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR \
    own_CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR
#define CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN \
    own_CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN
#define CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES \
    own_CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
#define CU_STREAM_NON_BLOCKING own_CU_STREAM_NON_BLOCKING
#define CU_EVENT_BLOCKING_SYNC own_CU_EVENT_BLOCKING_SYNC
#define CU_EVENT_DISABLE_TIMING own_CU_EVENT_DISABLE_TIMING
#define CU_MEMHOSTREGISTER_PORTABLE own_CU_MEMHOSTREGISTER_PORTABLE

/* Its other types are declared twice: a difference is an error. */
#include "engine/gpu/cuda/cu_api.h"

#undef CUresult
#undef CUdevice_attribute
#undef CUfunction_attribute
#undef CUDA_SUCCESS
#undef CUDA_ERROR_NO_DEVICE
#undef CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT
#undef CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE
#undef CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR
#undef CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR
#undef CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR
#undef CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN
#undef CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
#undef CU_STREAM_NON_BLOCKING
#undef CU_EVENT_BLOCKING_SYNC
#undef CU_EVENT_DISABLE_TIMING
#undef CU_MEMHOSTREGISTER_PORTABLE

#include <cuda.h>

/*
 * Expanded here, CU_API means the types of cuda.h.  Its names are symbols, and
 * so are those of the declarations once cuda.h's macros have mapped them.
 */
#define SAME_FUNCTION(symbol, parameters)                                      \
    _Static_assert(                                                            \
        __builtin_types_compatible_p(__typeof__(symbol), CUresult parameters), \
        #symbol ": not as in cuda.h");
CU_API(SAME_FUNCTION)

/* Enumerations there and int here: passed and returned in the same way. */
#define SAME_SIZE(type)                                  \
    _Static_assert(sizeof(type) == sizeof(own_##type) && \
                       sizeof(type) == sizeof(int),      \
                   #type ": not as in cuda.h");
SAME_SIZE(CUresult)
SAME_SIZE(CUdevice_attribute)
SAME_SIZE(CUfunction_attribute)

#define SAME_VALUE(name) \
    _Static_assert((int)name == (int)own_##name, #name ": not as in cuda.h");
SAME_VALUE(CUDA_SUCCESS)
SAME_VALUE(CUDA_ERROR_NO_DEVICE)
SAME_VALUE(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)
SAME_VALUE(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE)
SAME_VALUE(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR)
SAME_VALUE(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)
SAME_VALUE(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)
SAME_VALUE(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)
SAME_VALUE(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES)
SAME_VALUE(CU_STREAM_NON_BLOCKING)
SAME_VALUE(CU_EVENT_BLOCKING_SYNC)
SAME_VALUE(CU_EVENT_DISABLE_TIMING)
SAME_VALUE(CU_MEMHOSTREGISTER_PORTABLE)
