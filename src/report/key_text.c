/* SPDX-License-Identifier: MIT */
/* key_text.c -- a key as the formats write it */

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/json.h"
#include "base/utf8.h"
#include "report/key_text.h"

void
key_text_open(struct key_text *text, const struct key_component *component,
              struct writer *out)
{
    *text = (struct key_text){.byte = component->text,
                              .size = component->text_size};
    if (!component->is_escaped)
        return;
    text->size = 0;
    text->copy = malloc(component->text_size);
    if (text->copy != NULL)
        text->size = key_component_copy(component, text->copy);
    else if (!writer_has_failed(out))
        out->reason = ENOMEM;
    text->byte = text->copy;
}

void
key_text_close(struct key_text *text)
{
    free(text->copy);
}

void
key_text_put_raw(struct writer *out, const unsigned char *key, size_t size)
{
    writer_put_bytes(out, key, size);
}

/* ---- tsv ---- */

void
key_text_put_tsv(struct writer *out, const unsigned char *key, size_t size)
{
    size_t done = 0;

    for (size_t at = 0; at < size; at++) {
        while (size - at >= ESCAPE_STEP && escape_is_plain(key + at))
            at += ESCAPE_STEP;
        if (at == size)
            break;
        char letter = escape_letter(key[at]);
        if (letter == '\0' &&
            (key[at] != '\\' || !escape_is_doubled(key, size, at)))
            continue;
        writer_put_bytes(out, key + done, at - done);
        writer_put_char(out, '\\');
        /* A doubled backslash itself starts the next run. */
        if (letter != '\0')
            writer_put_char(out, letter);
        done = at + (letter != '\0');
    }
    writer_put_bytes(out, key + done, size - done);
}

/* ---- csv ---- */

bool
key_text_is_special(const unsigned char *key, size_t size)
{
    static const char *const words[] = {"N", "other", "empty", "invalid"};
    size_t at = 0;

    while (at < size && key[at] == '\\')
        at++;
    for (size_t w = 0; at > 0 && w < sizeof words / sizeof *words; w++) {
        if (size - at == strlen(words[w]) &&
            memcmp(key + at, words[w], size - at) == 0)
            return true;
    }
    return false;
}

static bool
needs_quotes(const unsigned char *key, size_t size)
{
    for (size_t at = 0; at < size; at++) {
        if (key[at] == ',' || key[at] == '"' || key[at] == '\n' ||
            key[at] == '\r')
            return true;
    }
    return false;
}

void
key_text_put_quoted(struct writer *out, const unsigned char *key, size_t size)
{
    size_t done = 0;

    if (!needs_quotes(key, size)) {
        writer_put_bytes(out, key, size);
        return;
    }
    writer_put_char(out, '"');
    for (size_t at = 0; at < size; at++) {
        if (key[at] != '"')
            continue;
        writer_put_bytes(out, key + done, at + 1 - done);
        done = at; /* once more */
    }
    writer_put_bytes(out, key + done, size - done);
    writer_put_char(out, '"');
}

void
key_text_put_csv(struct writer *out, const unsigned char *key, size_t size)
{
    /* Such a key needs no quotes. */
    if (key_text_is_special(key, size))
        writer_put_char(out, '\\');
    key_text_put_quoted(out, key, size);
}

/* ---- md ---- */

/* Put CHARACTER, of BYTES bytes; a character with a meaning in Markdown is
   escaped. */
static void
put_plain(struct writer *out, const unsigned char *character, size_t bytes)
{
    if (strchr("\\|`*_~[<&", *character) != NULL)
        writer_put_char(out, '\\');
    writer_put_bytes(out, character, bytes);
}

void
key_text_put_md_label(struct writer *out, const char *label)
{
    for (; *label != '\0'; label++)
        put_plain(out, (const unsigned char *)label, 1);
}

/* Put an unprintable byte, or a byte of a character that would change the
   visible text, after BACKSLASH. */
static void
put_byte(struct writer *out, const char *backslash, unsigned char byte)
{
    char letter = escape_letter(byte);

    writer_put_text(out, backslash);
    if (letter != '\0') {
        writer_put_char(out, letter);
        return;
    }
    writer_put_char(out, 'x');
    writer_put_char(out, escape_digit(byte >> 4));
    writer_put_char(out, escape_digit(byte & 15));
}

