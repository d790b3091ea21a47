/* cu_api.c -- the CUDA driver, loaded when it is needed */

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "engine/gpu/cu_api.h"

static const struct {
    const char *name;
    size_t offset;
} cu_symbols[] = {
#define CU_API_ENTRY(symbol, parameters) \
    {#symbol, offsetof(struct cu_api, symbol)},
    CU_API(CU_API_ENTRY)
#undef CU_API_ENTRY
};

const char *
cu_load(struct cu_api *cu)
{
    /* Not libcuda.so: that may be the toolkit's stub for linking. */
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL)
        return "no CUDA driver (libcuda.so.1)";

    for (size_t i = 0; i < sizeof cu_symbols / sizeof *cu_symbols; i++) {
        void *symbol = dlsym(library, cu_symbols[i].name);
        if (symbol == NULL)
            return "the CUDA driver is too old";
        /* ISO C has no cast from an object pointer to a function pointer. */
        memcpy((char *)cu + cu_symbols[i].offset, &symbol, sizeof symbol);
    }
    return NULL;
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
