/* SPDX-License-Identifier: MIT */
/* read_letters.c -- the letters of many reads, with AVX2 and without */

#include "engine/cpu/sequences/read_letters.h"

#include "text/scan_forms.h"

#ifdef SCAN_HAS_AVX2
#    include <immintrin.h>

#    define TARGET __attribute__((target("avx2,popcnt,bmi2")))
#    define INLINE static inline TARGET __attribute__((always_inline))

/* The bytes of a block; shorter reads are not counted. */
#    define BLOCK 32

/* Add what 32 BYTES have, from bit FROM on.  Returns a bit for each byte that
   is a letter. */
INLINE uint32_t
add_block(__m256i bytes, __m256i fold, unsigned int from,
          struct read_letter_bits *bits)
{
    const __m256i table = _mm256_broadcastsi128_si256(_mm_setr_epi8(
        -1, 'A', -1, 'C', 'T', -1, -1, 'G', -1, -1, -1, -1, -1, -1, -1, -1));
    __m256i letters = _mm256_and_si256(bytes, fold);
    __m256i usual =
        _mm256_cmpeq_epi8(_mm256_shuffle_epi8(table, letters), letters);
    uint32_t second =
        (uint32_t)_mm256_movemask_epi8(_mm256_slli_epi16(bytes, 6)) >> from;
    uint32_t third =
        (uint32_t)_mm256_movemask_epi8(_mm256_slli_epi16(bytes, 5)) >> from;

    bits->c_or_g += (uint32_t)__builtin_popcount(second);
    bits->g_or_t += (uint32_t)__builtin_popcount(third);
    bits->g += (uint32_t)__builtin_popcount(second & third);
    return (uint32_t)_mm256_movemask_epi8(usual);
}

INLINE __m256i
load(const unsigned char *at)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)at);
}

TARGET void
read_letters_avx2(const unsigned char *data,
                  const struct sequence_record *record, size_t count,
                  bool folds_case, struct read_letters *letters)
{
    const __m256i fold = _mm256_set1_epi8(folds_case ? (char)~0x20 : (char)-1);
    struct read_letter_bits all = {0};

    for (size_t r = 0; r < count; r++) {
        const unsigned char *base = data + record[r].bases_start;
        uint32_t size = read_letters_size(data, &record[r]);
        struct read_letter_bits bits = {.size = size};
        uint32_t usual = UINT32_MAX;
        uint32_t at = 0;
        letters->gc[r] = READ_LETTERS_NONE;
        if (size < BLOCK || size > READ_LETTERS_MAX)
            continue;
        for (; size - at >= BLOCK; at += BLOCK)
            usual &= add_block(load(base + at), fold, 0, &bits);
        /* The last block overlaps the one before it. */
        if (at < size)
            usual &= add_block(load(base + size - BLOCK), fold,
                               BLOCK - (size - at), &bits);
        if (usual == UINT32_MAX)
            read_letters_take(letters, r, &bits, &all);
    }
    read_letters_end(letters, &all);
}
#endif

void
read_letters_portable(const unsigned char *data,
                      const struct sequence_record *record, size_t count,
                      bool folds_case, struct read_letters *letters)
{
    const struct read_letter_bits none = {0};

    (void)data;
    (void)record;
    (void)folds_case;
    read_letters_end(letters, &none);
    for (size_t r = 0; r < count; r++)
        letters->gc[r] = READ_LETTERS_NONE;
}

read_letters_form *
read_letters_choose(void)
{
#ifdef SCAN_HAS_AVX512
    if (scan_avx512_is_possible())
        return read_letters_avx512;
#endif
#ifdef SCAN_HAS_AVX2
    if (scan_avx2_is_possible())
        return read_letters_avx2;
#endif
    return read_letters_portable;
}
