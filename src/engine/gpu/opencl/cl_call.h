/* cl_call.h -- OpenCL calls whose name is known while they run */

#ifndef GPUHIST_CL_CALL_H
#define GPUHIST_CL_CALL_H

#include <stdatomic.h>

#include "base/error.h"
#include "engine/gpu/opencl/cl_api.h"

/* What the calls of an engine share. */
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
#define CL_BEGIN(caller, name) \
    (atomic_store((caller)->call, #name), (caller)->api.name)

/*
 * Call the function NAME, which returns its result.  0, or -1 with *ERROR set.
 */
#define CL_CALL(caller, error, name, ...) \
    cl_call_check(caller, CL_BEGIN(caller, name)(__VA_ARGS__), error)

/*
 * Call the function NAME, which returns the new value of *TO and takes one more
 * parameter, for its result.  0, or -1 with *ERROR set.
 */
#define CL_MAKE(caller, error, to, name, ...)                        \
    (*(to) = CL_BEGIN(caller, name)(__VA_ARGS__, &(caller)->result), \
     cl_call_check(caller, (caller)->result, error))

#endif
