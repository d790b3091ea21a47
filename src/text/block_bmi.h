/* SPDX-License-Identifier: MIT */
/*
 * block_bmi.h -- the bits of masks of blocks with BMI, POPCNT and PCLMUL, for
 * the forms of a scan with AVX2 and AVX-512, which define INLINE
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

#endif
