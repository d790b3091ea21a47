/* SPDX-License-Identifier: MIT */
/*
 * block_bmi.h -- the bits of masks of blocks with BMI, POPCNT and PCLMUL, and
 * texts shorter than a block, for the forms of a scan with AVX2 and AVX-512,
 * which define INLINE
 */

#ifndef GPUHIST_BLOCK_BMI_H
#define GPUHIST_BLOCK_BMI_H

#include <immintrin.h>
#include <stdint.h>

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

/* The highest bit of MASK, which is not 0. */
INLINE uint32_t
bit_last(uint64_t mask)
{
    return 63 - (uint32_t)__builtin_clzll(mask);
}

/* Bit I is the exclusive or of bits 0 to I: a product without carries. */
INLINE uint64_t
prefix_xor(uint64_t mask)
{
    __m128i product = _mm_clmulepi64_si128(_mm_set_epi64x(0, (int64_t)mask),
                                           _mm_set1_epi8(-1), 0);

    return (uint64_t)_mm_cvtsi128_si64(product);
}

/* The bytes of the 32 at TEXT that differ from that of LIKE in no more than
   MOST says: the exclusive or of both is at most that. */
INLINE uint32_t
text_likes(const unsigned char *text, const unsigned char like[32],
           const unsigned char most[32])
{
    __m256i x = _mm256_loadu_si256((const __m256i *)(const void *)text);
    __m256i y = _mm256_loadu_si256((const __m256i *)(const void *)like);
    __m256i z = _mm256_loadu_si256((const __m256i *)(const void *)most);
    __m256i other = _mm256_xor_si256(x, y);
    __m256i least = _mm256_min_epu8(other, z);

    return (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(least, other));
}

#endif
