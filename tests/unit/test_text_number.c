/* SPDX-License-Identifier: MIT */
/* test_text_number.c -- which number a text is, beside strtod() */

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../noise.h"
#include "../tap.h"
#include "base/decimal.h"
#include "kernels/text/text_number.h"

#define ROUNDS (IS_INSTRUMENTED ? 20000 : 1000000)
#define MIDDLES (IS_INSTRUMENTED ? 20 : 300)
#define TEXT_MAX 4096
#define COUNT(table) (sizeof(table) / sizeof *(table))

static size_t failures;

static void
fail(const char *what, const char *text)
{
    if (failures++ < 10)
        printf("# %s: \"%.60s\"%s\n", what, text,
               strlen(text) > 60 ? "..." : "");
}

/* Scan TEXT in a block of its own, so that a sanitizer sees its end. */
static double
read_text(const char *text, struct text_number *number)
{
    size_t size = strlen(text);
    unsigned char *copy = malloc(size > 0 ? size : 1);
    double value = 0;

    if (copy == NULL)
        abort();
    memcpy(copy, text, size);
    text_number_scan(copy, (uint32_t)size, number);
    if (number->kind == TEXT_NUMBER_FINITE)
        value = decimal_round(number, copy);
    free(copy);
    return value;
}

/* ---- one by one ---- */

static const struct {
    const char *text;
    enum text_number_kind kind;
    double value;
} cases[] = {
    {"", TEXT_NUMBER_EMPTY, 0},
    {" ", TEXT_NUMBER_EMPTY, 0},
    {"\t\n\v\f\r ", TEXT_NUMBER_EMPTY, 0},
    {"0", TEXT_NUMBER_FINITE, 0},
    {"-0", TEXT_NUMBER_FINITE, 0},
    {"-0.0e9", TEXT_NUMBER_FINITE, 0},
    {"5", TEXT_NUMBER_FINITE, 5},
    {"+5", TEXT_NUMBER_FINITE, 5},
    {" 5 ", TEXT_NUMBER_FINITE, 5},
    {"5\r", TEXT_NUMBER_FINITE, 5},
    {"\t-5\t", TEXT_NUMBER_FINITE, -5},
    {"5.", TEXT_NUMBER_FINITE, 5},
    {".5", TEXT_NUMBER_FINITE, .5},
    {"-.5e1", TEXT_NUMBER_FINITE, -5},
    {"5e3", TEXT_NUMBER_FINITE, 5000},
    {"5E+3", TEXT_NUMBER_FINITE, 5000},
    {"5e-3", TEXT_NUMBER_FINITE, .005},
    {"1e0000000000000000000000002", TEXT_NUMBER_FINITE, 100},
    {"0e99999999999999999999999", TEXT_NUMBER_FINITE, 0},
    {"1e999", TEXT_NUMBER_FINITE, INFINITY},
    {"1e-999", TEXT_NUMBER_FINITE, 0},
    {"-1e-99999999999999999999999", TEXT_NUMBER_FINITE, 0},
    {"1e99999999999999999999999", TEXT_NUMBER_FINITE, INFINITY},
    {"1.7976931348623157e308", TEXT_NUMBER_FINITE, 0x1.fffffffffffffp1023},
    {"1.7976931348623158e308", TEXT_NUMBER_FINITE, 0x1.fffffffffffffp1023},
    {"1.7976931348623159e308", TEXT_NUMBER_FINITE, INFINITY},
    {"5e-324", TEXT_NUMBER_FINITE, 0x1p-1074},
    {"2.4e-324", TEXT_NUMBER_FINITE, 0},
    {"2.5e-324", TEXT_NUMBER_FINITE, 0x1p-1074},
    {"9007199254740993", TEXT_NUMBER_FINITE, 9007199254740992},
    {"9007199254740993.0000000000000000000000000000001", TEXT_NUMBER_FINITE,
     9007199254740994},
    {"18446744073709551616", TEXT_NUMBER_FINITE, 0x1p64},
    {"nan", TEXT_NUMBER_NAN, 0},
    {" -NaN ", TEXT_NUMBER_NAN, 0},
    {"inf", TEXT_NUMBER_INFINITE, 0},
    {"-INFINITY", TEXT_NUMBER_INFINITE, 0},
    {"+Inf", TEXT_NUMBER_INFINITE, 0},
    {"12ms", TEXT_NUMBER_INVALID, 0},
    {"0x1F", TEXT_NUMBER_INVALID, 0},
    {"0x", TEXT_NUMBER_INVALID, 0},
    {"5,3", TEXT_NUMBER_INVALID, 0},
    {"5 3", TEXT_NUMBER_INVALID, 0},
    {"1_000", TEXT_NUMBER_INVALID, 0},
    {"1.2.3", TEXT_NUMBER_INVALID, 0},
    {".", TEXT_NUMBER_INVALID, 0},
    {"-", TEXT_NUMBER_INVALID, 0},
    {"+-5", TEXT_NUMBER_INVALID, 0},
    {"- 5", TEXT_NUMBER_INVALID, 0},
    {"e5", TEXT_NUMBER_INVALID, 0},
    {".e5", TEXT_NUMBER_INVALID, 0},
    {"5e", TEXT_NUMBER_INVALID, 0},
    {"5e+", TEXT_NUMBER_INVALID, 0},
    {"5e 3", TEXT_NUMBER_INVALID, 0},
    {"5e3.0", TEXT_NUMBER_INVALID, 0},
    {"nan(1)", TEXT_NUMBER_INVALID, 0},
    {"nano", TEXT_NUMBER_INVALID, 0},
    {".nan", TEXT_NUMBER_INVALID, 0},
    {"infinit", TEXT_NUMBER_INVALID, 0},
    {"in", TEXT_NUMBER_INVALID, 0},
    {"1nan", TEXT_NUMBER_INVALID, 0},
    {"NA", TEXT_NUMBER_INVALID, 0},
    {"\xc2\xa0", TEXT_NUMBER_INVALID, 0},
    {"\x10", TEXT_NUMBER_INVALID, 0},
};

