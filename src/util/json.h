/*
 * json.h -- texts as JSON values
 *
 * JSON has no infinity and no NaN: they are the strings "inf", "-inf" and
 * "nan".  Integers keep all their digits.
 */

#ifndef GPUHIST_JSON_H
#define GPUHIST_JSON_H

#include <stdio.h>

/*
 * Print TEXT as a string.  What is not UTF-8, as a file's name may be, becomes
 * U+FFFD, byte by byte.
 */
void json_put_string(FILE *out, const char *text);

/* Print what is a number in gpuhist's other formats: "0.1", "1e+22", "inf". */
void json_put_number(FILE *out, const char *text);

#endif
