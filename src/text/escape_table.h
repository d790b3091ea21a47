/* SPDX-License-Identifier: MIT */
/*
 * escape_table.h -- what may follow a backslash in a string of JSON, for
 * vectors
 *
 * A byte has the classes that both its halves have, as in utf8_table.h.
 */

#ifndef GPUHIST_ESCAPE_TABLE_H
#define GPUHIST_ESCAPE_TABLE_H

enum {
    ESCAPE_QUOTE = 1 << 0,     /* a quote, a slash */
    ESCAPE_BACKSLASH = 1 << 1, /* a backslash */
    ESCAPE_EARLY = 1 << 2,     /* b, f, n */
    ESCAPE_LATE = 1 << 3,      /* r, t */
    ESCAPE_DIGIT = 1 << 4,     /* of a hexadecimal number: 0 to 9 */
    ESCAPE_LETTER = 1 << 5,    /* A to F, a to f */
    ESCAPE_UNICODE = 1 << 7,   /* u, which four digits follow */
    ESCAPE_SHORT = ESCAPE_QUOTE | ESCAPE_BACKSLASH | ESCAPE_EARLY | ESCAPE_LATE,
    ESCAPE_HEX = ESCAPE_DIGIT | ESCAPE_LETTER,
};

/* By the high half of a byte. */
#define ESCAPE_BY_HIGH                                                         \
    0, 0, ESCAPE_QUOTE, ESCAPE_DIGIT, ESCAPE_LETTER, ESCAPE_BACKSLASH,         \
        ESCAPE_EARLY | ESCAPE_LETTER, (char)(ESCAPE_LATE | ESCAPE_UNICODE), 0, \
        0, 0, 0, 0, 0, 0, 0

/* By its low half. */
#define ESCAPE_BY_LOW                                                        \
    ESCAPE_DIGIT, ESCAPE_HEX,                                                \
        ESCAPE_QUOTE | ESCAPE_EARLY | ESCAPE_LATE | ESCAPE_HEX, ESCAPE_HEX,  \
        ESCAPE_LATE | ESCAPE_HEX, (char)(ESCAPE_UNICODE | ESCAPE_HEX),       \
        ESCAPE_EARLY | ESCAPE_HEX, ESCAPE_DIGIT, ESCAPE_DIGIT, ESCAPE_DIGIT, \
        0, 0, ESCAPE_BACKSLASH, 0, ESCAPE_EARLY, ESCAPE_QUOTE

#endif
