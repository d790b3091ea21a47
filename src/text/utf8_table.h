/* SPDX-License-Identifier: MIT */
/*
 * utf8_table.h -- the mistakes in two bytes of UTF-8, for vectors
 *
 * As J. Keiser and D. Lemire, "Validating UTF-8 in less than one instruction
 * per byte", Software: Practice and Experience 51 (2021): each bit is a mistake
 * that two bytes may be, and the halves of the bytes tell which mistakes they
 * allow.  Two bytes are a mistake if three halves allow it: both halves of the
 * first byte and the high half of the second.  TWICE is allowed if the second
 * byte must be the third or fourth byte of a character.
 */

#ifndef GPUHIST_UTF8_TABLE_H
#define GPUHIST_UTF8_TABLE_H

enum {
    UTF8_SHORT = 1 << 0, /* a first byte, without another byte after it */
    UTF8_LONG = 1 << 1,  /* ASCII, and a continuation byte after it */
    UTF8_OVER3 = 1 << 2, /* three bytes for less than U+0800 */
    UTF8_LARGE = 1 << 3, /* above U+10FFFF: f4 90 and above */
    UTF8_HALF = 1 << 4,  /* a surrogate */
    UTF8_OVER2 = 1 << 5, /* two bytes for ASCII */
    UTF8_OVER4 = 1 << 6, /* four bytes for less than U+10000, or f5 80 */
    UTF8_TWICE = 1 << 7, /* two other bytes */
    UTF8_ANY = UTF8_SHORT | UTF8_LONG | UTF8_TWICE,
    UTF8_ABOVE = UTF8_ANY | UTF8_LARGE | UTF8_OVER4,
    UTF8_OTHER = UTF8_LONG | UTF8_OVER2 | UTF8_TWICE,
};

/* By the high half of the first byte. */
#define UTF8_FIRST_HIGH                                               \
    UTF8_LONG, UTF8_LONG, UTF8_LONG, UTF8_LONG, UTF8_LONG, UTF8_LONG, \
        UTF8_LONG, UTF8_LONG, (char)UTF8_TWICE, (char)UTF8_TWICE,     \
        (char)UTF8_TWICE, (char)UTF8_TWICE, UTF8_SHORT | UTF8_OVER2,  \
        UTF8_SHORT, UTF8_SHORT | UTF8_OVER3 | UTF8_HALF,              \
        UTF8_SHORT | UTF8_LARGE | UTF8_OVER4

/* By its low half. */
#define UTF8_FIRST_LOW                                                     \
    (char)(UTF8_ANY | UTF8_OVER3 | UTF8_OVER2 | UTF8_OVER4),               \
        (char)(UTF8_ANY | UTF8_OVER2), (char)UTF8_ANY, (char)UTF8_ANY,     \
        (char)(UTF8_ANY | UTF8_LARGE), (char)UTF8_ABOVE, (char)UTF8_ABOVE, \
        (char)UTF8_ABOVE, (char)UTF8_ABOVE, (char)UTF8_ABOVE,              \
        (char)UTF8_ABOVE, (char)UTF8_ABOVE, (char)UTF8_ABOVE,              \
        (char)(UTF8_ABOVE | UTF8_HALF), (char)UTF8_ABOVE, (char)UTF8_ABOVE

/* By the high half of the second one. */
#define UTF8_SECOND_HIGH                                                      \
    UTF8_SHORT, UTF8_SHORT, UTF8_SHORT, UTF8_SHORT, UTF8_SHORT, UTF8_SHORT,   \
        UTF8_SHORT, UTF8_SHORT, (char)(UTF8_OTHER | UTF8_OVER3 | UTF8_OVER4), \
        (char)(UTF8_OTHER | UTF8_OVER3 | UTF8_LARGE),                         \
        (char)(UTF8_OTHER | UTF8_HALF | UTF8_LARGE),                          \
        (char)(UTF8_OTHER | UTF8_HALF | UTF8_LARGE), UTF8_SHORT, UTF8_SHORT,  \
        UTF8_SHORT, UTF8_SHORT

/* The first bytes of three and more, and of four bytes, less 0x80. */
#define UTF8_OF_THREE 0x60
#define UTF8_OF_FOUR 0x70

#endif
