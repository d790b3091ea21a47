/* SPDX-License-Identifier: MIT */
/*
 * fake_opencl.c -- a libOpenCL.so.1 between the program and the real one
 *
 * It hands every call on, and lets some of them fail.  The environment says
 * what it does:
 *
 *     FAKE_CL_REAL=PATH      the real library
 *     FAKE_CL_FAIL=SYMBOL:N:CODE[:HOW]
 *                            the Nth call of SYMBOL returns CODE and does
 *                            nothing; HOW:
 *                            persist  so do all later ones
 *                            hang     it never returns
 *                            abort    it calls abort(), in a thread of its own
 *                            exit     it calls exit(0)
 *                            late     it hangs for FAKE_CL_LATE_MS, and then
 *                                     goes on as if nothing had happened
 *     FAKE_CL_LATE_MS=N      (500)
 *     FAKE_CL_FIRED=FILE     where it says so: "fired SYMBOL N CODE"
 *     FAKE_CL_GATE=SYMBOL:N:FIFO
 *                            a line is written there when the Nth call of
 *                            SYMBOL returns, or once a call goes wrong
 *     FAKE_CL_LEDGER=FILE    what it says when the process ends normally:
 *                            "calls SYMBOL N"; "outstanding N" of objects
 *                            that were not released or unmapped; "written N
 *                            M" and "read N M" of bytes that were copied, not
 *                            blocking: N from or to memory that was mapped
 *                            then, and M from or to other memory
 *     FAKE_CL_PROFILE=1      the ledger has "kernels NANOSECONDS", too: how long
 *                            the device has counted, without any copies
 *     FAKE_CL_IS=WORD,...    what devices say of themselves: gpu, discrete
 *                            (not sharing the host's memory), nodoubles,
 *                            noatomics64, embedded; modest: groups of a kernel
 *                            can have SMALL_ITEMS; small: and that is true;
 *                            uncached: without a cache; twice: each platform
 *                            is there again
 *     FAKE_CL_LOSE=N         the histogram's Nth copy to the host has a count
 *                            less than it should have
 */

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "engine/gpu/opencl/cl_api.h"

#define EXPORT __attribute__((visibility("default")))

enum call {
#define CALL_NAME(type, symbol, parameters) CALL_##symbol,
    CL_API(CALL_NAME) CALLS
};

static const char *const names[] = {
#define CALL_TEXT(type, symbol, parameters) #symbol,
    CL_API(CALL_TEXT)};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct cl_api real; /* set by load(), before anything is called */
static int calls[CALLS];   /* under LOCK, as all below */
static int outstanding;    /* objects, and what is mapped */
static struct range {
    const char *start;
    size_t size;
} mapped[8192]; /* a size of 0: free */
static struct copied {
    unsigned long long mapped_bytes;
    unsigned long long pageable_bytes;
} written, read_back;
static bool gate_is_open;
static bool is_profiled;
static unsigned long long kernel_nanoseconds;

/* Work-items of a group, for a device that is modest or small. */
#define SMALL_ITEMS 100

/* Of CL/cl.h, for FAKE_CL_PROFILE. */
#define CL_QUEUE_PROFILING_ENABLE (1 << 1)
#define CL_PROFILING_COMMAND_START 0x1282
#define CL_PROFILING_COMMAND_END 0x1283
#define CL_EVENT_COMMAND_TYPE 0x11d1
#define CL_COMMAND_NDRANGE_KERNEL 0x11f0
typedef cl_int get_event_info(cl_event event, cl_uint name, size_t size,
                              void *value, size_t *size_needed);
static get_event_info *get_event; /* clGetEventInfo() */
static get_event_info *get_times; /* clGetEventProfilingInfo() */

static void
die(const char *what)
{
    fprintf(stderr, "fake OpenCL: %s\n", what);
    _exit(99);
}

