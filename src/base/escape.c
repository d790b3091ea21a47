/* SPDX-License-Identifier: MIT */
/* escape.c -- bytes that a line of text cannot have, as backslash escapes */

#include <string.h>

#include "base/escape.h"

bool
escape_is_doubled(const unsigned char *key, size_t size, size_t at)
{
    return at + 1 == size || memchr("\\tn\t\nNoei", key[at + 1], 9) != NULL;
}

size_t
escape_read(const unsigned char *text, size_t size, unsigned char *key)
{
    unsigned char *to = key;
    size_t at = 0;

    while (at < size) {
        const unsigned char *escape = memchr(text + at, '\\', size - at);
        size_t part = escape != NULL ? (size_t)(escape - text) - at : size - at;
        memcpy(to, text + at, part);
        to += part;
        at += part;
        if (escape == NULL)
            break;
        unsigned char next = at + 1 < size ? escape[1] : '\0';
        bool is_escape = next == 't' || next == 'n' || next == '\\';
        *to++ = next == 't' ? '\t' : next == 'n' ? '\n' : '\\';
        at += is_escape ? 2 : 1;
    }
    return (size_t)(to - key);
}
