/*
 * json.h -- texts as JSON values
 *
 * JSON has no infinity and no NaN: they are the strings "inf", "-inf" and
 * "nan".  Integers keep all their digits.
 */

#ifndef GPUHIST_JSON_H
#define GPUHIST_JSON_H

#include <stddef.h>

#include "util/writer.h"

/*
 * Print TEXT as a string.  What is not UTF-8, as a file's name may be, becomes
 * U+FFFD, byte by byte.
 */
void json_put_string(struct writer *out, const char *text);

/*
 * Print what is a number in gpuhist's other formats: "0.1", "1e+22", "inf".  It
 * has SIZE bytes.
 */
void json_put_number(struct writer *out, const char text[NUMBER_TEXT_BYTES],
                     size_t size);

#endif
