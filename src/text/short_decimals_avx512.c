/* SPDX-License-Identifier: MIT */
/* short_decimals_avx512.c -- read eight short decimals at a time */

#include <immintrin.h>

#include "base/decimal_sum.h"
#include "text/short_decimals.h"

/* Per function, not per file: see scan_avx512.c. */
#define TARGET __attribute__((target("avx512f,avx512bw,avx512cd")))
#define INLINE static inline TARGET __attribute__((always_inline))

/* The lowest bit of the first byte of each BYTES that is a point, or 0. */
INLINE __m512i
find_point(__m512i bytes)
{
    __m512i points =
        _mm512_movm_epi8(_mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8('.')));

    return _mm512_and_si512(points,
                            _mm512_sub_epi64(_mm512_setzero_si512(), points));
}

/* How many bytes are after that of BIT. */
INLINE __m512i
bytes_after(__m512i bit)
{
    return _mm512_srli_epi64(_mm512_lzcnt_epi64(bit), 3);
}

/* BYTES without the byte of BIT: the bytes before it move to its place, after
   FIRST. */
INLINE __m512i
without_point(__m512i bytes, __m512i bit, __m512i first)
{
    __m512i below = _mm512_sub_epi64(bit, _mm512_set1_epi64(1));
    __m512i byte = _mm512_sub_epi64(_mm512_slli_epi64(bit, 8), bit);
    __m512i after = _mm512_andnot_si512(_mm512_or_si512(below, byte), bytes);
    __m512i moved = _mm512_slli_epi64(_mm512_and_si512(bytes, below), 8);

    return _mm512_or_si512(_mm512_or_si512(after, moved), first);
}

/* Which BYTES are digits, and the number of each. */
INLINE __mmask8
number_of(__m512i bytes, __m512i *number)
{
    bytes = _mm512_sub_epi8(bytes, _mm512_set1_epi8('0'));
    __m512i wrong = _mm512_subs_epu8(bytes, _mm512_set1_epi8(9));

    /* Pairs, then fours, then all eight. */
    __m512i value =
        _mm512_maddubs_epi16(bytes, _mm512_set1_epi16(10 + (1 << 8)));
    value = _mm512_madd_epi16(value, _mm512_set1_epi32(100 + (1 << 16)));
    *number =
        _mm512_add_epi64(_mm512_mul_epu32(value, _mm512_set1_epi64(10000)),
                         _mm512_srli_epi64(value, 32));
    return _mm512_testn_epi64_mask(wrong, wrong);
}

/* The steps are those of value_of() in short_decimals.c. */
INLINE __mmask8
read_words(__m512i bytes, __m512i size, __m512i *nano)
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

    __m512i bit = find_point(bytes);
    __mmask8 has_point = _mm512_test_epi64_mask(bit, bit);
    __m512i alone = _mm512_set1_epi64(56); /* a point, and nothing else */
    is_short &=
        (__mmask8) ~(has_point & _mm512_cmpeq_epi64_mask(before, alone));
    bytes = _mm512_mask_mov_epi64(
        bytes, has_point, without_point(bytes, bit, _mm512_set1_epi64('0')));
    __m512i places = _mm512_maskz_mov_epi64(has_point, bytes_after(bit));

    __m512i value;
    is_short &= number_of(bytes, &value);
    value = _mm512_mul_epu32(value, _mm512_permutexvar_epi64(places, unit));
    *nano = _mm512_mask_sub_epi64(value, is_negative, zero, value);
    return is_short;
}

