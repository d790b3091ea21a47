/* SPDX-License-Identifier: MIT */
/* letter_count_avx512.c -- count the usual letters of 64 bytes at a time */

#include <immintrin.h>

#include "engine/cpu/bytes/letter_count.h"

/* Per function, not per file: see scan_avx512.c. */
#define TARGET __attribute__((target("avx512f,avx512bw,popcnt")))
#define INLINE static inline TARGET __attribute__((always_inline))

bool
letter_count_avx512_is_possible(void)
{
    return __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("popcnt");
}

INLINE uint32_t
bit_count(uint64_t mask)
{
    return (uint32_t)__builtin_popcountll(mask);
}

/* The bytes that are LETTER. */
INLINE uint64_t
match(__m512i bytes, char letter)
{
    return _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8(letter));
}

/* Those of MASK that are not A, C, G or T, which are the entries of their low
   halves. */
INLINE uint64_t
match_others(__mmask64 mask, __m512i letters)
{
    const __m512i table = _mm512_broadcast_i32x4(_mm_setr_epi8(
        -1, 'A', -1, 'C', 'T', -1, -1, 'G', -1, -1, -1, -1, -1, -1, -1, -1));

    return _mm512_mask_cmpneq_epi8_mask(
        mask, _mm512_shuffle_epi8(table, letters), letters);
}

/*
 * Bit 1 is set in C and G, and bit 2 in G and T, so three sums are enough.  One
 * loop with masks, and a variable for each sum: most calls are of two or three
 * turns.
 */
TARGET void
letter_count_avx512(const unsigned char *data, size_t size, bool folds_case,
                    uint32_t count[LETTER_COUNTS])
{
    const __m512i fold = _mm512_set1_epi8(folds_case ? (char)~0x20 : (char)-1);
    const __m512i second = _mm512_set1_epi8(2);
    const __m512i third = _mm512_set1_epi8(4);
    uint32_t known = (uint32_t)size;
    uint32_t c_or_g = 0;
    uint32_t g_or_t = 0;
    uint32_t g = 0;
    uint32_t n = 0;
    uint32_t ends = 0;

    for (size_t i = 0; i < size; i += 64) {
        size_t tail = size - i < 64 ? size - i : 64;
        __mmask64 mask = ~(__mmask64)0 >> (64 - tail);
        __m512i bytes = _mm512_maskz_loadu_epi8(mask, data + i);
        __m512i letters = _mm512_and_si512(bytes, fold);
        uint64_t have_second = _mm512_test_epi8_mask(bytes, second);
        uint64_t have_third = _mm512_test_epi8_mask(bytes, third);
        uint64_t others = match_others(mask, letters);
        if (others != 0) {
            known -= bit_count(others);
            n += bit_count(match(letters, 'N'));
            ends += bit_count(match(bytes, '\n'));
            have_second &= ~others;
            have_third &= ~others;
        }
        c_or_g += bit_count(have_second);
        g_or_t += bit_count(have_third);
        g += bit_count(have_second & have_third);
    }
    /* In the order of LETTER_COUNT_TEXT. */
    count[0] = known - c_or_g - g_or_t + g;
    count[1] = c_or_g - g;
    count[2] = g;
    count[3] = g_or_t - g;
    count[4] = n;
    count[5] = ends;
}
