/* SPDX-License-Identifier: MIT */
/* number_style.c -- numbers for people: rounded, with marked thousands */

#include <assert.h>
#include <string.h>

#include "base/ascii.h"
#include "base/number_style.h"

/* The most digits before the point: of the greatest double. */
#define WHOLE_MAX 310

/* A decimal: 0.DIGIT[0]DIGIT[1]... * 10^PLACE. */
struct digits {
    bool is_negative;
    bool has_exponent;
    int place;
    int count;
    char digit[NUMBER_STYLE_TEXT_MAX + 1];
};

/* Read "e+22" at AT, up to END.  Returns 0, or -1: something else. */
static int
read_exponent(const char *at, const char *end, struct digits *digits)
{
    int exponent = 0;
    bool is_negative;

    if (end - at < 2 || (*at != 'e' && *at != 'E'))
        return -1;
    at++;
    is_negative = *at == '-';
    at += is_negative || *at == '+';
    if (at == end)
        return -1;
    for (; at < end; at++) {
        if (!ascii_is_digit(*at))
            return -1;
        exponent = exponent < 10000 ? exponent * 10 + *at - '0' : exponent;
    }
    digits->has_exponent = true;
    digits->place += is_negative ? -exponent : exponent;
    return 0;
}

/* Read the SIZE bytes at TEXT.  Returns 0, or -1: no finite decimal, or too
   long. */
static int
read_digits(const char *text, size_t size, struct digits *digits)
{
    const char *end = text + size;
    bool has_point = false;

    /* A 0 before all digits leaves room for a carry. */
    *digits = (struct digits){.place = 1, .count = 1, .digit[0] = '0'};
    if (size > NUMBER_STYLE_TEXT_MAX)
        return -1;
    digits->is_negative = size > 0 && *text == '-';
    text += digits->is_negative;
    for (; text < end; text++) {
        if (*text == '.' && !has_point) {
            has_point = true;
            continue;
        }
        if (!ascii_is_digit(*text))
            break;
        digits->digit[digits->count++] = *text;
        digits->place += !has_point;
    }
    if (digits->count == 1 ||
        (text < end && read_exponent(text, end, digits) < 0))
        return -1;
    return digits->place <= WHOLE_MAX ? 0 : -1;
}

/* Whether the digits from KEPT on are more than half of the last kept digit, or
   the half of an odd digit. */
static bool
rounds_up(const struct digits *digits, int kept)
{
    if (digits->digit[kept] != '5')
        return digits->digit[kept] > '5';
    for (int d = kept + 1; d < digits->count; d++) {
        if (digits->digit[d] != '0')
            return true;
    }
    return kept > 0 && (digits->digit[kept - 1] - '0') % 2 == 1;
}

/* Round to DECIMALS digits after the point. */
static void
round_digits(struct digits *digits, unsigned int decimals)
{
    int kept = digits->place + (int)decimals;
    bool is_zero = true;

    if (kept <= 0) {
        /* The first digit is a 0, so the number is below the half. */
        *digits = (struct digits){.place = 1, .count = 1, .digit[0] = '0'};
        return;
    }
    if (kept < digits->count) {
        bool is_up = rounds_up(digits, kept);
        digits->count = kept;
        for (int d = kept - 1; is_up && d >= 0; d--) {
            is_up = digits->digit[d] == '9';
            digits->digit[d] = is_up ? '0' : (char)(digits->digit[d] + 1);
        }
    }
    for (int d = 0; d < digits->count; d++)
        is_zero &= digits->digit[d] == '0';
    digits->is_negative &= !is_zero;
}

/* Returns the digit of 10^POWER. */
static char
digit_of(const struct digits *digits, int power)
{
    int d = digits->place - 1 - power;

    return d >= 0 && d < digits->count ? digits->digit[d] : '0';
}

char *
number_style_put(const struct number_style *style, const char *text,
                 size_t size, char *at)
{
    struct digits digits;
    int power;

    if (read_digits(text, size, &digits) < 0 ||
        (digits.has_exponent && !style->is_rounded)) {
        memcpy(at, text, size);
        return at + size;
    }
    int decimals = digits.count - digits.place;
    if (style->is_rounded) {
        round_digits(&digits, style->decimals);
        decimals = (int)style->decimals;
    }
    assert(decimals >= 0);
    if (digits.is_negative)
        *at++ = '-';
    for (power = digits.place - 1; power > 0; power--) {
        if (digit_of(&digits, power) != '0')
            break;
    }
    for (power = power > 0 ? power : 0; power >= 0; power--) {
        *at++ = digit_of(&digits, power);
        if (style->has_thousands && power > 0 && power % 3 == 0)
            *at++ = ',';
    }
    if (decimals > 0)
        *at++ = '.';
    for (power = -1; power >= -decimals; power--)
        *at++ = digit_of(&digits, power);
    return at;
}