__attribute__((constructor)) static void
load(void)
{
    static const size_t offsets[] = {
#define CALL_OFFSET(type, symbol, parameters) offsetof(struct cl_api, symbol),
        CL_API(CALL_OFFSET)};
    const char *path = getenv("FAKE_CL_REAL");
    void *library = path != NULL ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;

    if (library == NULL)
        die("no FAKE_CL_REAL");
    for (int i = 0; i < CALLS; i++) {
        void *symbol = dlsym(library, names[i]);
        if (symbol == NULL)
            die(names[i]);
        memcpy((char *)&real + offsets[i], &symbol, sizeof symbol);
    }
    is_profiled = getenv("FAKE_CL_PROFILE") != NULL;
    void *symbol = dlsym(library, "clGetEventInfo");
    memcpy(&get_event, &symbol, sizeof symbol);
    symbol = dlsym(library, "clGetEventProfilingInfo");
    memcpy(&get_times, &symbol, sizeof symbol);
}

__attribute__((destructor)) static void
write_ledger(void)
{
    const char *path = getenv("FAKE_CL_LEDGER");
    FILE *file = path != NULL ? fopen(path, "w") : NULL;

    if (file == NULL)
        return;
    for (int i = 0; i < CALLS; i++)
        fprintf(file, "calls %s %d\n", names[i], calls[i]);
    fprintf(file, "outstanding %d\n", outstanding);
    fprintf(file, "written %llu %llu\n", written.mapped_bytes,
            written.pageable_bytes);
    fprintf(file, "read %llu %llu\n", read_back.mapped_bytes,
            read_back.pageable_bytes);
    if (is_profiled)
        fprintf(file, "kernels %llu\n", kernel_nanoseconds);
    fclose(file);
}

/* The text after "SYMBOL:" in VARIABLE, where that is about CALL; or NULL. */
static const char *
about(const char *variable, enum call call)
{
    const char *text = getenv(variable);
    size_t length = strlen(names[call]);

    if (text == NULL || strncmp(text, names[call], length) != 0 ||
        text[length] != ':')
        return NULL;
    return text + length + 1;
}

static void
open_gate(void)
{
    const char *text = getenv("FAKE_CL_GATE");
    const char *path = text != NULL ? strrchr(text, ':') : NULL;

    if (path == NULL || gate_is_open)
        return;
    gate_is_open = true;
    /* It stays open, because the reader may open it later. */
    int fd = open(path + 1, O_RDWR | O_CLOEXEC);
    if (fd < 0 || write(fd, "open\n", 5) != 5)
        die(path + 1);
}

/* Hang as HOW says; then the call continues. */
static void
hang(const char *how)
{
    const char *text = getenv("FAKE_CL_LATE_MS");
    long ms = text != NULL ? strtol(text, NULL, 10) : 500;
    struct timespec time = {ms / 1000, ms % 1000 * 1000000};

    while (strcmp(how, "hang") == 0)
        pause();
    nanosleep(&time, NULL);
}

static void *
abort_run(void *argument)
{
    abort();
    return argument;
}

/* As PoCL does: in another thread than the caller's. */
static void
abort_elsewhere(void)
{
    pthread_t thread;

    if (pthread_create(&thread, NULL, abort_run, NULL) != 0)
        die("no thread");
    pthread_join(thread, NULL);
}

/* Whether this call, which is counted, fails: its code, or CL_SUCCESS. */
static cl_int
enter(enum call call)
{
    const char *fault = about("FAKE_CL_FAIL", call);
    const char *fired = getenv("FAKE_CL_FIRED");
    const char *how = "";
    cl_int code = CL_SUCCESS;

    pthread_mutex_lock(&lock);
    int n = ++calls[call];
    if (fault != NULL) {
        char *end;
        long wanted = strtol(fault, &end, 10);
        cl_int wanted_code = (cl_int)strtol(end + 1, &end, 10);
        if (*end == ':')
            how = end + 1;
        if (n == wanted || (strcmp(how, "persist") == 0 && n > wanted))
            code = wanted_code;
        FILE *file = n == wanted && fired != NULL ? fopen(fired, "w") : NULL;
        if (file != NULL) {
            fprintf(file, "fired %s %d %d\n", names[call], n, (int)code);
            fclose(file);
        }
    }
    if (code != CL_SUCCESS)
        open_gate();
    pthread_mutex_unlock(&lock);
    if (code != CL_SUCCESS && strcmp(how, "abort") == 0)
        abort_elsewhere();
    if (code != CL_SUCCESS && strcmp(how, "exit") == 0)
        exit(0);
    if (code == CL_SUCCESS ||
        (strcmp(how, "hang") != 0 && strcmp(how, "late") != 0))
        return code;
    hang(how);
    return CL_SUCCESS;
}

