/* SPDX-License-Identifier: MIT */
/* kmer_codes_avx512.c -- the codes of 64 windows at a time */

#include <immintrin.h>

#include "seq/kmer_codes.h"

/* Per function, not per file: see scan_avx512.c. */
#define TARGET \
    __attribute__((target("avx512f,avx512bw,avx512vl,avx512vbmi2,popcnt")))
#define INLINE static inline TARGET __attribute__((always_inline))

/* Consecutive words are shifted left as a pair, by VPSHLDV.  Right shifts are
   done word by word: clang 14 compiles VPSHRDV wrong where a count is 0 and
   known at compile time. */

/* 64 bases.  Each byte of a vector has 4 of them. */
struct block {
    __m128i forward; /* codes, the first one highest; two words of 64 bits */
    __m128i reverse; /* of the complements, the first one lowest */
    uint64_t valid;  /* a bit for each base that has a code, the first lowest */
};

/* The codes of 4 bases in each byte: the sum of theirs times these WEIGHTS. */
INLINE __m128i
pack(__m512i codes, int weights)
{
    __m512i pairs = _mm512_maddubs_epi16(codes, _mm512_set1_epi32(weights));

    /* Both pairs have their own weight already. */
    pairs = _mm512_madd_epi16(pairs, _mm512_set1_epi16(1));
    return _mm512_cvtepi32_epi8(pairs);
}

/* The block of base AT of the BASES at BASE, and of the bases after AT, if any.
   No byte after the bases is read. */
INLINE struct block
read_block(const unsigned char *base, size_t bases, size_t at)
{
    size_t count = at < bases ? bases - at : 0;
    const __m512i letters = _mm512_broadcast_i32x4(
        _mm_setr_epi8(0, 'A', 0, 'C', 'T', 0, 0, 'G', 0, 0, 0, 0, 0, 0, 0, 0));
    __mmask64 mask = count < 64 ? ((uint64_t)1 << count) - 1 : UINT64_MAX;
    __m512i bytes = _mm512_maskz_loadu_epi8(mask, base + (count > 0 ? at : 0));
    __m512i upper = _mm512_and_si512(bytes, _mm512_set1_epi8((char)0xdf));
    struct block block;

    /* The low 4 bits of a letter choose one of the four letters; a byte with
       the high bit, for which the shuffle gives 0, is not 0. */
    block.valid = mask & _mm512_cmpeq_epi8_mask(
                             upper, _mm512_shuffle_epi8(letters, upper));
    block.valid &= _mm512_test_epi8_mask(upper, upper);
    __m512i codes =
        _mm512_and_si512(_mm512_xor_si512(_mm512_srli_epi16(bytes, 1),
                                          _mm512_srli_epi16(bytes, 2)),
                         _mm512_set1_epi8(3));
    block.forward = pack(codes, 0x01041040);
    block.reverse =
        pack(_mm512_xor_si512(codes, _mm512_set1_epi8(3)), 0x40100401);
    return block;
}

/*
 * Whether K bases from each base of BLOCK on have a code, for those of the
 * first WINDOWS windows: a bit for each.
 */
INLINE uint64_t
whole_windows(const struct block *block, const struct block *next,
              unsigned int k, size_t windows)
{
    uint64_t low = block->valid;
    uint64_t high = next->valid;
    uint64_t wanted = windows < 64 ? ((uint64_t)1 << windows) - 1 : UINT64_MAX;

    if (low == UINT64_MAX && (~high & (((uint64_t)1 << (k - 1)) - 1)) == 0)
        return wanted;
    for (unsigned int done = 1; done < k;) {
        unsigned int step = 2 * done <= k ? done : k - done;
        low &= low >> step | high << (64 - step);
        high &= high >> step;
        done += step;
    }
    return low & wanted;
}

/* Write the WHOLE codes of 8 CODES to CODE.  Returns the end of the written
   codes. */