static void
test_cases(void)
{
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct text_number number;
        double value = read_text(cases[i].text, &number);
        if (number.kind != cases[i].kind)
            fail("kind", cases[i].text);
        else if (value != cases[i].value || (value == 0 && signbit(value)))
            fail("value", cases[i].text);
    }
    ok(failures == 0, "texts that are numbers, and texts that are not");
}

static const struct {
    const char *text;
    bool is_integer;
    int64_t value;
} integers[] = {
    {"0", true, 0},
    {"-0", true, 0},
    {"0e-400", true, 0},
    {"42", true, 42},
    {"-42", true, -42},
    {"42.0", true, 42},
    {"4.2e1", true, 42},
    {"420e-1", true, 42},
    {"42.5", false, 0},
    {"4.2e0", false, 0},
    {"9223372036854775807", true, INT64_MAX},
    {"-9223372036854775808", true, INT64_MIN},
    {"9223372036854775808", false, 0},
    {"-9223372036854775809", false, 0},
    {"9223372036854775807.000000000000000000000000000000000000", true,
     INT64_MAX},
    {"9223372036854775807.000000000000000000000000000000000001", false, 0},
    {"00000000000000000000000000000000000000009223372036854775807", true,
     INT64_MAX},
    {"9223372036854775807000000000000000000000000000000e-30", true, INT64_MAX},
    {"1e18", true, 1000000000000000000},
    {"1e19", false, 0},
    {"-1e19", false, 0},
    {"18446744073709551617", false, 0},
    {"1e99999999999999999999", false, 0},
    {"nan", false, 0},
    {"inf", false, 0},
    {"5x", false, 0},
    {"", false, 0},
};

static void
test_integers(void)
{
    failures = 0;
    for (size_t i = 0; i < COUNT(integers); i++) {
        struct text_number number;
        uint64_t value = 0;
        (void)read_text(integers[i].text, &number);
        if (text_number_integer(&number, &value) != integers[i].is_integer ||
            (int64_t)value != integers[i].value)
            fail("integer", integers[i].text);
    }
    ok(failures == 0, "texts that are integers of 64 bits");
}

/* ---- strtod() ---- */

/* Whether TEXT is one of the forms that strtod() takes and others do not. */
static bool
is_special(const char *text)
{
    return strpbrk(text, "xX(") != NULL;
}

