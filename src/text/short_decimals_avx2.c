/* SPDX-License-Identifier: MIT */
/* short_decimals_avx2.c -- read four short decimals at a time */

#include <immintrin.h>

#include "base/decimal_sum.h"
#include "text/short_decimals.h"

/* Per function, not per file: see scan_avx512.c. */
#define TARGET __attribute__((target("avx2")))
#define INLINE static inline TARGET __attribute__((always_inline))

/* Swaps the two elements in the middle: load_four() has changed their order. */
#define FOUR_IN_ORDER 0xd8

INLINE __m256i
four_of(uint64_t number)
{
    return _mm256_set1_epi64x((int64_t)number);
}

/* All bits of the elements of X that are 0. */
INLINE __m256i
is_zero(__m256i x)
{
    return _mm256_cmpeq_epi64(x, _mm256_setzero_si256());
}

/* All bits of the elements of X from LEAST to MOST.  All are below 2^63. */
INLINE __m256i
is_from(__m256i x, uint64_t least, uint64_t most)
{
    __m256i outside = _mm256_or_si256(_mm256_cmpgt_epi64(four_of(least), x),
                                      _mm256_cmpgt_epi64(x, four_of(most)));

    return is_zero(outside);
}

/* A bit for each element of MASK, in the order of the texts. */
INLINE uint64_t
bits_of(__m256i mask)
{
    mask = _mm256_permute4x64_epi64(mask, FOUR_IN_ORDER);
    return (uint64_t)_mm256_movemask_pd(_mm256_castsi256_pd(mask));
}

/* A TEXT of digits, with zeros instead of the bits of NONE, as numbers of one
   digit. */
INLINE __m256i
digits_of(__m256i text, __m256i none)
{
    return _mm256_andnot_si256(none,
                               _mm256_sub_epi8(text, _mm256_set1_epi8('0')));
}

/* Which elements have DIGITS alone, and the number of each. */
INLINE __m256i
number_of(__m256i digits, __m256i *number)
{
    /* Pairs, then fours, then all eight. */
    __m256i value =
        _mm256_maddubs_epi16(digits, _mm256_set1_epi16(10 + (1 << 8)));

    value = _mm256_madd_epi16(value, _mm256_set1_epi32(100 + (1 << 16)));
    *number = _mm256_add_epi64(_mm256_mul_epu32(value, four_of(10000)),
                               _mm256_srli_epi64(value, 32));
    return is_zero(_mm256_subs_epu8(digits, _mm256_set1_epi8(9)));
}

/* A point in each of some words of eight bytes. */
struct text_points {
    __m256i are_none; /* all bits: the word has no point */
    __m256i below;    /* the bits before it; without a point, all */
    __m256i byte;     /* its bits */
    __m256i after;    /* how many bytes are after it; without a point, 0 */
};

/* The first point in each of BYTES. */
INLINE struct text_points
find_points(__m256i bytes)
{
    const __m256i zero = _mm256_setzero_si256();
    __m256i all = _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8('.'));
    __m256i bit = _mm256_and_si256(all, _mm256_sub_epi64(zero, all));
    struct text_points points = {
        .are_none = is_zero(bit),
        .below = _mm256_sub_epi64(bit, four_of(1)),
        .byte = _mm256_sub_epi64(_mm256_slli_epi64(bit, 8), bit),
    };
    __m256i after = _mm256_andnot_si256(
        _mm256_or_si256(points.below, points.byte), _mm256_set1_epi8(1));

    points.after = _mm256_sad_epu8(after, zero);
    return points;
}

/* BYTES without POINTS: the bytes before a point move to its place, after
   FIRST. */
INLINE __m256i
without_points(__m256i bytes, const struct text_points *points, __m256i first)
{
    __m256i after = _mm256_andnot_si256(
        _mm256_or_si256(points->below, points->byte), bytes);
    __m256i moved =
        _mm256_slli_epi64(_mm256_and_si256(bytes, points->below), 8);

    return _mm256_blendv_epi8(
        _mm256_or_si256(_mm256_or_si256(after, moved), first), bytes,
        points->are_none);
}

