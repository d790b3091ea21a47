/* SPDX-License-Identifier: MIT */
/*
 * deflate_find.c -- find where a block of deflate data may start
 *
 * Codes of each kind in a header must be complete.  So few bits need a look at
 * more than the lengths of the first codes, and chance makes a header that
 * passes every test once in 240 MB of random bytes.
 */

#include <stdbool.h>

#include "input/decode/gzip/deflate_find.h"

/* The bits of a block that is not the last one and has codes of its own. */
#define KIND_DYNAMIC 4

#define COUNT_BITS 5 /* of literals and lengths beyond 257; of distances - 1 */
#define COUNT_MOST 29
#define ORDER_AT (DEFLATE_KIND_BITS + 2 * COUNT_BITS) /* how many lengths - 4 */
#define LENGTHS_AT (ORDER_AT + 4)
#define LENGTH_BITS 3
#define QUAD_BITS (4 * LENGTH_BITS)
#define FIRST_ALL (1U << DEFLATE_FIRST_BITS)

/* The number of positions, of 57 bits, after which all bits that may_start()
   reads follow. */
#define STARTS_BITS (57 - ORDER_AT)

/*
 * Returns the bits of WORD where the first ORDER_AT bits may start a header:
 * the kind is right, and neither count exceeds 29.
 */
static uint64_t
may_start(uint64_t word)
{
    uint64_t kind = ~word & ~(word >> 1) & word >> 2;
    /* The highest four bits of a count that is too large. */
    uint64_t large = word & word >> 1 & word >> 2 & word >> 3;

    return kind & ~(large >> 4) & ~(large >> 9) &
           ((UINT64_C(1) << STARTS_BITS) - 1);
}

void
deflate_finder_make(struct deflate_finder *finder)
{
    for (unsigned int quad = 0; quad < 1U << QUAD_BITS; quad++) {
        unsigned int share = 0;
        for (unsigned int at = 0; at < QUAD_BITS; at += LENGTH_BITS) {
            unsigned int length = quad >> at & 7;
            share += length > 0 ? FIRST_ALL >> length : 0;
        }
        /* 4 codes of 1 bit are too many in any case. */
        finder->share[quad] = (unsigned char)(share < 255 ? share : 255);
    }
}

/* Whether the codes for lengths are complete. */
static bool
has_first_codes(const struct deflate_finder *finder, const unsigned char *data,
                uint64_t bit)
{
    const uint64_t mask = (1U << QUAD_BITS) - 1;
    const unsigned char *share = finder->share;
    unsigned int count = (deflate_bits(data, bit) >> ORDER_AT & 15) + 4;
    uint64_t lengths = deflate_bits(data, bit + LENGTHS_AT);

    lengths &= (UINT64_C(1) << LENGTH_BITS * count) - 1;
    return share[lengths & mask] + share[lengths >> QUAD_BITS & mask] +
               share[lengths >> 2 * QUAD_BITS & mask] +
               share[lengths >> 3 * QUAD_BITS & mask] +
               share[lengths >> 4 * QUAD_BITS] ==
           FIRST_ALL;
}

uint64_t
deflate_find(const struct deflate_finder *finder, const unsigned char *data,
             size_t size, uint64_t bit)
{
    struct deflate_header header;

    if (size <= DEFLATE_FIND_MARGIN)
        return DEFLATE_FIND_NONE;
    uint64_t end = 8 * (uint64_t)(size - DEFLATE_FIND_MARGIN);
    for (; bit < end; bit += STARTS_BITS) {
        uint64_t starts = may_start(deflate_bits(data, bit));
        for (; starts != 0; starts &= starts - 1) {
            uint64_t at = bit + (unsigned int)__builtin_ctzll(starts);
            if (at < end && has_first_codes(finder, data, at) &&
                deflate_header_read(&header, data, at) != 0)
                return at;
        }
    }
    return DEFLATE_FIND_NONE;
}
