/*
 * xxh64.h -- the hash XXH64, as zstd uses it
 *
 * The hash is of bytes that come piece by piece, with the seed 0.
 */

#ifndef GPUHIST_XXH64_H
#define GPUHIST_XXH64_H

#include <stddef.h>
#include <stdint.h>

enum {
    XXH64_STATE_WORDS = 11
};

struct xxh64 {
    uint64_t state[XXH64_STATE_WORDS];
};

/* Start with no bytes. */
void xxh64_begin(struct xxh64 *hash);

/* Add the SIZE bytes at DATA. */
void xxh64_add(struct xxh64 *hash, const unsigned char *data, size_t size);

/* Returns the hash of all bytes so far. */
uint64_t xxh64_end(const struct xxh64 *hash);

#endif
