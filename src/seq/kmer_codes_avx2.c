/* SPDX-License-Identifier: MIT */
/* kmer_codes_avx2.c -- the codes of 8 windows at a time */

#include <immintrin.h>
#include <string.h>

#include "seq/kmer_codes.h"

/* Per function, not per file: see text/scan_avx512.c. */
#define TARGET __attribute__((target("avx2,bmi,popcnt")))
#define INLINE static inline TARGET __attribute__((always_inline))

#define WORD_BASES KMER_WORD_MAX

/* The bases of a word, as in kmer_codes.c. */
struct base_word {
    uint64_t forward; /* the codes of the bases, the first one highest */
    uint64_t reverse; /* of the complements, the first base lowest */
    uint64_t valid;   /* a bit for each base that has a code */
};

/* The codes of 4 bases in each byte, the sum of theirs times these WEIGHTS.
   ORDER chooses these bytes in both halves of a vector. */
INLINE __m256i
pack(__m256i codes, int weights, __m128i order)
{
    __m256i pairs = _mm256_maddubs_epi16(codes, _mm256_set1_epi32(weights));

    /* Both pairs have their own weight already. */
    return _mm256_shuffle_epi8(_mm256_madd_epi16(pairs, _mm256_set1_epi16(1)),
                               _mm256_broadcastsi128_si256(order));
}

/* The first 32 bits of both halves of X. */
INLINE uint64_t
first_of(__m256i x)
{
    return (uint32_t)_mm256_cvtsi256_si32(x);
}

INLINE uint64_t
second_of(__m256i x)
{
    return (uint32_t)_mm_cvtsi128_si32(_mm256_extracti128_si256(x, 1));
}

/* The word of the 32 bases at BASE. */
INLINE struct base_word
pack_word(const unsigned char *base)
{
    /* The low 4 bits of a letter choose one of the four letters.  No other byte
       is the one that its low 4 bits choose. */
    const __m256i letters = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(1, 'A', 0, 'C', 'T', 0, 0, 'G', 0, 0, 0, 0, 0, 0, 0, 0));
    const __m128i ascending = _mm_setr_epi8(0, 4, 8, 12, -1, -1, -1, -1, -1, -1,
                                            -1, -1, -1, -1, -1, -1);
    const __m128i descending = _mm_setr_epi8(12, 8, 4, 0, -1, -1, -1, -1, -1,
                                             -1, -1, -1, -1, -1, -1, -1);
    __m256i bytes = _mm256_loadu_si256((const __m256i *)(const void *)base);
    __m256i upper = _mm256_and_si256(bytes, _mm256_set1_epi8((char)0xdf));
    __m256i is_base =
        _mm256_cmpeq_epi8(upper, _mm256_shuffle_epi8(letters, upper));
    __m256i codes =
        _mm256_and_si256(_mm256_xor_si256(_mm256_srli_epi16(bytes, 1),
                                          _mm256_srli_epi16(bytes, 2)),
                         _mm256_set1_epi8(3));
    __m256i forward = pack(codes, 0x01041040, descending);
    __m256i reverse = pack(_mm256_xor_si256(codes, _mm256_set1_epi8(3)),
                           0x40100401, ascending);

    return (struct base_word){first_of(forward) << 32 | second_of(forward),
                              first_of(reverse) | second_of(reverse) << 32,
                              (uint32_t)_mm256_movemask_epi8(is_base)};
}

/* The word of base AT, a multiple of WORD_BASES, of the BASES at BASE, and of
   the bases after AT, if any.  No byte outside of the bases is read. */
INLINE struct base_word
read_word(const unsigned char *base, size_t bases, size_t at)
{
    size_t count = at < bases ? bases - at : 0;
    unsigned int missing = (unsigned int)(WORD_BASES - count);
    unsigned char tail[WORD_BASES];

    if (count >= WORD_BASES)
        return pack_word(base + at);
    if (count == 0)
        return (struct base_word){0, 0, 0};
    if (bases >= WORD_BASES) {
        struct base_word word = pack_word(base + bases - WORD_BASES);
        return (struct base_word){word.forward << 2 * missing,
                                  word.reverse >> 2 * missing,
                                  word.valid >> missing};
    }
    memset(tail, 0, sizeof tail);
    memcpy(tail, base + at, count);
    return pack_word(tail);
}

/* Whether K bases from each bit of VALID on are valid: a bit for each. */
INLINE uint64_t
whole_windows(uint64_t valid, unsigned int k)
{
    unsigned int done = 1;

    for (; 2 * done <= k; done *= 2)
        valid &= valid >> done;
    return valid & valid >> (k - done);
}

/* The low 32 bits of BASES after a right shift by RIGHT, and by 2 less or more
   for each of 8 windows. */