/* The units of 10^-9 in one of PLACES, at most 9. */
INLINE __m256i
units_of(__m256i places)
{
    const __m256i unit = _mm256_setr_epi32(1000000000, 100000000, 10000000,
                                           1000000, 100000, 10000, 1000, 100);
    const __m256i few = _mm256_setr_epi32(10, 1, 0, 0, 0, 0, 0, 0);

    /* Numbers of 32 bits; the upper half of an element is not used. */
    return _mm256_blendv_epi8(_mm256_permutevar8x32_epi32(unit, places),
                              _mm256_permutevar8x32_epi32(few, places),
                              _mm256_cmpgt_epi64(places, four_of(7)));
}

/* The first byte of texts that start at the bit START of WORD. */
INLINE __m256i
is_minus(__m256i word, __m256i start)
{
    __m256i first =
        _mm256_and_si256(_mm256_srlv_epi64(word, start), four_of(255));

    return _mm256_cmpeq_epi64(first, four_of('-'));
}

/* NUMBER, with a sign where IS_NEGATIVE. */
INLINE __m256i
with_sign(__m256i number, __m256i is_negative)
{
    return _mm256_sub_epi64(_mm256_xor_si256(number, is_negative), is_negative);
}

/* The steps are those of value_of() in short_decimals.c. */
INLINE __m256i
read_words(__m256i bytes, __m256i size, __m256i *nano)
{
    const __m256i digit = _mm256_set1_epi8('0');

    /* The bits before the text.  Shifts by 64 and more make 0. */
    __m256i before = _mm256_sub_epi64(four_of(64), _mm256_slli_epi64(size, 3));
    __m256i is_negative = is_minus(bytes, before);
    before =
        _mm256_add_epi64(before, _mm256_and_si256(is_negative, four_of(8)));
    __m256i none =
        _mm256_sub_epi64(_mm256_sllv_epi64(four_of(1), before), four_of(1));
    bytes = _mm256_blendv_epi8(bytes, digit, none);

    struct text_points points = find_points(bytes);
    __m256i is_alone = /* a point, and nothing else */
        _mm256_andnot_si256(points.are_none,
                            _mm256_cmpeq_epi64(before, four_of(56)));
    __m256i is_wrong =
        _mm256_or_si256(is_alone, _mm256_cmpgt_epi64(before, four_of(63)));
    bytes = without_points(bytes, &points, four_of('0'));

    __m256i value;
    __m256i is_right =
        number_of(digits_of(bytes, _mm256_setzero_si256()), &value);
    value = _mm256_mul_epu32(value, units_of(points.after));
    *nano = with_sign(value, is_negative);
    return _mm256_andnot_si256(is_wrong, is_right);
}

/* Those of longer_value_of(). */
INLINE __m256i
read_longer(__m256i low, __m256i high, __m256i size, __m256i *nano)
{
    const __m256i digit = _mm256_set1_epi8('0');

    __m256i before = _mm256_sub_epi64(four_of(128), _mm256_slli_epi64(size, 3));
    __m256i is_negative = is_minus(low, before);
    before =
        _mm256_add_epi64(before, _mm256_and_si256(is_negative, four_of(8)));
    __m256i none =
        _mm256_sub_epi64(_mm256_sllv_epi64(four_of(1), before), four_of(1));
    low = _mm256_blendv_epi8(low, digit, none);

    struct text_points points = find_points(high);
    struct text_points low_points = find_points(low);
    high = without_points(high, &points, _mm256_srli_epi64(low, 56));
    __m256i moved = _mm256_or_si256(_mm256_slli_epi64(low, 8), four_of('0'));
    low = _mm256_blendv_epi8(
        moved, without_points(low, &low_points, four_of('0')), points.are_none);
    __m256i in_low = _mm256_andnot_si256(low_points.are_none, points.are_none);
    __m256i places = _mm256_add_epi64(
        points.after,
        _mm256_and_si256(
            in_low,
            _mm256_add_epi64(low_points.after, four_of(SHORT_DECIMALS_WORD))));

    __m256i value;
    __m256i more;
    __m256i is_right = _mm256_and_si256(
        number_of(digits_of(low, _mm256_setzero_si256()), &value),
        number_of(digits_of(high, _mm256_setzero_si256()), &more));
    value = _mm256_add_epi64(_mm256_mul_epu32(value, four_of(100000000)), more);
    __m256i units = units_of(places);
    /* VALUE has 54 bits, UNITS has 30. */
    __m256i above = _mm256_mul_epu32(_mm256_srli_epi64(value, 32), units);
    value = _mm256_add_epi64(_mm256_mul_epu32(value, units),
                             _mm256_slli_epi64(above, 32));
    /* With a lesser ABOVE, the sum has no carry. */
    __m256i is_wrong = _mm256_or_si256(
        _mm256_cmpgt_epi64(places, four_of(DECIMAL_NANO_PLACES)),
        _mm256_cmpgt_epi64(above, four_of((1 << 30) - 1)));
    is_wrong = _mm256_or_si256(
        is_wrong, _mm256_cmpgt_epi64(value, four_of(DECIMAL_NANO_MOST)));
    *nano = with_sign(value, is_negative);
    return _mm256_andnot_si256(is_wrong, is_right);
}

