/* SPDX-License-Identifier: MIT */
/*
 * cuda_faults.c -- the real CUDA driver, with faults, for tests on a GPU
 *
 * It is built as libcuda.so.1 and found before the real one, by
 * LD_LIBRARY_PATH.  It forwards every call to the real driver, unless it is to
 * go wrong: see fault.h, and FAKE_CU_LEDGER=FILE for the number of calls, as
 * in fake_cuda.c.  "lost" is "sticky" here: what this library makes up has no
 * effect on the device; but "trap" is genuine, the kernel writes where there
 * is no memory and the device says so.
 *
 * FAKE_CU_REAL is the absolute path of the real driver: by its name alone the
 * dynamic loader would find this library again.
 */

#include <dlfcn.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/gpu/cuda/cu_api.h"
#include "fault.h"
#include "kernels/binning/counting.h"

/* A definition below that does not match its declaration is an error. */
#define DECLARE(symbol, parameters) CUresult symbol parameters;
CU_API(DECLARE)
#undef DECLARE

static struct cu_api real;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of fault.c */
static CUresult sticky; /* what every call returns; under the lock */

static void
find_real(void)
{
    const char *path = getenv("FAKE_CU_REAL");
    void *library = path != NULL && *path == '/'
                        ? dlopen(path, RTLD_NOW | RTLD_LOCAL)
                        : NULL;

    if (library == NULL)
        fault_bad_config("FAKE_CU_REAL", path != NULL ? path : "");
#define FIND(symbol, parameters)                        \
    {                                                   \
        void *address = dlsym(library, #symbol);        \
        if (address == NULL)                            \
            fault_bad_config("FAKE_CU_REAL", #symbol);  \
        memcpy(&real.symbol, &address, sizeof address); \
    }
    CU_API(FIND)
#undef FIND
    fault_configure();
}

/*
 * CALL starts.  Whether it must not be made: then it returns *RESULT.
 * *IS_TRAP: it is a launch that is to fail on the device.
 */
static bool
goes_wrong(enum call call, CUresult *result, bool *is_trap)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    bool is_free = call == CALL_cuGetErrorName || call == CALL_cuGetErrorString;
    CUresult code;

    pthread_once(&once, find_real);
    pthread_mutex_lock(&lock);
    enum fault_mode mode = fault_enter(call, &code);
    if (mode == FAULT_STICKY || mode == FAULT_LOST)
        sticky = code;
    *result = sticky != CUDA_SUCCESS && !is_free ? sticky : code;
    pthread_mutex_unlock(&lock);

    *is_trap = mode == FAULT_TRAP;
    fault_end(mode);
    if (mode == FAULT_HANG)
        fault_hang();
    if (mode == FAULT_LATE) {
        fault_be_late();
        pthread_mutex_lock(&lock);
        fault_tell_woken(call);
        pthread_mutex_unlock(&lock);
    }
    if (mode == FAULT_LATE || mode == FAULT_TRAP)
        *result = CUDA_SUCCESS;
    return *result != CUDA_SUCCESS;
}

#define FORWARD(symbol, parameters, arguments)              \
    CUresult symbol parameters                              \
    {                                                       \
        CUresult result;                                    \
        bool is_trap;                                       \
                                                            \
        return goes_wrong(CALL_##symbol, &result, &is_trap) \
                   ? result                                 \
                   : real.symbol arguments;                 \
    }

FORWARD(cuInit, (unsigned int flags), (flags))
FORWARD(cuGetErrorName, (CUresult error, const char **text), (error, text))
FORWARD(cuGetErrorString, (CUresult error, const char **text), (error, text))
FORWARD(cuDeviceGetCount, (int *count), (count))
FORWARD(cuDeviceGet, (CUdevice * device, int ordinal), (device, ordinal))
FORWARD(cuDeviceGetName, (char *name, int size, CUdevice device),
        (name, size, device))
FORWARD(cuDeviceTotalMem_v2, (size_t * bytes, CUdevice device), (bytes, device))
FORWARD(cuDeviceGetAttribute,
        (int *value, CUdevice_attribute attribute, CUdevice device),
        (value, attribute, device))
FORWARD(cuDevicePrimaryCtxRetain, (CUcontext * context, CUdevice device),
        (context, device))
FORWARD(cuDevicePrimaryCtxRelease_v2, (CUdevice device), (device))
FORWARD(cuCtxSetCurrent, (CUcontext context), (context))
FORWARD(cuModuleLoadData, (CUmodule * module, const void *image),
        (module, image))
FORWARD(cuModuleUnload, (CUmodule module), (module))
FORWARD(cuModuleGetFunction,
        (CUfunction * function, CUmodule module, const char *name),
        (function, module, name))
FORWARD(cuFuncSetAttribute,
        (CUfunction function, CUfunction_attribute attribute, int value),
        (function, attribute, value))
FORWARD(cuOccupancyMaxActiveBlocksPerMultiprocessor,
        (int *blocks, CUfunction function, int block_threads,
         size_t dynamic_shared_bytes),
        (blocks, function, block_threads, dynamic_shared_bytes))
FORWARD(cuMemAlloc_v2, (CUdeviceptr * memory, size_t bytes), (memory, bytes))
FORWARD(cuMemFree_v2, (CUdeviceptr memory), (memory))
FORWARD(cuMemHostAlloc, (void **memory, size_t bytes, unsigned int flags),
        (memory, bytes, flags))
FORWARD(cuMemFreeHost, (void *memory), (memory))
FORWARD(cuMemHostRegister_v2, (void *memory, size_t bytes, unsigned int flags),
        (memory, bytes, flags))
FORWARD(cuMemHostUnregister, (void *memory), (memory))
FORWARD(cuMemsetD8Async,
        (CUdeviceptr to, unsigned char value, size_t bytes, CUstream stream),
        (to, value, bytes, stream))
FORWARD(cuMemcpyHtoDAsync_v2,
        (CUdeviceptr to, const void *from, size_t bytes, CUstream stream),
        (to, from, bytes, stream))
FORWARD(cuMemcpyDtoHAsync_v2,
        (void *to, CUdeviceptr from, size_t bytes, CUstream stream),
        (to, from, bytes, stream))
FORWARD(cuMemcpyDtoDAsync_v2,
        (CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream),
        (to, from, bytes, stream))
FORWARD(cuStreamCreate, (CUstream * stream, unsigned int flags),
        (stream, flags))
FORWARD(cuStreamDestroy_v2, (CUstream stream), (stream))
FORWARD(cuStreamSynchronize, (CUstream stream), (stream))
FORWARD(cuStreamWaitEvent, (CUstream stream, CUevent event, unsigned int flags),
        (stream, event, flags))
FORWARD(cuEventCreate, (CUevent * event, unsigned int flags), (event, flags))
FORWARD(cuEventDestroy_v2, (CUevent event), (event))
FORWARD(cuEventRecord, (CUevent event, CUstream stream), (event, stream))
FORWARD(cuEventSynchronize, (CUevent event), (event))

CUresult
cuLaunchKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y,
               unsigned int grid_z, unsigned int block_x, unsigned int block_y,
               unsigned int block_z, unsigned int shared_bytes, CUstream stream,
               void **parameters, void **extra)
{
    struct counting task;
    void *wrong[] = {&task, parameters[1]};
    CUresult result;
    bool is_trap;

    if (goes_wrong(CALL_cuLaunchKernel, &result, &is_trap))
        return result;
    memcpy(&task, parameters[0], sizeof task);
    task.histogram = 0;
    return real.cuLaunchKernel(function, grid_x, grid_y, grid_z, block_x,
                               block_y, block_z, shared_bytes, stream,
                               is_trap ? wrong : parameters, extra);
}

/* Not called after _exit(). */
static void __attribute__((destructor)) write_ledger(void)
{
    const char *path = getenv("FAKE_CU_LEDGER");
    FILE *file = path != NULL ? fopen(path, "a") : NULL;

    if (file == NULL)
        return;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < CALLS; i++)
        fprintf(file, "calls %s %" PRIu64 "\n", fault_call_name((enum call)i),
                fault_calls((enum call)i));
    pthread_mutex_unlock(&lock);
    fclose(file);
}
