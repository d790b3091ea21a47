/* SPDX-License-Identifier: MIT */
/*
 * crc32_clmul.c -- shorten data without changing its CRC-32, for processors
 * that multiply polynomials
 *
 * "Fast CRC Computation for Generic Polynomials Using PCLMULQDQ Instruction"
 * (Gopal et al., Intel, 2009).
 */

#include <immintrin.h>

#include "base/crc32.h"

/* Per function, not per file: see text/scan_avx512.c. */
#define TARGET __attribute__((target("pclmul")))

/* x^160 and x^96 modulo the polynomial, for both halves of 16 bytes that 16
   bytes follow.  Bits are reversed, and one higher, since the product of
   reversed polynomials is one bit lower. */
#define FACTOR_FIRST INT64_C(0x1751997d0)
#define FACTOR_LAST INT64_C(0x0ccaa009e)

bool
crc32_fold_is_possible(void)
{
    return __builtin_cpu_supports("pclmul");
}

TARGET void
crc32_fold(uint32_t sum, const unsigned char *data, size_t size,
           unsigned char rest[CRC32_FOLD])
{
    const __m128i factors = _mm_set_epi64x(FACTOR_LAST, FACTOR_FIRST);
    __m128i all = _mm_xor_si128(_mm_loadu_si128((const __m128i *)data),
                                _mm_cvtsi32_si128((int)sum));

    for (size_t at = CRC32_FOLD; at < size; at += CRC32_FOLD) {
        const __m128i first = _mm_clmulepi64_si128(all, factors, 0x00);
        const __m128i last = _mm_clmulepi64_si128(all, factors, 0x11);
        const __m128i next = _mm_loadu_si128((const __m128i *)(data + at));
        all = _mm_xor_si128(_mm_xor_si128(first, last), next);
    }
    _mm_storeu_si128((__m128i *)rest, all);
}