/* Some texts of a batch: two words and the size of each. */
struct four_texts {
    __m256i low;
    __m256i high;
    __m256i size;
};

/* The texts of BATCH from text I on, four at a time: number 0, 2, 1 and 3. */
INLINE struct four_texts
load_four(const struct short_decimals *batch, size_t i)
{
    const __m256i *word = (const __m256i *)(const void *)batch->word[i];
    const __m256i *size = (const __m256i *)(const void *)(batch->size + i);
    __m256i first = _mm256_load_si256(word);
    __m256i second = _mm256_load_si256(word + 1);

    return (struct four_texts){
        _mm256_unpacklo_epi64(first, second),
        _mm256_unpackhi_epi64(first, second),
        _mm256_permute4x64_epi64(_mm256_load_si256(size), FOUR_IN_ORDER),
    };
}

/* Set *NANO to the texts from text I on.  Returns which are short decimals. */
INLINE __m256i
read_four(const struct short_decimals *batch, size_t i, __m256i *nano)
{
    const struct four_texts text = load_four(batch, i);
    __m256i is_longer =
        _mm256_cmpgt_epi64(text.size, four_of(SHORT_DECIMALS_WORD));
    __m256i is_short = read_words(text.high, text.size, nano);

    if (_mm256_testz_si256(is_longer, is_longer) == 0) {
        __m256i longer;
        __m256i is_right = _mm256_and_si256(
            read_longer(text.low, text.high, text.size, &longer),
            is_from(text.size, 0, SHORT_DECIMALS_TEXT_MAX));
        *nano = _mm256_blendv_epi8(*nano, longer, is_longer);
        is_short = _mm256_blendv_epi8(is_short, is_right, is_longer);
    }
    return is_short;
}

bool
short_decimals_avx2_is_possible(void)
{
    return __builtin_cpu_supports("avx2");
}

TARGET bool
short_decimals_avx2(const struct short_decimals *batch,
                    int64_t nano[SHORT_DECIMALS_BATCH])
{
    __m256i are_all = _mm256_set1_epi8(-1);

    for (size_t i = 0; i < SHORT_DECIMALS_BATCH; i += 4) {
        __m256i value;
        __m256i is_short = read_four(batch, i, &value);
        are_all = _mm256_and_si256(are_all, is_short);
        value = _mm256_blendv_epi8(four_of((uint64_t)SHORT_DECIMALS_NONE),
                                   value, is_short);
        _mm256_storeu_si256((__m256i *)(void *)(nano + i),
                            _mm256_permute4x64_epi64(value, FOUR_IN_ORDER));
    }
    return _mm256_movemask_epi8(are_all) == -1;
}

/* Add the texts from text I on to FOUND. */
INLINE void
add_found(struct short_decimals_found *found, size_t i, __m256i is_right,
          __m256i is_within)
{
    is_within = _mm256_and_si256(is_within, is_right);
    found->within |= bits_of(is_within) << i;
    found->others |= (bits_of(is_right) ^ 15) << i;
}