/* Those of longer_value_of(). */
INLINE __mmask8
read_longer(__m512i low, __m512i high, __m512i size, __m512i *nano)
{
    const __m512i zero = _mm512_setzero_si512();
    const __m512i one = _mm512_set1_epi64(1);
    const __m512i digit = _mm512_set1_epi8('0');
    const __m512i unit = _mm512_setr_epi64(1000000000, 100000000, 10000000,
                                           1000000, 100000, 10000, 1000, 100);
    const __m512i few_units = _mm512_setr_epi64(10, 1, 0, 0, 0, 0, 0, 0);

    __m512i before =
        _mm512_sub_epi64(_mm512_set1_epi64(128), _mm512_slli_epi64(size, 3));
    __m512i first = _mm512_and_si512(_mm512_srlv_epi64(low, before),
                                     _mm512_set1_epi64(255));
    __mmask8 is_negative =
        _mm512_cmpeq_epi64_mask(first, _mm512_set1_epi64('-'));
    before = _mm512_mask_add_epi64(before, is_negative, before,
                                   _mm512_set1_epi64(8));
    __m512i none = _mm512_sub_epi64(_mm512_sllv_epi64(one, before), one);
    low = _mm512_or_si512(_mm512_andnot_si512(none, low),
                          _mm512_and_si512(none, digit));

    __m512i bit = find_point(high);
    __m512i low_bit = find_point(low);
    __mmask8 in_high = _mm512_test_epi64_mask(bit, bit);
    __mmask8 in_low =
        (__mmask8)(_mm512_test_epi64_mask(low_bit, low_bit) & ~in_high);
    high = _mm512_mask_mov_epi64(
        high, in_high, without_point(high, bit, _mm512_srli_epi64(low, 56)));
    __m512i moved =
        _mm512_or_si512(_mm512_slli_epi64(low, 8), _mm512_set1_epi64('0'));
    low = _mm512_mask_mov_epi64(
        low, in_low, without_point(low, low_bit, _mm512_set1_epi64('0')));
    low = _mm512_mask_mov_epi64(low, in_high, moved);
    __m512i places = _mm512_maskz_mov_epi64(in_high, bytes_after(bit));
    places = _mm512_mask_add_epi64(places, in_low, bytes_after(low_bit),
                                   _mm512_set1_epi64(SHORT_DECIMALS_WORD));

    __m512i value;
    __m512i more;
    __mmask8 is_short =
        number_of(low, &value) & number_of(high, &more) &
        _mm512_cmple_epu64_mask(places, _mm512_set1_epi64(DECIMAL_NANO_PLACES));
    value = _mm512_add_epi64(
        _mm512_mul_epu32(value, _mm512_set1_epi64(100000000)), more);
    __m512i units = _mm512_permutex2var_epi64(unit, places, few_units);
    /* VALUE has 54 bits, UNITS has 30. */
    __m512i above = _mm512_mul_epu32(_mm512_srli_epi64(value, 32), units);
    value = _mm512_add_epi64(_mm512_mul_epu32(value, units),
                             _mm512_slli_epi64(above, 32));
    /* With a lesser ABOVE, the sum has no carry. */
    is_short &=
        _mm512_cmplt_epu64_mask(above, _mm512_set1_epi64(1 << 30)) &
        _mm512_cmple_epu64_mask(value, _mm512_set1_epi64(DECIMAL_NANO_MOST));
    *nano = _mm512_mask_sub_epi64(value, is_negative, zero, value);
    return is_short;
}

/* The texts of a batch from text I on, eight at a time. */
INLINE void
load_eight(const struct short_decimals *batch, size_t i, __m512i *before,
           __m512i *bytes, __m512i *size)
{
    const __m512i even = _mm512_setr_epi64(0, 2, 4, 6, 8, 10, 12, 14);
    const __m512i odd = _mm512_setr_epi64(1, 3, 5, 7, 9, 11, 13, 15);
    __m512i low = _mm512_load_si512(batch->word[i]);
    __m512i high = _mm512_load_si512(batch->word[i + 4]);

    *before = _mm512_permutex2var_epi64(low, even, high);
    *bytes = _mm512_permutex2var_epi64(low, odd, high);
    *size = _mm512_load_si512(batch->size + i);
}

/* Set *NANO to the texts from text I on.  Returns which are short decimals. */
INLINE __mmask8
read_eight(const struct short_decimals *batch, size_t i, __m512i *nano)
{
    const __m512i word = _mm512_set1_epi64(SHORT_DECIMALS_WORD);
    const __m512i most = _mm512_set1_epi64(SHORT_DECIMALS_TEXT_MAX);
    __m512i before;
    __m512i bytes;
    __m512i size;

    load_eight(batch, i, &before, &bytes, &size);
    __mmask8 is_longer = _mm512_cmpgt_epu64_mask(size, word);
    __mmask8 is_short = 0;
    *nano = size;
    if (is_longer != UINT8_MAX)
        is_short = read_words(bytes, size, nano) & (__mmask8)~is_longer;
    if (is_longer != 0) {
        __m512i longer;
        is_longer &= _mm512_cmple_epu64_mask(size, most);
        is_short |= is_longer & read_longer(before, bytes, size, &longer);
        *nano = _mm512_mask_mov_epi64(*nano, is_longer, longer);
    }
    return is_short;
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

    for (size_t i = 0; i < SHORT_DECIMALS_BATCH; i += 8) {
        __m512i value;
        __mmask8 is_short = read_eight(batch, i, &value);
        are_all &= is_short;
        _mm512_storeu_si512(
            nano + i,
            _mm512_mask_mov_epi64(_mm512_set1_epi64(SHORT_DECIMALS_NONE),
                                  is_short, value));
    }
    return are_all == UINT8_MAX;
}

TARGET struct short_decimals_found
short_find_avx512(const struct short_decimals *batch, int64_t least,
                  int64_t most)
{
    struct short_decimals_found found = {0, 0};

    for (size_t i = 0; i < SHORT_DECIMALS_BATCH; i += 8) {
        __m512i value;
        __mmask8 is_short = read_eight(batch, i, &value);
        __mmask8 is_within = _mm512_mask_cmpge_epi64_mask(
            _mm512_mask_cmple_epi64_mask(is_short, value,
                                         _mm512_set1_epi64(most)),
            value, _mm512_set1_epi64(least));
        found.within |= (uint64_t)is_within << i;
        found.others |= (uint64_t)(__mmask8)~is_short << i;
    }
    return found;
}

/* BYTES with zeros instead of the first bits, BEFORE of them.  Shifts by 64 and
   more make 0. */
