/* SPDX-License-Identifier: MIT */
/*
 * plain_decimal.h -- decimals of any length, in plain spelling
 *
 * In plain spelling equal numbers have equal bytes: digits without a needless
 * zero, a point only before digits that are not all 0, a minus sign only before
 * a number below 0, no exponent.
 */

#ifndef GPUHIST_PLAIN_DECIMAL_H
#define GPUHIST_PLAIN_DECIMAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A greater exponent makes no number. */
#define PLAIN_DECIMAL_EXPONENT 38

/* A number as written, times 10^SHIFT and FACTOR. */
struct decimal_term {
    const unsigned char *text; /* SIZE bytes; those that are not digits are the
                                  point or separators */
    size_t size;
    size_t whole;    /* digits before the point */
    size_t fraction; /* digits after it */
    int shift;
    bool has_exponent; /* after TEXT; SHIFT has its value */
    uint64_t factor;   /* 1 to 2^60 */
};

/* How numbers are written. */
struct decimal_marks {
    unsigned char point;
    unsigned char thousands; /* 0: digits are not in groups */
};

/*
 * Read the number without a sign at TEXT, before END: digits with a point or
 * none, and an exponent or none.  A separator of thousands counts only if the
 * digits before it are one to three and do not start with 0, and each group has
 * three.  Sets TERM, with a factor of 1.  Returns the text after the number;
 * NULL: no digit is there, or the exponent is too great.
 */
const unsigned char *plain_decimal_read(struct decimal_term *term,
                                        const unsigned char *text,
                                        const unsigned char *end,
                                        struct decimal_marks marks);

/* Whether the SIZE bytes at TEXT are a number in plain spelling. */
bool plain_decimal_is(const unsigned char *text, size_t size);

/*
 * Write the sum of the COUNT terms, at most 10, to OUT, with a minus sign if
 * IS_NEGATIVE.  It takes up to 64 bytes more than the texts of all terms with
 * their exponents, if only a single term has an exponent or a factor above
 * 10^6, and no shift but that of the exponent is greater than 9 in magnitude.
 * Returns the number of bytes.
 */
size_t plain_decimal_write(const struct decimal_term *term, size_t count,
                           bool is_negative, unsigned char *out);

#endif
