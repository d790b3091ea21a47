/* SPDX-License-Identifier: MIT */
/* json_avx2.c -- lines of JSON with AVX2 */

#include "text/escape_table.h"
#include "text/json_scan.h"
#include "text/utf8_table.h"

/* Per function, not per file: see scan_avx512.c. */
#define TARGET __attribute__((target("avx2,bmi,popcnt,pclmul")))
#define INLINE static inline TARGET __attribute__((always_inline))

#include "text/block_avx2.h"

/* ---- compressing, which AVX2 cannot ---- */

/* The bits of BYTE below bit N. */
#define BELOW(byte, n) ((byte) & ((1 << (n)) - 1))
#define COUNT(x)                                                  \
    (((x)&1) + ((x) >> 1 & 1) + ((x) >> 2 & 1) + ((x) >> 3 & 1) + \
     ((x) >> 4 & 1) + ((x) >> 5 & 1) + ((x) >> 6 & 1))

#define PLACE(byte, n) \
    ((uint64_t)(((byte) >> (n)&1) * (n)) << 8 * COUNT(BELOW(byte, n)))
#define ROW1(byte)                                                      \
    PLACE(byte, 1) | PLACE(byte, 2) | PLACE(byte, 3) | PLACE(byte, 4) | \
        PLACE(byte, 5) | PLACE(byte, 6) | PLACE(byte, 7)
#define ROWS4(byte) \
    ROW1(byte), ROW1((byte) + 1), ROW1((byte) + 2), ROW1((byte) + 3)
#define ROWS16(byte) \
    ROWS4(byte), ROWS4((byte) + 4), ROWS4((byte) + 8), ROWS4((byte) + 12)
#define ROWS64(byte) \
    ROWS16(byte), ROWS16((byte) + 16), ROWS16((byte) + 32), ROWS16((byte) + 48)

/* For each byte, the places of its bits, the lowest bit in the lowest byte,
   then zeros. */
static const uint64_t bit_places[256] = {ROWS64(0), ROWS64(64), ROWS64(128),
                                         ROWS64(192)};

#undef BELOW
#undef COUNT
#undef PLACE
#undef ROW1
#undef ROWS4
#undef ROWS16
#undef ROWS64

/* For each number N of bits in a byte: the places of N bytes, then of those
   from 8 on. */
static const unsigned char joined_places[9][16] = {
    {8, 9, 10, 11, 12, 13, 14, 15},
    {0, 8, 9, 10, 11, 12, 13, 14, 15},
    {0, 1, 8, 9, 10, 11, 12, 13, 14, 15},
    {0, 1, 2, 8, 9, 10, 11, 12, 13, 14, 15},
    {0, 1, 2, 3, 8, 9, 10, 11, 12, 13, 14, 15},
    {0, 1, 2, 3, 4, 8, 9, 10, 11, 12, 13, 14, 15},
    {0, 1, 2, 3, 4, 5, 8, 9, 10, 11, 12, 13, 14, 15},
    {0, 1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12, 13, 14, 15},
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
};

/* ---- blocks ---- */

/* Some bytes of a block: 0xff for each, else 0. */
typedef block block_bytes;

/* Those of SOME, and those at which FIRST and SECOND are in NEXT and AFTER. */
INLINE block_bytes
block_add(block_bytes some, block next, unsigned char first, block after,
          unsigned char second)
{
#pragma GCC unroll 2
    for (int i = 0; i < 2; i++) {
        __m256i is_first =
            _mm256_cmpeq_epi8(next.half[i], _mm256_set1_epi8((char)first));
        __m256i is_second =
            _mm256_cmpeq_epi8(after.half[i], _mm256_set1_epi8((char)second));
        some.half[i] = _mm256_or_si256(some.half[i],
                                       _mm256_and_si256(is_first, is_second));
    }
    return some;
}

