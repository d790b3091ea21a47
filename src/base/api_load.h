/* SPDX-License-Identifier: MIT */
/* api_load.h -- load a library's functions into a struct of pointers */

#ifndef GPUHIST_API_LOAD_H
#define GPUHIST_API_LOAD_H

#include <stdbool.h>
#include <stddef.h>

struct api_symbol {
    const char *name;
    size_t offset; /* of the pointer in the struct */
};

struct api_library {
    const char *name;
    bool is_driver;      /* the library runs threads of its own */
    const char *missing; /* the message if the library cannot be loaded */
    const char *old;     /* the message if a function is missing */
    const struct api_symbol *symbols;
    size_t count; /* of symbols */
};

/*
 * Load the library and find all functions, without calling any.  Returns NULL,
 * or one sentence: why the library is not available (a static text).  The
 * library is never unloaded, because drivers run their own threads.
 */
const char *api_load(const struct api_library *library, void *api);

/* Whether a driver is loaded, or a thread is loading one.  May be called by a
   signal handler. */
bool api_load_has_driver(void);

#endif
