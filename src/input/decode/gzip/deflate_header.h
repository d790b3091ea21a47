/* SPDX-License-Identifier: MIT */
/* deflate_header.h -- the lengths of the codes in the header of a block */

#ifndef GPUHIST_DEFLATE_HEADER_H
#define GPUHIST_DEFLATE_HEADER_H

#include <stddef.h>
#include <stdint.h>

#include "base/little_endian.h"

enum {
    DEFLATE_KIND_BITS = 3, /* whether a block is the last one, and its kind */
    DEFLATE_LITERALS = 286,
    DEFLATE_DISTANCES = 30,
    DEFLATE_END_OF_BLOCK = 256,
    DEFLATE_CODE_BITS = 15, /* of the longest code */
    DEFLATE_FIRST_BITS = 7, /* of the longest code for lengths of codes */
};

/* The longest header, and the bytes read to decode it. */
#define DEFLATE_HEADER_BYTES ((size_t)640)

struct deflate_header {
    /* 0: no such code. */
    unsigned char literal[DEFLATE_LITERALS + 2];
    unsigned char distance[DEFLATE_DISTANCES + 2];
    size_t literals;  /* of LITERAL that are set */
    size_t distances; /* of DISTANCE */
};

/* Returns the 64 bits of the 8 bytes at DATA. */
static inline uint64_t
deflate_word(const unsigned char *data)
{
    return little_endian_32(data) | (uint64_t)little_endian_32(data + 4) << 32;
}

/* Returns at least 57 bits from BIT on. 8 bytes must be readable at BIT. */
static inline uint64_t
deflate_bits(const unsigned char *data, uint64_t bit)
{
    return deflate_word(data + bit / 8) >> bit % 8;
}

/*
 * Read the header whose block starts at BIT and has codes of its own.
 * DEFLATE_HEADER_BYTES must be readable at BIT.  Returns the bit after the
 * header, or 0 if the header is not well-formed: all codes must be complete,
 * except that one distance of one bit or none is enough.
 */
uint64_t deflate_header_read(struct deflate_header *header,
                             const unsigned char *data, uint64_t bit);

#endif
