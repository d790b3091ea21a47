/* SPDX-License-Identifier: MIT */
/*
 * cu_api.h -- the CUDA driver, loaded on demand
 *
 * This header declares the used part of the driver's interface.  So the C code
 * builds without the CUDA toolkit and starts without a driver.  tests/cu_abi.c
 * compares each declaration with the toolkit's cuda.h.
 */

#ifndef GPUHIST_CU_API_H
#define GPUHIST_CU_API_H

#include <stddef.h>

/* Not libcuda.so: that may be the toolkit's stub for linking. */
#define CU_LIBRARY "libcuda.so.1"

typedef int CUresult; /* an enumeration in cuda.h; same size */
typedef int CUdevice;
typedef int CUdevice_attribute;   /* likewise */
typedef int CUfunction_attribute; /* likewise */
typedef unsigned long long CUdeviceptr;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUstream_st *CUstream;
typedef struct CUevent_st *CUevent;

/* Named as in cuda.h, for comparison by tests/cu_abi.c. */
enum {
    CUDA_SUCCESS = 0,
    CUDA_ERROR_NO_DEVICE = 100,

    CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT = 16,
    CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE = 38,
    CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR = 39,
    CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 75,
    CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 76,
    CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN = 97,

    CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES = 8,

    CU_STREAM_NON_BLOCKING = 1,
    CU_EVENT_BLOCKING_SYNC = 1,
    CU_EVENT_DISABLE_TIMING = 2,
    CU_MEMHOSTREGISTER_PORTABLE = 1,
};

/*
 * X(exported symbol, parameters).  The version suffix of a symbol is written
 * out: no newer header can change the suffix.
 */
#define CU_API(X)                                                              \
    X(cuInit, (unsigned int flags))                                            \
    X(cuGetErrorName, (CUresult error, const char **text))                     \
    X(cuGetErrorString, (CUresult error, const char **text))                   \
    X(cuDeviceGetCount, (int *count))                                          \
    X(cuDeviceGet, (CUdevice * device, int ordinal))                           \
    X(cuDeviceGetName, (char *name, int size, CUdevice device))                \
    X(cuDeviceTotalMem_v2, (size_t * bytes, CUdevice device))                  \
    X(cuDeviceGetAttribute,                                                    \
      (int *value, CUdevice_attribute attribute, CUdevice device))             \
    X(cuDevicePrimaryCtxRetain, (CUcontext * context, CUdevice device))        \
    X(cuDevicePrimaryCtxRelease_v2, (CUdevice device))                         \
    X(cuCtxSetCurrent, (CUcontext context))                                    \
    X(cuModuleLoadData, (CUmodule * module, const void *image))                \
    X(cuModuleUnload, (CUmodule module))                                       \
    X(cuModuleGetFunction,                                                     \
      (CUfunction * function, CUmodule module, const char *name))              \
    X(cuFuncSetAttribute,                                                      \
      (CUfunction function, CUfunction_attribute attribute, int value))        \
    X(cuOccupancyMaxActiveBlocksPerMultiprocessor,                             \
      (int *blocks, CUfunction function, int block_threads,                    \
       size_t dynamic_shared_bytes))                                           \
    X(cuMemAlloc_v2, (CUdeviceptr * memory, size_t bytes))                     \
    X(cuMemFree_v2, (CUdeviceptr memory))                                      \
    X(cuMemHostAlloc, (void **memory, size_t bytes, unsigned int flags))       \
    X(cuMemFreeHost, (void *memory))                                           \
    X(cuMemHostRegister_v2, (void *memory, size_t bytes, unsigned int flags))  \
    X(cuMemHostUnregister, (void *memory))                                     \
    X(cuMemsetD8Async,                                                         \
      (CUdeviceptr to, unsigned char value, size_t bytes, CUstream stream))    \
    X(cuMemcpyHtoDAsync_v2,                                                    \
      (CUdeviceptr to, const void *from, size_t bytes, CUstream stream))       \
    X(cuMemcpyDtoHAsync_v2,                                                    \
      (void *to, CUdeviceptr from, size_t bytes, CUstream stream))             \
    X(cuMemcpyDtoDAsync_v2,                                                    \
      (CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream))       \
    X(cuStreamCreate, (CUstream * stream, unsigned int flags))                 \
    X(cuStreamDestroy_v2, (CUstream stream))                                   \
    X(cuStreamSynchronize, (CUstream stream))                                  \
    X(cuStreamWaitEvent, (CUstream stream, CUevent event, unsigned int flags)) \
    X(cuEventCreate, (CUevent * event, unsigned int flags))                    \
    X(cuEventDestroy_v2, (CUevent event))                                      \
    X(cuEventRecord, (CUevent event, CUstream stream))                         \
    X(cuEventSynchronize, (CUevent event))                                     \
    X(cuLaunchKernel,                                                          \
      (CUfunction function, unsigned int grid_x, unsigned int grid_y,          \
       unsigned int grid_z, unsigned int block_x, unsigned int block_y,        \
       unsigned int block_z, unsigned int shared_bytes, CUstream stream,       \
       void **parameters, void **extra))

/* The driver's functions, each under its exported name. */
struct cu_api {
#define CU_API_MEMBER(symbol, parameters) CUresult(*symbol) parameters;
    CU_API(CU_API_MEMBER)
#undef CU_API_MEMBER
};

/* Load all functions; see api_load().  Returns NULL or why not. */
const char *cu_load(struct cu_api *cu);

/*
 * Write the meaning of RESULT: "CUDA_ERROR_NO_DEVICE (no CUDA-capable device is
 * detected)", or its number if the driver has no name.
 */
void cu_describe(const struct cu_api *cu, CUresult result, char *text,
                 size_t size);

#endif
