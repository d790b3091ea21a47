/* SPDX-License-Identifier: MIT */
/*
 * cl_api.h -- OpenCL 1.2, loaded on demand
 *
 * This header declares the used part of the interface.  So gpuhist builds
 * without OpenCL's headers and starts without an OpenCL library.
 * tests/cl_abi.c compares each declaration with CL/cl.h.
 */

#ifndef GPUHIST_CL_API_H
#define GPUHIST_CL_API_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

#define CL_LIBRARY "libOpenCL.so.1"

typedef int32_t cl_int;
typedef uint32_t cl_uint;
typedef uint64_t cl_ulong;
typedef cl_uint cl_bool;
typedef cl_ulong cl_bitfield;
typedef cl_bitfield cl_device_type;
typedef cl_bitfield cl_device_fp_config;
typedef cl_bitfield cl_map_flags;
typedef cl_bitfield cl_mem_flags;
typedef cl_bitfield cl_command_queue_properties;
typedef cl_uint cl_platform_info;
typedef cl_uint cl_device_info;
typedef cl_uint cl_program_build_info;
typedef cl_uint cl_kernel_work_group_info;
typedef intptr_t cl_context_properties;
typedef struct _cl_platform_id *cl_platform_id;
typedef struct _cl_device_id *cl_device_id;
typedef struct _cl_context *cl_context;
typedef struct _cl_command_queue *cl_command_queue;
typedef struct _cl_mem *cl_mem;
typedef struct _cl_program *cl_program;
typedef struct _cl_kernel *cl_kernel;
typedef struct _cl_event *cl_event;

/* X(name, value): results of calls, CL_SUCCESS or an error. */
#define CL_RESULTS(X)                                    \
    X(CL_SUCCESS, 0)                                     \
    X(CL_DEVICE_NOT_FOUND, -1)                           \
    X(CL_DEVICE_NOT_AVAILABLE, -2)                       \
    X(CL_COMPILER_NOT_AVAILABLE, -3)                     \
    X(CL_MEM_OBJECT_ALLOCATION_FAILURE, -4)              \
    X(CL_OUT_OF_RESOURCES, -5)                           \
    X(CL_OUT_OF_HOST_MEMORY, -6)                         \
    X(CL_PROFILING_INFO_NOT_AVAILABLE, -7)               \
    X(CL_MEM_COPY_OVERLAP, -8)                           \
    X(CL_BUILD_PROGRAM_FAILURE, -11)                     \
    X(CL_MAP_FAILURE, -12)                               \
    X(CL_MISALIGNED_SUB_BUFFER_OFFSET, -13)              \
    X(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, -14) \
    X(CL_COMPILE_PROGRAM_FAILURE, -15)                   \
    X(CL_LINKER_NOT_AVAILABLE, -16)                      \
    X(CL_LINK_PROGRAM_FAILURE, -17)                      \
    X(CL_INVALID_VALUE, -30)                             \
    X(CL_INVALID_DEVICE_TYPE, -31)                       \
    X(CL_INVALID_PLATFORM, -32)                          \
    X(CL_INVALID_DEVICE, -33)                            \
    X(CL_INVALID_CONTEXT, -34)                           \
    X(CL_INVALID_QUEUE_PROPERTIES, -35)                  \
    X(CL_INVALID_COMMAND_QUEUE, -36)                     \
    X(CL_INVALID_HOST_PTR, -37)                          \
    X(CL_INVALID_MEM_OBJECT, -38)                        \
    X(CL_INVALID_BINARY, -42)                            \
    X(CL_INVALID_BUILD_OPTIONS, -43)                     \
    X(CL_INVALID_PROGRAM, -44)                           \
    X(CL_INVALID_PROGRAM_EXECUTABLE, -45)                \
    X(CL_INVALID_KERNEL_NAME, -46)                       \
    X(CL_INVALID_KERNEL_DEFINITION, -47)                 \
    X(CL_INVALID_KERNEL, -48)                            \
    X(CL_INVALID_ARG_INDEX, -49)                         \
    X(CL_INVALID_ARG_VALUE, -50)                         \
    X(CL_INVALID_ARG_SIZE, -51)                          \
    X(CL_INVALID_KERNEL_ARGS, -52)                       \
    X(CL_INVALID_WORK_DIMENSION, -53)                    \
    X(CL_INVALID_WORK_GROUP_SIZE, -54)                   \
    X(CL_INVALID_WORK_ITEM_SIZE, -55)                    \
    X(CL_INVALID_GLOBAL_OFFSET, -56)                     \
    X(CL_INVALID_EVENT_WAIT_LIST, -57)                   \
    X(CL_INVALID_EVENT, -58)                             \
    X(CL_INVALID_OPERATION, -59)                         \
    X(CL_INVALID_BUFFER_SIZE, -61)                       \
    X(CL_INVALID_GLOBAL_WORK_SIZE, -63)                  \
    X(CL_INVALID_PROPERTY, -64)                          \
    X(CL_PLATFORM_NOT_FOUND_KHR, -1001)