/* X with BIT set in each quote that is one of SOME. */
INLINE block
block_mark(block x, block_bytes some, unsigned char bit)
{
#pragma GCC unroll 2
    for (int i = 0; i < 2; i++) {
        __m256i is_quote = _mm256_cmpeq_epi8(x.half[i], _mm256_set1_epi8('"'));
        __m256i is_marked = _mm256_and_si256(some.half[i], is_quote);
        x.half[i] = _mm256_or_si256(
            x.half[i],
            _mm256_and_si256(is_marked, _mm256_set1_epi8((char)bit)));
    }
    return x;
}

/* Whether the bytes of X with MASK are those of Y. */
INLINE bool
block_is_same(block x, block mask, block y)
{
    __m256i low =
        _mm256_cmpeq_epi8(_mm256_and_si256(x.half[0], mask.half[0]), y.half[0]);
    __m256i high =
        _mm256_cmpeq_epi8(_mm256_and_si256(x.half[1], mask.half[1]), y.half[1]);

    return _mm256_movemask_epi8(_mm256_and_si256(low, high)) == -1;
}

INLINE __m256i
controls_of(__m256i x)
{
    return _mm256_cmpeq_epi8(x, _mm256_min_epu8(x, _mm256_set1_epi8(' ' - 1)));
}

/* The bytes below a blank. */
INLINE uint64_t
block_controls(block x)
{
    return mask_of(controls_of(x.half[0]), controls_of(x.half[1]));
}

INLINE __m256i
escapes_of(__m256i x)
{
    __m256i high =
        _mm256_and_si256(_mm256_srli_epi16(x, 4), _mm256_set1_epi8(0x0f));
    __m256i by_high = _mm256_shuffle_epi8(
        _mm256_broadcastsi128_si256(_mm_setr_epi8(ESCAPE_BY_HIGH)), high);

    return _mm256_and_si256(
        by_high,
        _mm256_shuffle_epi8(
            _mm256_broadcastsi128_si256(_mm_setr_epi8(ESCAPE_BY_LOW)), x));
}

/* The classes of the bytes of X in escape_table.h. */
INLINE block
block_escapes(block x)
{
    return (block){{escapes_of(x.half[0]), escapes_of(x.half[1])}};
}

/* The bytes of X with one of BITS. */
INLINE uint64_t
block_with(block x, unsigned char bits)
{
    const __m256i wanted = _mm256_set1_epi8((char)bits);
    const __m256i zero = _mm256_setzero_si256();

    return ~mask_of(
        _mm256_cmpeq_epi8(_mm256_and_si256(x.half[0], wanted), zero),
        _mm256_cmpeq_epi8(_mm256_and_si256(x.half[1], wanted), zero));
}

/* Whether X has a backslash, or bytes outside of ASCII. */
INLINE bool
block_has_rare(block x)
{
    const __m256i backslash = _mm256_set1_epi8('\\');
    /* As bytes with a sign, all others are above 0. */
    __m256i usual = _mm256_and_si256(
        _mm256_cmpgt_epi8(_mm256_xor_si256(x.half[0], backslash),
                          _mm256_setzero_si256()),
        _mm256_cmpgt_epi8(_mm256_xor_si256(x.half[1], backslash),
                          _mm256_setzero_si256()));

    return _mm256_movemask_epi8(usual) != -1;
}

/* The bytes outside of ASCII. */
INLINE uint64_t
block_high(block x)
{
    return mask_of(x.half[0], x.half[1]);
}

INLINE __m256i
half_load(const unsigned char *data)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)data);
}