static void
compare(const char *text)
{
    struct text_number number;
    double value = read_text(text, &number);
    const char *end = text + strlen(text);
    char *stop;

    while (end > text && isspace((unsigned char)end[-1]))
        end--;
    if (end == text || is_special(text)) {
        if (number.kind !=
            (end == text ? TEXT_NUMBER_EMPTY : TEXT_NUMBER_INVALID))
            fail("kind", text);
        return;
    }
    double wanted = strtod(text, &stop);
    if (stop != end) {
        if (number.kind != TEXT_NUMBER_INVALID)
            fail("is no number", text);
    } else if (isnan(wanted)) {
        if (number.kind != TEXT_NUMBER_NAN)
            fail("is NaN", text);
    } else if (strpbrk(text, "nN") != NULL) {
        if (number.kind != TEXT_NUMBER_INFINITE ||
            (number.is_negative != 0) != (wanted < 0))
            fail("is infinite", text);
    } else if (number.kind != TEXT_NUMBER_FINITE) {
        fail("is a number", text);
    } else if (value != wanted || (value == 0 && signbit(value))) {
        fail("another number", text);
    }
}

/* COUNT random digits. */
static char *
put_digits(char *at, unsigned int count)
{
    for (; count > 0; count--)
        *at++ = (char)('0' + noise() % 10);
    return at;
}

/* A number of any form, from few digits to 400. */
static void
make_number(char *at)
{
    unsigned int most = noise() % 50 == 0 ? 400 : noise() % 4 == 0 ? 30 : 12;
    unsigned int whole = (unsigned int)(noise() % most);
    unsigned int fraction = (unsigned int)(noise() % most);

    if (noise() % 3 == 0)
        *at++ = "+-"[noise() % 2];
    if (noise() % 10 == 0)
        at += sprintf(at, "%.*s", (int)(noise() % 25),
                      "0000000000000000000000000");
    at = put_digits(at, whole);
    if (noise() % 4 != 0) {
        *at++ = '.';
        if (noise() % 10 == 0)
            at += sprintf(at, "%.*s", (int)(noise() % 25),
                          "0000000000000000000000000");
        at = put_digits(at, fraction);
    }
    if (noise() % 2 == 0) {
        int limit = noise() % 2 == 0 ? 30 : 400;
        at += sprintf(at, "%c%+d", "eE"[noise() % 2],
                      (int)(noise() % (2 * (uint64_t)limit)) - limit);
    }
    *at = '\0';
}

/* Any bytes of which numbers are made. */
static void
make_rubbish(char *at)
{
    static const char bytes[] = "0123456789..eE+- \t\rnaifty0x_,";
    size_t size = noise() % 12;

    for (size_t i = 0; i < size; i++)
        at[i] = bytes[noise() % (sizeof bytes - 1)];
    at[size] = '\0';
}

static void
test_random(void)
{
    char text[TEXT_MAX];

    failures = 0;
    for (int i = 0; i < ROUNDS; i++) {
        make_number(text);
        compare(text);
    }
    ok(failures == 0, "random numbers of up to 850 digits");
    failures = 0;
    for (int i = 0; i < ROUNDS; i++) {
        make_rubbish(text);
        compare(text);
    }
    ok(failures == 0, "random bytes of numbers");
    failures = 0;
    for (int i = 0; i < ROUNDS; i++) {
        uint64_t bits = noise();
        double value;
        memcpy(&value, &bits, sizeof value);
        snprintf(text, sizeof text, "%.*e", (int)(noise() % 20), value);
        compare(text);
    }
    ok(failures == 0, "random doubles, rounded to 1 to 20 digits");
}

/* ---- the middle between two doubles ---- */

/* Multiply the COUNT digits at DIGIT, the last one first. */
static size_t
multiply(unsigned char *digit, size_t count, unsigned int factor)
{
    unsigned int carry = 0;

    for (size_t i = 0; i < count || carry > 0; i++) {
        carry += i < count ? digit[i] * factor : 0;
        digit[i] = (unsigned char)(carry % 10);
        carry /= 10;
        count = i < count ? count : i + 1;
    }
    return count;
}

/* Write WHOLE * 2^EXPONENT exactly. */
static void
put_exactly(uint64_t whole, int exponent, char *text)
{
    unsigned char digit[2 * TEXT_MAX / 4];
    size_t count = 0;

    for (; whole > 0; whole /= 10)
        digit[count++] = (unsigned char)(whole % 10);
    /* 2^-1 is 5 * 10^-1. */
    for (int i = 0; i < abs(exponent); i++)
        count = multiply(digit, count, exponent < 0 ? 5 : 2);
    while (count > 0)
        *text++ = (char)('0' + digit[--count]);
    sprintf(text, "e%d", exponent < 0 ? exponent : 0);
}

