/* SPDX-License-Identifier: MIT */
/* api_load.c -- load a library's functions into a struct of pointers */

#include <dlfcn.h>
#include <stdatomic.h>
#include <string.h>

#include "base/api_load.h"

/* Drivers that are loaded, or being loaded. */
static atomic_int *
loaded(void)
{
    static atomic_int count;

    return &count;
}

bool
api_load_has_driver(void)
{
    return atomic_load(loaded()) > 0;
}

const char *
api_load(const struct api_library *library, void *api)
{
    atomic_fetch_add(loaded(), library->is_driver);
    void *handle = dlopen(library->name, RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL) {
        atomic_fetch_sub(loaded(), library->is_driver);
        return library->missing;
    }

    for (size_t i = 0; i < library->count; i++) {
        void *symbol = dlsym(handle, library->symbols[i].name);
        if (symbol == NULL)
            return library->old;
        /* ISO C has no cast from an object pointer to a function pointer. */
        memcpy((char *)api + library->symbols[i].offset, &symbol,
               sizeof symbol);
    }
    return NULL;
}
