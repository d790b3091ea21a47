/* SPDX-License-Identifier: MIT */
/* number.c -- numbers in decimal, from text and to text */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/decimal.h"
#include "base/number.h"

/* Beyond these limits a number is printed with an exponent, as in Python. */
#define FIXED_EXPONENT_MIN (-4)
#define FIXED_EXPONENT_MAX 15

/* Below this, all whole numbers are doubles. */
#define WHOLE_MAX 1e15

#define BLOCK_DIGITS 8
#define BLOCK_LIMIT 100000000
#define ZEROS 0x3030303030303030

/* Every finite double has at most this many digits. */
#define DOUBLE_DIGITS_MAX 17

/* ---- digits ---- */

/*
 * Returns the digits of VALUE, below BLOCK_LIMIT, in the bytes of a word, the
 * first digit in the lowest byte.  VALUE is split into halves three times; each
 * step splits all parts at the same time.  (Paul Khuong, "How to print integers
 * really fast", 2011.)  The factors are 2^20 / 100 and 2^10 / 10, rounded up.
 * They are exact for all numbers below 10^4 and 10^2.
 */
static uint64_t
block_digits(uint32_t value)
{
    uint64_t fours = value / 10000 | (uint64_t)(value % 10000) << 32;
    uint64_t hundreds = (fours * 10486) >> 20 & 0x0000007f0000007f;
    uint64_t twos = hundreds | (fours - 100 * hundreds) << 16;
    uint64_t tens = (twos * 103) >> 10 & 0x000f000f000f000f;

    return tens | (twos - 10 * tens) << 8;
}

/* Write the lowest byte first, on any machine. */
static void
put_block(uint64_t digits, char *at)
{
    for (int i = 0; i < BLOCK_DIGITS; i++)
        at[i] = (char)((digits | ZEROS) >> 8 * i);
}

static char *
put_full_block(uint32_t value, char *at)
{
    put_block(block_digits(value), at);
    return at + BLOCK_DIGITS;
}

/* Without leading zeros; VALUE is not 0. */
static char *
put_first_block(uint32_t value, char *at)
{
    uint64_t digits = block_digits(value);
    unsigned int zeros = (unsigned int)__builtin_ctzll(digits) / 8;

    put_block(digits >> 8 * zeros, at);
    return at + BLOCK_DIGITS - zeros;
}

char *
number_put(uint64_t value, char *at)
{
    if (value < 10) {
        *at = (char)('0' + value);
        return at + 1;
    }
    if (value < BLOCK_LIMIT)
        return put_first_block((uint32_t)value, at);

    uint64_t blocks = value / BLOCK_LIMIT;
    at = blocks < BLOCK_LIMIT
             ? put_first_block((uint32_t)blocks, at)
             : put_full_block((uint32_t)(blocks % BLOCK_LIMIT),
                              number_put(blocks / BLOCK_LIMIT, at));
    return put_full_block((uint32_t)(value % BLOCK_LIMIT), at);
}

char *
number_put_integer(struct wide value, char *at)
{
    /* 10^19 is the greatest power of ten in 64 bits. */
    const uint64_t limit = 10000000000000000000u;
    uint64_t remainder;

    if (wide_is_negative(value)) {
        value = wide_negate(value);
        *at++ = '-';
    }
    if (value.high == 0)
        return number_put(value.low, at);
    at = number_put_integer(wide_divide(value, limit, &remainder), at);
    for (int i = 18; i >= 0; i--, remainder /= 10)
        at[i] = (char)('0' + remainder % 10);
    return at + 19;
}

/* ---- doubles ---- */

/* Write COUNT of the DIGITS, with a point after the first one. */
static char *
put_scientific(const char *digits, int count, int exponent, char *at)
{
    *at++ = digits[0];
    if (count > 1) {
        *at++ = '.';
        memcpy(at, digits + 1, DOUBLE_DIGITS_MAX - 1);
        at += count - 1;
    }
    *at++ = 'e';
    *at++ = exponent < 0 ? '-' : '+';
    unsigned int magnitude = (unsigned int)abs(exponent);
    if (magnitude < 10)
        *at++ = '0';
    return number_put(magnitude, at);
}

/* Write COUNT of the DIGITS, without an exponent. */
static char *
put_fixed(const char *digits, int count, int exponent, char *at)
{
    if (exponent < 0) {
        memcpy(at, "0.000", 5);
        at += 1 - exponent;
        memcpy(at, digits, DOUBLE_DIGITS_MAX);
        return at + count;
    }
    memcpy(at, digits, DOUBLE_DIGITS_MAX);
    if (exponent + 1 >= count)
        return at + exponent + 1;
    memcpy(at + exponent + 2, digits + exponent + 1, DOUBLE_DIGITS_MAX);
    at[exponent + 1] = '.';
    return at + count + 1;
}