INLINE uint64_t *
put_long(uint64_t *code, __m512i codes, uint64_t whole)
{
    __mmask8 mask = (__mmask8)whole;

    if (mask != 0xff)
        codes = _mm512_maskz_compress_epi64(mask, codes);
    _mm512_storeu_si512(code, codes);
    return code + _mm_popcnt_u32(mask);
}

/* The same for 16 codes. */
INLINE uint32_t *
put_short(uint32_t *code, __m512i codes, uint64_t whole)
{
    __mmask16 mask = (__mmask16)whole;

    if (mask != 0xffff)
        codes = _mm512_maskz_compress_epi32(mask, codes);
    _mm512_storeu_si512(code, codes);
    return code + _mm_popcnt_u32(mask);
}

/* The words of BLOCK, and the first of NEXT, of 64 bits or, if they are SHORT,
   of 32. */
struct kmer_words {
    __m512i forward;
    __m512i reverse;
};

INLINE struct kmer_words
words_of(const struct block *block, const struct block *next,
         const bool is_short)
{
    /* The first base of each word becomes the highest. */
    const __m256i turn = _mm256_broadcastsi128_si256(
        is_short ? _mm_setr_epi8(3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14,
                                 13, 12)
                 : _mm_setr_epi8(7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10,
                                 9, 8));
    __m256i forward = _mm256_inserti128_si256(
        _mm256_castsi128_si256(block->forward), next->forward, 1);
    __m256i reverse = _mm256_inserti128_si256(
        _mm256_castsi128_si256(block->reverse), next->reverse, 1);

    return (struct kmer_words){
        _mm512_castsi256_si512(_mm256_shuffle_epi8(forward, turn)),
        _mm512_castsi256_si512(reverse)};
}

/* The 8 codes of the windows from base I on. */
INLINE __m512i
long_codes(const struct kmer_words *words, unsigned int i, unsigned int k,
           const bool is_canonical)
{
    const __m512i lane = _mm512_setr_epi64(0, 2, 4, 6, 8, 10, 12, 14);
    __m512i word = _mm512_set1_epi64(i / 32);
    __m512i after = _mm512_set1_epi64(i / 32 + 1);
    __m512i count = _mm512_add_epi64(lane, _mm512_set1_epi64(2 * (i % 32)));
    __m512i codes = _mm512_srl_epi64(
        _mm512_shldv_epi64(_mm512_permutexvar_epi64(word, words->forward),
                           _mm512_permutexvar_epi64(after, words->forward),
                           count),
        _mm_cvtsi32_si128((int)(64 - 2 * k)));

    if (!is_canonical)
        return codes;
    __m512i right = _mm512_sub_epi64(_mm512_set1_epi64(64), count);
    __m512i reverse = _mm512_or_si512(
        _mm512_srlv_epi64(_mm512_permutexvar_epi64(word, words->reverse),
                          count),
        _mm512_sllv_epi64(_mm512_permutexvar_epi64(after, words->reverse),
                          right));
    __m512i mask = _mm512_set1_epi64((long long)kmer_mask(k));
    return _mm512_min_epu64(codes, _mm512_and_si512(reverse, mask));
}

/* The 16 codes of the windows from base I on, of SHORT words. */
INLINE __m512i
short_codes(const struct kmer_words *words, unsigned int i, unsigned int k,
            const bool is_canonical, const bool is_folded)
{
    const __m512i count = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18,
                                            20, 22, 24, 26, 28, 30);
    __m512i word = _mm512_set1_epi32((int)(i / 16));
    __m512i after = _mm512_set1_epi32((int)(i / 16 + 1));
    __m512i codes = _mm512_srl_epi32(
        _mm512_shldv_epi32(_mm512_permutexvar_epi32(word, words->forward),
                           _mm512_permutexvar_epi32(after, words->forward),
                           count),
        _mm_cvtsi32_si128((int)(32 - 2 * k)));

    if (!is_canonical)
        return codes;
    __m512i right = _mm512_sub_epi32(_mm512_set1_epi32(32), count);
    __m512i reverse = _mm512_or_si512(
        _mm512_srlv_epi32(_mm512_permutexvar_epi32(word, words->reverse),
                          count),
        _mm512_sllv_epi32(_mm512_permutexvar_epi32(after, words->reverse),
                          right));
    __m512i mask = _mm512_set1_epi32((int)kmer_mask(k));
    reverse = _mm512_and_si512(reverse, mask);
    if (!is_folded)
        return _mm512_min_epu32(codes, reverse);
    /* The high bit of the middle base decides. */
    __m512i low = _mm512_set1_epi32((int)((1u << k) - 1));
    codes = _mm512_mask_mov_epi32(
        codes, _mm512_test_epi32_mask(codes, _mm512_set1_epi32((int)(1u << k))),
        reverse);
    return _mm512_or_si512(
        _mm512_and_si512(low, codes),
        _mm512_andnot_si512(low, _mm512_srli_epi32(codes, 1)));
}

