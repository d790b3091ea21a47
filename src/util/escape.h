/* escape.h -- bytes that a line of text cannot have, as backslash escapes */

#ifndef GPUHIST_ESCAPE_H
#define GPUHIST_ESCAPE_H

#include <stdbool.h>
#include <stddef.h>

/* Returns the hexadecimal digit of VALUE, 0 to 15. */
static inline char
escape_digit(unsigned int value)
{
    return "0123456789abcdef"[value];
}

/* Returns the letter of the escape for BYTE, \t or \n; 0: it has none. */
static inline char
escape_letter(unsigned char byte)
{
    return byte == '\t' ? 't' : byte == '\n' ? 'n' : '\0';
}

/*
 * Whether the backslash at AT of a key of SIZE bytes is doubled.  One backslash
 * before these bytes, or before the escapes that replace them, would be read
 * as an escape, or as the name of a special row.
 */
bool escape_is_doubled(const unsigned char *key, size_t size, size_t at);

#endif
