/*
 * xxh64.h -- the hash XXH64, as zstd uses it
 *
 * The hash is of bytes that come piece by piece, with the seed 0.
 */

#ifndef GPUHIST_XXH64_H
#define GPUHIST_XXH64_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/zstd/xxh64_step.h"

struct xxh64 {
    uint64_t lane[XXH64_LANES];
    uint64_t bytes;
    unsigned char rest[XXH64_STRIPE_BYTES]; /* BYTES % XXH64_STRIPE_BYTES */
};

/* Start with no bytes. */
void xxh64_begin(struct xxh64 *hash);

/* Add the SIZE bytes at DATA. */
void xxh64_add(struct xxh64 *hash, const unsigned char *data, size_t size);

/* Returns the hash of all bytes so far. */
uint64_t xxh64_end(const struct xxh64 *hash);

/* ---- forms, for xxh64.c and for tests ---- */

/* Let the XXH64_LANES at LANE take the COUNT stripes at DATA, or all but the
   last one.  Returns how many they took. */
typedef size_t xxh64_form(uint64_t *lane, const unsigned char *data,
                          size_t count);

xxh64_form xxh64_portable;

#ifdef XXH64_HAS_AVX2
bool xxh64_avx2_is_possible(void);
xxh64_form xxh64_avx2;
#endif

#endif
