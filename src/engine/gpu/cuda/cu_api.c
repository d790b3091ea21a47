/* SPDX-License-Identifier: MIT */
/* cu_api.c -- the CUDA driver, loaded on demand */

#include <stdio.h>

#include "base/api_load.h"
#include "engine/gpu/cuda/cu_api.h"

static const struct api_symbol cu_symbols[] = {
#define CU_API_ENTRY(symbol, parameters) \
    {#symbol, offsetof(struct cu_api, symbol)},
    CU_API(CU_API_ENTRY)
#undef CU_API_ENTRY
};

const char *
cu_load(struct cu_api *cu)
{
    static const struct api_library library = {
        .name = CU_LIBRARY,
        .is_driver = true,
        .missing = "no CUDA driver (" CU_LIBRARY ")",
        .old = "the CUDA driver is too old",
        .symbols = cu_symbols,
        .count = sizeof cu_symbols / sizeof *cu_symbols,
    };

    return api_load(&library, cu);
}

void
cu_describe(const struct cu_api *cu, CUresult result, char *text, size_t size)
{
    const char *name = NULL;
    const char *meaning = NULL;

    if (cu->cuGetErrorName(result, &name) != CUDA_SUCCESS || name == NULL)
        snprintf(text, size, "CUDA error %d", result);
    else if (cu->cuGetErrorString(result, &meaning) != CUDA_SUCCESS ||
             meaning == NULL)
        snprintf(text, size, "%s", name);
    else
        snprintf(text, size, "%s (%s)", name, meaning);
}
