/* SPDX-License-Identifier: MIT */
/*
 * block_avx2.h -- blocks of 64 bytes and their masks with AVX2, for the forms
 * of a scan, which define INLINE
 */

#ifndef GPUHIST_BLOCK_AVX2_H
#define GPUHIST_BLOCK_AVX2_H

#include <immintrin.h>
#include <stdint.h>

#include "text/block_bmi.h"

typedef struct {
    __m256i half[2];
} block;

INLINE block
block_load(const unsigned char *data)
{
    const __m256i *from = (const __m256i *)(const void *)data;

    return (block){{_mm256_loadu_si256(from), _mm256_loadu_si256(from + 1)}};
}

INLINE uint64_t
mask_of(__m256i low, __m256i high)
{
    return (uint64_t)(uint32_t)_mm256_movemask_epi8(high) << 32 |
           (uint32_t)_mm256_movemask_epi8(low);
}

INLINE uint64_t
block_match(block x, unsigned char byte)
{
    __m256i y = _mm256_set1_epi8((char)byte);

    return mask_of(_mm256_cmpeq_epi8(x.half[0], y),
                   _mm256_cmpeq_epi8(x.half[1], y));
}

/* The bytes that are FIRST or SECOND. */
INLINE uint64_t
block_either(block x, unsigned char first, unsigned char second)
{
    __m256i y = _mm256_set1_epi8((char)first);
    __m256i z = _mm256_set1_epi8((char)second);

    return mask_of(_mm256_or_si256(_mm256_cmpeq_epi8(x.half[0], y),
                                   _mm256_cmpeq_epi8(x.half[0], z)),
                   _mm256_or_si256(_mm256_cmpeq_epi8(x.half[1], y),
                                   _mm256_cmpeq_epi8(x.half[1], z)));
}

/* The bytes that are in SET: see block_sets.h. */
INLINE uint64_t
block_in(block x, __m128i set)
{
    const __m256i table = _mm256_broadcastsi128_si256(set);

    return mask_of(
        _mm256_cmpeq_epi8(x.half[0], _mm256_shuffle_epi8(table, x.half[0])),
        _mm256_cmpeq_epi8(x.half[1], _mm256_shuffle_epi8(table, x.half[1])));
}

#include "text/block_sets.h"

#endif
