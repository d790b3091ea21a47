/* SPDX-License-Identifier: MIT */
/* utf8.h -- the ends of characters of UTF-8, and harmful characters */

#ifndef GPUHIST_UTF8_H
#define GPUHIST_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* U+FEFF, the byte order mark that may come before text. */
#define UTF8_MARK "\xef\xbb\xbf"
#define UTF8_MARK_BYTES (sizeof UTF8_MARK - 1)

/*
 * Returns the number of bytes of the first character in the SIZE bytes at TEXT,
 * 1 or more; 0: the bytes start with no character.  (RFC 3629: no overlong
 * forms, no surrogates, nothing above U+10FFFF.)
 */
size_t utf8_character(const unsigned char *text, size_t size);

/* Whether the SIZE bytes at TEXT are characters without anything between. */
bool utf8_is_valid(const unsigned char *text, size_t size);

/* Returns the code of the character of BYTES bytes at TEXT, as
   utf8_character() returned them. */
uint32_t utf8_code(const unsigned char *text, size_t bytes);

/* The characters from FIRST to LAST. */
struct utf8_span {
    uint32_t first;
    uint32_t last;
};

/* Whether the character CODE is in one of the COUNT ranges at SPAN. */
bool utf8_is_in(uint32_t code, const struct utf8_span *span, size_t count);

/*
 * Whether the character CODE is invisible but changes the look of other
 * characters: a control character, a tag, or a character that sets the
 * direction of the text, ends a line or joins words.  Not the joiners of
 * scripts and emoji, U+200C and U+200D.
 */
bool utf8_is_steering(uint32_t code);

#endif
