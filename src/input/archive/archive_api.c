/* SPDX-License-Identifier: MIT */
/* archive_api.c -- the functions of libarchive, loaded when needed */

#include <stddef.h>

#include "base/api_load.h"
#include "input/archive/archive_api.h"

const char *
archive_api_load(struct archive_api *api)
{
    static const struct api_symbol symbols[] = {
#define ARCHIVE_API_ENTRY(type, function, parameters) \
    {#function, offsetof(struct archive_api, function)},
        ARCHIVE_API(ARCHIVE_API_ENTRY)
#undef ARCHIVE_API_ENTRY
    };
    static const struct api_library library = {
        .name = "libarchive.so.13",
        .missing = "no library for archives (libarchive.so.13: in Debian "
                   "libarchive13 or libarchive13t64)",
        .old = "the library for archives is too old (libarchive.so.13): 3.2 or "
               "later is needed",
        .symbols = symbols,
        .count = sizeof symbols / sizeof *symbols,
    };

    return api_load(&library, api);
}
