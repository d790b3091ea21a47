/* size.c -- a number of bytes as users write it */

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "size.h"

#define SIZE_MAX_BYTES (UINT64_MAX / 2)

/* No number below 2^63 has more digits, before or after the point. */
#define DIGITS_MAX 19

/* With it or one below, any number but 0 leaves a fraction behind. */
#define EXPONENT_MIN (-99)

static bool
is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* The factor that SUFFIX stands for; 0: none. */
static uint64_t
suffix_factor(const char *suffix)
{
    static const char letters[] = "kMGTPE";

    if (*suffix == '\0')
        return 1;
    const char *letter = strchr(letters, *suffix == 'K' ? 'k' : *suffix);
    bool is_binary = strcmp(suffix + 1, "i") == 0;
    if (letter == NULL || (suffix[1] != '\0' && !is_binary))
        return 0;
    uint64_t factor = 1;
    for (const char *l = letters; l <= letter; l++)
        factor *= is_binary ? 1024 : 1000;
    return factor;
}

/*
 * Read the digits, the point and the exponent: *DIGITS times 10 to the power
 * of *POWER.  Returns where the suffix begins; NULL: not a number.
 */
static const char *
parse_decimal(const char *text, uint64_t *digits, long *power)
{
    bool has_digit = false;
    bool has_point = false;
    int count = 0;

    *digits = 0;
    *power = 0;
    for (; is_digit(*text) || (*text == '.' && !has_point); text++) {
        if (*text == '.') {
            has_point = true;
            continue;
        }
        has_digit = true;
        *digits = *digits * 10 + (uint64_t)(*text - '0');
        *power -= has_point;
        count += count > 0 || *text != '0';
        if (count > DIGITS_MAX)
            return NULL;
    }
    if (!has_digit)
        return NULL;

    /* "1E" is a suffix, "1E3" an exponent. */
    const char *exponent = text + 1;
    if (*text == 'e' || *text == 'E') {
        exponent += *exponent == '+' || *exponent == '-';
        if (is_digit(*exponent)) {
            char *end;
            long added = strtol(text + 1, &end, 10);
            /* No upper limit: zeros behind the point may need all of it. */
            *power += added > EXPONENT_MIN ? added : EXPONENT_MIN;
            text = end;
        }
    }
    return text;
}

/* Divide the product *A times *B by a PRIME; false: it does not go. */
static bool
divide_by(uint64_t *a, uint64_t *b, uint64_t prime)
{
    uint64_t *divisible = *a % prime == 0 ? a : b;

    if (*divisible % prime != 0)
        return false;
    *divisible /= prime;
    return true;
}

int
size_parse(const char *text, uint64_t *size)
{
    uint64_t value;
    long power;

    const char *suffix = parse_decimal(text, &value, &power);
    if (suffix == NULL)
        return -1;
    uint64_t factor = suffix_factor(suffix);
    if (factor == 0)
        return -1;

    /* Only what leaves no fraction behind is a number of bytes. */
    for (; power < 0 && value > 0; power++) {
        if (!divide_by(&value, &factor, 2) || !divide_by(&value, &factor, 5))
            return -1;
    }
    for (; power > 0 && value > 0; power--) {
        if (__builtin_mul_overflow(value, 10, &value))
            return -1;
    }
    if (__builtin_mul_overflow(value, factor, &value) || value > SIZE_MAX_BYTES)
        return -1;
    *size = value;
    return 0;
}
