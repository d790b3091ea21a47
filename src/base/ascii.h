/* SPDX-License-Identifier: MIT */
/* ascii.h -- the kinds of ASCII characters, in every locale */

#ifndef GPUHIST_ASCII_H
#define GPUHIST_ASCII_H

#include <stdbool.h>

/* BYTE is a char or an unsigned char, or -1 for the end of something. */
static inline bool
ascii_is_digit(int byte)
{
    return byte >= '0' && byte <= '9';
}

static inline bool
ascii_is_letter(int byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
}

/* Returns the value of a hexadecimal digit in either case; 16: not a digit. */
static inline unsigned int
ascii_hex_value(unsigned char byte)
{
    const unsigned char lower = byte | 0x20;

    if (ascii_is_digit(byte))
        return byte - (unsigned int)'0';
    return lower >= 'a' && lower <= 'f' ? lower - (unsigned int)'a' + 10 : 16;
}

#endif