/* A call has returned; it made OBJECTS objects, or released one: -1. */
static void
leave(enum call call, int objects)
{
    const char *gate = about("FAKE_CL_GATE", call);

    pthread_mutex_lock(&lock);
    outstanding += objects;
    if (gate != NULL && calls[call] >= strtol(gate, NULL, 10))
        open_gate();
    pthread_mutex_unlock(&lock);
}

/* Whether FAKE_CL_IS has WORD. */
static bool
is(const char *word)
{
    const char *words = getenv("FAKE_CL_IS");

    return words != NULL && strstr(words, word) != NULL;
}

/* The range of mapped memory that ADDRESS is in, or NULL; under the lock. */
static struct range *
find_mapped(const void *address)
{
    for (size_t i = 0; i < sizeof mapped / sizeof *mapped; i++) {
        uintptr_t start = (uintptr_t)mapped[i].start;
        if ((uintptr_t)address >= start &&
            (uintptr_t)address - start < mapped[i].size)
            return &mapped[i];
    }
    return NULL;
}

/* SIZE bytes at ADDRESS, which is returned, are COPIED, unless it is NULL. */
static const void *
account(struct copied *copied, const void *address, size_t size)
{
    pthread_mutex_lock(&lock);
    if (copied != NULL && find_mapped(address) != NULL)
        copied->mapped_bytes += size;
    else if (copied != NULL)
        copied->pageable_bytes += size;
    pthread_mutex_unlock(&lock);
    return address;
}

/* The SIZE bytes at ADDRESS are mapped. */
static void
note(const void *address, size_t size)
{
    pthread_mutex_lock(&lock);
    size_t i = 0;
    while (i < sizeof mapped / sizeof *mapped && mapped[i].size > 0)
        i++;
    if (i == sizeof mapped / sizeof *mapped)
        die("more is mapped than it has room for");
    mapped[i] = (struct range){address, size};
    pthread_mutex_unlock(&lock);
}

/* The memory at ADDRESS, which is returned, is unmapped. */
static void *
forget(void *address)
{
    pthread_mutex_lock(&lock);
    struct range *range = find_mapped(address);
    if (range == NULL)
        die("memory is unmapped that was not mapped");
    range->size = 0;
    pthread_mutex_unlock(&lock);
    return address;
}