/* X(name, value): all other constants, named as in CL/cl.h. */
#define CL_CONSTANTS(X)                        \
    X(CL_FALSE, 0)                             \
    X(CL_TRUE, 1)                              \
    X(CL_DEVICE_TYPE_CPU, 1 << 1)              \
    X(CL_DEVICE_TYPE_GPU, 1 << 2)              \
    X(CL_DEVICE_TYPE_ACCELERATOR, 1 << 3)      \
    X(CL_PLATFORM_NAME, 0x0902)                \
    X(CL_DEVICE_TYPE, 0x1000)                  \
    X(CL_DEVICE_MAX_COMPUTE_UNITS, 0x1002)     \
    X(CL_DEVICE_MAX_WORK_GROUP_SIZE, 0x1004)   \
    X(CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, 0x101e) \
    X(CL_DEVICE_GLOBAL_MEM_SIZE, 0x101f)       \
    X(CL_DEVICE_LOCAL_MEM_SIZE, 0x1023)        \
    X(CL_DEVICE_ENDIAN_LITTLE, 0x1026)         \
    X(CL_DEVICE_NAME, 0x102b)                  \
    X(CL_DEVICE_PROFILE, 0x102e)               \
    X(CL_DEVICE_EXTENSIONS, 0x1030)            \
    X(CL_DEVICE_DOUBLE_FP_CONFIG, 0x1032)      \
    X(CL_DEVICE_HOST_UNIFIED_MEMORY, 0x1035)   \
    X(CL_MEM_READ_WRITE, 1 << 0)               \
    X(CL_MEM_READ_ONLY, 1 << 2)                \
    X(CL_MEM_USE_HOST_PTR, 1 << 3)             \
    X(CL_MEM_ALLOC_HOST_PTR, 1 << 4)           \
    X(CL_MEM_COPY_HOST_PTR, 1 << 5)            \
    X(CL_MAP_READ, 1 << 0)                     \
    X(CL_MAP_WRITE, 1 << 1)                    \
    X(CL_PROGRAM_BUILD_LOG, 0x1183)            \
    X(CL_KERNEL_WORK_GROUP_SIZE, 0x11b0)

#define CL_API_CONSTANT(name, value) name = (value),
enum {
    CL_RESULTS(CL_API_CONSTANT) CL_CONSTANTS(CL_API_CONSTANT)
};
#undef CL_API_CONSTANT

