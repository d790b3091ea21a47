/* SPDX-License-Identifier: MIT */
/* json_text.c -- tokens of JSON: strings and their values, numbers, words */

#include <string.h>

#include "base/ascii.h"
#include "base/utf8.h"
#include "text/json_text.h"

/* Bytes of a value from one escape, or from two of a surrogate pair. */
#define CHARACTER_BYTES_MAX 4

/* Of \uXXXX, after the backslash. */
#define UNICODE_BYTES 5

/* ---- syntax ---- */

/* Returns the bytes of the escape that follows a backslash at AT, or 0. */
static uint32_t
escape_size(const unsigned char *data, uint32_t at, uint32_t end)
{
    if (at == end || data[at] == '\0' ||
        strchr("\"\\/bfnrtu", data[at]) == NULL)
        return 0;
    if (data[at] != 'u')
        return 1;
    if (end - at < UNICODE_BYTES)
        return 0;
    for (uint32_t i = 1; i < UNICODE_BYTES; i++) {
        if (ascii_hex_value(data[at + i]) > 15)
            return 0;
    }
    return UNICODE_BYTES;
}

uint32_t
json_string_end(const unsigned char *data, uint32_t at, uint32_t end,
                const char **wrong)
{
    uint32_t start = at++;

    *wrong = NULL;
    while (at < end && data[at] != '"') {
        uint32_t size = 1;
        if (data[at] == '\\') {
            size = escape_size(data, at + 1, end);
            *wrong = "is no escape of JSON";
            size += size > 0;
        } else if (data[at] >= 0x80) {
            size = (uint32_t)utf8_character(data + at, end - at);
            *wrong = "is no UTF-8";
        } else if (data[at] < ' ') {
            size = 0;
            *wrong = "is a control character in a string";
        }
        if (size == 0)
            return at;
        at += size;
    }
    *wrong = at < end ? NULL : "is a string without an end";
    return at < end ? at + 1 : start;
}

static uint32_t
skip_digits(const unsigned char *data, uint32_t at, uint32_t end)
{
    while (at < end && ascii_is_digit(data[at]))
        at++;
    return at;
}

/* Returns the end of the number at AT; AT: not a number. */
static uint32_t
number_end(const unsigned char *data, uint32_t at, uint32_t end)
{
    uint32_t first = at + (data[at] == '-');
    uint32_t stop = skip_digits(data, first, end);
    uint32_t digits;

    if (stop == first || (data[first] == '0' && stop - first > 1))
        return at;
    if (stop < end && data[stop] == '.') {
        digits = stop + 1;
        stop = skip_digits(data, digits, end);
        if (stop == digits)
            return at;
    }
    if (stop < end && (data[stop] == 'e' || data[stop] == 'E')) {
        digits = stop + 1;
        if (digits < end && (data[digits] == '-' || data[digits] == '+'))
            digits++;
        stop = skip_digits(data, digits, end);
        if (stop == digits)
            return at;
    }
    return stop;
}

static uint32_t
word_end(const unsigned char *data, uint32_t at, uint32_t end)
{
    static const char *const words[] = {"true", "false", "null"};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t size = strlen(words[i]);
        if (end - at >= size && memcmp(data + at, words[i], size) == 0)
            return at + (uint32_t)size;
    }
    return at;
}

uint32_t
json_scalar_end(const unsigned char *data, uint32_t at, uint32_t end,
                const char **wrong)
{
    bool is_number = data[at] == '-' || ascii_is_digit(data[at]);
    uint32_t stop =
        is_number ? number_end(data, at, end) : word_end(data, at, end);

    *wrong = NULL;
    if (stop > at &&
        (stop == end || json_is_blank(data[stop]) || data[stop] == ',' ||
         data[stop] == ']' || data[stop] == '}'))
        return stop;
    *wrong = is_number ? "is no number of JSON" : "is no value of JSON";
    return at;
}

/* ---- values ---- */

/* Returns the 16 bits of the four digits at TEXT. */
static uint32_t
unit_of(const unsigned char *text)
{
    uint32_t unit = 0;

    for (int i = 0; i < 4; i++)
        unit = unit << 4 | ascii_hex_value(text[i]);
    return unit;
}

/* Write the character CODE in UTF-8.  Returns its bytes. */
static size_t
put_character(uint32_t code, unsigned char *value)
{
    static const unsigned char first[] = {0, 0, 0xc0, 0xe0, 0xf0};
    size_t bytes = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;

    for (size_t i = bytes; i-- > 1; code >>= 6)
        value[i] = (unsigned char)(0x80 | (code & 0x3f));
    *value = (unsigned char)(first[bytes] | code);
    return bytes;
}

/* Write the value of the escape at TEXT, a backslash, and move *TEXT after the
   escape; END is after the string.  Returns the bytes. */
static size_t
put_escape(const unsigned char **text, const unsigned char *end,
           unsigned char *value)
{
    static const char letters[] = "bfnrt";
    static const char controls[] = "\b\f\n\r\t";
    const unsigned char *at = *text + 1;
    const char *letter = strchr(letters, *at);

    *text = at + 1;
    if (*at != 'u') {
        *value =
            letter != NULL ? (unsigned char)controls[letter - letters] : *at;
        return 1;
    }
    uint32_t code = unit_of(at + 1);
    at += UNICODE_BYTES;
    if (code >= 0xd800 && code < 0xdc00 && end - at > UNICODE_BYTES &&
        at[0] == '\\' && at[1] == 'u') {
        uint32_t low = unit_of(at + 2);
        if (low >= 0xdc00 && low < 0xe000) {
            code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
            at += UNICODE_BYTES + 1;
        }
    }
    *text = at;
    if (code >= 0xd800 && code < 0xe000)
        code = 0xfffd;
    return put_character(code, value);
}

size_t
json_text_write(const unsigned char *data, struct text_slice slice,
                unsigned char *value)
{
    const unsigned char *at = data + slice.at + 1;
    const unsigned char *end = data + slice.at + slice.size - 1;
    unsigned char *to = value;

    while (at < end) {
        const unsigned char *escape = memchr(at, '\\', (size_t)(end - at));
        size_t part = (size_t)((escape != NULL ? escape : end) - at);
        memcpy(to, at, part);
        to += part;
        at += part;
        if (escape != NULL)
            to += put_escape(&at, end, to);
    }
    return (size_t)(to - value);
}

bool
json_text_is(const unsigned char *data, uint32_t at, uint32_t end,
             const unsigned char *name, size_t size)
{
    const unsigned char *from = data + at + 1;
    size_t done = 0;

    while (*from != '"') {
        unsigned char character[CHARACTER_BYTES_MAX];
        size_t bytes = 1;
        if (*from == '\\')
            bytes = put_escape(&from, data + end, character);
        else
            *character = *from++;
        if (bytes > size - done || memcmp(name + done, character, bytes) != 0)
            return false;
        done += bytes;
    }
    return done == size;
}

size_t
json_value_end(const unsigned char *data, size_t at, size_t size)
{
    uint32_t end = (uint32_t)size;
    const char *wrong;
    size_t depth = 0;

    do {
        if (data[at] == '"') {
            at = json_string_end(data, (uint32_t)at, end, &wrong);
        } else if (data[at] == '[' || data[at] == '{') {
            depth++;
            at++;
        } else if (data[at] == ']' || data[at] == '}') {
            depth--;
            at++;
        } else if (depth > 0) {
            at++;
        } else {
            return json_scalar_end(data, (uint32_t)at, end, &wrong);
        }
    } while (depth > 0);
    return at;
}