/* A function that returns its result and makes no object. */
#define HAND_ON(symbol, parameters, arguments, objects)             \
    EXPORT cl_int symbol parameters;                                \
    EXPORT cl_int symbol parameters                                 \
    {                                                               \
        cl_int result = enter(CALL_##symbol);                       \
        if (result == CL_SUCCESS)                                   \
            result = real.symbol arguments;                         \
        leave(CALL_##symbol, result == CL_SUCCESS ? (objects) : 0); \
        return result;                                              \
    }

/* One that makes an object, and has its result as the last parameter. */
#define MAKE(type, symbol, parameters, arguments)            \
    EXPORT type symbol parameters;                           \
    EXPORT type symbol parameters                            \
    {                                                        \
        type object = NULL;                                  \
        *result = enter(CALL_##symbol);                      \
        if (*result == CL_SUCCESS)                           \
            object = real.symbol arguments;                  \
        leave(CALL_##symbol, *result == CL_SUCCESS ? 1 : 0); \
        return object;                                       \
    }

HAND_ON(clGetPlatformInfo,
        (cl_platform_id platform, cl_platform_info name, size_t size,
         void *value, size_t *size_needed),
        (platform, name, size, value, size_needed), 0)
HAND_ON(clGetDeviceIDs,
        (cl_platform_id platform, cl_device_type type, cl_uint entries,
         cl_device_id *devices, cl_uint *count),
        (platform, type, entries, devices, count), 0)
MAKE(cl_context, clCreateContext,
     (const cl_context_properties *properties, cl_uint count,
      const cl_device_id *devices,
      void (*notify)(const char *, const void *, size_t, void *), void *data,
      cl_int *result),
     (properties, count, devices, notify, data, result))
HAND_ON(clReleaseContext, (cl_context context), (context), -1)
MAKE(cl_command_queue, clCreateCommandQueue,
     (cl_context context, cl_device_id device,
      cl_command_queue_properties properties, cl_int *result),
     (context, device,
      is_profiled ? properties | CL_QUEUE_PROFILING_ENABLE : properties,
      result))
HAND_ON(clReleaseCommandQueue, (cl_command_queue queue), (queue), -1)
MAKE(cl_mem, clCreateBuffer,
     (cl_context context, cl_mem_flags flags, size_t size, void *host,
      cl_int *result),
     (context, flags, size, host, result))
HAND_ON(clReleaseMemObject, (cl_mem memory), (memory), -1)
MAKE(cl_program, clCreateProgramWithSource,
     (cl_context context, cl_uint count, const char **strings,
      const size_t *lengths, cl_int *result),
     (context, count, strings, lengths, result))
HAND_ON(clBuildProgram,
        (cl_program program, cl_uint count, const cl_device_id *devices,
         const char *options, void (*notify)(cl_program, void *), void *data),
        (program, count, devices, options, notify, data), 0)
HAND_ON(clGetProgramBuildInfo,
        (cl_program program, cl_device_id device, cl_program_build_info name,
         size_t size, void *value, size_t *size_needed),
        (program, device, name, size, value, size_needed), 0)
HAND_ON(clReleaseProgram, (cl_program program), (program), -1)
MAKE(cl_kernel, clCreateKernel,
     (cl_program program, const char *name, cl_int *result),
     (program, name, result))
HAND_ON(clReleaseKernel, (cl_kernel kernel), (kernel), -1)
HAND_ON(clSetKernelArg,
        (cl_kernel kernel, cl_uint index, size_t size, const void *value),
        (kernel, index, size, value), 0)
HAND_ON(clEnqueueWriteBuffer,
        (cl_command_queue queue, cl_mem memory, cl_bool is_blocking,
         size_t offset, size_t size, const void *from, cl_uint wait_count,
         const cl_event *wait, cl_event *event),
        (queue, memory, is_blocking, offset, size,
         account(is_blocking ? NULL : &written, from, size), wait_count, wait,
         event),
        event != NULL ? 1 : 0)
HAND_ON(clEnqueueUnmapMemObject,
        (cl_command_queue queue, cl_mem memory, void *address,
         cl_uint wait_count, const cl_event *wait, cl_event *event),
        (queue, memory, forget(address), wait_count, wait, event), -1)
HAND_ON(clEnqueueFillBuffer,
        (cl_command_queue queue, cl_mem memory, const void *pattern,
         size_t pattern_size, size_t offset, size_t size, cl_uint wait_count,
         const cl_event *wait, cl_event *event),
        (queue, memory, pattern, pattern_size, offset, size, wait_count, wait,
         event),
        event != NULL ? 1 : 0)
HAND_ON(clWaitForEvents, (cl_uint count, const cl_event *events),
        (count, events), 0)

/* Add up how long a kernel took, of which this is the EVENT; returns it. */
static cl_event
profile(cl_event event)
{
    cl_uint type = 0;
    cl_ulong start = 0;
    cl_ulong end = 0;

    if (!is_profiled ||
        get_event(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL) !=
            CL_SUCCESS ||
        type != CL_COMMAND_NDRANGE_KERNEL ||
        real.clWaitForEvents(1, &event) != CL_SUCCESS ||
        get_times(event, CL_PROFILING_COMMAND_START, sizeof start, &start,
                  NULL) != CL_SUCCESS ||
        get_times(event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL) !=
            CL_SUCCESS)
        return event;
    pthread_mutex_lock(&lock);
    kernel_nanoseconds += end - start;
    pthread_mutex_unlock(&lock);
    return event;
}

HAND_ON(clReleaseEvent, (cl_event event), (profile(event)), -1)
HAND_ON(clFlush, (cl_command_queue queue), (queue), 0)
HAND_ON(clFinish, (cl_command_queue queue), (queue), 0)

/* Map memory and record the range. */
EXPORT void *clEnqueueMapBuffer(cl_command_queue queue, cl_mem memory,
                                cl_bool is_blocking, cl_map_flags flags,
                                size_t offset, size_t size, cl_uint wait_count,
                                const cl_event *wait, cl_event *event,
                                cl_int *result);
EXPORT void *
clEnqueueMapBuffer(cl_command_queue queue, cl_mem memory, cl_bool is_blocking,
                   cl_map_flags flags, size_t offset, size_t size,
                   cl_uint wait_count, const cl_event *wait, cl_event *event,
                   cl_int *result)
{
    void *address = NULL;

    *result = enter(CALL_clEnqueueMapBuffer);
    if (*result == CL_SUCCESS)
        address =
            real.clEnqueueMapBuffer(queue, memory, is_blocking, flags, offset,
                                    size, wait_count, wait, event, result);
    if (*result == CL_SUCCESS)
        note(address, size);
    leave(CALL_clEnqueueMapBuffer, *result == CL_SUCCESS ? 1 : 0);
    return address;
}

/* Which platforms there are; with "twice" all of them, and all again. */
EXPORT cl_int clGetPlatformIDs(cl_uint entries, cl_platform_id *platforms,
                               cl_uint *count);
EXPORT cl_int
clGetPlatformIDs(cl_uint entries, cl_platform_id *platforms, cl_uint *count)
{
    cl_int result = enter(CALL_clGetPlatformIDs);

    if (result == CL_SUCCESS)
        result = real.clGetPlatformIDs(entries, platforms, count);
    leave(CALL_clGetPlatformIDs, 0);
    if (result == CL_SUCCESS && is("twice") && *count <= entries / 2) {
        memcpy(platforms + *count, platforms, *count * sizeof *platforms);
        *count *= 2;
    }
    return result;
}

/* Return TEXT instead of the device's own. */
static void
put_text(const char *text, size_t size, void *value, size_t *size_needed)
{
    if (size_needed != NULL)
        *size_needed = strlen(text) + 1;
    if (value != NULL)
        snprintf(value, size, "%s", text);
}

/* Replace properties of a device as FAKE_CL_IS says. */
EXPORT cl_int clGetDeviceInfo(cl_device_id device, cl_device_info name,
                              size_t size, void *value, size_t *size_needed);
EXPORT cl_int
clGetDeviceInfo(cl_device_id device, cl_device_info name, size_t size,
                void *value, size_t *size_needed)
{
    cl_int result = enter(CALL_clGetDeviceInfo);

    if (result == CL_SUCCESS)
        result = real.clGetDeviceInfo(device, name, size, value, size_needed);
    leave(CALL_clGetDeviceInfo, 0);
    if (result == CL_SUCCESS && name == CL_DEVICE_PROFILE && is("embedded"))
        put_text("EMBEDDED_PROFILE", size, value, size_needed);
    if (result != CL_SUCCESS || value == NULL)
        return result;
    if (name == CL_DEVICE_TYPE && is("gpu"))
        *(cl_device_type *)value = CL_DEVICE_TYPE_GPU;
    if (name == CL_DEVICE_HOST_UNIFIED_MEMORY && is("discrete"))
        *(cl_bool *)value = CL_FALSE;
    if (name == CL_DEVICE_GLOBAL_MEM_CACHE_SIZE && is("uncached"))
        *(cl_ulong *)value = 0;
    if (name == CL_DEVICE_DOUBLE_FP_CONFIG && is("nodoubles"))
        *(cl_device_fp_config *)value = 0;
    if (name == CL_DEVICE_EXTENSIONS && is("noatomics64"))
        memset(value, ' ', size - 1);
    return result;
}

/* The same for properties of a kernel. */
EXPORT cl_int clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id device,
                                       cl_kernel_work_group_info name,
                                       size_t size, void *value,
                                       size_t *size_needed);
EXPORT cl_int
clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id device,
                         cl_kernel_work_group_info name, size_t size,
                         void *value, size_t *size_needed)
{
    cl_int result = enter(CALL_clGetKernelWorkGroupInfo);

    if (result == CL_SUCCESS)
        result = real.clGetKernelWorkGroupInfo(kernel, device, name, size,
                                               value, size_needed);
    leave(CALL_clGetKernelWorkGroupInfo, 0);
    if (result == CL_SUCCESS && name == CL_KERNEL_WORK_GROUP_SIZE &&
        (is("modest") || is("small")))
        *(size_t *)value = SMALL_ITEMS;
    return result;
}

EXPORT cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel,
                                     cl_uint dimensions, const size_t *offset,
                                     const size_t *global_size,
                                     const size_t *local_size,
                                     cl_uint wait_count, const cl_event *wait,
                                     cl_event *event);
EXPORT cl_int
clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel,
                       cl_uint dimensions, const size_t *offset,
                       const size_t *global_size, const size_t *local_size,
                       cl_uint wait_count, const cl_event *wait,
                       cl_event *event)
{
    cl_int result = enter(CALL_clEnqueueNDRangeKernel);

    if (result == CL_SUCCESS && is("small") && *local_size > SMALL_ITEMS)
        result = CL_INVALID_WORK_GROUP_SIZE;
    if (result == CL_SUCCESS)
        result = real.clEnqueueNDRangeKernel(queue, kernel, dimensions, offset,
                                             global_size, local_size,
                                             wait_count, wait, event);
    leave(CALL_clEnqueueNDRangeKernel,
          result == CL_SUCCESS && event != NULL ? 1 : 0);
    return result;
}