/* 0xff where the bytes of a half at DATA may be UTF-8. */
INLINE __m256i
utf8_of(const unsigned char *data)
{
    const __m256i low = _mm256_set1_epi8(0x0f);
    __m256i before = half_load(data - 1);
    __m256i high = _mm256_and_si256(_mm256_srli_epi16(half_load(data), 4), low);
    __m256i before_high = _mm256_and_si256(_mm256_srli_epi16(before, 4), low);
    __m256i mistake = _mm256_and_si256(
        _mm256_shuffle_epi8(
            _mm256_broadcastsi128_si256(_mm_setr_epi8(UTF8_FIRST_HIGH)),
            before_high),
        _mm256_shuffle_epi8(
            _mm256_broadcastsi128_si256(_mm_setr_epi8(UTF8_FIRST_LOW)),
            _mm256_and_si256(before, low)));
    mistake = _mm256_and_si256(
        mistake, _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(
                                         _mm_setr_epi8(UTF8_SECOND_HIGH)),
                                     high));
    __m256i later = _mm256_or_si256(
        _mm256_subs_epu8(half_load(data - 2), _mm256_set1_epi8(UTF8_OF_THREE)),
        _mm256_subs_epu8(half_load(data - 3), _mm256_set1_epi8(UTF8_OF_FOUR)));
    later = _mm256_and_si256(later, _mm256_set1_epi8((char)UTF8_TWICE));

    return _mm256_cmpeq_epi8(later, mistake);
}

/* Where the 64 bytes at DATA, with the 3 bytes before, break UTF-8. */
INLINE uint64_t
block_wrong_utf8(const unsigned char *data)
{
    return ~mask_of(utf8_of(data), utf8_of(data + 32));
}

INLINE __m256i
signs_of(__m256i x)
{
    /* As in block_sets.h. */
    const __m256i table = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, ':', '{', ',', '}', 0, 0));

    return _mm256_cmpeq_epi8(_mm256_or_si256(x, _mm256_set1_epi8(0x20)),
                             _mm256_shuffle_epi8(table, x));
}

/* The brackets, colons and commas of JSON, and control characters. */
INLINE uint64_t
block_signs(block x)
{
    return mask_of(signs_of(x.half[0]), signs_of(x.half[1]));
}

/* The offsets PLACES, 8 of them, after AT, to OUT. */
INLINE void
store_places(uint32_t *out, __m256i at, __m128i places)
{
    _mm256_storeu_si256((__m256i *)(void *)out,
                        _mm256_add_epi32(at, _mm256_cvtepu8_epi32(places)));
}

/* The same as block_store(), for 16 bytes.  More entries are written, up to 16
   in all. */
INLINE uint32_t
store_part(uint32_t *out, unsigned char *bytes, __m128i x, uint32_t base,
           uint32_t mask)
{
    const __m128i later = _mm_set_epi64x(0x0808080808080808, 0);
    uint32_t low = mask & 0xff;
    uint32_t count = (uint32_t)_mm_popcnt_u32(mask);
    __m256i at = _mm256_set1_epi32((int)base);
    __m128i places = _mm_set_epi64x((int64_t)bit_places[mask >> 8],
                                    (int64_t)bit_places[low]);

    places = _mm_shuffle_epi8(
        _mm_add_epi8(places, later),
        _mm_loadu_si128(
            (const __m128i *)(const void *)joined_places[_mm_popcnt_u32(low)]));
    _mm_storeu_si128((__m128i *)(void *)bytes, _mm_shuffle_epi8(x, places));
    store_places(out, at, places);
    if (count > 8)
        store_places(out + 8, at, _mm_srli_si128(places, 8));
    return count;
}

/*
 * Write the offsets of the bits of MASK, in the block X at BASE, and the bytes
 * there.  More entries are written, up to 64 in all.  Returns their number.
 */
INLINE uint32_t
block_store(uint32_t *out, unsigned char *bytes, block x, uint32_t base,
            uint64_t mask)
{
    uint32_t count = 0;

#pragma GCC unroll 2
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t bits = (uint32_t)(mask >> 32 * i);
        uint32_t at = base + 32 * i;
        count +=
            store_part(out + count, bytes + count,
                       _mm256_castsi256_si128(x.half[i]), at, bits & 0xffff);
        count += store_part(out + count, bytes + count,
                            _mm256_extracti128_si256(x.half[i], 1), at + 16,
                            bits >> 16);
    }
    return count;
}

#include "text/json_loop.h"

TARGET void
json_scan_avx2(struct json_scan *scan)
{
    json_loop(scan);
}
