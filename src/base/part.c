/* part.c -- what a histogram contains: one input, or a range of it */

#include <stdlib.h>

#include "base/part.h"

#define OCTAVE_SEGMENTS 8

size_t
part_segment(uint64_t offset)
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
part_segment_begin(size_t i)
{
    if (i == 0)
        return 0;
    return (uint64_t)(OCTAVE_SEGMENTS + (i - 1) % OCTAVE_SEGMENTS)
           << (i - 1) / OCTAVE_SEGMENTS;
}

uint64_t
part_leaf(uint64_t offset, uint64_t *end)
{
    size_t i = part_segment(offset);
    uint64_t begin = part_segment_begin(i);

    *end = part_segment_begin(i + 1);
    if (*end - begin > PART_LEAF_BYTES) {
        begin = offset - offset % PART_LEAF_BYTES;
        *end = begin + PART_LEAF_BYTES;
    }
    return begin;
}

void
part_close(struct part *part)
{
    free(part->name);
    free(part->mark);
    *part = (struct part){0};
}
