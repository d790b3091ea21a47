/* number.h -- numbers as users write them and as they are printed */

#ifndef GPUHIST_NUMBER_H
#define GPUHIST_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

/* Room for any text of number_put...(), and an end. */
#define NUMBER_TEXT_BYTES 48

/* Every integer of 64 bits, signed or not, and the limits beyond them. */
__extension__ typedef __int128 number_integer;

/*
 * Write VALUE in decimal digits.  All number_put...() use NUMBER_TEXT_BYTES - 1
 * bytes at AT, some of them behind the text, and return where that ends.
 */
char *number_put(uint64_t value, char *at);
char *number_put_integer(number_integer value, char *at);

/*
 * Write VALUE as the shortest decimal text that reads back to the same
 * double, in the form of Python's repr(): 0.1, 1e+22, 1000.  Both zeros are
 * "0", infinities "inf" and "-inf", not a number "nan".
 */
char *number_put_double(double value, char *at);
/* Likewise, with a NUL behind it. */
void number_text(double value, char text[NUMBER_TEXT_BYTES]);

/*
 * Read all of TEXT as a finite decimal number, rounded to the nearest double.
 * Returns 0, or -1 if it is anything else or beyond what a double can hold.
 */
int number_parse(const char *text, double *value);

/*
 * Read all of TEXT as decimal digits, or as hexadecimal ones behind "0x".
 * *VALUE is exact up to 2^64, and else something above that.  Returns 0, or -1
 * if it is anything else.
 */
int number_parse_digits(const char *text, number_integer *value);

/*
 * Read all of TEXT as a whole number: what number_parse_digits() takes, behind
 * a sign or not, or number_parse() where that is whole ("1e6").  Returns 0, or -1 if it is anything else, or outside
 * [-2^64, 2^64].
 */
int number_parse_integer(const char *text, number_integer *value);

#endif
