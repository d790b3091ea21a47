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

/* Blanks, with the carriage return, and '\n'. */
INLINE uint64_t
block_gaps(block x)
{
    const block table = _mm512_broadcast_i32x4(_mm_setr_epi8(
        ' ', 0, 0, 0, 0, 0, 0, 0, 0, '\t', '\n', 0, 0, '\r', 0, 0));

    return _mm512_cmpeq_epi8_mask(x, _mm512_shuffle_epi8(table, x));
}

#endif
