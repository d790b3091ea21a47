/* SPDX-License-Identifier: MIT */
/* scan_avx2.c -- scan text with AVX2: two vectors give a mask */

#include <immintrin.h>

#include "text/scan_forms.h"

/* Per function, not per file: see scan_avx512.c. */
#define TARGET __attribute__((target("avx2,bmi,popcnt,pclmul")))
#define INLINE static inline TARGET __attribute__((always_inline))

#include "text/block_avx2.h"

INLINE __m256i
brackets_of(__m256i x)
{
    __m256i place = _mm256_sub_epi8(x, _mm256_set1_epi8('['));
    __m256i least = _mm256_min_epu8(place, _mm256_set1_epi8(']' - '['));

    return _mm256_cmpeq_epi8(place, least);
}

INLINE uint64_t
block_brackets(block x)
{
    return mask_of(brackets_of(x.half[0]), brackets_of(x.half[1]));
}

INLINE __m256i
lows_of(__m256i x)
{
    const __m256i space = _mm256_set1_epi8(' ');

    return _mm256_cmpeq_epi8(_mm256_max_epu8(x, space), space);
}

/* The bytes up to the space. */
INLINE uint64_t
block_lows(block x)
{
    return mask_of(lows_of(x.half[0]), lows_of(x.half[1]));
}

/* Bit N, from 0, of the set bits.  PDEP is slow on some processors with
   AVX2. */
INLINE uint32_t
bit_nth(uint64_t mask, uint32_t n)
{
    for (; n > 0; n--)
        mask = _blsr_u64(mask);
    return (uint32_t)_tzcnt_u64(mask);
}

/* The bits that are set, without the lowest N. */
INLINE uint64_t
bits_from_nth(uint64_t mask, uint32_t n)
{
    for (; n > 0; n--)
        mask = _blsr_u64(mask);
    return mask;
}

#define block_list store_bits /* scan_block.h */

enum {
    LIST_BYTES = 16,
    LIST_NEAR = 4,
};

#include "text/scan_cut.h"
#include "text/scan_loop.h"

bool
scan_avx2_is_possible(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("pclmul");
}

TARGET size_t
scan_avx2(const struct scan *scan, const unsigned char *data, size_t size,
          size_t *done, struct text_slice *slice, size_t records_max,
          struct scan_ledger *ledger)
{
    return scan_loop(scan, data, size, done, slice, records_max, ledger);
}

TARGET void
csv_cut_avx2(struct csv_cut *cut, const unsigned char *data, uint32_t size)
{
    cut_loop(cut, data, size);
}
