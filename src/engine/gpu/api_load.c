/* api_load.c -- load a library's functions into a struct of pointers */

#include <dlfcn.h>
#include <string.h>

#include "engine/gpu/api_load.h"

const char *
api_load(const struct api_library *library, void *api)
{
    void *handle = dlopen(library->name, RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL)
        return library->missing;

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
