/* letter_count_avx512.c -- count the usual letters of 64 bytes at a time */

#include <immintrin.h>
#include <string.h>

#include "engine/cpu/letter_count.h"

/* Per function, not per file: see scan_avx512.c. */
#define TARGET __attribute__((target("avx512f,avx512bw,popcnt")))
#define INLINE static inline TARGET __attribute__((always_inline))

bool
letter_count_avx512_is_possible(void)
{
    return __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("popcnt");
}

/* How many of BYTES are LETTER. */
INLINE uint32_t
occurs(__m512i bytes, char letter)
{
    return (uint32_t)__builtin_popcountll(
        _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8(letter)));
}

/* One loop with masks, and a variable for each sum: most calls are of two or
   three turns. */
TARGET void
letter_count_avx512(const unsigned char *data, size_t size, bool folds_case,
                    uint32_t count[LETTER_COUNTS])
{
    const __m512i fold = _mm512_set1_epi8(folds_case ? (char)~0x20 : (char)-1);
    uint32_t a = 0;
    uint32_t c = 0;
    uint32_t g = 0;
    uint32_t t = 0;
    uint32_t n = 0;
    uint32_t ends = 0;

    for (size_t i = 0; i < size; i += 64) {
        size_t rest = size - i < 64 ? size - i : 64;
        __mmask64 mask = ~(__mmask64)0 >> (64 - rest);
        __m512i bytes = _mm512_maskz_loadu_epi8(mask, data + i);
        __m512i letters = _mm512_and_si512(bytes, fold);
        a += occurs(letters, 'A');
        c += occurs(letters, 'C');
        g += occurs(letters, 'G');
        t += occurs(letters, 'T');
        n += occurs(letters, 'N');
        ends += occurs(bytes, '\n');
    }
    const uint32_t sum[LETTER_COUNTS] = {a, c, g, t, n, ends};
    memcpy(count, sum, sizeof sum);
}