/* A copy of the histogram that is not blocking is a checkpoint. */
EXPORT cl_int clEnqueueReadBuffer(cl_command_queue queue, cl_mem memory,
                                  cl_bool is_blocking, size_t offset,
                                  size_t size, void *to, cl_uint wait_count,
                                  const cl_event *wait, cl_event *event);
EXPORT cl_int
clEnqueueReadBuffer(cl_command_queue queue, cl_mem memory, cl_bool is_blocking,
                    size_t offset, size_t size, void *to, cl_uint wait_count,
                    const cl_event *wait, cl_event *event)
{
    const char *lost = getenv("FAKE_CL_LOSE");
    cl_int result = enter(CALL_clEnqueueReadBuffer);

    if (result == CL_SUCCESS)
        result = real.clEnqueueReadBuffer(queue, memory, is_blocking, offset,
                                          size, to, wait_count, wait, event);
    if (result == CL_SUCCESS)
        account(is_blocking ? NULL : &read_back, to, size);
    if (result == CL_SUCCESS && lost != NULL &&
        atoi(lost) == calls[CALL_clEnqueueReadBuffer] &&
        real.clFinish(queue) == CL_SUCCESS) {
        uint64_t *cell = to;
        while (*cell == 0)
            cell++;
        --*cell;
    }
    leave(CALL_clEnqueueReadBuffer,
          result == CL_SUCCESS && event != NULL ? 1 : 0);
    return result;
}
