/* SPDX-License-Identifier: MIT */
/*
 * number_modifiers.c -- the rows of modifiers that make decimals
 *
 * A decimal is in plain spelling (plain_decimal.h), so that equal numbers are
 * one key.  A text that has this spelling is its own value, without a copy.
 */

#include <string.h>

#include "base/ascii.h"
#include "base/number.h"
#include "base/size.h"
#include "base/xxh.h"
#include "kernels/text/text_number.h"
#include "text/modify/duration.h"
#include "text/modify/number_modifiers.h"
#include "text/modify/plain_decimal.h"
#include "text/modify/text_search.h"

static bool
is_letter_or_digit(unsigned char byte)
{
    return ascii_is_digit(byte) || (byte | 32u) - 'a' < 26;
}

/* ---- number, decimal-comma ---- */

/*
 * Returns where the first number in the SIZE bytes at TEXT starts, its sign
 * left out; NULL: no digit is there.  A point before the first digit belongs to
 * the number if the point could not end a word.
 */
static const unsigned char *
find_digits(const unsigned char *text, size_t size, unsigned char point)
{
    const unsigned char *digit = text;
    const unsigned char *end = text + size;

    while (digit < end && !ascii_is_digit(*digit))
        digit++;
    if (digit == end)
        return NULL;
    if (digit == text || digit[-1] != point)
        return digit;
    if (digit - 1 == text ||
        (digit[-2] != point && !is_letter_or_digit(digit[-2])))
        return digit - 1;
    return digit;
}

/* Returns AT, or the start of the sign of a currency that ends there. */
static const unsigned char *
before_currency(const unsigned char *text, const unsigned char *at)
{
    static const char signs[][4] = {"$", "\xe2\x82\xac" /* euro */,
                                    "\xc2\xa3" /* pound */,
                                    "\xc2\xa5" /* yen */};

    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        size_t length = strlen(signs[i]);
        if ((size_t)(at - text) >= length &&
            memcmp(at - length, signs[i], length) == 0)
            return at - length;
    }
    return at;
}

/* Whether a minus sign is before AT: at the start of TEXT, or after a byte that
   is neither letter nor digit. */
static bool
has_minus(const unsigned char *text, const unsigned char *at)
{
    return at > text && at[-1] == '-' &&
           (at - 1 == text || !is_letter_or_digit(at[-2]));
}

static bool
apply_number(const struct modifier *modifier, const unsigned char **text,
             size_t *size, unsigned char *out)
{
    const struct decimal_marks marks = {
        .point = (unsigned char)modifier->type->choice,
        .thousands = modifier->type->choice == '.' ? ',' : '.'};
    struct decimal_term term;
    const unsigned char *at = find_digits(*text, *size, marks.point);

    if (at == NULL)
        return false;
    const unsigned char *after =
        plain_decimal_read(&term, at, *text + *size, marks);
    if (after == NULL)
        return false;
    bool is_negative = has_minus(*text, before_currency(*text, at));
    /* With a decimal comma, 1.234 is in plain spelling, but another number. */
    bool has_groups = marks.point != '.' && term.size > term.whole;
    if (!is_negative && !has_groups &&
        plain_decimal_is(at, (size_t)(after - at))) {
        *text = at;
        *size = (size_t)(after - at);
        return true;
    }
    *size = plain_decimal_write(&term, 1, is_negative, out);
    *text = out;
    return true;
}

/* ---- duration ---- */

/* The unit of a bare number. */
static bool
parse_duration(struct modifier *modifier)
{
    static const char *const names[] = {"s", "ms", "us", "ns"};
    size_t i = 0;

    while (modifier->text != NULL && i < sizeof names / sizeof *names &&
           strcmp(modifier->text, names[i]) != 0)
        i++;
    modifier->number[0] = 3 * i; /* the digits after the point of seconds */
    return i < sizeof names / sizeof *names;
}

/* Write the seconds of the *SIZE bytes at *TEXT to OUT if the text, apart from
   blanks at both ends, is a number of 10^-DIGITS seconds, with a sign or none.
 */
static bool
apply_unit(int digits, const unsigned char **text, size_t *size,
           unsigned char *out)
{
    static const struct decimal_marks marks = {.point = '.'};
    const unsigned char *at = *text;
    const unsigned char *end = at + *size;
    struct decimal_term term;

    while (at < end && text_number_is_blank(*at))
        at++;
    while (at < end && text_number_is_blank(end[-1]))
        end--;
    bool is_negative = at < end && *at == '-';
    at += is_negative || (at < end && *at == '+');
    if (plain_decimal_read(&term, at, end, marks) != end)
        return false;
    term.shift -= digits;
    *size = plain_decimal_write(&term, 1, is_negative, out);
    *text = out;
    return true;
}

static bool
apply_duration(const struct modifier *modifier, const unsigned char **text,
               size_t *size, unsigned char *out)
{
    int digits = (int)modifier->number[0];

    if (digits > 0 && apply_unit(digits, text, size, out))
        return true;
    if (digits == 0 && plain_decimal_is(*text, *size))
        return true;
    *size = duration_seconds(*text, *size, out);
    *text = out;
    return *size > 0;
}

/* ---- size ---- */

