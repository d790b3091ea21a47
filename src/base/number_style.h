/* SPDX-License-Identifier: MIT */
/*
 * number_style.h -- numbers for people: rounded, with separators of thousands
 *
 * The text of a number is rounded, not the number: the decimal that other
 * formats print is the exact number, or the shortest text of a double.  So the
 * result follows from that decimal alone.
 */

#ifndef GPUHIST_NUMBER_STYLE_H
#define GPUHIST_NUMBER_STYLE_H

#include <stdbool.h>
#include <stddef.h>

/* The most decimals. */
#define NUMBER_STYLE_DECIMALS_MAX 30

struct number_style {
    bool has_thousands; /* a comma after every third digit of a whole part */
    bool is_rounded;
    unsigned int decimals; /* if rounded: exactly this many */
};

/* The most bytes of a text that is changed, and room for the changed text. */
#define NUMBER_STYLE_TEXT_MAX 128
#define NUMBER_STYLE_BYTES 640

/*
 * Write the SIZE bytes at TEXT, a number as other formats print it, in STYLE at
 * AT, with room for NUMBER_STYLE_BYTES.  Halves are rounded to even; a rounded
 * number has no exponent and, if it is 0, no sign.  A text that is not a finite
 * decimal, or a number with an exponent that is not rounded, stays as it is;
 * SIZE is at most NUMBER_STYLE_TEXT_MAX.  Returns the end of the text.
 */
char *number_style_put(const struct number_style *style, const char *text,
                       size_t size, char *at);

#endif
