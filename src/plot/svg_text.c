/* SPDX-License-Identifier: MIT */
/* svg_text.c -- text in an SVG document */

#include <stdint.h>
#include <string.h>

#include "plot/svg_text.h"

#define NAME_CHARACTERS_MAX 80

/*
 * The number of bytes of the UTF-8 character at TEXT; 0 if TEXT is not valid
 * UTF-8, or if the character is a control character or not allowed in XML.
 */
static size_t
find_character(const unsigned char *text)
{
    size_t length = text[0] < 0x80   ? 1
                    : text[0] < 0xc2 ? 0
                    : text[0] < 0xe0 ? 2
                    : text[0] < 0xf0 ? 3
                    : text[0] < 0xf5 ? 4
                                     : 0;
    uint32_t code = text[0] & (length == 1 ? 0x7fu : 0x7fu >> length);

    /* The loop stops at the NUL, which is not a continuation byte. */
    for (size_t i = 1; i < length; i++) {
        if ((text[i] & 0xc0) != 0x80)
            return 0;
        code = code << 6 | (text[i] & 0x3fu);
    }
    if (code < ' ' || (code >= 0x7f && code < 0xa0) ||
        (length == 3 && code < 0x800) || (length == 4 && code < 0x10000) ||
        (code >= 0xd800 && code < 0xe000) || code == 0xfffe || code == 0xffff ||
        code > 0x10ffff)
        return 0;
    return length;
}

static size_t
count_characters(const char *text)
{
    size_t count = 0;

    for (; *text != '\0'; count++) {
        size_t length = find_character((const unsigned char *)text);
        text += length > 0 ? length : 1;
    }
    return count;
}

/* Print TEXT without the first SKIPPED characters. */
static void
put_from(FILE *out, const char *text, size_t skipped)
{
    while (*text != '\0') {
        size_t length = find_character((const unsigned char *)text);
        if (skipped > 0)
            skipped--;
        else if (length == 0)
            putc('?', out);
        else if (*text == '&')
            fputs("&amp;", out);
        else if (*text == '<')
            fputs("&lt;", out);
        else if (*text == '>')
            fputs("&gt;", out);
        else
            fwrite(text, 1, length, out);
        text += length > 0 ? length : 1;
    }
}

void
svg_text_put(FILE *out, const char *text)
{
    put_from(out, text, 0);
}

void
svg_text_put_paths(FILE *out, char *const *paths, size_t path_count)
{
    size_t characters;

    if (path_count == 0 || (path_count == 1 && strcmp(paths[0], "-") == 0)) {
        fputs("standard input", out);
        return;
    }
    characters = count_characters(paths[0]);
    if (characters > NAME_CHARACTERS_MAX) {
        fputs("\xe2\x80\xa6", out); /* ... */
        put_from(out, paths[0], characters - NAME_CHARACTERS_MAX);
    } else {
        svg_text_put(out, paths[0]);
    }
    if (path_count > 1)
        fprintf(out, " and %zu more", path_count - 1);
}

void
svg_text_put_label(FILE *out, double x, double y, const char *more,
                   const char *text)
{
    fprintf(out, "<text x=\"%.6g\" y=\"%.6g\"%s>", x, y, more);
    svg_text_put(out, text);
    fputs("</text>\n", out);
}