static bool
parse_size(struct modifier *modifier)
{
    modifier->number[0] = modifier->text != NULL ? 1024 : 1000;
    return modifier->text == NULL || strcmp(modifier->text, "iec") == 0;
}

/* The bytes that a unit of sizes stands for; 0: not a unit. */
static uint64_t
unit_bytes(const char *unit, size_t length, uint64_t base)
{
    static const char *const names[] = {"B", "byte", "bytes"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (length == strlen(names[i]) && memcmp(unit, names[i], length) == 0)
            return 1;
    }
    return size_unit(unit, length, base);
}

static bool
apply_size(const struct modifier *modifier, const unsigned char **text,
           size_t *size, unsigned char *out)
{
    static const struct decimal_marks marks = {.point = '.'};
    const unsigned char *at = *text;
    const unsigned char *end = at + *size;
    struct decimal_term term;

    if (plain_decimal_is(at, *size))
        return true;
    while (at < end && text_number_is_blank(*at))
        at++;
    while (end > at && text_number_is_blank(end[-1]))
        end--;
    bool is_negative = at < end && *at == '-';
    at += at < end && (*at == '-' || *at == '+');
    at = plain_decimal_read(&term, at, end, marks);
    if (at == NULL)
        return false;
    while (at < end && text_number_is_blank(*at))
        at++;
    term.factor =
        unit_bytes((const char *)at, (size_t)(end - at), modifier->number[0]);
    if (term.factor == 0)
        return false;
    *size = plain_decimal_write(&term, 1, is_negative, out);
    *text = out;
    return true;
}

/* ---- hash ---- */

/* The digits after the point of a hash. */
#define HASH_DIGITS 18

/* The seed. */
static bool
parse_hash(struct modifier *modifier)
{
    const char *text = modifier->text != NULL ? modifier->text : "0";
    uint64_t seed = 0;

    modifier->number[0] = 0;
    if (*text == '\0')
        return false;
    for (; ascii_is_digit(*text); text++) {
        unsigned int digit = (unsigned char)*text - (unsigned int)'0';
        if (seed > (UINT64_MAX - digit) / 10)
            return false;
        seed = 10 * seed + digit;
    }
    modifier->number[0] = seed;
    return *text == '\0';
}

/* Write HASH / 2^64, cut off after HASH_DIGITS digits, to OUT in plain
   spelling.  Returns the number of bytes. */
static size_t
put_fraction(uint64_t hash, unsigned char *out)
{
    size_t size = 0;
    size_t plain = 1;

    out[size++] = '0';
    out[size++] = '.';
    for (int i = 0; i < HASH_DIGITS; i++) {
        uint64_t low = (hash & UINT32_MAX) * 10;
        uint64_t high = (hash >> 32) * 10 + (low >> 32);
        out[size++] = (unsigned char)('0' + (high >> 32));
        if (high >> 32 != 0)
            plain = size;
        hash = high << 32 | (low & UINT32_MAX);
    }
    return plain;
}

static bool
apply_hash(const struct modifier *modifier, const unsigned char **text,
           size_t *size, unsigned char *out)
{
    *size = put_fraction(xxh64_of(*text, *size, modifier->number[0]), out);
    *text = out;
    return true;
}

/* ---- index ---- */

static bool
parse_index(struct modifier *modifier)
{
    return modifier->size > 0;
}

/* As index() of awk: where the argument starts in the text, 1 at its first
   byte, or 0. */
static bool
apply_index(const struct modifier *modifier, const unsigned char **text,
            size_t *size, unsigned char *out)
{
    size_t at = text_search(*text, *size, (const unsigned char *)modifier->text,
                            modifier->size);
    char *end = number_put(at < *size ? at + 1 : 0, (char *)out);

    *size = (size_t)(end - (char *)out);
    *text = out;
    return true;
}

const struct modifier_type number_modifiers[] = {
    {.name = "number",
     .gives = MODIFIER_GIVES_DECIMAL,
     .keeps_digits = true,
     .choice = '.',
     .apply = apply_number},
    {.name = "decimal-comma",
     .gives = MODIFIER_GIVES_DECIMAL,
     .choice = ',',
     .apply = apply_number},
    {.name = "duration",
     .argument = MODIFIER_MAY_HAVE_ARGUMENT,
     .gives = MODIFIER_GIVES_DECIMAL,
     .wants = "'s', 'ms', 'us', 'ns' or no argument",
     .parse = parse_duration,
     .apply = apply_duration},
    {.name = "size",
     .argument = MODIFIER_MAY_HAVE_ARGUMENT,
     .gives = MODIFIER_GIVES_DECIMAL,
     .wants = "'iec' or no argument",
     .parse = parse_size,
     .apply = apply_size},
    {.name = "hash",
     .argument = MODIFIER_MAY_HAVE_ARGUMENT,
     .gives = MODIFIER_GIVES_DECIMAL,
     .wants = "a seed, a whole number up to 2^64 - 1, or no argument",
     .parse = parse_hash,
     .apply = apply_hash},
    {.name = "index",
     .argument = MODIFIER_NEEDS_ARGUMENT,
     .gives = MODIFIER_GIVES_DECIMAL,
     .wants = "a text to look for",
     .parse = parse_index,
     .apply = apply_index},
    {.name = NULL},
};
