/* SPDX-License-Identifier: MIT */
/* test_decimal_sum.c -- sums of decimals, against sums of their digits */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../noise.h"
#include "../tap.h"
#include "base/decimal_sum.h"
#include "hist/sum.h"
#include "kernels/binning/weighing.h"
#include "kernels/text/text_number.h"

#define CASES (IS_INSTRUMENTED ? 2000 : 100000)

/* A random number below LIMIT. */
static uint32_t
below(uint32_t limit)
{
    return (uint32_t)(noise() >> 32) % limit;
}

/* Read TEXT.  Returns as decimal_sum_read(). */
static int
read_text(const char *text, struct decimal_sum *sum)
{
    struct text_number number;

    text_number_scan((const unsigned char *)text, (uint32_t)strlen(text),
                     &number);
    return decimal_sum_read(sum, &number, (const unsigned char *)text);
}

/* ---- texts ---- */

#define NINES "99999999999999999999999999999999999999" /* 38 of them */
#define ZEROS "0000000000000000000000000000000000000"  /* 37 of them */

static void
test_texts(void)
{
    static const struct {
        const char *text;
        const char *wanted; /* NULL: refused */
    } cases[] = {
        {"0.1", "0.1"},
        {"12.50", "12.5"},
        {"-12.50", "-12.5"},
        {"-0", "0"},
        {"-.0e5", "0"},
        {"0e99999999999999999999", "0"},
        {"1e3", "1000"},
        {"1e-3", "0.001"},
        {"1200e-2", "12"},
        {"-5.", "-5"},
        {NINES "." NINES, NINES "." NINES},
        {"-" NINES "." NINES, "-" NINES "." NINES},
        {"000" NINES "." NINES "000", NINES "." NINES},
        {NINES NINES "e-38", NINES "." NINES},
        {"1e37", "1" ZEROS},
        {"1e38", NULL},
        {"9" NINES, NULL},
        {"1e-38", "0." ZEROS "1"},
        {"-1e-38", "-0." ZEROS "1"},
        {"10e-39", "0." ZEROS "1"},
        {"1e-39", NULL},
        {"0." NINES "1", NULL},
        {"1" ZEROS ZEROS ZEROS "e-100", "100000000000"},
        {"1" ZEROS ZEROS ZEROS "1e-100", NULL},
        {"12345678901234567890.12345678901234567890",
         "12345678901234567890.1234567890123456789"},
        {"0.000" ZEROS ZEROS "e70", "0"},
        {"nan", NULL},
        {"inf", NULL},
        {"", NULL},
        {"x", NULL},
        {"1e999999999999999999", NULL},
    };

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        char text[DECIMAL_SUM_TEXT_BYTES] = "";
        struct decimal_sum sum;
        bool is_read = read_text(cases[c].text, &sum) == 0;
        if (is_read)
            *decimal_sum_put(&sum, text) = '\0';
        ok(is_read == (cases[c].wanted != NULL) &&
               (!is_read || strcmp(text, cases[c].wanted) == 0),
           "'%s' is %s: %s", cases[c].text,
           cases[c].wanted != NULL ? cases[c].wanted : "refused", text);
    }
}

/* ---- sums, digit by digit ---- */

#define DIGITS 120
#define POINT 40 /* places after the point */

/* A magnitude, the lowest digit first; and one for each sign. */
struct digits {
    unsigned int digit[2][DIGITS];
};

/* Add the number of DIGIT decimals that starts at PLACE. */
static void
digits_add(struct digits *sum, bool is_negative, const unsigned char *digit,
           size_t count, size_t place)
{
    unsigned int carry = 0;

    for (size_t d = 0; place + d < DIGITS; d++) {
        unsigned int *to = &sum->digit[is_negative][place + d];
        *to += carry + (d < count ? digit[d] : 0);
        carry = *to / 10;
        *to %= 10;
    }
}

