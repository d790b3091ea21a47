/* SPDX-License-Identifier: MIT */
/* json.c -- print strings and numbers as JSON values */

#include <string.h>

#include "base/ascii.h"
#include "base/escape.h"
#include "base/json.h"
#include "base/utf8.h"

void
json_put_character(struct writer *out, const unsigned char *text, size_t size)
{
    unsigned char byte = *text;

    if (byte == '"' || byte == '\\') {
        writer_put_char(out, '\\');
        writer_put_char(out, (char)byte);
    } else if (byte < ' ' || byte == 0x7f) {
        writer_put_text(out, "\\u00");
        writer_put_char(out, escape_digit(byte >> 4));
        writer_put_char(out, escape_digit(byte & 15));
    } else {
        writer_put_bytes(out, text, size);
    }
}

/* Put the SIZE bytes at TEXT as the inside of a string. */
static void
put_inside(struct writer *out, const unsigned char *text, size_t size)
{
    for (size_t at = 0; at < size;) {
        size_t bytes = utf8_character(text + at, size - at);

        if (bytes == 0) {
            writer_put_text(out, "\\ufffd");
            bytes = 1;
        } else {
            json_put_character(out, text + at, bytes);
        }
        at += bytes;
    }
}

void
json_put_inside(struct writer *out, const char *text)
{
    put_inside(out, (const unsigned char *)text, strlen(text));
}

void
json_put_bytes(struct writer *out, const unsigned char *text, size_t size)
{
    writer_put_char(out, '"');
    put_inside(out, text, size);
    writer_put_char(out, '"');
}

void
json_put_string(struct writer *out, const char *text)
{
    json_put_bytes(out, (const unsigned char *)text, strlen(text));
}

void
json_put_number(struct writer *out, const char text[NUMBER_TEXT_BYTES],
                size_t size)
{
    const char *digits = text + (*text == '-');

    if (ascii_is_digit(*digits)) {
        writer_put_short(out, text, size);
        return;
    }
    writer_put_char(out, '"');
    writer_put_short(out, text, size);
    writer_put_char(out, '"');
}
