/* SPDX-License-Identifier: MIT */
/* letter_count.c -- count the usual letters of sequences */

#include "engine/cpu/bytes/letter_count.h"

#define INLINE static inline __attribute__((always_inline))

/* Sums of so many bytes fit into a byte, and compilers make vectors of them. */
#define BLOCK 240

/* The bit that lower-case letters have. */
#define CASE_BIT 0x20u

/* Add how often SIZE bytes, at most BLOCK, have each letter. */
INLINE void
add_block(const unsigned char *data, size_t size, unsigned char fold,
          uint32_t count[LETTER_COUNTS])
{
    unsigned char sum[LETTER_COUNTS] = {0};

    for (size_t i = 0; i < size; i++) {
        unsigned char letter = data[i] & fold;
        sum[0] = (unsigned char)(sum[0] + (letter == 'A'));
        sum[1] = (unsigned char)(sum[1] + (letter == 'C'));
        sum[2] = (unsigned char)(sum[2] + (letter == 'G'));
        sum[3] = (unsigned char)(sum[3] + (letter == 'T'));
        sum[4] = (unsigned char)(sum[4] + (letter == 'N'));
        sum[5] = (unsigned char)(sum[5] + (data[i] == '\n'));
    }
    for (int l = 0; l < LETTER_COUNTS; l++)
        count[l] += sum[l];
}

INLINE void
count_all(const unsigned char *data, size_t size, bool folds_case,
          uint32_t count[LETTER_COUNTS])
{
    unsigned char fold = folds_case ? (unsigned char)~CASE_BIT : 0xff;

    for (int l = 0; l < LETTER_COUNTS; l++)
        count[l] = 0;
    for (; size > BLOCK; size -= BLOCK, data += BLOCK)
        add_block(data, BLOCK, fold, count);
    add_block(data, size, fold, count);
}

void
letter_count_portable(const unsigned char *data, size_t size, bool folds_case,
                      uint32_t count[LETTER_COUNTS])
{
    count_all(data, size, folds_case, count);
}

#ifdef SCAN_HAS_AVX2
__attribute__((target("avx2"))) void
letter_count_avx2(const unsigned char *data, size_t size, bool folds_case,
                  uint32_t count[LETTER_COUNTS])
{
    count_all(data, size, folds_case, count);
}
#endif

void
letter_count(const unsigned char *data, size_t size, bool folds_case,
             uint32_t count[LETTER_COUNTS])
{
    letter_count_form *form = letter_count_portable;

#ifdef SCAN_HAS_AVX2
    if (__builtin_cpu_supports("avx2"))
        form = letter_count_avx2;
#endif
#ifdef SCAN_HAS_AVX512
    if (letter_count_avx512_is_possible())
        form = letter_count_avx512;
#endif
    form(data, size, folds_case, count);
}
