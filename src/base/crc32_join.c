/* SPDX-License-Identifier: MIT */
/*
 * crc32_join.c -- the CRC-32 of two pieces from the CRC-32 of each
 *
 * A CRC is a polynomial over GF(2) modulo that of CRC-32.  Each byte after the
 * first piece multiplies the piece's CRC by x^8.  The coefficient of x^0 is the
 * highest bit.  The inversions of CRC-32 at both ends cancel out.
 */

#include "base/crc32_join.h"
#include "base/crc32.h"

#define ONE UINT32_C(0x80000000)           /* x^0 */
#define ONE_BYTE (UINT32_C(1) << (31 - 8)) /* x^8 */

static uint32_t
product(uint32_t a, uint32_t b)
{
    uint32_t sum = 0;

    for (uint32_t bit = ONE; bit != 0; bit >>= 1) {
        if ((a & bit) != 0)
            sum ^= b;
        b = b >> 1 ^ ((b & 1) != 0 ? CRC32_POLYNOMIAL : 0);
    }
    return sum;
}

uint32_t
crc32_join(uint32_t first, uint32_t second, uint64_t second_bytes)
{
    uint32_t power = ONE_BYTE;

    for (; second_bytes != 0; second_bytes >>= 1) {
        if ((second_bytes & 1) != 0)
            first = product(power, first);
        power = product(power, power);
    }
    return first ^ second;
}
