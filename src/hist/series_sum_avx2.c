/* SPDX-License-Identifier: MIT */
/* series_sum_avx2.c -- series_sum.h for processors that have AVX2 */

#include <immintrin.h>

/* Per function, not per file: see scan_avx512.c. */
#define TARGET __attribute__((target("avx2")))
#define INLINE static inline __attribute__((always_inline))

#include "hist/series_sum.h"

#define VECTOR_BYTES 32
#define VECTOR_POINTS 4

/* After so many vectors, a sum of 32 bits is widened: each vector adds 4
   products to it, fewer than 2^18. */
#define BLOCK_VECTORS ((size_t)1 << 13)

/* Returns the 32-bit numbers of A, in pairs, added to the numbers of SUM. */
TARGET INLINE __m256i
widen(__m256i sum, __m256i a)
{
    const __m256i zero = _mm256_setzero_si256();

    sum = _mm256_add_epi64(sum, _mm256_unpacklo_epi32(a, zero));
    return _mm256_add_epi64(sum, _mm256_unpackhi_epi32(a, zero));
}

/* Returns the sum of the four numbers of A. */
TARGET INLINE uint64_t
add_across(__m256i a)
{
    __m128i half = _mm_add_epi64(_mm256_castsi256_si128(a),
                                 _mm256_extracti128_si256(a, 1));

    return (uint64_t)_mm_cvtsi128_si64(half) +
           (uint64_t)_mm_extract_epi64(half, 1);
}

TARGET void
series_sum_add_avx2(struct series_sum *sum, const unsigned char *data,
                    size_t size)
{
    const __m256i zero = _mm256_setzero_si256();
    size_t vectors = size / VECTOR_BYTES;
    __m256i bytes = zero;
    __m256i squares = zero;
    __m256i products = zero;

    for (size_t left = vectors; left > 0;) {
        size_t block = left < BLOCK_VECTORS ? left : BLOCK_VECTORS;
        __m256i square = zero;
        __m256i product = zero;
        left -= block;
        for (; block > 0; block--) {
            const __m256i first =
                _mm256_loadu_si256((const __m256i *)(const void *)data);
            const __m256i second =
                _mm256_loadu_si256((const __m256i *)(const void *)(data + 1));
            const __m256i low = _mm256_unpacklo_epi8(first, zero);
            const __m256i high = _mm256_unpackhi_epi8(first, zero);
            bytes = _mm256_add_epi64(bytes, _mm256_sad_epu8(first, zero));
            square = _mm256_add_epi32(
                square, _mm256_add_epi32(_mm256_madd_epi16(low, low),
                                         _mm256_madd_epi16(high, high)));
            product = _mm256_add_epi32(
                product,
                _mm256_add_epi32(
                    _mm256_madd_epi16(low, _mm256_unpacklo_epi8(second, zero)),
                    _mm256_madd_epi16(high,
                                      _mm256_unpackhi_epi8(second, zero))));
            data += VECTOR_BYTES;
        }
        squares = widen(squares, square);
        products = widen(products, product);
    }
    sum->bytes += add_across(bytes);
    sum->squares += add_across(squares);
    sum->products += add_across(products);
    series_sum_add_portable(sum, data, size % VECTOR_BYTES);
}

/* Returns the four points at DATA, 24 bytes: a coordinate in each 32 bits. */
TARGET INLINE __m256i
load_points(const unsigned char *data)
{
    /* The bytes of a coordinate in descending order; -1: 0. */
    const __m256i order = _mm256_setr_epi8(2, 1, 0, -1, 5, 4, 3, -1, 8, 7, 6,
                                           -1, 11, 10, 9, -1, /* from 0 on */
                                           6, 5, 4, -1, 9, 8, 7, -1, 12, 11, 10,
                                           -1, 15, 14, 13, -1); /* from 8 on */
    const __m128i low = _mm_loadu_si128((const __m128i *)(const void *)data);
    const __m128i high =
        _mm_loadu_si128((const __m128i *)(const void *)(data + 8));

    return _mm256_shuffle_epi8(_mm256_set_m128i(high, low), order);
}

TARGET uint64_t
series_sum_inside_avx2(const unsigned char *data, size_t count)
{
    const __m256i most =
        _mm256_set1_epi64x((long long)0xffffff * (long long)0xffffff);
    size_t vectors = count / VECTOR_POINTS;
    size_t left = count % VECTOR_POINTS;
    __m256i outside = _mm256_setzero_si256();

    for (size_t i = 0; i < vectors; i++) {
        const __m256i x = load_points(data);
        const __m256i y = _mm256_srli_epi64(x, 32);
        const __m256i square =
            _mm256_add_epi64(_mm256_mul_epu32(x, x), _mm256_mul_epu32(y, y));
        outside = _mm256_sub_epi64(outside, _mm256_cmpgt_epi64(square, most));
        data += (size_t)VECTOR_POINTS * SERIES_POINT_BYTES;
    }
    return vectors * VECTOR_POINTS - add_across(outside) +
           series_sum_inside_portable(data, left);
}
