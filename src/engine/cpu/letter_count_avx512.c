/* letter_count_avx512.c -- count the usual letters of 64 bytes at a time */

#include <immintrin.h>

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

INLINE void
add_bytes(__m512i bytes, __m512i fold, uint32_t count[LETTER_COUNTS])
{
    __m512i letters = _mm512_and_si512(bytes, fold);

    for (int l = 0; l + 1 < LETTER_COUNTS; l++)
        count[l] += occurs(letters, LETTER_COUNT_TEXT[l]);
    count[LETTER_COUNTS - 1] += occurs(bytes, '\n');
}

TARGET void
letter_count_avx512(const unsigned char *data, size_t size, bool folds_case,
                    uint32_t count[LETTER_COUNTS])
{
    const __m512i fold = _mm512_set1_epi8(folds_case ? (char)~0x20 : (char)-1);
    uint32_t sum[LETTER_COUNTS] = {0};

    for (; size >= 64; size -= 64, data += 64)
        add_bytes(_mm512_loadu_si512(data), fold, sum);
    if (size > 0) {
        __mmask64 mask = ~(__mmask64)0 >> (64 - size);
        add_bytes(_mm512_maskz_loadu_epi8(mask, data), fold, sum);
    }
    for (int l = 0; l < LETTER_COUNTS; l++)
        count[l] = sum[l];
}
