/* utf8.c -- where characters of UTF-8 end */

#include "util/utf8.h"

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
    /* A byte that begins no character may be the last one. */
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
