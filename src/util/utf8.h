/* utf8.h -- where characters of UTF-8 end */

#ifndef GPUHIST_UTF8_H
#define GPUHIST_UTF8_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Returns the number of bytes of the character that the SIZE bytes at TEXT, 1
 * or more, begin with; 0: they begin with no character.  (RFC 3629: no overlong
 * forms, no surrogates, nothing above U+10FFFF.)
 */
size_t utf8_character(const unsigned char *text, size_t size);

/* Whether the SIZE bytes at TEXT are characters without anything between. */
bool utf8_is_valid(const unsigned char *text, size_t size);

#endif
