/* SPDX-License-Identifier: MIT */
/* short_decimals_avx512.c -- read eight short decimals at a time */

#include <immintrin.h>

#include "text/short_decimals.h"

/* Per function, not per file: see scan_avx512.c. */
#define TARGET __attribute__((target("avx512f,avx512bw,avx512cd")))
#define INLINE static inline TARGET __attribute__((always_inline))

/* The steps are those of value_of() in short_decimals.c. */
INLINE __m512i
read_eight(__m512i bytes, __m512i size, __mmask8 *are_all)
{
    const __m512i zero = _mm512_setzero_si512();
    const __m512i one = _mm512_set1_epi64(1);
    const __m512i digit = _mm512_set1_epi8('0');
    const __m512i unit = _mm512_setr_epi64(1000000000, 100000000, 10000000,
                                           1000000, 100000, 10000, 1000, 100);

    /* The bits before the text.  Shifts by 64 and more make 0. */
    __m512i before =
        _mm512_sub_epi64(_mm512_set1_epi64(64), _mm512_slli_epi64(size, 3));
    __m512i first = _mm512_and_si512(_mm512_srlv_epi64(bytes, before),
                                     _mm512_set1_epi64(255));
    __mmask8 is_negative =
        _mm512_cmpeq_epi64_mask(first, _mm512_set1_epi64('-'));
    before = _mm512_mask_add_epi64(before, is_negative, before,
                                   _mm512_set1_epi64(8));
    __mmask8 is_short = _mm512_cmplt_epu64_mask(before, _mm512_set1_epi64(64));
    __m512i none = _mm512_sub_epi64(_mm512_sllv_epi64(one, before), one);
    bytes = _mm512_or_si512(_mm512_andnot_si512(none, bytes),
                            _mm512_and_si512(none, digit));

    /* The first point: its lowest bit, the bits below it, its byte. */
    __m512i points =
        _mm512_movm_epi8(_mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8('.')));
    __m512i bit = _mm512_and_si512(points, _mm512_sub_epi64(zero, points));
    __mmask8 has_point = _mm512_test_epi64_mask(bit, bit);
    __m512i below = _mm512_sub_epi64(bit, one);
    __m512i byte = _mm512_sub_epi64(_mm512_slli_epi64(bit, 8), bit);
    /* The bytes before the point move to its place. */
    __m512i after = _mm512_andnot_si512(_mm512_or_si512(below, byte), bytes);
    __m512i moved = _mm512_slli_epi64(_mm512_and_si512(bytes, below), 8);
    moved =
        _mm512_or_si512(_mm512_or_si512(after, moved), _mm512_set1_epi64('0'));
    __m512i alone = _mm512_set1_epi64(56); /* a point, and nothing else */
    is_short &=
        (__mmask8) ~(has_point & _mm512_cmpeq_epi64_mask(before, alone));
    bytes = _mm512_mask_mov_epi64(bytes, has_point, moved);
    __m512i places =
        _mm512_maskz_srli_epi64(has_point, _mm512_lzcnt_epi64(bit), 3);

    bytes = _mm512_sub_epi8(bytes, digit);
    __m512i wrong = _mm512_subs_epu8(bytes, _mm512_set1_epi8(9));
    is_short &= _mm512_testn_epi64_mask(wrong, wrong);

    /* Pairs, then fours, then all eight. */
    __m512i value =
        _mm512_maddubs_epi16(bytes, _mm512_set1_epi16(10 + (1 << 8)));
    value = _mm512_madd_epi16(value, _mm512_set1_epi32(100 + (1 << 16)));
    value = _mm512_add_epi64(_mm512_mul_epu32(value, _mm512_set1_epi64(10000)),
                             _mm512_srli_epi64(value, 32));
    value = _mm512_mul_epu32(value, _mm512_permutexvar_epi64(places, unit));
    value = _mm512_mask_sub_epi64(value, is_negative, zero, value);
    *are_all &= is_short;
    return _mm512_mask_mov_epi64(_mm512_set1_epi64(SHORT_DECIMALS_NONE),
                                 is_short, value);
}

bool
short_decimals_avx512_is_possible(void)
{
    return __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512cd");
}

TARGET bool
short_decimals_avx512(const struct short_decimals *batch,
                      int64_t nano[SHORT_DECIMALS_BATCH])
{
    __mmask8 are_all = UINT8_MAX;

    for (size_t i = 0; i < SHORT_DECIMALS_BATCH; i += 8)
        _mm512_storeu_si512(
            nano + i, read_eight(_mm512_load_si512(batch->bytes + i),
                                 _mm512_load_si512(batch->size + i), &are_all));
    return are_all == UINT8_MAX;
}
