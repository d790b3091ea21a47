/* SPDX-License-Identifier: MIT */
/* cl_api.c -- OpenCL 1.2, loaded on demand */

#include <stdio.h>

#include "base/api_load.h"
#include "engine/gpu/opencl/cl_api.h"

static const struct api_symbol cl_symbols[] = {
#define CL_API_ENTRY(type, symbol, parameters) \
    {#symbol, offsetof(struct cl_api, symbol)},
    CL_API(CL_API_ENTRY)
#undef CL_API_ENTRY
};

static const struct {
    const char *name;
    cl_int value;
} cl_results[] = {
#define CL_API_RESULT(name, value) {#name, value},
    CL_RESULTS(CL_API_RESULT)
#undef CL_API_RESULT
};

const char *
cl_load(struct cl_api *cl)
{
    static const struct api_library library = {
        .name = CL_LIBRARY,
        .is_driver = true,
        .missing = "no OpenCL library (" CL_LIBRARY ")",
        .old = "the OpenCL library is older than OpenCL 1.2",
        .symbols = cl_symbols,
        .count = sizeof cl_symbols / sizeof *cl_symbols,
    };

    return api_load(&library, cl);
}

void
cl_describe(cl_int result, char *text, size_t size)
{
    for (size_t i = 0; i < sizeof cl_results / sizeof *cl_results; i++) {
        if (cl_results[i].value == result) {
            snprintf(text, size, "%s", cl_results[i].name);
            return;
        }
    }
    snprintf(text, size, "OpenCL error %d", (int)result);
}

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
