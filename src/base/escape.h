/* SPDX-License-Identifier: MIT */
/* escape.h -- bytes that a line of text cannot have, as backslash escapes */

#ifndef GPUHIST_ESCAPE_H
#define GPUHIST_ESCAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/eight_bytes.h"

/* Returns the hexadecimal digit of VALUE, 0 to 15. */
static inline char
escape_digit(unsigned int value)
{
    return "0123456789abcdef"[value];
}

/* Returns the letter of the escape for BYTE, \t or \n; 0: no escape. */
static inline char
escape_letter(unsigned char byte)
{
    return byte == '\t' ? 't' : byte == '\n' ? 'n' : '\0';
}

/* Bytes that escape_is_plain() looks at. */
#define ESCAPE_STEP 8

/* Whether no byte of the ESCAPE_STEP at TEXT is \t, \n or a backslash. */
static inline bool
escape_is_plain(const unsigned char *text)
{
    uint64_t word;

    memcpy(&word, text, sizeof word);
    return (eight_bytes_first(word, '\t') | eight_bytes_first(word, '\n') |
            eight_bytes_first(word, '\\')) == 0;
}

/*
 * Whether the backslash at AT of a key of SIZE bytes is doubled.  A single
 * backslash before \t, \n or a backslash, or before their escapes, would read
 * as an escape or as the name of a special row.
 */
bool escape_is_doubled(const unsigned char *key, size_t size, size_t at);

/*
 * Decode TEXT to KEY, which has room for SIZE bytes: \t, \n and \\ stand for
 * one byte each, any other backslash for itself.  Returns the number of bytes.
 */
size_t escape_read(const unsigned char *text, size_t size, unsigned char *key);

#endif
