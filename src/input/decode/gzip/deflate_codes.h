/* SPDX-License-Identifier: MIT */
/*
 * deflate_codes.h -- tables that decode the codes of a block of deflate data
 *
 * The next bits of the data are the index of an entry.  A code longer than the
 * index has an entry that leads to a second table.  Its index is the bits after
 * the first index.
 */

#ifndef GPUHIST_DEFLATE_CODES_H
#define GPUHIST_DEFLATE_CODES_H

#include <stdint.h>

#include "input/decode/gzip/deflate_header.h"

enum {
    DEFLATE_LITERAL_INDEX = 11, /* bits */
    DEFLATE_DISTANCE_INDEX = 9,
};

/*
 * An entry.  Bits 0 to 7: the number of bits of the code, with the extra bits
 * of a length or distance.  Bits 8 to 11: the number without extra bits.  Bits
 * 16 to 31: the literal, the length or distance to add to, or the place of a
 * table.
 */
enum {
    DEFLATE_IS_LITERAL = 1 << 13,
    DEFLATE_IS_SPECIAL = 1 << 14, /* a table, the end of the block, or wrong */
    DEFLATE_IS_TABLE = 1 << 15,   /* special */
    DEFLATE_IS_END = 1 << 12,     /* special */
};

/* The entries of a second table for each of its codes. */
enum {
    DEFLATE_LITERAL_TAIL = DEFLATE_CODE_BITS - DEFLATE_LITERAL_INDEX,
    DEFLATE_DISTANCE_TAIL = DEFLATE_CODE_BITS - DEFLATE_DISTANCE_INDEX,
};

/* Each second table is for two codes at least. */
struct deflate_codes {
    uint32_t literal[(1 << DEFLATE_LITERAL_INDEX) +
                     (DEFLATE_LITERALS + 2) / 2 * (1 << DEFLATE_LITERAL_TAIL)];
    uint32_t
        distance[(1 << DEFLATE_DISTANCE_INDEX) +
                 (DEFLATE_DISTANCES + 2) / 2 * (1 << DEFLATE_DISTANCE_TAIL)];
};

/* Make the tables of a HEADER. */
void deflate_codes_make(struct deflate_codes *codes,
                        const struct deflate_header *header);

/* Make the tables of a block without a header. */
void deflate_codes_make_fixed(struct deflate_codes *codes);

#endif
