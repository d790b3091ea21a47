/* SPDX-License-Identifier: MIT */
/* sequence_scan_avx512.c -- find sequences with AVX-512 */

#include <immintrin.h>

#include "seq/sequence_scan.h"

/* Per function, not per file: see text/scan_avx512.c. */
#define TARGET \
    __attribute__((target("avx512f,avx512bw,bmi,bmi2,popcnt,pclmul")))
#define INLINE static inline TARGET __attribute__((always_inline))

#include "text/block_avx512.h"

INLINE uint64_t
block_letters(block x)
{
    block lower = _mm512_or_si512(x, _mm512_set1_epi8(0x20));
    block place = _mm512_sub_epi8(lower, _mm512_set1_epi8('a'));

    return _mm512_cmple_epu8_mask(place, _mm512_set1_epi8('z' - 'a'));
}

INLINE uint64_t
block_bases(block x)
{
    /* As in text/block_sets.h. */
    const block others = _mm512_broadcast_i32x4(
        _mm_setr_epi8('*', 0, 0, 0, 0, 0, 0, 0, 0, 0, '*', 0, 0, '-', '.', 0));

    return block_letters(x) |
           _mm512_cmpeq_epi8_mask(x, _mm512_shuffle_epi8(others, x));
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

#include "seq/sequence_lines.h"
#include "seq/sequence_loop.h"

TARGET size_t
sequence_scan_avx512(const unsigned char *data, size_t size, size_t *done,
                     bool is_end, struct sequence_record *record,
                     size_t records_max, enum sequence_found *found,
                     struct sequence_record *tail)
{
    return sequence_loop(data, size, done, is_end, record, records_max, found,
                         tail);
}

TARGET size_t
sequence_lines_avx512(const unsigned char *data, uint32_t size,
                      uint64_t *records)
{
    return skip_lines(data, size, records);
}
