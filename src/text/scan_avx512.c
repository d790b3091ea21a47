/* scan_avx512.c -- scan text with AVX-512: a compare gives the mask */

#include <immintrin.h>

#include "text/scan_forms.h"
#include "text/utf8_table.h"

/* Per function, not per file: a function that any processor runs, inlined
   here, must not be compiled with these instructions. */
#define TARGET \
    __attribute__((target("avx512f,avx512bw,avx512vbmi2,bmi,bmi2,popcnt,pclmul")))
#define INLINE static inline TARGET __attribute__((always_inline))

typedef __m512i block;

INLINE block
block_load(const unsigned char *data)
{
    return _mm512_loadu_si512(data);
}

INLINE uint64_t
block_match(block x, unsigned char byte)
{
    return _mm512_cmpeq_epi8_mask(x, _mm512_set1_epi8((char)byte));
}

/* X with MARK for each FIRST, if SECOND is at its place in NEXT. */
INLINE block
block_mark(block x, block next, unsigned char first, unsigned char second,
           unsigned char mark)
{
    __mmask64 is_first =
        _mm512_cmpeq_epi8_mask(x, _mm512_set1_epi8((char)first));
    __mmask64 is_both = _mm512_mask_cmpeq_epi8_mask(
        is_first, next, _mm512_set1_epi8((char)second));

    return _mm512_mask_mov_epi8(x, is_both, _mm512_set1_epi8((char)mark));
}

INLINE uint64_t
block_blanks(block x)
{
    /* A blank is the entry of its low half; no other byte is.  (As in simdjson,
       by G. Langdale and D. Lemire.) */
    const block table = _mm512_broadcast_i32x4(
        _mm_setr_epi8(' ', 0, 0, 0, 0, 0, 0, 0, 0, '\t', '\n', 0, 0, 0, 0, 0));

    return _mm512_cmpeq_epi8_mask(x, _mm512_shuffle_epi8(table, x));
}

INLINE uint64_t
block_letters(block x)
{
    block lower = _mm512_or_si512(x, _mm512_set1_epi8(0x20));
    block place = _mm512_sub_epi8(lower, _mm512_set1_epi8('a'));

    return _mm512_cmple_epu8_mask(place, _mm512_set1_epi8('z' - 'a'));
}

/* The bytes from FIRST to LAST. */
INLINE uint64_t
block_between(block x, unsigned char first, unsigned char last)
{
    block place = _mm512_sub_epi8(x, _mm512_set1_epi8((char)first));

    return _mm512_cmple_epu8_mask(place,
                                  _mm512_set1_epi8((char)(last - first)));
}

/* The bytes that are no ASCII. */
INLINE uint64_t
block_high(block x)
{
    return (uint64_t)_mm512_movepi8_mask(x);
}

/* Where the 64 bytes at DATA, and the 3 before them, are no UTF-8. */
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
    /* As in block_blanks(), of bytes that differ only in 0x20. */
    const block table = _mm512_broadcast_i32x4(
        _mm_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, ':', '{', ',', '}', 0, 0));

    return _mm512_cmpeq_epi8_mask(_mm512_or_si512(x, _mm512_set1_epi8(0x20)),
                                  _mm512_shuffle_epi8(table, x));
}

INLINE uint64_t
block_bases(block x)
{
    /* As in block_blanks(). */
    const block others = _mm512_broadcast_i32x4(
        _mm_setr_epi8('*', 0, 0, 0, 0, 0, 0, 0, 0, 0, '*', 0, 0, '-', '.', 0));

    return block_letters(x) |
           _mm512_cmpeq_epi8_mask(x, _mm512_shuffle_epi8(others, x));
}

/* Blanks, with the carriage return, and '\n'. */
INLINE uint64_t
block_gaps(block x)
{
    const block table = _mm512_broadcast_i32x4(_mm_setr_epi8(
        ' ', 0, 0, 0, 0, 0, 0, 0, 0, '\t', '\n', 0, 0, '\r', 0, 0));

    return _mm512_cmpeq_epi8_mask(x, _mm512_shuffle_epi8(table, x));
}

INLINE struct block_kinds
block_kinds(block x)
{
    uint64_t bases = block_bases(x);

    return (struct block_kinds){
        .bases = bases,
        .ends = block_match(x, '\n'),
        .others = ~(bases | block_gaps(x)),
    };
}

