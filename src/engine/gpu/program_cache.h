/*
 * program_cache.h -- programs that a platform has compiled, for later runs
 *
 * They are files in $XDG_CACHE_HOME/gpuhist, or else in ~/.cache/gpuhist.
 * That a program is not there, or cannot be kept, is no failure.
 */

#ifndef GPUHIST_PROGRAM_CACHE_H
#define GPUHIST_PROGRAM_CACHE_H

#include <stddef.h>
#include <stdint.h>

/* The hash of nothing. */
#define PROGRAM_CACHE_HASH UINT64_C(0xcbf29ce484222325)

/* HASH, of what came before, continued with the SIZE bytes at DATA: FNV-1a. */
uint64_t program_cache_hash(uint64_t hash, const void *data, size_t size);

/*
 * Read the program kept for KEY: *PROGRAM, of *SIZE bytes, is for free().
 * Returns 0, or -1: there is none, or its file is damaged, or anybody else
 * could have written it.
 */
int program_cache_load(uint64_t key, unsigned char **program, size_t *size);

/* Keep the PROGRAM of SIZE bytes for KEY, in place of an earlier one. */
void program_cache_store(uint64_t key, const unsigned char *program,
                         size_t size);

#endif
