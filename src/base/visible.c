/* SPDX-License-Identifier: MIT */
/* visible.c -- names and values in messages, with nothing hidden in them */

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/escape.h"
#include "base/utf8.h"
#include "base/visible.h"

/* Whether the character CODE looks like a space or like nothing. */
static bool
is_blank(uint32_t code)
{
    return code == 0xa0 || code == 0x1680 ||
           (code >= 0x2000 && code <= 0x200f) || code == 0x202f ||
           code == 0x205f || code == 0x3000 ||
           (code >= 0xfe00 && code <= 0xfe0f);
}

static char *
put_escape(char *to, unsigned char byte)
{
    char letter = byte == '\r' ? 'r' : escape_letter(byte);

    *to++ = '\\';
    if (letter != '\0') {
        *to++ = letter;
        return to;
    }
    *to++ = 'x';
    *to++ = escape_digit(byte >> 4);
    *to++ = escape_digit(byte & 15);
    return to;
}

const char *
visible_name(char text[VISIBLE_BYTES], const void *bytes, size_t size)
{
    const unsigned char *name = bytes;
    char *to = text;
    size_t at = 0;

    for (size_t shown = 0; at < size && shown < VISIBLE_MAX; shown++) {
        size_t length = utf8_character(name + at, size - at);
        bool is_hidden = length == 0;
        if (length > 0) {
            uint32_t code = utf8_code(name + at, length);
            is_hidden = utf8_is_steering(code) || is_blank(code);
        }
        size_t end = at + (length > 0 ? length : 1);
        while (at < end) {
            if (is_hidden)
                to = put_escape(to, name[at++]);
            else
                *to++ = (char)name[at++];
        }
    }
    strcpy(to, at < size ? "..." : "");
    return text;
}

const char *
visible_byte(char text[VISIBLE_BYTE_BYTES], unsigned char byte)
{
    if (byte > ' ' && byte < 0x7f)
        snprintf(text, VISIBLE_BYTE_BYTES, "'%c'", byte);
    else
        snprintf(text, VISIBLE_BYTE_BYTES, "byte 0x%02x", byte);
    return text;
}
