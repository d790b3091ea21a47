/* SPDX-License-Identifier: MIT */
/* quality_set.c -- which qualities have occurred */

#include "engine/cpu/sequences/quality_set.h"

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
