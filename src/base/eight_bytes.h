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

#endif