TARGET struct short_decimals_found
short_find_avx2(const struct short_decimals *batch, int64_t least, int64_t most)
{
    struct short_decimals_found found = {0, 0};

    for (size_t i = 0; i < SHORT_DECIMALS_BATCH; i += 4) {
        __m256i value;
        __m256i is_short = read_four(batch, i, &value);
        add_found(&found, i, is_short,
                  is_from(value, (uint64_t)least, (uint64_t)most));
    }
    return found;
}

/* The steps are those of alike_value() in short_decimals.c. */
INLINE __m256i
read_alike(const struct short_decimals *batch, size_t i,
           const struct short_alike *alike, __m256i *value)
{
    const struct four_texts text = load_four(batch, i);
    const __m256i after = four_of(alike->after);
    const __m256i point = four_of(~alike->after & alike->after >> 8);
    __m256i differs = _mm256_and_si256(
        _mm256_xor_si256(text.high, _mm256_set1_epi8('.')), point);
    __m256i is_alike =
        _mm256_and_si256(is_zero(differs), is_from(text.size, alike->places + 1,
                                                   SHORT_DECIMALS_TEXT_MAX));
    __m256i left = _mm256_or_si256(_mm256_slli_epi64(text.high, 8),
                                   _mm256_srli_epi64(text.low, 56));
    __m256i high = _mm256_blendv_epi8(left, text.high, after);
    /* The bits of the digits.  Shifts by 64 and more make 0. */
    __m256i bits =
        _mm256_slli_epi64(_mm256_sub_epi64(text.size, four_of(1)), 3);
    __m256i none = _mm256_srlv_epi64(_mm256_set1_epi8(-1), bits);

    is_alike =
        _mm256_and_si256(is_alike, number_of(digits_of(high, none), value));
    __m256i is_longer =
        _mm256_and_si256(is_alike, _mm256_cmpgt_epi64(bits, four_of(64)));
    if (_mm256_testz_si256(is_longer, is_longer) == 0) {
        __m256i upper;
        none = _mm256_sub_epi64(
            _mm256_sllv_epi64(four_of(1), _mm256_sub_epi64(four_of(128), bits)),
            four_of(1));
        is_alike = _mm256_and_si256(
            is_alike,
            number_of(digits_of(_mm256_slli_epi64(text.low, 8), none), &upper));
        *value = _mm256_add_epi64(*value,
                                  _mm256_mul_epu32(upper, four_of(100000000)));
    }
    return _mm256_and_si256(is_alike, is_from(*value, 0, alike->limit));
}

/* The least of NUMBER and what is compared with a sign. */
INLINE uint64_t
at_most_signed(uint64_t number)
{
    return number < INT64_MAX ? number : INT64_MAX;
}

TARGET struct short_decimals_found
short_alike_avx2(const struct short_decimals *batch,
                 const struct short_alike *alike)
{
    const struct short_alike own = *alike;
    const uint64_t least = at_most_signed(own.least);
    struct short_decimals_found found = {0, 0};

    for (size_t i = 0; i < SHORT_DECIMALS_BATCH; i += 4) {
        __m256i value;
        __m256i is_alike = read_alike(batch, i, &own, &value);
        add_found(&found, i, is_alike, is_from(value, least, own.most));
    }
    return found;
}

TARGET struct short_decimals_found
short_whole_avx2(const struct short_decimals *batch, uint64_t least,
                 uint64_t most)
{
    const __m256i first_highest = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8));
    struct short_decimals_found found = {0, 0};

    least = at_most_signed(least);
    for (size_t i = 0; i < SHORT_DECIMALS_BATCH; i += 4) {
        const struct four_texts text = load_four(batch, i);
        __m256i none = _mm256_srlv_epi64(_mm256_set1_epi8(-1),
                                         _mm256_slli_epi64(text.size, 3));
        __m256i bytes =
            _mm256_blendv_epi8(text.high, _mm256_set1_epi8('0'), none);
        __m256i wrong = _mm256_subs_epu8(
            _mm256_sub_epi8(bytes, _mm256_set1_epi8('0')), _mm256_set1_epi8(9));
        __m256i is_whole = _mm256_and_si256(
            is_zero(wrong), is_from(text.size, 1, SHORT_DECIMALS_WORD));
        __m256i digits = _mm256_shuffle_epi8(bytes, first_highest);
        add_found(&found, i, is_whole, is_from(digits, least, most));
    }
    return found;
}
