/* json_avx2.c -- lines of JSON with AVX2 */

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

/* ---- blocks ---- */

/* X with KIND for each quote, if FIRST and SECOND are at its place in NEXT and
   AFTER. */
INLINE block
block_mark(block x, block next, unsigned char first, block after,
           unsigned char second, unsigned char kind)
{
    for (int i = 0; i < 2; i++) {
        __m256i is_marked = _mm256_and_si256(
            _mm256_cmpeq_epi8(x.half[i], _mm256_set1_epi8('"')),
            _mm256_and_si256(
                _mm256_cmpeq_epi8(next.half[i], _mm256_set1_epi8((char)first)),
                _mm256_cmpeq_epi8(after.half[i],
                                  _mm256_set1_epi8((char)second))));
        x.half[i] = _mm256_blendv_epi8(x.half[i], _mm256_set1_epi8((char)kind),
                                       is_marked);
    }
    return x;
}

INLINE __m256i
between_of(__m256i x, unsigned char first, unsigned char last)
{
    __m256i place = _mm256_sub_epi8(x, _mm256_set1_epi8((char)first));
    __m256i least =
        _mm256_min_epu8(place, _mm256_set1_epi8((char)(last - first)));

    return _mm256_cmpeq_epi8(place, least);
}

/* The bytes from FIRST to LAST. */
INLINE uint64_t
block_between(block x, unsigned char first, unsigned char last)
{
    return mask_of(between_of(x.half[0], first, last),
                   between_of(x.half[1], first, last));
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
    /* As in scan_avx512.c. */
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

/*
 * Write the offsets of the bits of MASK, in the block X at BASE, and the bytes
 * there.  More entries are written, up to 64 in all.  Returns their number.
 */
INLINE uint32_t
block_store(uint32_t *out, unsigned char *bytes, block x, uint32_t base,
            uint64_t mask)
{
    __m256i at = _mm256_set1_epi32((int)base);
    uint64_t part[sizeof x / 8];
    uint32_t count = 0;

    memcpy(part, &x, sizeof x);
    for (uint32_t i = 0; i < 8; i++) {
        uint32_t bits = (uint32_t)(mask >> 8 * i) & 0xff;
        __m128i places = _mm_cvtsi64_si128((int64_t)bit_places[bits]);
        __m128i from = _mm_cvtsi64_si128((int64_t)part[i]);
        _mm_storel_epi64((__m128i *)(void *)(bytes + count),
                         _mm_shuffle_epi8(from, places));
        _mm256_storeu_si256((__m256i *)(void *)(out + count),
                            _mm256_add_epi32(at, _mm256_cvtepu8_epi32(places)));
        at = _mm256_add_epi32(at, _mm256_set1_epi32(8));
        count += (uint32_t)_mm_popcnt_u32(bits);
    }
    return count;
}

#include "text/json_loop.h"

bool
json_avx2_is_possible(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("pclmul");
}

TARGET void
json_scan_avx2(struct json_scan *scan)
{
    json_loop(scan);
}
