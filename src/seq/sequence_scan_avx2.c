/* SPDX-License-Identifier: MIT */
/* sequence_scan_avx2.c -- find sequences with AVX2 */

#include <immintrin.h>

#include "seq/sequence_scan.h"

/* Per function, not per file: see text/scan_avx512.c. */
#define TARGET __attribute__((target("avx2,bmi,popcnt,pclmul")))
#define INLINE static inline TARGET __attribute__((always_inline))

#include "text/block_avx2.h"

INLINE __m256i
letters_of(__m256i x)
{
    __m256i lower = _mm256_or_si256(x, _mm256_set1_epi8(0x20));
    __m256i place = _mm256_sub_epi8(lower, _mm256_set1_epi8('a'));
    __m256i least = _mm256_min_epu8(place, _mm256_set1_epi8('z' - 'a'));

    return _mm256_cmpeq_epi8(place, least);
}

INLINE uint64_t
block_letters(block x)
{
    return mask_of(letters_of(x.half[0]), letters_of(x.half[1]));
}

INLINE __m256i
bases_of(__m256i x)
{
    const __m256i others = _mm256_broadcastsi128_si256(
        _mm_setr_epi8('*', 0, 0, 0, 0, 0, 0, 0, 0, 0, '*', 0, 0, '-', '.', 0));

    return _mm256_or_si256(
        letters_of(x), _mm256_cmpeq_epi8(x, _mm256_shuffle_epi8(others, x)));
}

INLINE uint64_t
block_bases(block x)
{
    return mask_of(bases_of(x.half[0]), bases_of(x.half[1]));
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
sequence_scan_avx2(const unsigned char *data, size_t size, size_t *done,
                   bool is_end, struct sequence_record *record,
                   size_t records_max, enum sequence_found *found,
                   struct sequence_record *tail)
{
    return sequence_loop(data, size, done, is_end, record, records_max, found,
                         tail);
}

TARGET size_t
sequence_lines_avx2(const unsigned char *data, uint32_t size, uint64_t *records)
{
    return skip_lines(data, size, records);
}