/* Write the difference of both magnitudes as decimal_sum_put() should. */
static void
digits_text(struct digits *sum, char *text)
{
    unsigned int *more = sum->digit[0];
    unsigned int *less = sum->digit[1];
    int borrow = 0;
    bool has_started = false;
    size_t last = POINT;
    size_t d = DIGITS;

    while (d > 0 && more[d - 1] == less[d - 1])
        d--;
    if (d > 0 && more[d - 1] < less[d - 1]) {
        unsigned int *other = more;
        more = less;
        less = other;
        *text++ = '-';
    }
    for (d = 0; d < DIGITS; d++) {
        int digit = (int)more[d] - (int)less[d] - borrow;
        borrow = digit < 0;
        more[d] = (unsigned int)(digit + 10 * borrow);
        if (more[d] != 0 && d < last)
            last = d;
    }
    for (d = DIGITS; d-- > last;) {
        if (d == POINT - 1)
            *text++ = '.';
        has_started |= more[d] != 0 || d <= POINT;
        if (has_started)
            *text++ = (char)('0' + more[d]);
    }
    *text = '\0';
}

/* Make a random addend: its text, and add it to DIGITS. */
static void
make_addend(struct digits *digits, char *text)
{
    unsigned char digit[2 * DECIMAL_SUM_PLACES];
    size_t fraction = below(4) == 0 ? below(DECIMAL_SUM_PLACES + 1) : below(4);
    size_t whole = below(4) == 0 ? below(DECIMAL_SUM_PLACES + 1) : below(12);
    bool is_negative = below(2) == 0;

    if (is_negative)
        *text++ = '-';
    for (size_t d = whole + fraction; d-- > 0;) {
        digit[d] = (unsigned char)below(10);
        *text++ = (char)('0' + digit[d]);
        if (d == fraction)
            *text++ = '.';
    }
    if (whole == 0)
        text += sprintf(text, "%se-%zu", fraction > 0 ? "" : "0", fraction);
    *text = '\0';
    digits_add(digits, is_negative, digit, whole + fraction, POINT - fraction);
}

static void
test_sums(void)
{
    bool is_same = true;
    bool is_same_in_planes = true;
    bool is_nano = true;

    for (int c = 0; c < CASES / 100; c++) {
        struct digits digits = {{{0}}};
        struct decimal_sum sum = {{0}};
        uint64_t plane[2 * WEIGHING_DECIMAL_DIGITS] = {0};
        char wanted[DIGITS + 3];
        char text[DECIMAL_SUM_TEXT_BYTES];
        for (uint32_t n = below(300); n > 0; n--) {
            struct decimal_sum addend;
            struct text_number number;
            int64_t nano;
            make_addend(&digits, text);
            if (read_text(text, &addend) < 0)
                abort();
            text_number_scan((const unsigned char *)text,
                             (uint32_t)strlen(text), &number);
            int64_t same_nano;
            bool is_short = decimal_sum_nano(&addend, &same_nano);
            is_nano &= is_short == decimal_nano_read(&nano, &number);
            if (is_short) {
                struct decimal_sum same = decimal_sum_of_nano(nano);
                is_nano &= decimal_sum_compare(&same, &addend) == 0 &&
                           nano == same_nano;
            }
            decimal_sum_add(&sum, &addend);
            sum_add_decimal(&addend, plane, 2);
        }
        digits_text(&digits, wanted);
        *decimal_sum_put(&sum, text) = '\0';
        is_same &= strcmp(text, wanted) == 0;
        *sum_put(SAMPLE_DECIMAL, plane, 2, text) = '\0';
        is_same_in_planes &= strcmp(text, wanted) == 0;
    }
    ok(is_same, "sums of random decimals");
    ok(is_same_in_planes, "... in planes that are not carried");
    ok(is_nano, "... of which short ones are nanos");
}

