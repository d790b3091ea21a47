/*
 * short_decimal.h -- most weights are short decimals: read them fast
 *
 * What text_number.h says decides.  This is a faster form of it for texts of at
 * most 8 bytes, digits with a minus sign or none and a point or none.
 */

#ifndef GPUHIST_SHORT_DECIMAL_H
#define GPUHIST_SHORT_DECIMAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hash.h"
#include "util/decimal_sum.h"

#define SHORT_DECIMAL_MAX 8

#define SHORT_DECIMAL_ALL(byte) (UINT64_C(0x0101010101010101) * (byte))

/* Returns the number of 8 digits, the first one in the lowest byte. */
static inline uint64_t
short_decimal_number(uint64_t digits)
{
    digits -= SHORT_DECIMAL_ALL('0');
    /* Pairs, then fours, then all eight. */
    digits = digits * 10 + (digits >> 8);
    return ((digits & 0x000000ff000000ff) * (100 + (UINT64_C(1000000) << 32)) +
            (digits >> 16 & 0x000000ff000000ff) *
                (1 + (UINT64_C(10000) << 32))) >>
           32;
}

/* Whether all bytes are digits. */
static inline bool
short_decimal_is_digits(uint64_t bytes)
{
    uint64_t high = SHORT_DECIMAL_ALL(0xf0);

    return ((bytes & high) | ((bytes + SHORT_DECIMAL_ALL(0x06)) & high) >> 4) ==
           SHORT_DECIMAL_ALL(0x33);
}

/*
 * Set *NANO to a text of SIZE bytes, at most 8, in units of 10^-9.  They are
 * the high bytes of BYTES, the first one lowest; the others are ignored.
 * Returns whether they are such a text; if not, they may be another number.
 */
static inline bool
short_decimal_value(uint64_t bytes, size_t size, int64_t *nano)
{
    static const int64_t unit[SHORT_DECIMAL_MAX] = {
        1000000000, 100000000, 10000000, 1000000, 100000, 10000, 1000, 100};

    if (size == 0)
        return false;
    unsigned int before = 8 * (unsigned int)(8 - size);
    bool is_negative = (bytes >> before & 255) == '-';
    before += 8 * (unsigned int)is_negative;
    if (before == 64)
        return false;
    /* Leading zeros instead of what is before the digits. */
    uint64_t none = ((uint64_t)1 << before) - 1;
    bytes = (bytes & ~none) | (SHORT_DECIMAL_ALL('0') & none);

    /* The byte of the point, if there is one: the lowest one is exact. */
    uint64_t differs = bytes ^ SHORT_DECIMAL_ALL('.');
    uint64_t found =
        (differs - SHORT_DECIMAL_ALL(1)) & ~differs & SHORT_DECIMAL_ALL(0x80);
    unsigned int places = 0;
    if (found != 0) {
        unsigned int point = (unsigned int)__builtin_ctzll(found) & ~7u;
        uint64_t left = ((uint64_t)1 << point) - 1;
        places = 7 - point / 8;
        if (before == 56)
            return false; /* nothing else */
        bytes = (bytes & ~left & ~((uint64_t)255 << point)) |
                (bytes & left) << 8 | '0';
    }
    if (!short_decimal_is_digits(bytes))
        return false;
    int64_t value = (int64_t)short_decimal_number(bytes) * unit[places];
    *nano = is_negative ? -value : value;
    return true;
}

/* The same for the SIZE bytes at DATA + AT; the bytes before may be loaded. */
static inline bool
short_decimal_read(const unsigned char *data, size_t at, size_t size,
                   int64_t *nano)
{
    return size <= SHORT_DECIMAL_MAX && at + size >= SHORT_DECIMAL_MAX &&
           short_decimal_value(hash_load(data + at + size - SHORT_DECIMAL_MAX),
                               size, nano);
}

#endif
