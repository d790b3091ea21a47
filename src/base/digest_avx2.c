/* SPDX-License-Identifier: MIT */
/*
 * digest_avx2.c -- digest_of() for processors that have AVX2
 *
 * All functions of xxhash.h are static here, so no other file uses code for
 * AVX2.
 */

#include <immintrin.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/digest.h"

#ifdef __clang__
#    pragma clang attribute push(__attribute__((target("avx2"))), \
                                 apply_to = function)
#else
#    pragma GCC push_options
#    pragma GCC target("avx2")
#endif

#define XXH_INLINE_ALL
#define XXH_VECTOR XXH_AVX2
#include <xxhash.h>

uint64_t
digest_of_avx2(const void *data, size_t size, uint64_t seed, uint64_t *high)
{
    XXH128_hash_t hash = XXH3_128bits_withSeed(data, size, seed);

    *high = hash.high64;
    return hash.low64;
}

#ifdef __clang__
#    pragma clang attribute pop
#else
#    pragma GCC pop_options
#endif