/* Whether NANO, and 10^-38 more, are written as printf() does. */
static bool
nano_is_written(int64_t nano)
{
    const int64_t unit = 1000000000;
    const struct decimal_sum least = {{1}};
    struct decimal_sum sum = decimal_sum_of_nano(nano);
    char text[DECIMAL_SUM_TEXT_BYTES];
    char wanted[DECIMAL_SUM_TEXT_BYTES];
    int64_t read = -1;

    int size =
        snprintf(wanted, sizeof wanted, "%s%lld.%09lld", nano < 0 ? "-" : "",
                 llabs(nano / unit), llabs(nano % unit));
    while (wanted[size - 1] == '0')
        size--;
    wanted[size - (wanted[size - 1] == '.')] = '\0';
    *decimal_sum_put(&sum, text) = '\0';
    bool is_same = strcmp(text, wanted) == 0 && decimal_sum_nano(&sum, &read) &&
                   read == nano;
    decimal_sum_add(&sum, &least);
    return is_same && !decimal_sum_nano(&sum, &read);
}

static void
test_nanos(void)
{
    struct decimal_sum sum = decimal_sum_of_nano(DECIMAL_NANO_MOST);
    const struct decimal_sum one = decimal_sum_of_nano(1);
    bool is_same = nano_is_written(DECIMAL_NANO_MOST) &&
                   nano_is_written(-DECIMAL_NANO_MOST);
    int64_t nano;

    for (int64_t i = -2000; i <= 2000; i++)
        is_same &= nano_is_written(i) && nano_is_written(i * 1000000);
    for (int i = 0; i < CASES / 10; i++) {
        int64_t magnitude = (int64_t)(noise() >> (2 + noise() % 62));
        is_same &= nano_is_written(magnitude) && nano_is_written(-magnitude);
    }
    ok(is_same, "sums that are nanos");
    decimal_sum_add(&sum, &one);
    ok(!decimal_sum_nano(&sum, &nano), "a sum that is above all nanos");
    sum = decimal_sum_negate(&sum);
    ok(!decimal_sum_nano(&sum, &nano), "... or below");
}

static void
test_most(void)
{
    struct decimal_sum sum;
    struct decimal_sum negative;
    char text[DECIMAL_SUM_TEXT_BYTES];

    /* 2^62 of the greatest addends, and as many of the least. */
    if (read_text(NINES "." NINES, &sum) < 0)
        abort();
    for (int i = 0; i < 62; i++)
        decimal_sum_add(&sum, &sum);
    negative = decimal_sum_negate(&sum);
    decimal_sum_add(&sum, &sum);
    decimal_sum_add(&negative, &negative);
    *decimal_sum_put(&sum, text) = '\0';
    ok(strncmp(text, "9223372036854775807", 19) == 0 &&
           strlen(text) == 19 + 38 + 1 + 38,
       "2^63 of the greatest: %s", text);
    *decimal_sum_put(&negative, text) = '\0';
    ok(strncmp(text, "-9223372036854775807", 20) == 0, "... of the least: %s",
       text);
    ok(decimal_sum_compare(&sum, &negative) > 0 &&
           decimal_sum_compare(&negative, &sum) < 0 &&
           decimal_sum_compare(&sum, &sum) == 0,
       "... are in order");
    decimal_sum_add(&sum, &negative);
    *decimal_sum_put(&sum, text) = '\0';
    ok(strcmp(text, "0") == 0, "... and cancel: %s", text);
}

static void
test_doubles(void)
{
    bool is_same = true;

    for (int c = 0; c < CASES / 10; c++) {
        struct digits digits = {{{0}}};
        struct decimal_sum sum;
        char text[DECIMAL_SUM_TEXT_BYTES];
        make_addend(&digits, text);
        if (read_text(text, &sum) < 0)
            abort();
        is_same &= decimal_sum_double(&sum) == strtod(text, NULL);
    }
    ok(is_same, "the nearest double");
}

int
main(void)
{
    test_texts();
    test_sums();
    test_nanos();
    test_most();
    test_doubles();
    return done_testing();
}
