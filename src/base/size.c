/* SPDX-License-Identifier: MIT */
/* size.c -- a number with a unit like k or Mi, as users write it */

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "base/number.h"
#include "base/size.h"

#define SIZE_MAX_BYTES (UINT64_MAX / 2)

/* Larger than any number of digits in memory. */
#define EXPONENT_MAX (LONG_MAX / 2)

/* Digits with an optional '.', and an exponent. */
struct typed_number {
    const char *text;
    long digits;
    long dot;   /* digits before the '.' */
    long point; /* DOT moved by the exponent: it may be before the first digit
                   or after the last */
};

uint64_t
size_unit(const char *unit, size_t length, uint64_t base)
{
    static const char letters[] = "kMGTPE";
    const char *letter = length == 0 || *unit == '\0'
                             ? NULL
                             : strchr(letters, *unit == 'K' ? 'k' : *unit);
    uint64_t factor = 1;

    if (letter == NULL)
        return length == 0;
    bool is_binary = length > 1 && unit[1] == 'i';
    size_t end = is_binary ? 2 : 1;
    if (length != end && (length != end + 1 || unit[end] != 'B'))
        return 0;
    for (const char *l = letters; l <= letter; l++)
        factor *= is_binary ? 1024 : base;
    return factor;
}

/* Parse the number at TEXT.  Returns the suffix after it; NULL: no number. */
static const char *
parse_decimal(const char *text, struct typed_number *decimal)
{
    bool has_dot = false;

    *decimal = (struct typed_number){.text = text};
    for (; ascii_is_digit(*text) || (*text == '.' && !has_dot); text++) {
        if (*text == '.')
            has_dot = true;
        else
            decimal->digits++;
        decimal->dot += !has_dot;
    }
    if (decimal->digits == 0)
        return NULL;

    /* "1E" is a suffix, "1E3" an exponent. */
    const char *exponent = text + 1;
    decimal->point = decimal->dot;
    if (*text == 'e' || *text == 'E') {
        exponent += *exponent == '+' || *exponent == '-';
        if (ascii_is_digit(*exponent)) {
            char *end;
            long added = strtol(text + 1, &end, 10);
            if (added > EXPONENT_MAX)
                added = EXPONENT_MAX;
            if (added < -EXPONENT_MAX)
                added = -EXPONENT_MAX;
            decimal->point += added;
            text = end;
        }
    }
    return text;
}

/* Digit I, from 0; before and after the digits there are zeros. */
static uint64_t
digit_at(const struct typed_number *decimal, long i)
{
    if (i < 0 || i >= decimal->digits)
        return 0;
    return (uint64_t)(decimal->text[i + (i >= decimal->dot)] - '0');
}

/* Set *WHOLE to the number before the point.  Returns 0, or -1: too large. */
static int
find_whole(const struct typed_number *decimal, uint64_t *whole)
{
    *whole = 0;
    for (long i = 0; i < decimal->point && (i < decimal->digits || *whole > 0);
         i++) {
        if (*whole > SIZE_MAX_BYTES / 10)
            return -1;
        *whole = *whole * 10 + digit_at(decimal, i);
    }
    return 0;
}

/*
 * Multiply the fraction after the point by FACTOR.  Returns 0, or -1: the
 * product has a fraction.  Works from the last digit to the first: 0.75 k is (7
 * k + 0.5 k) / 10, so if 0.75 k is whole, 0.5 k is whole, too.  Each product is
 * less than FACTOR, however many digits there are.
 */
static int
find_fraction(const struct typed_number *decimal, uint64_t factor,
              uint64_t *product)
{
    *product = 0;
    for (long i = decimal->digits;
         i > decimal->point && (i > 0 || *product > 0); i--) {
        *product += digit_at(decimal, i - 1) * factor;
        if (*product % 10 != 0)
            return -1;
        *product /= 10;
    }
    return 0;
}

/* The kind of a text. */
enum finding {
    IS_SIZE,
    IS_TOO_LARGE,
    IS_NO_SIZE
};

static enum finding
find(const char *text, uint64_t *size)
{
    struct typed_number decimal;
    struct wide integer;
    uint64_t whole;
    uint64_t fraction;

    if (number_parse_digits(text, &integer) == 0) {
        *size = integer.low;
        return integer.high > 0 || integer.low > SIZE_MAX_BYTES ? IS_TOO_LARGE
                                                                : IS_SIZE;
    }
    const char *suffix = parse_decimal(text, &decimal);
    uint64_t factor =
        suffix != NULL ? size_unit(suffix, strlen(suffix), 1000) : 0;
    if (factor == 0)
        return IS_NO_SIZE;
    if (find_whole(&decimal, &whole) < 0)
        return IS_TOO_LARGE;
    if (find_fraction(&decimal, factor, &fraction) < 0)
        return IS_NO_SIZE;
    if (__builtin_mul_overflow(whole, factor, &whole) ||
        whole > SIZE_MAX_BYTES || whole > SIZE_MAX_BYTES - fraction)
        return IS_TOO_LARGE;
    *size = whole + fraction;
    return IS_SIZE;
}

int
size_parse(const char *text, uint64_t *size)
{
    uint64_t found;

    if (find(text, &found) != IS_SIZE)
        return -1;
    *size = found;
    return 0;
}

bool
size_is_too_large(const char *text)
{
    uint64_t found;

    return find(text, &found) == IS_TOO_LARGE;
}