INLINE __m256i
eight_of(__m256i bases, __m256i right, __m256i right_more)
{
    return _mm256_castps_si256(_mm256_shuffle_ps(
        _mm256_castsi256_ps(_mm256_srlv_epi64(bases, right)),
        _mm256_castsi256_ps(_mm256_srlv_epi64(bases, right_more)),
        _MM_SHUFFLE(2, 0, 2, 0)));
}

/* The codes of the windows I to I + 7, at most 15, of the bases in FORWARD and
   REVERSE. */
INLINE __m256i
eight_codes(__m256i forward, __m256i reverse, unsigned int i, unsigned int k,
            const bool is_canonical, const bool is_folded)
{
    /* The order that becomes 0 to 7 in eight_of(). */
    const __m256i some = _mm256_setr_epi64x(0, 2, 8, 10);
    const __m256i others = _mm256_setr_epi64x(4, 6, 12, 14);
    __m256i first = _mm256_set1_epi64x(2 * (long long)i);
    __m256i last = _mm256_set1_epi64x(64 - 2 * (long long)(k + i));
    __m256i mask = _mm256_set1_epi32((int)kmer_mask(k));
    __m256i codes =
        _mm256_and_si256(eight_of(forward, _mm256_sub_epi64(last, some),
                                  _mm256_sub_epi64(last, others)),
                         mask);

    if (!is_canonical)
        return codes;
    __m256i others_codes =
        _mm256_and_si256(eight_of(reverse, _mm256_add_epi64(first, some),
                                  _mm256_add_epi64(first, others)),
                         mask);
    if (!is_folded)
        return _mm256_min_epu32(codes, others_codes);
    /* The high bit of the middle base decides. */
    __m256i is_other = _mm256_srai_epi32(
        _mm256_sll_epi32(codes, _mm_cvtsi32_si128((int)(31 - k))), 31);
    __m256i low = _mm256_set1_epi32((int)((1u << k) - 1));
    codes = _mm256_blendv_epi8(codes, others_codes, is_other);
    return _mm256_or_si256(
        _mm256_and_si256(low, codes),
        _mm256_andnot_si256(low, _mm256_srli_epi32(codes, 1)));
}

/* Write the WHOLE codes of 8 CODES to CODE.  Returns the end of the written
   codes. */
INLINE uint32_t *
put_eight(uint32_t *code, __m256i codes, uint64_t whole)
{
    uint32_t own[8];

    whole &= 0xff;
    /* Mostly all, or the first ones of a read's last windows. */
    if ((whole & (whole + 1)) == 0) {
        _mm256_storeu_si256((__m256i *)(void *)code, codes);
        return code + __builtin_popcountll(whole);
    }
    _mm256_storeu_si256((__m256i *)(void *)own, codes);
    for (; whole != 0; whole &= whole - 1)
        *code++ = own[__builtin_ctzll(whole)];
    return code;
}

INLINE size_t
write_codes(unsigned int k, const bool is_canonical, const bool is_folded,
            const unsigned char *base, size_t windows, uint32_t *code)
{
    const uint32_t *start = code;
    size_t bases = windows + k - 1;
    struct base_word next = read_word(base, bases, 0);

    for (size_t at = 0; at < windows; at += WORD_BASES) {
        struct base_word word = next;
        size_t left = windows - at < WORD_BASES ? windows - at : WORD_BASES;
        next = read_word(base, bases, at + WORD_BASES);
        uint64_t whole = whole_windows(word.valid | next.valid << 32, k) &
                         (((uint64_t)1 << left) - 1);
        for (unsigned int i = 0; i < left; i += 16) {
            __m256i forward = _mm256_set1_epi64x((long long)word.forward);
            __m256i reverse = _mm256_set1_epi64x((long long)word.reverse);
            code = put_eight(
                code,
                eight_codes(forward, reverse, 0, k, is_canonical, is_folded),
                whole >> i);
            code = put_eight(
                code,
                eight_codes(forward, reverse, 8, k, is_canonical, is_folded),
                whole >> (i + 8));
            word.forward = word.forward << 32 | next.forward >> 32;
            word.reverse = word.reverse >> 32 | next.reverse << 32;
        }
    }
    return (size_t)(code - start);
}

bool
kmer_codes_avx2_is_possible(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("popcnt");
}

TARGET size_t
kmer_codes_short_avx2(const struct kmer_codes *codes, const unsigned char *base,
                      size_t windows, uint32_t *code)
{
    if (codes->is_folded)
        return write_codes(codes->k, true, true, base, windows, code);
    return codes->is_canonical
               ? write_codes(codes->k, true, false, base, windows, code)
               : write_codes(codes->k, false, false, base, windows, code);
}