/* As put_byte(), for a reader that takes two backslashes for one. */
static void
put_hidden(struct writer *out, unsigned char byte)
{
    put_byte(out, "\\\\", byte);
}

/* Whether the character or byte at AT cannot be shown.  Sets *BYTES to the
   size: of the character, or 1. */
static bool
is_hidden(const unsigned char *key, size_t size, size_t at, size_t *bytes)
{
    unsigned char byte = key[at];
    size_t character = utf8_character(key + at, size - at);

    *bytes = character == 0 ? 1 : character;
    if (character == 0 || utf8_is_steering(utf8_code(key + at, character)))
        return true;
    /* Markdown drops blanks at the ends of a cell. */
    return byte == ' ' && (at == 0 || at + 1 == size);
}

/* Whether the backslash at AT is doubled: as in tsv, and before any \xHH. */
static bool
is_doubled_md(const unsigned char *key, size_t size, size_t at)
{
    size_t bytes;

    return escape_is_doubled(key, size, at) || key[at + 1] == 'x' ||
           is_hidden(key, size, at + 1, &bytes);
}

void
key_text_put_md(struct writer *out, const unsigned char *key, size_t size)
{
    for (size_t at = 0, bytes; at < size; at += bytes) {
        if (is_hidden(key, size, at, &bytes)) {
            for (size_t b = 0; b < bytes; b++)
                put_hidden(out, key[at + b]);
            continue;
        }
        if (key[at] == '\\' && is_doubled_md(key, size, at))
            writer_put_text(out, "\\\\");
        put_plain(out, key + at, bytes);
    }
}

/* ---- table ---- */

void
key_text_put_shown(struct writer *out, const unsigned char *key, size_t size)
{
    for (size_t at = 0, bytes; at < size; at += bytes) {
        if (is_hidden(key, size, at, &bytes)) {
            for (size_t b = 0; b < bytes; b++)
                put_byte(out, "\\", key[at + b]);
            continue;
        }
        if (key[at] == '\\' && is_doubled_md(key, size, at))
            writer_put_char(out, '\\');
        writer_put_bytes(out, key + at, bytes);
    }
}

size_t
key_text_columns(const unsigned char *key, size_t size)
{
    size_t columns = 0;

    for (size_t at = 0, bytes; at < size; at += bytes) {
        if (is_hidden(key, size, at, &bytes)) {
            for (size_t b = 0; b < bytes; b++)
                columns += escape_letter(key[at + b]) != '\0' ? 2 : 4;
            continue;
        }
        bool is_doubled = key[at] == '\\' && is_doubled_md(key, size, at);
        columns += is_doubled ? 2 : 1;
    }
    return columns;
}

/* ---- json ---- */

void
key_text_put_json(struct writer *out, const unsigned char *key, size_t size)
{
    if (utf8_is_valid(key, size)) {
        writer_put_text(out, "\":");
        json_put_bytes(out, key, size);
        return;
    }
    writer_put_text(out, "_hex\":\"");
    for (size_t at = 0; at < size; at++) {
        writer_put_char(out, escape_digit(key[at] >> 4));
        writer_put_char(out, escape_digit(key[at] & 15));
    }
    writer_put_char(out, '"');
}

/* ---- uhi ---- */

static bool
has_escape(const unsigned char *key, size_t size)
{
    for (size_t i = 1; i < size; i++) {
        if (key[i - 1] == '\\' && key[i] == 'x')
            return true;
    }
    return false;
}

void
key_text_put_uhi(struct writer *out, const unsigned char *key, size_t size)
{
    if (utf8_is_valid(key, size) && !has_escape(key, size)) {
        json_put_bytes(out, key, size);
        return;
    }
    writer_put_char(out, '"');
    for (size_t at = 0, bytes; at < size; at += bytes) {
        bytes = utf8_character(key + at, size - at);
        if (bytes == 0) {
            bytes = 1;
            put_hidden(out, key[at]);
        } else if (key[at] == '\\') {
            writer_put_text(out, "\\\\\\\\");
        } else {
            json_put_character(out, key + at, bytes);
        }
    }
    writer_put_char(out, '"');
}
