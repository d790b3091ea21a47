/* SPDX-License-Identifier: MIT */
/* portion.c -- the content of a histogram: one input, or a range of an input */

#include <stdlib.h>

#include "base/portion.h"

#define OCTAVE_SEGMENTS 8

size_t
portion_segment(uint64_t offset)
{
    unsigned int shift = 0;

    if (offset < OCTAVE_SEGMENTS)
        return 0;
    while (offset >> shift >= (uint64_t)2 * OCTAVE_SEGMENTS)
        shift++;
    return (size_t)(offset >> shift) - OCTAVE_SEGMENTS + 1 +
           (size_t)shift * OCTAVE_SEGMENTS;
}

uint64_t
portion_segment_start(size_t i)
{
    if (i == 0)
        return 0;
    return (uint64_t)(OCTAVE_SEGMENTS + (i - 1) % OCTAVE_SEGMENTS)
           << (i - 1) / OCTAVE_SEGMENTS;
}

uint64_t
portion_leaf(uint64_t offset, uint64_t *end)
{
    size_t i = portion_segment(offset);
    uint64_t start = portion_segment_start(i);

    *end = portion_segment_start(i + 1);
    if (*end - start > PORTION_LEAF_BYTES) {
        start = offset - offset % PORTION_LEAF_BYTES;
        *end = start + PORTION_LEAF_BYTES;
    }
    return start;
}

void
portion_close(struct portion *portion)
{
    free(portion->name);
    free(portion->mark);
    *portion = (struct portion){0};
}
