/* json.c -- texts as JSON values */

#include <stddef.h>
#include <stdint.h>

#include "util/json.h"

/*
 * How many bytes the character at TEXT has in UTF-8; 0 if it is none.  (RFC
 * 3629: no longer forms than needed, no surrogates, nothing above U+10FFFF.)
 */
static size_t
character_bytes(const unsigned char *text)
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
    if (forms[i].bytes == 1)
        return 1;
    if (text[1] < forms[i].low || text[1] > forms[i].high)
        return 0;
    for (size_t b = 2; b < forms[i].bytes; b++) {
        if (text[b] < 0x80 || text[b] > 0xbf)
            return 0;
    }
    return forms[i].bytes;
}

void
json_put_string(FILE *out, const char *text)
{
    const unsigned char *at = (const unsigned char *)text;

    putc('"', out);
    while (*at != '\0') {
        size_t bytes = character_bytes(at);
        if (bytes == 0) {
            fputs("\\ufffd", out);
            bytes = 1;
        } else if (*at == '"' || *at == '\\') {
            fprintf(out, "\\%c", *at);
        } else if (*at < ' ' || *at == 0x7f) {
            fprintf(out, "\\u%04x", *at);
        } else {
            fwrite(at, 1, bytes, out);
        }
        at += bytes;
    }
    putc('"', out);
}

void
json_put_number(FILE *out, const char *text)
{
    const char *digits = text + (*text == '-');

    if (*digits >= '0' && *digits <= '9')
        fputs(text, out);
    else
        json_put_string(out, text);
}
