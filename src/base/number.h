/* SPDX-License-Identifier: MIT */
/* number.h -- numbers in decimal, from text and to text */

#ifndef GPUHIST_NUMBER_H
#define GPUHIST_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/wide_integer.h"

/* Room for any text of number_put...() and a NUL. */
#define NUMBER_TEXT_BYTES 48

/*
 * Write VALUE in decimal digits.  All number_put...() may overwrite
 * NUMBER_TEXT_BYTES - 1 bytes at AT, also after the end of the text.  They
 * return the end of the text.
 */
char *number_put(uint64_t value, char *at);
char *number_put_integer(struct wide value, char *at);

/*
 * Write VALUE as the shortest decimal that reads back to the same double, in
 * the form of Python's repr(): 0.1, 1e+22, 1000.  Both zeros are "0",
 * infinities "inf" and "-inf", NaN is "nan".
 */
char *number_put_double(double value, char *at);
/* As number_put_double(), with a NUL at the end. */
void number_text(double value, char text[NUMBER_TEXT_BYTES]);

/*
 * Write VALUE as "%.*f" of printf() does, with DIGITS after the point, 1 or 2.
 * Its absolute value is below 10^40.
 */
char *number_put_fixed(double value, unsigned int digits, char *at);

/*
 * Parse all of TEXT as a finite decimal number, rounded to the nearest double.
 * Returns 0, or -1 if TEXT is anything else or a double cannot hold it.
 */
int number_parse(const char *text, double *value);

/*
 * Parse all of TEXT as decimal digits, or as hexadecimal digits after "0x".
 * *VALUE is exact up to 2^64; a greater number gives any value above 2^64.
 * Returns 0, or -1 if TEXT is anything else.
 */
int number_parse_digits(const char *text, struct wide *value);

/*
 * Parse all of TEXT as a whole number: an optional sign and the syntax of
 * number_parse_digits(), or the syntax of number_parse() if the number is whole
 * ("1e6").  Returns 0, or -1 if TEXT is anything else or outside [-2^64, 2^64].
 */
int number_parse_integer(const char *text, struct wide *value);

#endif
