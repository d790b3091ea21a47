/* SPDX-License-Identifier: MIT */
/* pattern_match.c -- the values of a line that fits a pattern */

#include <string.h>

#include "base/ascii.h"
#include "base/eight_bytes.h"
#include "base/little_endian.h"
#include "text/pattern/pattern_match.h"

/* The line has no such text. */
#define NOWHERE UINT32_MAX

/* ---- the text after a value ---- */

/* Whether the byte at AT, in the value that starts at START, comes after an odd
   number of backslashes. */
static bool
is_protected(const unsigned char *data, uint32_t start, uint32_t at)
{
    uint32_t from = at;

    while (from > start && data[from - 1] == '\\')
        from--;
    return (at - from) % 2 == 1;
}

/* Returns the first BYTE of the bytes from TEXT on and before END, or NULL. */
static const unsigned char *
find_byte(const unsigned char *text, const unsigned char *end,
          unsigned char byte)
{
    /* Most values are short: a call of memchr() costs more than they do. */
    for (int i = 0; i < 2 && end - text >= 8; i++) {
        uint64_t found = eight_bytes_first(little_endian_64(text), byte);
        if (found != 0)
            return text + __builtin_ctzll(found) / 8;
        text += 8;
    }
    return memchr(text, byte, (size_t)(end - text));
}

/* Whether the SIZE bytes at FOUND, the first of which is right, are AFTER. */
static bool
is_after(const unsigned char *found, const unsigned char *after, size_t size)
{
    return size == 1 ||
           (found[1] == after[1] &&
            (size == 2 || memcmp(found + 2, after + 2, size - 2) == 0));
}

/* Returns where the text after FIELD, whose value starts at START, is in the
   line that ends at END, or NOWHERE. */
static uint32_t
find_after(const struct pattern_field *field, const unsigned char *data,
           uint32_t start, uint32_t end)
{
    const unsigned char *after = (const unsigned char *)field->after;
    size_t size = field->after_size;
    bool is_list = field->known != NULL && field->known->is_list;
    size_t inside = field->inside;
    uint32_t at = start;

    if (size == 0)
        return end;
    for (;;) {
        const unsigned char *found = find_byte(data + at, data + end, *after);
        if (found == NULL)
            return NOWHERE;
        at = (uint32_t)(found - data);
        if (end - at < size)
            return NOWHERE;
        if (!is_after(found, after, size) ||
            (field->is_quoted && is_protected(data, start, at)) ||
            (is_list && !field->is_quoted &&
             pattern_is_in_list(data, start, at, end))) {
            at++;
            continue;
        }
        if (inside == 0)
            return at;
        inside--;
        at += (uint32_t)size;
    }
}

/* ---- values ---- */

static bool
is_digits(const unsigned char *text, uint32_t size)
{
    for (uint32_t i = 0; i < size; i++) {
        if (!ascii_is_digit(text[i]))
            return false;
    }
    return size > 0;
}

/* Whether the SIZE bytes at TEXT are as CHECK says. */
static bool
is_right(enum pattern_check check, const unsigned char *text, uint32_t size)
{
    bool has_sign = size > 1 && (*text == '-' || *text == '+');

    if (check == PATTERN_ANY || (size == 1 && *text == '-'))
        return true;
    switch (check) {
    case PATTERN_WORD:
        return size > 0 && memchr(text, ' ', size) == NULL;
    case PATTERN_NUMBER:
        return is_digits(text + has_sign, size - has_sign);
    case PATTERN_STATUS_OR_NONE:
        if (size == 2 && text[0] == '-' && text[1] == '1')
            return true;
        return size == 3 && is_digits(text, size);
    case PATTERN_STATUS:
        return size == 3 && is_digits(text, size);
    default:
        return is_digits(text, size);
    }
}

static const char *const wrong_values[PATTERN_CHECKS] = {
    [PATTERN_STATUS] = "is no status of three digits",
    [PATTERN_STATUS_OR_NONE] = "is no status of three digits, nor -1",
    [PATTERN_BYTES] = "is no number of bytes",
    [PATTERN_NUMBER] = "is no number",
    [PATTERN_WORD] = "has a blank, or no byte",
};

const char *
pattern_wrong_value(const struct pattern_field *field,
                    const unsigned char *text, uint32_t size)
{
    const struct pattern_known *known = field->known;

    return known == NULL || is_right(known->check, text, size)
               ? NULL
               : wrong_values[known->check];
}

/* ---- lines ---- */

static bool
fail(struct pattern_fault *fault, uint32_t at, const char *reason)
{
    *fault = (struct pattern_fault){at, reason};
    return false;
}

bool
pattern_match(const struct pattern *pattern, const unsigned char *data,
              uint32_t at, uint32_t end, struct text_slice *value,
              struct pattern_fault *fault)
{
    if (end - at < pattern->before_size ||
        memcmp(data + at, pattern->before, pattern->before_size) != 0)
        return fail(fault, at, pattern->lacks);
    at += (uint32_t)pattern->before_size;
    for (size_t i = 0; i < pattern->count; i++) {
        const struct pattern_field *field = &pattern->field[i];
        uint32_t size = (uint32_t)field->after_size;
        uint32_t stop = find_after(field, data, at, end);
        if (stop == NOWHERE)
            return fail(fault, at, field->lacks);
        value[i] = (struct text_slice){at, stop - at};
        const char *wrong = pattern_wrong_value(field, data + at, stop - at);
        if (wrong != NULL)
            return fail(fault, at, wrong);
        at = stop + size;
        while (field->is_padded && size > 0 && end - at >= size &&
               memcmp(data + at, field->after, size) == 0)
            at += size;
    }
    return at == end || fail(fault, at, "follows the end of the pattern");
}