/* X(return type, exported symbol, parameters) */
#define CL_API(X)                                                              \
    X(cl_int, clGetPlatformIDs,                                                \
      (cl_uint entries, cl_platform_id * platforms, cl_uint * count))          \
    X(cl_int, clGetPlatformInfo,                                               \
      (cl_platform_id platform, cl_platform_info name, size_t size,            \
       void *value, size_t *size_needed))                                      \
    X(cl_int, clGetDeviceIDs,                                                  \
      (cl_platform_id platform, cl_device_type type, cl_uint entries,          \
       cl_device_id * devices, cl_uint * count))                               \
    X(cl_int, clGetDeviceInfo,                                                 \
      (cl_device_id device, cl_device_info name, size_t size, void *value,     \
       size_t *size_needed))                                                   \
    X(cl_context, clCreateContext,                                             \
      (const cl_context_properties *properties, cl_uint count,                 \
       const cl_device_id *devices,                                            \
       void (*notify)(const char *, const void *, size_t, void *), void *data, \
       cl_int *result))                                                        \
    X(cl_int, clReleaseContext, (cl_context context))                          \
    X(cl_command_queue, clCreateCommandQueue,                                  \
      (cl_context context, cl_device_id device,                                \
       cl_command_queue_properties properties, cl_int * result))               \
    X(cl_int, clReleaseCommandQueue, (cl_command_queue queue))                 \
    X(cl_mem, clCreateBuffer,                                                  \
      (cl_context context, cl_mem_flags flags, size_t size, void *host,        \
       cl_int *result))                                                        \
    X(cl_int, clReleaseMemObject, (cl_mem memory))                             \
    X(cl_program, clCreateProgramWithSource,                                   \
      (cl_context context, cl_uint count, const char **strings,                \
       const size_t *lengths, cl_int *result))                                 \
    X(cl_int, clBuildProgram,                                                  \
      (cl_program program, cl_uint count, const cl_device_id *devices,         \
       const char *options, void (*notify)(cl_program, void *), void *data))   \
    X(cl_int, clGetProgramBuildInfo,                                           \
      (cl_program program, cl_device_id device, cl_program_build_info name,    \
       size_t size, void *value, size_t *size_needed))                         \
    X(cl_int, clReleaseProgram, (cl_program program))                          \
    X(cl_kernel, clCreateKernel,                                               \
      (cl_program program, const char *name, cl_int *result))                  \
    X(cl_int, clReleaseKernel, (cl_kernel kernel))                             \
    X(cl_int, clSetKernelArg,                                                  \
      (cl_kernel kernel, cl_uint index, size_t size, const void *value))       \
    X(cl_int, clGetKernelWorkGroupInfo,                                        \
      (cl_kernel kernel, cl_device_id device, cl_kernel_work_group_info name,  \
       size_t size, void *value, size_t *size_needed))                         \
    X(cl_int, clEnqueueWriteBuffer,                                            \
      (cl_command_queue queue, cl_mem memory, cl_bool is_blocking,             \
       size_t offset, size_t size, const void *from, cl_uint wait_count,       \
       const cl_event *wait, cl_event *event))                                 \
    X(cl_int, clEnqueueReadBuffer,                                             \
      (cl_command_queue queue, cl_mem memory, cl_bool is_blocking,             \
       size_t offset, size_t size, void *to, cl_uint wait_count,               \
       const cl_event *wait, cl_event *event))                                 \
    X(cl_int, clEnqueueFillBuffer,                                             \
      (cl_command_queue queue, cl_mem memory, const void *pattern,             \
       size_t pattern_size, size_t offset, size_t size, cl_uint wait_count,    \
       const cl_event *wait, cl_event *event))                                 \
    X(void *, clEnqueueMapBuffer,                                              \
      (cl_command_queue queue, cl_mem memory, cl_bool is_blocking,             \
       cl_map_flags flags, size_t offset, size_t size, cl_uint wait_count,     \
       const cl_event *wait, cl_event *event, cl_int *result))                 \
    X(cl_int, clEnqueueUnmapMemObject,                                         \
      (cl_command_queue queue, cl_mem memory, void *address,                   \
       cl_uint wait_count, const cl_event *wait, cl_event *event))             \
    X(cl_int, clEnqueueNDRangeKernel,                                          \
      (cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,           \
       const size_t *offset, const size_t *global_size,                        \
       const size_t *local_size, cl_uint wait_count, const cl_event *wait,     \
       cl_event *event))                                                       \
    X(cl_int, clWaitForEvents, (cl_uint count, const cl_event *events))        \
    X(cl_int, clReleaseEvent, (cl_event event))                                \
    X(cl_int, clFlush, (cl_command_queue queue))                               \
    X(cl_int, clFinish, (cl_command_queue queue))

struct cl_api {
#define CL_API_MEMBER(type, symbol, parameters) type(*symbol) parameters;
    CL_API(CL_API_MEMBER)
#undef CL_API_MEMBER
};

/* Load all functions; see api_load().  Returns NULL or why not. */
const char *cl_load(struct cl_api *cl);

/* Write the name of RESULT, such as "CL_OUT_OF_RESOURCES", or its number. */
void cl_describe(cl_int result, char *text, size_t size);

/* ---- calls, with the name of the current call ---- */

/* The common part of all calls of an engine. */
struct cl_caller {
    struct cl_api api;
    const char *_Atomic *call; /* the name of the function being called */
    const char *name;          /* "opencl:0": the start of each message */
    cl_int result;             /* result of the last CL_MAKE() */
};

/*
 * Returns 0, or -1 with *ERROR set if RESULT, of the last call, is a failure.
 */
int cl_call_check(const struct cl_caller *caller, cl_int result,
                  struct error *error);

/* Record NAME as the current call; the value is the function NAME. */
#define CL_START(caller, name) \
    (atomic_store((caller)->call, #name), (caller)->api.name)

/*
 * Call the function NAME, which returns its result.  0, or -1 with *ERROR set.
 */
#define CL_CALL(caller, error, name, ...) \
    cl_call_check(caller, CL_START(caller, name)(__VA_ARGS__), error)

/*
 * Call the function NAME, which returns the new value of *TO and takes one more
 * parameter, for its result.  0, or -1 with *ERROR set.
 */
#define CL_MAKE(caller, error, to, name, ...)                        \
    (*(to) = CL_START(caller, name)(__VA_ARGS__, &(caller)->result), \
     cl_call_check(caller, (caller)->result, error))

/* kernels/kernels.cl with the headers it needs (kernel_source.S); "" in a build
   without OpenCL. */
extern const char kernel_source[];

#endif
