/* SPDX-License-Identifier: MIT */
/* utf8.c -- the ends of characters of UTF-8, and harmful characters */

#include "base/utf8.h"

size_t
utf8_character(const unsigned char *text, size_t size)
{
    static const struct {
        unsigned char first; /* up to this one ... */
        unsigned char low;   /* ... the second byte is from here ... */
        unsigned char high;  /* ... to here */
        unsigned char bytes;
    } forms[] = {
        {0x7f, 0, 0xff, 1},    {0xc1, 1, 0, 0},       {0xdf, 0x80, 0xbf, 2},
        {0xe0, 0xa0, 0xbf, 3}, {0xec, 0x80, 0xbf, 3}, {0xed, 0x80, 0x9f, 3},
        {0xef, 0x80, 0xbf, 3}, {0xf0, 0x90, 0xbf, 4}, {0xf3, 0x80, 0xbf, 4},
        {0xf4, 0x80, 0x8f, 4}, {0xff, 1, 0, 0},
    };
    size_t i = 0;

    while (text[0] > forms[i].first)
        i++;
    /* A byte that starts no character may be the last byte. */
    if (forms[i].bytes < 2)
        return forms[i].bytes;
    if (size < forms[i].bytes || text[1] < forms[i].low ||
        text[1] > forms[i].high)
        return 0;
    for (size_t b = 2; b < forms[i].bytes; b++) {
        if (text[b] < 0x80 || text[b] > 0xbf)
            return 0;
    }
    return forms[i].bytes;
}

bool
utf8_is_valid(const unsigned char *text, size_t size)
{
    for (size_t at = 0; at < size;) {
        size_t bytes = utf8_character(text + at, size - at);
        if (bytes == 0)
            return false;
        at += bytes;
    }
    return true;
}

uint32_t
utf8_code(const unsigned char *text, size_t bytes)
{
    uint32_t code = bytes == 1 ? text[0] : text[0] & (0x7fu >> bytes);

    for (size_t b = 1; b < bytes; b++)
        code = code << 6 | (text[b] & 0x3fu);
    return code;
}

bool
utf8_is_in(uint32_t code, const struct utf8_span *span, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (code >= span[i].first && code <= span[i].last)
            return true;
    }
    return false;
}

bool
utf8_is_steering(uint32_t code)
{
    static const struct utf8_span spans[] = {
        {0, 0x1f},        {0x7f, 0x9f},     {0xad, 0xad},
        {0x61c, 0x61c},   {0x180e, 0x180e}, {0x200b, 0x200b},
        {0x200e, 0x200f}, {0x2028, 0x202e}, {0x2060, 0x206f},
        {0xfeff, 0xfeff}, {0xfff9, 0xfffb}, {0xe0000, 0xe007f},
    };

    return utf8_is_in(code, spans, sizeof spans / sizeof *spans);
}
