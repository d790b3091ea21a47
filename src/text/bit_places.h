/*
 * bit_places.h -- the places of the bits of a byte, for processors that cannot
 * compress vectors
 */

#ifndef GPUHIST_BIT_PLACES_H
#define GPUHIST_BIT_PLACES_H

#include <stdint.h>

/* The bits of BYTE below bit N. */
#define BELOW(byte, n) ((byte) & ((1 << (n)) - 1))
#define COUNT(x)                                                  \
    (((x)&1) + ((x) >> 1 & 1) + ((x) >> 2 & 1) + ((x) >> 3 & 1) + \
     ((x) >> 4 & 1) + ((x) >> 5 & 1) + ((x) >> 6 & 1))

#define PLACE(byte, n) \
    ((uint64_t)(((byte) >> (n)&1) * (n)) << 8 * COUNT(BELOW(byte, n)))
#define ROW1(byte)                                                      \
    PLACE(byte, 1) | PLACE(byte, 2) | PLACE(byte, 3) | PLACE(byte, 4) | \
        PLACE(byte, 5) | PLACE(byte, 6) | PLACE(byte, 7)
#define ROWS4(byte) \
    ROW1(byte), ROW1((byte) + 1), ROW1((byte) + 2), ROW1((byte) + 3)
#define ROWS16(byte) \
    ROWS4(byte), ROWS4((byte) + 4), ROWS4((byte) + 8), ROWS4((byte) + 12)
#define ROWS64(byte) \
    ROWS16(byte), ROWS16((byte) + 16), ROWS16((byte) + 32), ROWS16((byte) + 48)

/* For each byte, the places of its bits, the lowest bit in the lowest byte,
   then zeros. */
static const uint64_t bit_places[256] = {ROWS64(0), ROWS64(64), ROWS64(128),
                                         ROWS64(192)};

#undef BELOW
#undef COUNT
#undef PLACE
#undef ROW1
#undef ROWS4
#undef ROWS16
#undef ROWS64

#endif
