/* size.c -- a number of bytes, or of other things, as users write it */

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "util/number.h"
#include "util/size.h"

#define SIZE_MAX_BYTES (UINT64_MAX / 2)

/* More than there is room for digits. */
#define EXPONENT_MAX (LONG_MAX / 2)

/* Digits, maybe with a '.' among them, and an exponent. */
struct decimal {
    const char *text;
    long digits;
    long dot;   /* so many digits are before the '.' */
    long point; /* and before the point, as the exponent moves it; it may be
                   anywhere, also before the first digit */
};

static bool
is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* The factor that SUFFIX stands for; 0: it is not a suffix. */
static uint64_t
suffix_factor(const char *suffix)
{
    static const char letters[] = "kMGTPE";

    if (*suffix == '\0')
        return 1;
    const char *letter = strchr(letters, *suffix == 'K' ? 'k' : *suffix);
    bool is_binary = suffix[1] == 'i';
    const char *end = suffix + (is_binary ? 2 : 1);
    if (letter == NULL || (strcmp(end, "") != 0 && strcmp(end, "B") != 0))
        return 0;
    uint64_t factor = 1;
    for (const char *l = letters; l <= letter; l++)
        factor *= is_binary ? 1024 : 1000;
    return factor;
}

/* Returns where the suffix begins; NULL: not a number. */
static const char *
parse_decimal(const char *text, struct decimal *decimal)
{
    bool has_dot = false;

    *decimal = (struct decimal){.text = text};
    for (; is_digit(*text) || (*text == '.' && !has_dot); text++) {
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
        if (is_digit(*exponent)) {
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

/* The digit at I, from 0; all around are zeros. */
static uint64_t
digit_at(const struct decimal *decimal, long i)
{
    if (i < 0 || i >= decimal->digits)
        return 0;
    return (uint64_t)(decimal->text[i + (i >= decimal->dot)] - '0');
}

/* What is before the point.  Returns 0, or -1: too much. */
static int
find_whole(const struct decimal *decimal, uint64_t *whole)
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
 * FACTOR times what is behind the point, which must be whole: -1 if not.  It
 * is found from the last digit on.  0.75 k is (7 k + 0.5 k) / 10: so if it is
 * whole, 0.5 k is, and so is the product behind any of the digits.  Each is
 * less than FACTOR, however many digits there are.
 */
static int
find_fraction(const struct decimal *decimal, uint64_t factor, uint64_t *product)
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

int
size_parse(const char *text, uint64_t *size)
{
    struct decimal decimal;
    number_integer integer;
    uint64_t whole;
    uint64_t fraction;

    if (number_parse_digits(text, &integer) == 0) {
        if (integer > (number_integer)SIZE_MAX_BYTES)
            return -1;
        *size = (uint64_t)integer;
        return 0;
    }
    const char *suffix = parse_decimal(text, &decimal);
    if (suffix == NULL)
        return -1;
    uint64_t factor = suffix_factor(suffix);
    if (factor == 0 || find_whole(&decimal, &whole) < 0 ||
        find_fraction(&decimal, factor, &fraction) < 0)
        return -1;
    if (__builtin_mul_overflow(whole, factor, &whole) ||
        whole > SIZE_MAX_BYTES - fraction)
        return -1;
    *size = whole + fraction;
    return 0;
}
