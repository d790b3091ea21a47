/* SPDX-License-Identifier: MIT */
/*
 * position_planes.h -- count the bases and qualities of some reads by position,
 * without adding to a cell for each
 *
 * A byte of a vector is a position, and its bits are eight reads.  There is a
 * vector for each bit of the qualities of these reads.  The vectors tell, for
 * each quality, the reads and places with that quality; the bits of a byte are
 * how many.
 */

#ifndef GPUHIST_POSITION_PLANES_H
#define GPUHIST_POSITION_PLANES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/cpu/sequences/quality_set.h"

/* The positions that are counted together. */
#define POSITION_BLOCK 64

/* The most reads that are. */
#define POSITION_TILE 32

/* The bases with a code. */
#define POSITION_BASES 5

/* Bases and qualities of a read, SIZE each. */
struct position_read {
    const unsigned char *base;
    const unsigned char *quality;
    uint32_t size;
};

/* The counters of each position that the table SOURCE has. */
static inline size_t
position_planes_width(enum sequence_source source)
{
    if (source == SEQUENCE_OF_POSITION_BASE)
        return POSITION_BASES;
    return source == SEQUENCE_OF_POSITION_QUALITY
               ? SEQUENCE_QUALITIES
               : POSITION_BASES * SEQUENCE_QUALITIES;
}

/* Which of them that of the base with CODE and of the byte QUALITY is. */
static inline size_t
position_planes_cell(enum sequence_source source, size_t code, size_t quality)
{
    if (source == SEQUENCE_OF_POSITION_BASE)
        return code;
    quality -= SEQUENCE_QUALITY_FIRST;
    return source == SEQUENCE_OF_POSITION_QUALITY
               ? quality
               : code * SEQUENCE_QUALITIES + quality;
}

/* Whether the processor supports the following functions. */
bool position_planes_are_possible(void);

#ifdef SCAN_HAS_AVX512
/*
 * Count POSITION_BLOCK positions from AT on of COUNT reads, 1 to POSITION_TILE,
 * all longer than AT.  What the table SOURCE combines has a code, and is in
 * SET, which is kept.  IS_HALF: no read has more than half of the positions.
 * At CELL, POSITION_BLOCK counters of the first cell follow each other, then
 * those of the next one.
 */
void position_planes_count(enum sequence_source source,
                           const struct quality_set *set,
                           const struct position_read *read, size_t count,
                           uint32_t at, bool is_half, uint8_t *cell);

/* Add the counters at CELL, as above, to those at COUNT, and clear them. */
void position_planes_flush(enum sequence_source source,
                           const struct quality_set *set, uint8_t *cell,
                           uint16_t *count);
#endif

#endif