INLINE uint32_t
bit_count(uint64_t mask)
{
    return (uint32_t)_mm_popcnt_u64(mask);
}

/* The lowest bit; 64 if there is none. */
INLINE uint32_t
bit_first(uint64_t mask)
{
    return (uint32_t)_tzcnt_u64(mask);
}

/* Bit N, from 0, of those that are set. */
INLINE uint32_t
bit_nth(uint64_t mask, uint32_t n)
{
    return (uint32_t)_tzcnt_u64(_pdep_u64((uint64_t)1 << n, mask));
}

/* The bits that are set, without the lowest N. */
INLINE uint64_t
bits_from_nth(uint64_t mask, uint32_t n)
{
    return n < 64 ? _pdep_u64(~(uint64_t)0 << n, mask) : 0;
}

/*
 * Write the offsets of the bits of MASK, in the block X at BASE, and the bytes
 * there.  More entries are written, up to 64 in all.  Returns their number.
 */
INLINE uint32_t
block_store(uint32_t *out, unsigned char *bytes, block x, uint32_t base,
            uint64_t mask)
{
    const block places = _mm512_set_epi8(
        63, 62, 61, 60, 59, 58, 57, 56, 55, 54, 53, 52, 51, 50, 49, 48, 47, 46,
        45, 44, 43, 42, 41, 40, 39, 38, 37, 36, 35, 34, 33, 32, 31, 30, 29, 28,
        27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10,
        9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    block begin = _mm512_set1_epi32((int)base);
    block at = _mm512_maskz_compress_epi8(mask, places);
    uint32_t count = (uint32_t)_mm_popcnt_u64(mask);

    _mm512_storeu_si512(bytes, _mm512_maskz_compress_epi8(mask, x));
    /* Few blocks have more than 32. */
    _mm512_storeu_si512(
        out, _mm512_add_epi32(
                 begin, _mm512_cvtepu8_epi32(_mm512_castsi512_si128(at))));
    _mm512_storeu_si512(
        out + 16, _mm512_add_epi32(begin, _mm512_cvtepu8_epi32(
                                              _mm512_extracti32x4_epi32(at, 1))));
    if (count > 32) {
        _mm512_storeu_si512(
            out + 32,
            _mm512_add_epi32(begin, _mm512_cvtepu8_epi32(
                                        _mm512_extracti32x4_epi32(at, 2))));
        _mm512_storeu_si512(
            out + 48,
            _mm512_add_epi32(begin, _mm512_cvtepu8_epi32(
                                        _mm512_extracti32x4_epi32(at, 3))));
    }
    return count;
}

/* Bit I is the exclusive or of bits 0 to I: a product without carries. */
INLINE uint64_t
prefix_xor(uint64_t mask)
{
    __m128i product = _mm_clmulepi64_si128(_mm_set_epi64x(0, (int64_t)mask),
                                           _mm_set1_epi8(-1), 0);

    return (uint64_t)_mm_cvtsi128_si64(product);
}

#include "text/json_loop.h"
#include "text/scan_cut.h"
#include "text/scan_loop.h"
#include "text/sequence_lines.h"
#include "text/sequence_loop.h"

bool
scan_avx512_is_possible(void)
{
    return __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt") &&
           __builtin_cpu_supports("pclmul");
}

TARGET size_t
scan_avx512(const struct scan *scan, const unsigned char *data, size_t size,
            size_t *done, struct text_slice *slice, size_t records_max,
            uint64_t *comments)
{
    return scan_loop(scan, data, size, done, slice, records_max, comments);
}

TARGET void
json_scan_avx512(struct json_scan *scan)
{
    json_loop(scan);
}

TARGET void
csv_cut_avx512(struct csv_cut *cut, const unsigned char *data, uint32_t size)
{
    cut_loop(cut, data, size);
}

TARGET size_t
sequence_scan_avx512(const unsigned char *data, size_t size, size_t *done,
                     bool is_end, struct sequence_record *record,
                     size_t records_max, enum sequence_found *found,
                     struct sequence_record *rest)
{
    return sequence_loop(data, size, done, is_end, record, records_max, found,
                         rest);
}

TARGET size_t
sequence_lines_avx512(const unsigned char *data, uint32_t size,
                      uint64_t *records)
{
    return skip_lines(data, size, records);
}
