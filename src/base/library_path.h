/* SPDX-License-Identifier: MIT */
/* library_path.h -- where a library is, without loading it */

#ifndef GPUHIST_LIBRARY_PATH_H
#define GPUHIST_LIBRARY_PATH_H

/* What ldconfig(8) writes of all libraries. */
#define LIBRARY_PATH_CACHE "/etc/ld.so.cache"

/*
 * Find the library NAME in the directories of LD_LIBRARY_PATH and in CACHE,
 * which is LIBRARY_PATH_CACHE, except in tests.  Nothing of the library runs.
 * Returns its path with all links resolved, for free(); or NULL: there is none
 * for programs like this one, or no memory.
 */
char *library_path(const char *name, const char *cache);

#endif
