/* SPDX-License-Identifier: MIT */
/* read_letters_avx512.c -- the letters of many reads, 64 bytes at a time */

#include <immintrin.h>

#include "engine/cpu/sequences/read_letters.h"

/* Per function, not per file: see scan_avx512.c. */
#define TARGET __attribute__((target("avx512f,avx512bw,bmi,bmi2,popcnt")))
#define INLINE static inline TARGET __attribute__((always_inline))

#define BLOCK 64

INLINE uint32_t
bit_count(uint64_t mask)
{
    return (uint32_t)__builtin_popcountll(mask);
}

/* Add what the BYTES have; those that MASK has not are 0.  Returns those that
   MASK has, but are no letters. */
INLINE __mmask64
add_block(__m512i bytes, __mmask64 mask, __m512i fold,
          struct read_letter_bits *bits)
{
    const __m512i table = _mm512_broadcast_i32x4(_mm_setr_epi8(
        -1, 'A', -1, 'C', 'T', -1, -1, 'G', -1, -1, -1, -1, -1, -1, -1, -1));
    __m512i letters = _mm512_and_si512(bytes, fold);
    uint64_t second = _mm512_test_epi8_mask(bytes, _mm512_set1_epi8(2));
    uint64_t third = _mm512_test_epi8_mask(bytes, _mm512_set1_epi8(4));

    bits->c_or_g += bit_count(second);
    bits->g_or_t += bit_count(third);
    bits->g += bit_count(second & third);
    return _mm512_mask_cmpneq_epi8_mask(
        mask, _mm512_shuffle_epi8(table, letters), letters);
}

TARGET void
read_letters_avx512(const unsigned char *data,
                    const struct sequence_record *record, size_t count,
                    bool folds_case, struct read_letters *letters)
{
    const __m512i fold = _mm512_set1_epi8(folds_case ? (char)~0x20 : (char)-1);
    struct read_letter_bits all = {0};

    for (size_t r = 0; r < count; r++) {
        const unsigned char *base = data + record[r].bases_start;
        uint32_t size = read_letters_size(data, &record[r]);
        struct read_letter_bits bits = {.size = size};
        __mmask64 others = 0;
        uint32_t at = 0;
        letters->gc[r] = READ_LETTERS_NONE;
        if (size > READ_LETTERS_MAX)
            continue;
        for (; size - at >= BLOCK; at += BLOCK)
            others |= add_block(_mm512_loadu_si512(base + at), ~(__mmask64)0,
                                fold, &bits);
        if (at < size) {
            __mmask64 mask = _bzhi_u64(~(uint64_t)0, size - at);
            others |= add_block(_mm512_maskz_loadu_epi8(mask, base + at), mask,
                                fold, &bits);
        }
        if (others == 0)
            read_letters_take(letters, r, &bits, &all);
    }
    read_letters_end(letters, &all);
}
