/* SPDX-License-Identifier: MIT */
/*
 * block_avx512.h -- blocks of 64 bytes and their masks with AVX-512, for the
 * forms of a scan, which define INLINE
 */

#ifndef GPUHIST_BLOCK_AVX512_H
#define GPUHIST_BLOCK_AVX512_H

#include <immintrin.h>
#include <stdint.h>

#include "text/block_bmi.h"

typedef __m512i block;

INLINE block
block_load(const unsigned char *data)
{
    return _mm512_loadu_si512(data);
}

INLINE uint64_t
block_match(block x, unsigned char byte)
{
    return _mm512_cmpeq_epi8_mask(x, _mm512_set1_epi8((char)byte));
}

/* The bytes that are FIRST or SECOND. */
INLINE uint64_t
block_either(block x, unsigned char first, unsigned char second)
{
    return block_match(x, first) | block_match(x, second);
}

/* The bytes that are in SET: see block_sets.h. */
INLINE uint64_t
block_in(block x, __m128i set)
{
    const block table = _mm512_broadcast_i32x4(set);

    return _mm512_cmpeq_epi8_mask(x, _mm512_shuffle_epi8(table, x));
}

#include "text/block_sets.h"

/* ---- places: the numbers of the bits of a mask, one in each byte ---- */

INLINE block
block_places(uint64_t mask)
{
    const block all = _mm512_set_epi8(
        63, 62, 61, 60, 59, 58, 57, 56, 55, 54, 53, 52, 51, 50, 49, 48, 47, 46,
        45, 44, 43, 42, 41, 40, 39, 38, 37, 36, 35, 34, 33, 32, 31, 30, 29, 28,
        27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10,
        9, 8, 7, 6, 5, 4, 3, 2, 1, 0);

    return _mm512_maskz_compress_epi8(mask, all);
}

/* 16 places as 32 bits, each plus BASE. */
INLINE block
places_of(uint32_t base, __m128i places)
{
    return _mm512_add_epi32(_mm512_set1_epi32((int)base),
                            _mm512_cvtepu8_epi32(places));
}

/* The first 16 of PLACES, and those after. */

INLINE block
places_first(uint32_t base, block places)
{
    return places_of(base, _mm512_castsi512_si128(places));
}

INLINE block
places_second(uint32_t base, block places)
{
    return places_of(base, _mm512_extracti32x4_epi32(places, 1));
}

INLINE block
places_third(uint32_t base, block places)
{
    return places_of(base, _mm512_extracti32x4_epi32(places, 2));
}

INLINE block
places_fourth(uint32_t base, block places)
{
    return places_of(base, _mm512_extracti32x4_epi32(places, 3));
}

#endif
