/* SPDX-License-Identifier: MIT */
/* plain_decimal.c -- decimals of any length, in plain spelling */

#include <string.h>

#include "base/ascii.h"
#include "text/modify/plain_decimal.h"

/* Bytes before the digits, so that the sign and the point fit when the digits
   are moved to their places. */
#define BYTES_BEFORE 2

/* ---- reading ---- */

/* Returns the end of the digits at TEXT, at most MOST of them. */
static const unsigned char *
digits_end(const unsigned char *text, const unsigned char *end, size_t most)
{
    while (text < end && most > 0 && ascii_is_digit(*text)) {
        text++;
        most--;
    }
    return text;
}

/*
 * Returns the end of the groups of three digits after *WHOLE digits, which end
 * at TEXT, and counts their digits.
 */
static const unsigned char *
groups_end(const unsigned char *text, const unsigned char *end,
           unsigned char thousands, size_t *whole)
{
    if (thousands == 0 || *whole == 0 || *whole > 3 || *(text - *whole) == '0')
        return text;
    while (text < end && *text == thousands &&
           digits_end(text + 1, end, 4) - (text + 1) == 3) {
        text += 4;
        *whole += 3;
    }
    return text;
}

/*
 * Read the exponent at TEXT, which starts with its letter, into *EXPONENT.
 * Returns the text after it: TEXT if no digit follows the letter; NULL: it is
 * too great.
 */
static const unsigned char *
read_exponent(const unsigned char *text, const unsigned char *end,
              int *exponent)
{
    const unsigned char *digit = text + 1;
    bool is_negative = digit < end && *digit == '-';

    digit += digit < end && (*digit == '-' || *digit == '+');
    const unsigned char *after = digits_end(digit, end, SIZE_MAX);
    *exponent = 0;
    if (after == digit)
        return text;
    for (; digit < after; digit++) {
        *exponent = *exponent * 10 + (*digit - '0');
        if (*exponent > PLAIN_DECIMAL_EXPONENT)
            return NULL;
    }
    if (is_negative)
        *exponent = -*exponent;
    return after;
}

const unsigned char *
plain_decimal_read(struct decimal_term *term, const unsigned char *text,
                   const unsigned char *end, struct decimal_marks marks)
{
    const unsigned char *at = digits_end(text, end, SIZE_MAX);

    *term = (struct decimal_term){.text = text, .factor = 1};
    term->whole = (size_t)(at - text);
    at = groups_end(at, end, marks.thousands, &term->whole);
    if (at < end && *at == marks.point) {
        const unsigned char *point = at;
        at = digits_end(point + 1, end, SIZE_MAX);
        term->fraction = (size_t)(at - point - 1);
    }
    term->size = (size_t)(at - text);
    if (term->whole + term->fraction == 0)
        return NULL;
    if (at < end && (*at | 32) == 'e') {
        const unsigned char *after = read_exponent(at, end, &term->shift);
        term->has_exponent = after != at;
        at = after;
    }
    return at;
}

bool
plain_decimal_is(const unsigned char *text, size_t size)
{
    const unsigned char *end = text + size;
    bool is_negative = size > 0 && *text == '-';

    text += is_negative;
    const unsigned char *point = digits_end(text, end, SIZE_MAX);
    if (point == text || (*text == '0' && point - text > 1))
        return false;
    if (point == end)
        return !is_negative || *text != '0';
    /* After the point there are digits, the last of which is not 0. */
    return *point == '.' && point + 1 < end && end[-1] != '0' &&
           digits_end(point + 1, end, SIZE_MAX) == end;
}

/* ---- writing ---- */

/* The digits of a product with FACTOR beyond those of the other factor. */
static int64_t
factor_digits(uint64_t factor)
{
    int64_t digits = 0;

    if (factor == 1)
        return 0;
    for (; factor > 0; factor /= 10)
        digits++;
    return digits;
}

/* Add TERM to the digits at DIGIT, of which WHOLE are before the point. */
static void
add_term(const struct decimal_term *term, unsigned char *digit, int64_t whole)
{
    unsigned char *at = digit + (whole + (int64_t)term->fraction - term->shift);
    uint64_t carry = 0;

    /* A carry stays below 2^61, and 9 * 2^60 is below 2^64 by more. */
    for (size_t i = term->size; i > 0; i--) {
        uint64_t value = (uint64_t)term->text[i - 1] - '0';
        if (value > 9)
            continue;
        carry += *--at + value * term->factor;
        *at = (unsigned char)(carry % 10);
        carry /= 10;
    }
    while (carry > 0) {
        carry += *--at;
        *at = (unsigned char)(carry % 10);
        carry /= 10;
    }
}

/*
 * Write the number whose digits are at OUT + BYTES_BEFORE, WHOLE of them before
 * the point and FRACTION after it, to OUT.  No byte is written before the digit
 * in its place is read.
 */
static size_t
spell(unsigned char *out, size_t whole, size_t fraction, bool is_negative)
{
    const unsigned char *digit = out + BYTES_BEFORE;
    size_t first = 0;
    size_t size = 0;

    while (first + 1 < whole && digit[first] == 0)
        first++;
    while (fraction > 0 && digit[whole + fraction - 1] == 0)
        fraction--;
    bool is_zero = fraction == 0 && digit[first] == 0;
    if (is_negative && !is_zero)
        out[size++] = '-';
    for (size_t i = first; i < whole; i++)
        out[size++] = (unsigned char)('0' + digit[i]);
    if (fraction > 0)
        out[size++] = '.';
    for (size_t i = whole; i < whole + fraction; i++)
        out[size++] = (unsigned char)('0' + digit[i]);
    return size;
}

size_t
plain_decimal_write(const struct decimal_term *term, size_t count,
                    bool is_negative, unsigned char *out)
{
    int64_t whole = 1;
    int64_t fraction = 0;

    for (size_t i = 0; i < count; i++) {
        int64_t before = (int64_t)term[i].whole + term[i].shift +
                         factor_digits(term[i].factor);
        int64_t after = (int64_t)term[i].fraction - term[i].shift;
        whole = before > whole ? before : whole;
        fraction = after > fraction ? after : fraction;
    }
    whole += count > 1;
    memset(out + BYTES_BEFORE, 0, (size_t)(whole + fraction));
    for (size_t i = 0; i < count; i++)
        add_term(&term[i], out + BYTES_BEFORE, whole);
    return spell(out, (size_t)whole, (size_t)fraction, is_negative);
}