/* The text of put_exactly(), and others that are just above and below it. */
static void
compare_near(const char *text)
{
    char near[TEXT_MAX];
    const char *mark = strchr(text, 'e');
    int digits = (int)(mark - text);
    int exponent = atoi(mark + 1);

    compare(text);
    snprintf(near, sizeof near, "-%s", text);
    compare(near);
    snprintf(near, sizeof near, "%.*s1e%d", digits, text, exponent - 1);
    compare(near);
    snprintf(near, sizeof near, "%.*s%0*de%d", digits, text, 900, 1,
             exponent - 900);
    compare(near);
    snprintf(near, sizeof near, "%.*s%0*de%d", digits, text, 900, 0,
             exponent - 900);
    compare(near);
    snprintf(near, sizeof near, "%.1s.%.*se%d", text, digits - 1, text + 1,
             exponent + digits - 1);
    compare(near);
    /* Odd: the last digit of a middle is not 0. */
    snprintf(near, sizeof near, "%s", text);
    near[digits - 1]--;
    compare(near);
}

static void
test_middles(void)
{
    char text[TEXT_MAX];

    failures = 0;
    for (int i = 0; i < MIDDLES; i++) {
        uint64_t whole = (noise() >> 11 | (uint64_t)1 << 52) * 2 + 1;
        int exponent = (int)(noise() % 2098) - 1075;
        if (i % 3 == 0) /* few digits, where the table decides */
            exponent = (int)(noise() % 20) - 4;
        if (i % 7 == 0) { /* subnormal */
            whole = (noise() >> (12 + noise() % 52)) * 2 + 1;
            exponent = -1075;
        }
        put_exactly(whole, exponent, text);
        if (strspn(text, "0123456789") > 0)
            compare_near(text);
    }
    put_exactly((uint64_t)1 << 53, 971, text); /* 2^1024 */
    compare_near(text);
    put_exactly(((uint64_t)1 << 54) - 1, 970, text); /* rounds to it */
    compare_near(text);
    ok(failures == 0, "the middles of two doubles, and their neighbours");
}

/* 10^N / 2^N */
static const uint64_t half_unit[] = {1, 5, 25, 125, 625};

/* Numbers of up to 19 digits halfway between two doubles, and beside it, without
   their texts. */
static void
test_halves(void)
{
    failures = 0;
    for (int i = 0; i < 100000; i++) {
        char text[40];
        struct text_number number;
        int places = 1 + i % 4;
        uint64_t odd = noise() >> 10 | UINT64_C(1) << 53 | 1;
        snprintf(text, sizeof text, "%s%" PRIu64 ".%0*" PRIu64,
                 i % 2 != 0 ? "-" : "", odd >> places, places,
                 (odd & ((1U << places) - 1)) * half_unit[places]);
        if (i % 3 == 0)
            text[strlen(text) - 1]++;
        text_number_scan((const unsigned char *)text, (uint32_t)strlen(text),
                         &number);
        if (number.is_cut == 0 &&
            decimal_round(&number, NULL) != strtod(text, NULL))
            fail(text, "without its text");
    }
    ok(failures == 0, "halves without their texts");
}

/* Longer than any buffer. */
static void
test_long(void)
{
    const size_t size = 1000000;
    unsigned char *text = malloc(size);
    struct text_number number;

    if (text == NULL)
        abort();
    failures = 0;
    memset(text, '0', size);
    memcpy(text, "9007199254740993.", 17);
    text_number_scan(text, (uint32_t)size, &number);
    if (decimal_round(&number, text) != 9007199254740992)
        fail("long", "zeros");
    text[size - 1] = '1';
    text_number_scan(text, (uint32_t)size, &number);
    if (decimal_round(&number, text) != 9007199254740994)
        fail("long", "1 at the end");
    memset(text, '0', size);
    memcpy(text + size - 10, "25e-999990", 10);
    text_number_scan(text, (uint32_t)size, &number);
    if (decimal_round(&number, text) != 0)
        fail("long", "zeros before");
    memset(text, '0', size);
    text[0] = '.';
    memcpy(text + size - 9, "25e999992", 9);
    text_number_scan(text, (uint32_t)size, &number);
    if (decimal_round(&number, text) != 25)
        fail("long", "zeros after the point");
    ok(failures == 0, "a million digits");
    free(text);
}

int
main(void)
{
    test_cases();
    test_integers();
    test_random();
    test_middles();
    test_halves();
    test_long();
    return done_testing();
}
