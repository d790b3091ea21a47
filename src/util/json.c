/* json.c -- print strings and numbers as JSON values */

#include <stddef.h>
#include <stdint.h>

#include "util/json.h"

/*
 * The number of bytes of the UTF-8 character at TEXT; 0: not a character.  (RFC
 * 3629: no overlong forms, no surrogates, nothing above U+10FFFF.)
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
json_put_string(struct writer *out, const char *text)
{
    static const char hexadecimal[] = "0123456789abcdef";
    const unsigned char *at = (const unsigned char *)text;

    writer_put_char(out, '"');
    while (*at != '\0') {
        size_t bytes = character_bytes(at);
        if (bytes == 0) {
            writer_put_text(out, "\\ufffd");
            bytes = 1;
        } else if (*at == '"' || *at == '\\') {
            writer_put_char(out, '\\');
            writer_put_char(out, (char)*at);
        } else if (*at < ' ' || *at == 0x7f) {
            writer_put_text(out, "\\u00");
            writer_put_char(out, hexadecimal[*at >> 4]);
            writer_put_char(out, hexadecimal[*at & 15]);
        } else {
            writer_put_bytes(out, at, bytes);
        }
        at += bytes;
    }
    writer_put_char(out, '"');
}

void
json_put_number(struct writer *out, const char text[NUMBER_TEXT_BYTES],
                size_t size)
{
    const char *digits = text + (*text == '-');

    if (*digits >= '0' && *digits <= '9') {
        writer_put_short(out, text, size);
        return;
    }
    writer_put_char(out, '"');
    writer_put_short(out, text, size);
    writer_put_char(out, '"');
}
