/* SPDX-License-Identifier: MIT */
/* json_avx512.c -- lines of JSON with AVX-512 */

#include "text/escape_table.h"
#include "text/json_scan.h"
#include "text/utf8_table.h"

/* Per function, not per file: see scan_avx512.c. */
#define TARGET                                                            \
    __attribute__((target("avx512f,avx512bw,avx512vbmi2,bmi,bmi2,popcnt," \
                          "pclmul")))
#define INLINE static inline TARGET __attribute__((always_inline))

#include "text/block_avx512.h"

/* Some bytes of a block: a bit for each. */
typedef __mmask64 block_bytes;

/* Those of SOME, and those at which FIRST and SECOND are in NEXT and AFTER. */
INLINE block_bytes
block_add(block_bytes some, block next, unsigned char first, block after,
          unsigned char second)
{
    __mmask64 is_first =
        _mm512_cmpeq_epi8_mask(next, _mm512_set1_epi8((char)first));

    return some | _mm512_mask_cmpeq_epi8_mask(is_first, after,
                                              _mm512_set1_epi8((char)second));
}

/* X with BIT set in each quote that is one of SOME. */
INLINE block
block_mark(block x, block_bytes some, unsigned char bit)
{
    __mmask64 is_marked =
        _mm512_mask_cmpeq_epi8_mask(some, x, _mm512_set1_epi8('"'));

    return _mm512_mask_mov_epi8(x, is_marked,
                                _mm512_set1_epi8((char)('"' | bit)));
}

/* Whether the bytes of X with MASK are those of Y. */
INLINE bool
block_is_same(block x, block mask, block y)
{
    return _mm512_cmpneq_epi8_mask(_mm512_and_si512(x, mask), y) == 0;
}

/* The bytes below a blank. */
INLINE uint64_t
block_controls(block x)
{
    return _mm512_cmplt_epu8_mask(x, _mm512_set1_epi8(' '));
}

/* The classes of the bytes of X in escape_table.h. */
INLINE block
block_escapes(block x)
{
    block high =
        _mm512_and_si512(_mm512_srli_epi16(x, 4), _mm512_set1_epi8(0x0f));
    block by_high = _mm512_shuffle_epi8(
        _mm512_broadcast_i32x4(_mm_setr_epi8(ESCAPE_BY_HIGH)), high);

    return _mm512_and_si512(
        by_high, _mm512_shuffle_epi8(
                     _mm512_broadcast_i32x4(_mm_setr_epi8(ESCAPE_BY_LOW)), x));
}

/* The bytes of X with one of BITS. */
INLINE uint64_t
block_with(block x, unsigned char bits)
{
    return _mm512_test_epi8_mask(x, _mm512_set1_epi8((char)bits));
}

/* Whether X has a backslash, or bytes outside of ASCII. */
INLINE bool
block_has_rare(block x)
{
    return _kortestz_mask64_u8(
               _mm512_movepi8_mask(x),
               _mm512_cmpeq_epi8_mask(x, _mm512_set1_epi8('\\'))) == 0;
}

/* The bytes outside of ASCII. */
INLINE uint64_t
block_high(block x)
{
    return (uint64_t)_mm512_movepi8_mask(x);
}

/* Where the 64 bytes at DATA, with the 3 bytes before, break UTF-8. */
INLINE uint64_t
block_wrong_utf8(const unsigned char *data)
{
    const block low = _mm512_set1_epi8(0x0f);
    block x = block_load(data);
    block before = block_load(data - 1);
    block high = _mm512_and_si512(_mm512_srli_epi16(x, 4), low);
    block before_high = _mm512_and_si512(_mm512_srli_epi16(before, 4), low);
    block mistake = _mm512_and_si512(
        _mm512_shuffle_epi8(
            _mm512_broadcast_i32x4(_mm_setr_epi8(UTF8_FIRST_HIGH)),
            before_high),
        _mm512_shuffle_epi8(
            _mm512_broadcast_i32x4(_mm_setr_epi8(UTF8_FIRST_LOW)),
            _mm512_and_si512(before, low)));
    mistake = _mm512_and_si512(
        mistake,
        _mm512_shuffle_epi8(
            _mm512_broadcast_i32x4(_mm_setr_epi8(UTF8_SECOND_HIGH)), high));
    block later = _mm512_or_si512(
        _mm512_subs_epu8(block_load(data - 2), _mm512_set1_epi8(UTF8_OF_THREE)),
        _mm512_subs_epu8(block_load(data - 3), _mm512_set1_epi8(UTF8_OF_FOUR)));
    later = _mm512_and_si512(later, _mm512_set1_epi8((char)UTF8_TWICE));

    return _mm512_cmpneq_epi8_mask(later, mistake);
}

/* The brackets, colons and commas of JSON, and control characters. */
INLINE uint64_t
block_signs(block x)
{
    /* As in block_sets.h, of bytes that differ only in 0x20. */
    const block table = _mm512_broadcast_i32x4(
        _mm_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, ':', '{', ',', '}', 0, 0));

    return _mm512_cmpeq_epi8_mask(_mm512_or_si512(x, _mm512_set1_epi8(0x20)),
                                  _mm512_shuffle_epi8(table, x));
}

/*
 * Write the offsets of the bits of MASK, in the block X at BASE, and the bytes
 * there.  More entries are written, up to 64 in all.  Returns their number.
 */
INLINE uint32_t
block_store(uint32_t *out, unsigned char *bytes, block x, uint32_t base,
            uint64_t mask)
{
    block places = block_places(mask);
    uint32_t count = (uint32_t)_mm_popcnt_u64(mask);

    x = _mm512_maskz_compress_epi8(mask, x);
    /* Few blocks have more than 32. */
    _mm256_storeu_si256((__m256i *)(void *)bytes, _mm512_castsi512_si256(x));
    _mm512_storeu_si512(out, places_first(base, places));
    _mm512_storeu_si512(out + 16, places_second(base, places));
    if (count > 32) {
        _mm512_storeu_si512(bytes, x);
        _mm512_storeu_si512(out + 32, places_third(base, places));
        _mm512_storeu_si512(out + 48, places_fourth(base, places));
    }
    return count;
}

#include "text/json_loop.h"

TARGET void
json_scan_avx512(struct json_scan *scan)
{
    json_loop(scan);
}
