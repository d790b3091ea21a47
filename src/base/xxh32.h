/*
 * xxh32.h -- the hash XXH32, as lz4 uses it
 *
 * The hash has four lanes, each a chain of additions, rotations and products:
 * no later part of the data can be hashed before an earlier one.
 */

#ifndef GPUHIST_XXH32_H
#define GPUHIST_XXH32_H

#include <stddef.h>
#include <stdint.h>

enum {
    XXH32_STRIPE_BYTES = 16
};

struct xxh32 {
    uint32_t lane[4];
    uint64_t bytes;                         /* hashed */
    unsigned char rest[XXH32_STRIPE_BYTES]; /* BYTES % 16 of them */
};

/* Start with a seed of 0. */
void xxh32_begin(struct xxh32 *hash);

/* Hash the SIZE bytes at DATA. */
void xxh32_add(struct xxh32 *hash, const unsigned char *data, size_t size);

/* Returns the hash of all bytes so far. */
uint32_t xxh32_end(const struct xxh32 *hash);

/* Returns the hash of the SIZE bytes at DATA. */
uint32_t xxh32_of(const unsigned char *data, size_t size);

#endif
