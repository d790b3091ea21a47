/* cl_call.h -- calls of OpenCL that are known by name while they last */

#ifndef GPUHIST_CL_CALL_H
#define GPUHIST_CL_CALL_H

#include <stdatomic.h>

#include "engine/gpu/cl_api.h"
#include "util/error.h"

/* Who calls OpenCL. */
struct cl_caller {
    struct cl_api api;
    const char *_Atomic *call; /* where the function's name is put */
    const char *name;          /* "opencl:0": messages begin with it */
    cl_int result;             /* of the last CL_MAKE() */
};

/* Returns 0, or -1 with *ERROR set: the last call returned RESULT. */
int cl_call_check(const struct cl_caller *caller, cl_int result,
                  struct error *error);

/* The function NAME, to be called at once. */
#define CL_BEGIN(caller, name) \
    (atomic_store((caller)->call, #name), (caller)->api.name)

/* Call the function NAME, which returns its result.  0, or -1 with *ERROR. */
#define CL_CALL(caller, error, name, ...) \
    cl_call_check(caller, CL_BEGIN(caller, name)(__VA_ARGS__), error)

/*
 * Call the function NAME, which returns what *TO becomes, and has one parameter
 * more, for its result.  Likewise.
 */
#define CL_MAKE(caller, error, to, name, ...)                        \
    (*(to) = CL_BEGIN(caller, name)(__VA_ARGS__, &(caller)->result), \
     cl_call_check(caller, (caller)->result, error))

#endif