/* Both forms: codes go to CODE or, if they are SHORT, to SHORT_CODE. */
INLINE size_t
write_codes(unsigned int k, const bool is_canonical, const bool is_folded,
            const unsigned char *base, size_t windows, const bool is_short,
            uint32_t *short_code, uint64_t *code)
{
    const unsigned int lanes = is_short ? 16 : 8;
    size_t bases = windows + k - 1;
    struct block next = read_block(base, bases, 0);
    const uint32_t *short_start = short_code;
    const uint64_t *start = code;

    for (size_t at = 0; at < windows; at += 64) {
        struct block block = next;
        size_t left = windows - at;
        next = read_block(base, bases, at + 64);
        struct kmer_words words = words_of(&block, &next, is_short);
        uint64_t whole = whole_windows(&block, &next, k, left);
        for (unsigned int i = 0; i < 64 && i < left; i += lanes) {
            if (is_short)
                short_code = put_short(
                    short_code,
                    short_codes(&words, i, k, is_canonical, is_folded),
                    whole >> i);
            else
                code = put_long(code, long_codes(&words, i, k, is_canonical),
                                whole >> i);
        }
    }
    return (size_t)(is_short ? short_code - short_start : code - start);
}

/* Write the WHOLE codes of 8 codes, whose words are HIGH and LOW, to CODE.
   Returns the end of the written codes. */
INLINE uint64_t *
put_pairs(uint64_t *code, __m512i high, __m512i low, uint64_t whole)
{
    const __m512i first = _mm512_setr_epi64(0, 8, 1, 9, 2, 10, 3, 11);
    const __m512i last = _mm512_setr_epi64(4, 12, 5, 13, 6, 14, 7, 15);
    __mmask8 mask = (__mmask8)whole;

    if (mask != 0xff) {
        high = _mm512_maskz_compress_epi64(mask, high);
        low = _mm512_maskz_compress_epi64(mask, low);
    }
    _mm512_storeu_si512(code, _mm512_permutex2var_epi64(high, first, low));
    _mm512_storeu_si512(code + 8, _mm512_permutex2var_epi64(high, last, low));
    return code + 2 * _mm_popcnt_u32(mask);
}

/* The lesser codes of those with the words *HIGH and *LOW, and of the reverse
   ones of the windows from base I on: in *HIGH and *LOW. */
INLINE void
take_lesser(const struct kmer_words *words, unsigned int i, __m512i mask,
            __m512i *high, __m512i *low)
{
    const __m512i lane = _mm512_setr_epi64(0, 2, 4, 6, 8, 10, 12, 14);
    __m512i count = _mm512_add_epi64(lane, _mm512_set1_epi64(2 * (i % 32)));
    __m512i left = _mm512_sub_epi64(_mm512_set1_epi64(64), count);
    __m512i word[3];

    for (unsigned int w = 0; w < 3; w++)
        word[w] = _mm512_permutexvar_epi64(_mm512_set1_epi64(i / 32 + w),
                                           words->reverse);
    __m512i own_low = _mm512_or_si512(_mm512_srlv_epi64(word[0], count),
                                      _mm512_sllv_epi64(word[1], left));
    __m512i own_high = _mm512_or_si512(_mm512_srlv_epi64(word[1], count),
                                       _mm512_sllv_epi64(word[2], left));
    own_high = _mm512_and_si512(own_high, mask);
    __mmask8 is_less = _mm512_cmplt_epu64_mask(own_high, *high);
    is_less |= _mm512_mask_cmplt_epu64_mask(
        _mm512_cmpeq_epi64_mask(own_high, *high), own_low, *low);
    *high = _mm512_mask_mov_epi64(*high, is_less, own_high);
    *low = _mm512_mask_mov_epi64(*low, is_less, own_low);
}

