/* SPDX-License-Identifier: MIT */
/* eight_bytes.h -- eight bytes in a word, looked at together */

#ifndef GPUHIST_EIGHT_BYTES_H
#define GPUHIST_EIGHT_BYTES_H

#include <stdbool.h>
#include <stdint.h>

/* The word of eight times BYTE. */
#define EIGHT_BYTES(byte) (UINT64_C(0x0101010101010101) * (byte))

/* Whether all BYTES are digits, in any order of bytes. */
static inline bool
eight_bytes_are_digits(uint64_t bytes)
{
    uint64_t high = EIGHT_BYTES(0xf0);

    return ((bytes & high) | ((bytes + EIGHT_BYTES(0x06)) & high) >> 4) ==
           EIGHT_BYTES(0x33);
}

/* Returns 0 if no byte of WORD is BYTE.  Otherwise the lowest bit set is the
   highest one of the first such byte; bits above it mean nothing. */
static inline uint64_t
eight_bytes_first(uint64_t word, unsigned char byte)
{
    const uint64_t others = word ^ EIGHT_BYTES(byte);

    return (others - EIGHT_BYTES(0x01)) & ~others & EIGHT_BYTES(0x80);
}

/* Returns 0x80 in the bytes of WORD that are BYTE, 0 in the others. */
static inline uint64_t
eight_bytes_find(uint64_t word, unsigned char byte)
{
    const uint64_t others = word ^ EIGHT_BYTES(byte);
    const uint64_t low = EIGHT_BYTES(0x7f);

    return ~(((others & low) + low) | others | low);
}

/* Returns the number that eight hexadecimal digits are, of which the first is
   in the lowest byte of DIGITS. */
static inline uint32_t
eight_bytes_hex(uint64_t digits)
{
    /* Letters are 1 to 6 in their low bits. */
    uint64_t value =
        (digits & EIGHT_BYTES(0x0f)) + (digits >> 6 & EIGHT_BYTES(0x01)) * 9;

    value = (value << 4 | value >> 8) & UINT64_C(0x00ff00ff00ff00ff);
    value = (value << 8 | value >> 16) & UINT64_C(0x0000ffff0000ffff);
    return (uint32_t)(value << 16 | value >> 32);
}

#endif
