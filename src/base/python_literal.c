/* SPDX-License-Identifier: MIT */
/* python_literal.c -- the tokens of a literal of Python, in a header */

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/ascii.h"
#include "base/python_literal.h"

int
python_literal_fail(struct python_literal *literal, size_t at,
                    const char *format, ...)
{
    va_list args;

    va_start(args, format);
    (void)vsnprintf(literal->error, sizeof literal->error, format, args);
    va_end(args);
    literal->error_at = at;
    return -1;
}

unsigned char
python_literal_peek(struct python_literal *literal)
{
    while (literal->at < literal->size &&
           memchr(" \t\r\n", literal->data[literal->at], 4) != NULL)
        literal->at++;
    return literal->at < literal->size ? literal->data[literal->at] : 0;
}

bool
python_literal_skip(struct python_literal *literal, unsigned char byte)
{
    if (python_literal_peek(literal) != byte || literal->at == literal->size)
        return false;
    literal->at++;
    return true;
}

int
python_literal_expect(struct python_literal *literal, unsigned char byte)
{
    if (python_literal_skip(literal, byte))
        return 0;
    return python_literal_fail(literal, literal->at, "'%c' is missing", byte);
}

bool
python_literal_has_next(struct python_literal *literal, unsigned char end)
{
    return python_literal_skip(literal, ',') &&
           python_literal_peek(literal) != end;
}

/* ---- strings ---- */

/* Returns 0, or -1 if STRING is too long. */
static int
put(struct python_string *string, unsigned int byte)
{
    if (string->size == PYTHON_STRING_BYTES_MAX)
        return -1;
    string->bytes[string->size++] = (char)byte;
    string->bytes[string->size] = '\0';
    return 0;
}

/* Append character CODE. */
static int
put_character(struct python_string *string, uint32_t code)
{
    if (code < 0x80)
        return put(string, code);
    int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    unsigned int lead = more == 1 ? 0xc0 : more == 2 ? 0xe0 : 0xf0;
    if (put(string, lead | code >> 6 * more) < 0)
        return -1;
    while (more-- > 0) {
        if (put(string, 0x80 | (code >> 6 * more & 0x3f)) < 0)
            return -1;
    }
    return 0;
}

static bool
is_control(uint32_t code)
{
    return code < 0x20 || (code >= 0x7f && code < 0xa0);
}

static int
digit_of(unsigned char byte)
{
    return ascii_is_digit(byte)         ? byte - '0'
           : byte >= 'a' && byte <= 'f' ? byte - 'a' + 10
           : byte >= 'A' && byte <= 'F' ? byte - 'A' + 10
                                        : -1;
}

/* Take what follows a backslash. */
static int
take_escape(struct python_literal *literal, struct python_string *string)
{
    size_t start = literal->at - 1;
    unsigned char byte =
        literal->at < literal->size ? literal->data[literal->at++] : 0;
    int digits = byte == 'x' ? 2 : byte == 'u' ? 4 : byte == 'U' ? 8 : 0;
    uint32_t code = 0;

    if (byte == '\\' || byte == '\'' || byte == '"')
        return put(string, byte);
    if (digits == 0 && (byte == 0 || strchr("abfnrtv", byte) == NULL))
        return python_literal_fail(literal, start,
                                   "an unknown escape in a string");
    for (int i = 0; i < digits; i++) {
        int digit = literal->at < literal->size
                        ? digit_of(literal->data[literal->at])
                        : -1;
        if (digit < 0)
            return python_literal_fail(literal, start,
                                       "an escape in a string is cut off");
        code = code << 4 | (uint32_t)digit;
        literal->at++;
    }
    if (digits > 0 && (code > 0x10ffff || (code >= 0xd800 && code < 0xe000)))
        return python_literal_fail(literal, start,
                                   "an escape in a string is no character");
    if (digits > 0 && !is_control(code))
        return put_character(string, code);
    for (size_t i = start; i < literal->at; i++) {
        if (put(string, literal->data[i]) < 0)
            return -1;
    }
    return 0;
}

int
python_literal_string(struct python_literal *literal,
                      struct python_string *string)
{
    unsigned char quote = python_literal_peek(literal);
    size_t start = literal->at;

    *string = (struct python_string){0};
    if (quote == 'u' || quote == 'b') {
        literal->at++;
        quote = literal->at < literal->size ? literal->data[literal->at] : 0;
    }
    if (quote != '\'' && quote != '"')
        return python_literal_fail(literal, start, "not a string");
    literal->at++;
    while (literal->at < literal->size) {
        unsigned char byte = literal->data[literal->at++];
        int result;
        if (byte == quote)
            return 0;
        if (is_control(byte) && (byte < 0x80 || !literal->is_utf8))
            return python_literal_fail(literal, literal->at - 1,
                                       "a control character in a string");
        if (byte == '\\')
            result = take_escape(literal, string);
        else if (literal->is_utf8)
            result = put(string, byte);
        else
            result = put_character(string, byte);
        if (result < 0 && literal->error[0] == '\0')
            return python_literal_fail(literal, start,
                                       "the string is longer than %d bytes",
                                       PYTHON_STRING_BYTES_MAX);
        if (result < 0)
            return -1;
    }
    return python_literal_fail(literal, start, "the string has no end");
}

/* ---- other tokens ---- */

int
python_literal_number(struct python_literal *literal, uint64_t *number)
{
    bool is_digit = python_literal_peek(literal) >= '0' &&
                    python_literal_peek(literal) <= '9';
    size_t start = literal->at;

    *number = 0;
    if (!is_digit)
        return python_literal_fail(literal, start, "not a number from 0 on");
    while (literal->at < literal->size && literal->data[literal->at] >= '0' &&
           literal->data[literal->at] <= '9') {
        unsigned int digit = literal->data[literal->at++] - (unsigned int)'0';
        if (__builtin_mul_overflow(*number, 10, number) ||
            __builtin_add_overflow(*number, digit, number))
            return python_literal_fail(literal, start,
                                       "the number is too large");
    }
    if (literal->at < literal->size && literal->data[literal->at] == 'L')
        literal->at++;
    return 0;
}

int
python_literal_boolean(struct python_literal *literal)
{
    static const char *const words[] = {"True", "False"};

    (void)python_literal_peek(literal);
    for (size_t i = 0; i < 2; i++) {
        size_t length = strlen(words[i]);
        if (literal->size - literal->at >= length &&
            memcmp(literal->data + literal->at, words[i], length) == 0) {
            literal->at += length;
            return 0;
        }
    }
    return python_literal_fail(literal, literal->at, "neither True nor False");
}