/* Write the 8 codes of the windows from base I on that are WHOLE to CODE.
   Returns the end of the written codes. */
INLINE uint64_t *
write_eight_pairs(const struct kmer_words *words, unsigned int i,
                  unsigned int k, const bool is_canonical, uint64_t whole,
                  uint64_t *code)
{
    const __m512i lane = _mm512_setr_epi64(0, 2, 4, 6, 8, 10, 12, 14);
    const __m128i right = _mm_cvtsi32_si128((int)(128 - 2 * k));
    const __m128i left = _mm_cvtsi32_si128((int)(2 * k - 64));
    __m512i count = _mm512_add_epi64(lane, _mm512_set1_epi64(2 * (i % 32)));
    __m512i word[3];

    for (unsigned int w = 0; w < 3; w++)
        word[w] = _mm512_permutexvar_epi64(_mm512_set1_epi64(i / 32 + w),
                                           words->forward);
    __m512i high = _mm512_shldv_epi64(word[0], word[1], count);
    __m512i low = _mm512_shldv_epi64(word[1], word[2], count);
    low = _mm512_or_si512(_mm512_srl_epi64(low, right),
                          _mm512_sll_epi64(high, left));
    high = _mm512_srl_epi64(high, right);
    if (is_canonical)
        take_lesser(words, i,
                    _mm512_set1_epi64((long long)kmer_mask(k - KMER_WORD_MAX)),
                    &high, &low);
    return put_pairs(code, high, low, whole);
}

/* As write_codes(), of codes of two words. */
INLINE size_t
write_pairs(unsigned int k, const bool is_canonical, const unsigned char *base,
            size_t windows, uint64_t *code)
{
    const size_t bases = windows + k - 1;
    const uint64_t *start = code;
    struct block next = read_block(base, bases, 0);

    for (size_t at = 0; at < windows; at += 64) {
        struct block block = next;
        size_t left = windows - at;
        next = read_block(base, bases, at + 64);
        struct kmer_words words = words_of(&block, &next, false);
        uint64_t whole = whole_windows(&block, &next, k, left);
        for (unsigned int i = 0; i < 64 && i < left; i += 8)
            code =
                write_eight_pairs(&words, i, k, is_canonical, whole >> i, code);
    }
    return (size_t)(code - start) / 2;
}

bool
kmer_codes_avx512_is_possible(void)
{
    return __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512vbmi2");
}

TARGET size_t
kmer_codes_short_avx512(const struct kmer_codes *codes,
                        const unsigned char *base, size_t windows,
                        uint32_t *code)
{
    if (codes->is_folded)
        return write_codes(codes->k, true, true, base, windows, true, code,
                           NULL);
    return codes->is_canonical ? write_codes(codes->k, true, false, base,
                                             windows, true, code, NULL)
                               : write_codes(codes->k, false, false, base,
                                             windows, true, code, NULL);
}

TARGET size_t
kmer_codes_long_avx512(const struct kmer_codes *codes,
                       const unsigned char *base, size_t windows,
                       uint64_t *code)
{
    return codes->is_canonical ? write_codes(codes->k, true, false, base,
                                             windows, false, NULL, code)
                               : write_codes(codes->k, false, false, base,
                                             windows, false, NULL, code);
}

TARGET size_t
kmer_codes_pair_avx512(const struct kmer_codes *codes,
                       const unsigned char *base, size_t windows,
                       uint64_t *code)
{
    return codes->is_canonical
               ? write_pairs(codes->k, true, base, windows, code)
               : write_pairs(codes->k, false, base, windows, code);
}
