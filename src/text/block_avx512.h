/*
 * block_avx512.h -- blocks of 64 bytes and their masks with AVX-512, for the
 * forms of a scan, which define INLINE
 */

#ifndef GPUHIST_BLOCK_AVX512_H
#define GPUHIST_BLOCK_AVX512_H

#include <immintrin.h>
#include <stdint.h>

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

/* Blanks, with the carriage return, and '\n'. */
INLINE uint64_t
block_gaps(block x)
{
    const block table = _mm512_broadcast_i32x4(_mm_setr_epi8(
        ' ', 0, 0, 0, 0, 0, 0, 0, 0, '\t', '\n', 0, 0, '\r', 0, 0));

    return _mm512_cmpeq_epi8_mask(x, _mm512_shuffle_epi8(table, x));
}

INLINE uint32_t
bit_count(uint64_t mask)
{
    return (uint32_t)_mm_popcnt_u64(mask);
}

/* The lowest bit; 64 if MASK is 0. */
INLINE uint32_t
bit_first(uint64_t mask)
{
    return (uint32_t)_tzcnt_u64(mask);
}

/* Bit I is the exclusive or of bits 0 to I: a product without carries. */
INLINE uint64_t
prefix_xor(uint64_t mask)
{
    __m128i product = _mm_clmulepi64_si128(_mm_set_epi64x(0, (int64_t)mask),
                                           _mm_set1_epi8(-1), 0);

    return (uint64_t)_mm_cvtsi128_si64(product);
}

#endif
