/* SPDX-License-Identifier: MIT */
/*
 * json.h -- print strings and numbers as JSON values
 *
 * JSON has no infinity and no NaN, so both become strings: "inf", "-inf" and
 * "nan".  Integers keep all their digits.
 */

#ifndef GPUHIST_JSON_H
#define GPUHIST_JSON_H

#include <stddef.h>

#include "base/writer.h"

/*
 * Print TEXT as a string.  Each byte that is not part of valid UTF-8, as in
 * some file names, becomes U+FFFD.
 */
void json_put_string(struct writer *out, const char *text);

/* The same with the SIZE bytes at TEXT, of which any may be NUL. */
void json_put_bytes(struct writer *out, const unsigned char *text, size_t size);

/* As json_put_string() without the quotes around the string. */
void json_put_inside(struct writer *out, const char *text);

/* Print the character of UTF-8 that the SIZE bytes at TEXT are, as a part of a
   string. */
void json_put_character(struct writer *out, const unsigned char *text,
                        size_t size);

/*
 * Print the SIZE bytes at TEXT, a number in the form of other formats: "0.1",
 * "1e+22", "inf".
 */
void json_put_number(struct writer *out, const char text[NUMBER_TEXT_BYTES],
                     size_t size);

#endif