INLINE __m512i
last_digits(__m512i bytes, __m512i before)
{
    __m512i mask = _mm512_sllv_epi64(_mm512_set1_epi64(-1), before);

    return _mm512_or_si512(_mm512_and_si512(bytes, mask),
                           _mm512_andnot_si512(mask, _mm512_set1_epi8('0')));
}

/* The steps are those of alike_value() in short_decimals.c. */
INLINE __mmask8
read_alike(const struct short_decimals *batch, size_t i,
           const struct short_alike *alike, __m512i *value)
{
    const __m512i most = _mm512_set1_epi64(SHORT_DECIMALS_TEXT_MAX);
    const __m512i places = _mm512_set1_epi64(alike->places);
    const __m512i after = _mm512_set1_epi64((int64_t)alike->after);
    const __m512i point =
        _mm512_set1_epi64((int64_t)(~alike->after & alike->after >> 8));
    __m512i low;
    __m512i high;
    __m512i size;

    load_eight(batch, i, &low, &high, &size);
    __mmask8 is_alike =
        _mm512_cmpgt_epu64_mask(size, places) &
        _mm512_cmple_epu64_mask(size, most) &
        _mm512_testn_epi64_mask(_mm512_xor_si512(high, _mm512_set1_epi8('.')),
                                point);
    __m512i left =
        _mm512_or_si512(_mm512_slli_epi64(high, 8), _mm512_srli_epi64(low, 56));
    high = _mm512_or_si512(_mm512_and_si512(high, after),
                           _mm512_andnot_si512(after, left));
    /* The bits before the digits in two words, and in the last one of them. */
    __m512i before = _mm512_slli_epi64(
        _mm512_sub_epi64(_mm512_add_epi64(most, _mm512_set1_epi64(1)), size),
        3);
    is_alike &= number_of(
        last_digits(high, _mm512_subs_epu16(before, _mm512_set1_epi64(64))),
        value);
    if (_mm512_mask_cmplt_epu64_mask(is_alike, before, _mm512_set1_epi64(64)) !=
        0) {
        __m512i upper;
        low = _mm512_slli_epi64(low, 8);
        is_alike &= number_of(last_digits(low, before), &upper);
        *value = _mm512_add_epi64(
            *value, _mm512_mul_epu32(upper, _mm512_set1_epi64(100000000)));
    }
    return is_alike & _mm512_cmple_epu64_mask(
                          *value, _mm512_set1_epi64((int64_t)alike->limit));
}

TARGET struct short_decimals_found
short_alike_avx512(const struct short_decimals *batch,
                   const struct short_alike *alike)
{
    const __m512i least = _mm512_set1_epi64((int64_t)alike->least);
    const __m512i most = _mm512_set1_epi64((int64_t)alike->most);
    struct short_decimals_found found = {0, 0};

    for (size_t i = 0; i < SHORT_DECIMALS_BATCH; i += 8) {
        __m512i value;
        __mmask8 is_alike = read_alike(batch, i, alike, &value);
        __mmask8 is_within = _mm512_mask_cmpge_epu64_mask(
            _mm512_mask_cmple_epu64_mask(is_alike, value, most), value, least);
        found.within |= (uint64_t)is_within << i;
        found.others |= (uint64_t)(__mmask8)~is_alike << i;
    }
    return found;
}

TARGET struct short_decimals_found
short_whole_avx512(const struct short_decimals *batch, uint64_t least,
                   uint64_t most)
{
    const __m512i one = _mm512_set1_epi64(1);
    const __m512i first_highest = _mm512_broadcast_i32x4(
        _mm_setr_epi8(7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8));
    struct short_decimals_found found = {0, 0};

    for (size_t i = 0; i < SHORT_DECIMALS_BATCH; i += 8) {
        __m512i before;
        __m512i bytes;
        __m512i size;
        load_eight(batch, i, &before, &bytes, &size);
        bytes =
            last_digits(bytes, _mm512_sub_epi64(_mm512_set1_epi64(64),
                                                _mm512_slli_epi64(size, 3)));
        __m512i wrong = _mm512_subs_epu8(
            _mm512_sub_epi8(bytes, _mm512_set1_epi8('0')), _mm512_set1_epi8(9));
        __mmask8 is_whole = _mm512_mask_testn_epi64_mask(
            _mm512_cmplt_epu64_mask(_mm512_sub_epi64(size, one),
                                    _mm512_set1_epi64(SHORT_DECIMALS_WORD)),
            wrong, wrong);
        __m512i digits = _mm512_shuffle_epi8(bytes, first_highest);
        __mmask8 is_within = _mm512_mask_cmpge_epu64_mask(
            _mm512_mask_cmple_epu64_mask(is_whole, digits,
                                         _mm512_set1_epi64((int64_t)most)),
            digits, _mm512_set1_epi64((int64_t)least));
        found.within |= (uint64_t)is_within << i;
        found.others |= (uint64_t)(__mmask8)~is_whole << i;
    }
    return found;
}
