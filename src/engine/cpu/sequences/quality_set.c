/* SPDX-License-Identifier: MIT */
/* quality_set.c -- which qualities have occurred */

#include "engine/cpu/sequences/quality_set.h"

#include "text/scan_forms.h"

#ifdef SCAN_HAS_AVX2
#    include <immintrin.h>
#endif

#define INLINE static inline __attribute__((always_inline))

/* Bytes that are looked at together: compilers make vectors of such loops. */
#define LONG_BLOCK 64
#define SHORT_BLOCK 16

void
quality_set_open(struct quality_set *set, bool is_kept)
{
    *set = (struct quality_set){.is_kept = is_kept, .known = {1}};
}

/* Bytes, not 0, if tables lack some of the SIZE qualities, a constant. */
INLINE unsigned int
outside(const unsigned char *quality, size_t size)
{
    unsigned char found = 0;

    for (size_t i = 0; i < size; i++)
        found |= (unsigned char)(quality[i] - SEQUENCE_QUALITY_FIRST) >=
                 SEQUENCE_QUALITIES;
    return found;
}

/* Whether tables have all of these qualities. */
static bool
have_cells(const unsigned char *quality, size_t size)
{
    unsigned int found = 0;

    /* The last block overlaps the one before it. */
    if (size >= LONG_BLOCK) {
        for (size_t i = 0; i + LONG_BLOCK <= size; i += LONG_BLOCK)
            found |= outside(quality + i, LONG_BLOCK);
        return (found | outside(quality + size - LONG_BLOCK, LONG_BLOCK)) == 0;
    }
    if (size >= SHORT_BLOCK) {
        for (size_t i = 0; i + SHORT_BLOCK <= size; i += SHORT_BLOCK)
            found |= outside(quality + i, SHORT_BLOCK);
        return (found | outside(quality + size - SHORT_BLOCK, SHORT_BLOCK)) ==
               0;
    }
    for (size_t i = 0; i < size; i++)
        found |= outside(quality + i, 1);
    return found == 0;
}

bool
quality_set_take(struct quality_set *set, const unsigned char *quality,
                 size_t size)
{
#ifdef SCAN_HAS_AVX512
    if (set->is_kept && quality_set_has(set, quality, size))
        return true;
#endif
    if (!have_cells(quality, size))
        return false;
    for (size_t i = 0; set->is_kept && i < size; i++) {
        unsigned int cell = quality[i] - SEQUENCE_QUALITY_FIRST;
        set->known[quality[i]] = quality[i];
        set->byte[cell / 8] |= (unsigned char)(1u << cell % 8);
    }
    return true;
}

#ifdef SCAN_HAS_AVX2
#    define TARGET __attribute__((target("avx2")))

/* The bytes of a block; shorter reads are left out. */
#    define BLOCK 32

_Static_assert(SEQUENCE_QUALITY_FIRST + SEQUENCE_QUALITIES == 128,
               "the bytes with a cell are the signed ones from the first on");

static inline TARGET __attribute__((always_inline)) __m256i
load(const unsigned char *at)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)at);
}

/* As quality_set_find(), of a set that is not kept. */
static TARGET uint32_t
find_avx2(const unsigned char *data, const struct sequence_record *record,
          size_t count)
{
    const __m256i before = _mm256_set1_epi8(SEQUENCE_QUALITY_FIRST - 1);
    uint32_t found = 0;

    for (size_t r = 0; r < count; r++) {
        const unsigned char *quality = data + record[r].quality_start;
        uint32_t size = record[r].length;
        if (record[r].quality_end == 0 || size < BLOCK)
            continue;
        /* The last block overlaps the one before it. */
        __m256i least = load(quality + size - BLOCK);
        for (uint32_t at = 0; size - at >= BLOCK; at += BLOCK)
            least = _mm256_min_epi8(least, load(quality + at));
        int mask = _mm256_movemask_epi8(_mm256_cmpgt_epi8(least, before));
        found |= (uint32_t)(mask == -1) << r;
    }
    return found;
}
#endif

uint32_t
quality_set_find(const struct quality_set *set, const unsigned char *data,
                 const struct sequence_record *record, size_t count)
{
#ifdef SCAN_HAS_AVX512
    if (set->is_kept)
        return quality_set_find_kept(set, data, record, count);
#endif
#ifdef SCAN_HAS_AVX2
    if (!set->is_kept && scan_avx2_is_possible())
        return find_avx2(data, record, count);
#endif
    (void)set;
    (void)data;
    (void)record;
    (void)count;
    return 0;
}
