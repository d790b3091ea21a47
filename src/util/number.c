/* number.c -- numbers as users write them and as they are printed */

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/number.h"

/* Any decimal of so many digits survives being a double. */
#define DIGITS_SAFE DBL_DIG

/* Python's choice, too: beyond these exponents a number has one. */
#define FIXED_EXPONENT_MIN (-4)
#define FIXED_EXPONENT_MAX 15

/* Add one to the last digit of "d.ddde+XX". */
static void
increment(char *text)
{
    for (char *digit = strchr(text, 'e') - 1; digit >= text; digit--) {
        if (*digit == '.')
            continue;
        if (*digit != '9') {
            ++*digit;
            return;
        }
        *digit = '0';
    }
}

/*
 * Write the digits of VALUE as "d.ddde+XX", as few as read back to it.  A
 * normal number that has a text of up to DIGITS_SAFE digits shows it there,
 * followed by zeros.  Above a power of two doubles lie twice as far apart as
 * below it: there the next text may do where the closest does not.
 */
static void
shortest_digits(double value, char text[NUMBER_TEXT_BYTES])
{
    int digits = fabs(value) < DBL_MIN ? 1 : DIGITS_SAFE;

    for (; digits <= DBL_DECIMAL_DIG; digits++) {
        snprintf(text, NUMBER_TEXT_BYTES, "%.*e", digits - 1, value);
        if (strtod(text, NULL) == value)
            return;
        increment(text);
        if (strtod(text, NULL) == value)
            return;
    }
}

void
number_text(double value, char text[NUMBER_TEXT_BYTES])
{
    if (isnan(value) || isinf(value)) {
        strcpy(text, isnan(value) ? "nan" : value < 0 ? "-inf" : "inf");
        return;
    }
    /* Most edges are whole numbers: no search is needed. */
    if (fabs(value) < 1e15 && value == trunc(value)) {
        snprintf(text, NUMBER_TEXT_BYTES, "%lld", (long long)value);
        return;
    }

    char digits[NUMBER_TEXT_BYTES];
    shortest_digits(value, digits);
    char *mark = strchr(digits, 'e');
    int exponent = atoi(mark + 1);
    char *end = mark;
    while (end[-1] == '0')
        end--;
    if (end[-1] == '.')
        end--;
    int decimals = (int)(end - digits) - (value < 0) - 2;
    if (decimals < 0)
        decimals = 0;

    if (exponent < FIXED_EXPONENT_MIN || exponent > FIXED_EXPONENT_MAX)
        snprintf(text, NUMBER_TEXT_BYTES, "%.*s%s", (int)(end - digits), digits,
                 mark);
    else /* the same digits: in this range they are never too few */
        snprintf(text, NUMBER_TEXT_BYTES, "%.*f",
                 decimals > exponent ? decimals - exponent : 0,
                 strtod(digits, NULL));
}

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
    /* So small that nothing is left of it. */
    if (parsed == 0 && strcspn(text, "123456789") < strcspn(text, "eE"))
        return -1;
    *value = parsed + 0.0; /* no -0 */
    return 0;
}

int
number_parse_digits(const char *text, number_integer *value)
{
    static const char known[] = "0123456789abcdefABCDEF";
    const number_integer limit = (number_integer)1 << 64;
    bool is_hexadecimal = text[0] == '0' && (text[1] | 32) == 'x';
    const char *digits = text + (is_hexadecimal ? 2 : 0);

    if (*digits == '\0' ||
        digits[strspn(digits, is_hexadecimal ? known : "0123456789")] != '\0')
        return -1;
    *value = 0;
    for (; *digits != '\0' && *value <= limit; digits++) {
        long digit = strchr(known, *digits) - known;
        /* Capital letters are behind the small ones. */
        *value = *value * (is_hexadecimal ? 16 : 10) +
                 (digit < 16 ? digit : digit - 6);
    }
    return 0;
}

int
number_parse_integer(const char *text, number_integer *value)
{
    const number_integer limit = (number_integer)1 << 64;
    number_integer magnitude;
    double number;

    if (number_parse_digits(text + (*text == '-' || *text == '+'),
                            &magnitude) == 0) {
        *value = *text == '-' ? -magnitude : magnitude;
        return magnitude <= limit ? 0 : -1;
    }
    if (number_parse(text, &number) < 0 || number != trunc(number) ||
        fabs(number) > 0x1p64)
        return -1;
    *value = (number_integer)number;
    return 0;
}