/* VALUE is finite and above 0. */
static char *
put_shortest(double value, char *at)
{
    struct decimal decimal = decimal_shortest(value);
    /*
     * With zeros after the digits: copies of a fixed size stay inside.
     */
    char digits[2 * DOUBLE_DIGITS_MAX + FIXED_EXPONENT_MAX];

    memset(digits, '0', sizeof digits);
    int count = (int)(number_put(decimal.digits, digits) - digits);
    int exponent = decimal.exponent + count - 1;
    while (digits[count - 1] == '0')
        count--;
    if (exponent < FIXED_EXPONENT_MIN || exponent > FIXED_EXPONENT_MAX)
        return put_scientific(digits, count, exponent, at);
    return put_fixed(digits, count, exponent, at);
}

char *
number_put_double(double value, char *at)
{
    if (isnan(value)) {
        memcpy(at, "nan", 3);
        return at + 3;
    }
    if (value < 0) {
        *at++ = '-';
        value = -value;
    }
    if (isinf(value)) {
        memcpy(at, "inf", 3);
        return at + 3;
    }
    /* Most edges are whole numbers. */
    if (value < WHOLE_MAX && (double)(uint64_t)value == value)
        return number_put((uint64_t)value, at);
    return put_shortest(value, at);
}

void
number_text(double value, char text[NUMBER_TEXT_BYTES])
{
    *number_put_double(value, text) = '\0';
}

char *
number_put_fixed(double value, unsigned int digits, char *at)
{
    const unsigned int scale = digits == 1 ? 10 : 100;
    const double scaled = value * scale;
    const bool is_usual = scaled < 1e9 && !signbit(value);
    const uint64_t whole = is_usual ? (uint64_t)scaled : 0;
    const double rest = scaled - (double)whole;

    /* The product is wrong by less than 1e-6, so only near a half it does not
       say how to round. */
    if (!is_usual || fabs(rest - 0.5) <= 1e-6)
        return at + snprintf(at, NUMBER_TEXT_BYTES, "%.*f", (int)digits, value);
    const uint64_t rounded = whole + (rest > 0.5);
    at = number_put(rounded / scale, at);
    *at++ = '.';
    if (digits > 1)
        *at++ = (char)('0' + rounded / 10 % 10);
    *at++ = (char)('0' + rounded % 10);
    return at;
}

/* ---- from text ---- */

int
number_parse(const char *text, double *value)
{
    char *end;

    /* strtod() would also take spaces, hexadecimal digits, "inf" and "nan". */
    if (*text == '\0' || text[strspn(text, "0123456789+-.eE")] != '\0')
        return -1;
    double parsed = strtod(text, &end);
    if (*end != '\0' || isinf(parsed))
        return -1;
    /* Refuse a number that is not 0 but rounds to 0. */
    if (parsed == 0 && strcspn(text, "123456789") < strcspn(text, "eE"))
        return -1;
    *value = parsed + 0.0; /* no -0 */
    return 0;
}

/* VALUE is not negative. */
static bool
is_above_2_64(struct wide value)
{
    return value.high > 1 || (value.high == 1 && value.low > 0);
}

int
number_parse_digits(const char *text, struct wide *value)
{
    static const char known[] = "0123456789abcdefABCDEF";
    bool is_hexadecimal = text[0] == '0' && (text[1] | 32) == 'x';
    const char *digits = text + (is_hexadecimal ? 2 : 0);

    if (*digits == '\0' ||
        digits[strspn(digits, is_hexadecimal ? known : "0123456789")] != '\0')
        return -1;
    *value = wide_of(0);
    for (; *digits != '\0' && !is_above_2_64(*value); digits++) {
        long digit = strchr(known, *digits) - known;
        /* In KNOWN, the capital letters follow the small ones. */
        *value = wide_add(wide_multiply(*value, is_hexadecimal ? 16 : 10),
                          wide_of_signed(digit < 16 ? digit : digit - 6));
    }
    return 0;
}

int
number_parse_integer(const char *text, struct wide *value)
{
    struct wide magnitude;
    double number;

    if (number_parse_digits(text + (*text == '-' || *text == '+'),
                            &magnitude) == 0) {
        *value = *text == '-' ? wide_negate(magnitude) : magnitude;
        return is_above_2_64(magnitude) ? -1 : 0;
    }
    if (number_parse(text, &number) < 0 || number != trunc(number) ||
        fabs(number) > 0x1p64)
        return -1;
    *value = wide_of_double(number);
    return 0;
}
