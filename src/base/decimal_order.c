/* decimal_order.c -- which of two decimals is greater, exactly */

#include "base/decimal_order.h"

/* The least number of TEXT_NUMBER_DIGITS digits. */
#define DIGITS_LEAST UINT64_C(1000000000000000000)

/* The digits of a number that text_number_cut() has left out. */
struct rest {
    const unsigned char *text;
    binning_u32 at;
    binning_u32 end;
};

/* Returns the next digit of REST, or 0 behind the last one. */
static unsigned int
next_digit(struct rest *rest)
{
    if (rest->at < rest->end && rest->text[rest->at] == '.')
        rest->at++;
    return rest->at < rest->end ? rest->text[rest->at++] - (unsigned int)'0'
                                : 0;
}

/* Returns the digits of NUMBER, which is cut, after the first 19. */
static struct rest
rest_of(const struct text_number *number, const unsigned char *text)
{
    struct rest rest = {text, number->begin, number->end};

    while (text[rest.at] == '0' || text[rest.at] == '.')
        rest.at++;
    for (int i = 0; i < TEXT_NUMBER_DIGITS; i++)
        (void)next_digit(&rest);
    return rest;
}

/* Compare the rests of two numbers, which begin with the same 19 digits. */
static int
compare_rests(struct rest a, struct rest b)
{
    while (a.at < a.end || b.at < b.end) {
        unsigned int digit_a = next_digit(&a);
        unsigned int digit_b = next_digit(&b);
        if (digit_a != digit_b)
            return digit_a < digit_b ? -1 : 1;
    }
    return 0;
}

/* Set *DIGITS and *EXPONENT to those of NUMBER, not 0, with 19 digits. */
static void
normalize(const struct text_number *number, uint64_t *digits, int64_t *exponent)
{
    *digits = number->digits;
    *exponent = number->exponent;
    for (; *digits < DIGITS_LEAST; *digits *= 10)
        --*exponent;
}

/* Compare the magnitudes of A and B, which are finite and not 0. */
static int
compare_magnitudes(const struct text_number *a, const unsigned char *text_a,
                   const struct text_number *b, const unsigned char *text_b)
{
    uint64_t digits_a;
    uint64_t digits_b;
    int64_t exponent_a;
    int64_t exponent_b;

    normalize(a, &digits_a, &exponent_a);
    normalize(b, &digits_b, &exponent_b);
    if (exponent_a != exponent_b)
        return exponent_a < exponent_b ? -1 : 1;
    if (digits_a != digits_b)
        return digits_a < digits_b ? -1 : 1;
    if (a->is_cut && b->is_cut)
        return compare_rests(rest_of(a, text_a), rest_of(b, text_b));
    return (int)a->is_cut - (int)b->is_cut;
}

/* Returns -1, 0 or 1: the sign of NUMBER. */
static int
sign_of(const struct text_number *number)
{
    if (number->kind == TEXT_NUMBER_FINITE && number->digits == 0)
        return 0;
    return number->is_negative ? -1 : 1;
}

int
decimal_order(const struct text_number *a, const unsigned char *text_a,
              const struct text_number *b, const unsigned char *text_b)
{
    int sign = sign_of(a);
    int infinite =
        (a->kind == TEXT_NUMBER_INFINITE) - (b->kind == TEXT_NUMBER_INFINITE);

    if (sign != sign_of(b))
        return sign < sign_of(b) ? -1 : 1;
    if (sign == 0 || infinite != 0 || a->kind == TEXT_NUMBER_INFINITE)
        return sign * infinite;
    return sign * compare_magnitudes(a, text_a, b, text_b);
}
