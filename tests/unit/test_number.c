/* SPDX-License-Identifier: MIT */
/* test_number.c -- numbers to the shortest text, and text to numbers */

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../integer.h"
#include "../noise.h"
#include "../tap.h"
#include "base/eight_bytes.h"
#include "base/little_endian.h"
#include "base/number.h"
#include "kernels/binning/binning.h"

#define ROUNDS (IS_INSTRUMENTED ? 5000 : 200000)
#define COUNT(table) (sizeof(table) / sizeof *(table))

/* ---- as text ---- */

/* Add STEP, 1 or -1, to the last digit of "d.ddde+XX". */
static void
move(char *text, int step)
{
    char *digit = strchr(text, 'e') - 1;

    for (; digit >= text; digit--) {
        if (*digit == '.')
            continue;
        int moved = *digit - '0' + step;
        *digit = (char)('0' + (moved + 10) % 10);
        if (moved >= 0 && moved <= 9)
            return;
    }
}

/*
 * The least number of digits of VALUE, above 0, with which one of its two
 * neighbouring decimals reads back.  (A carry out of the first digit would
 * give a number of fewer digits.)
 */
static int
count_needed(double value)
{
    for (int digits = 1; digits < 17; digits++) {
        char text[40];
        for (int step = -1; step <= 1; step++) {
            snprintf(text, sizeof text, "%.*e", digits - 1, value);
            if (step != 0)
                move(text, step);
            if (strtod(text, NULL) == value)
                return digits;
        }
    }
    return 17;
}

/* The digits of TEXT from the first to the last that is not 0. */
static int
count_digits(const char *text)
{
    int digits = 0, zeros = 0;

    for (; *text != '\0' && *text != 'e'; text++) {
        if (*text == '.' || (*text == '0' && digits == 0))
            continue;
        zeros = *text == '0' ? zeros + 1 : 0;
        digits++;
    }
    return digits - zeros;
}

/* Whether TEXT has the form that Python's repr() gives a float. */
static bool
has_form(const char *text)
{
    const char *mark = strchr(text, 'e');
    size_t whole = strspn(text, "0123456789");
    const char *tail = text + whole;

    if (whole == 0 || (text[0] == '0' && whole > 1))
        return false;
    if (*tail == '.') {
        size_t decimals = strspn(tail + 1, "0123456789");
        if (decimals == 0 || tail[decimals] == '0')
            return false;
        tail += decimals + 1;
    }
    if (mark == NULL) {
        double value = strtod(text, NULL);
        return *tail == '\0' && value < 1e16 && value >= 1e-4;
    }
    int exponent = atoi(mark + 1);
    return tail == mark && whole == 1 && text[0] != '0' &&
           (mark[1] == '+' || mark[1] == '-') && strlen(mark + 2) >= 2 &&
           (strlen(mark + 2) == 2 || mark[2] != '0') &&
           (exponent < -4 || exponent >= 16);
}

/* VALUE, above 0, and -VALUE. */
static bool
is_shortest(double value)
{
    char text[NUMBER_TEXT_BYTES], negative[NUMBER_TEXT_BYTES];

    number_text(value, text);
    number_text(-value, negative);
    bool is_right = strtod(text, NULL) == value && has_form(text) &&
                    count_digits(text) == count_needed(value) &&
                    negative[0] == '-' && strcmp(negative + 1, text) == 0;
    if (!is_right)
        printf("# %.17g is \"%s\" and \"%s\"\n", value, text, negative);
    return is_right;
}

static void
test_shortest(void)
{
    size_t wrong = 0;

    for (int i = 0; i < 20000 && wrong < 10; i++)
        wrong +=
            has_turn(7) &&
            !is_shortest(binning_bits_double(1 + noise() % 0x7fefffffffffffff));
    ok(wrong == 0, "any doubles");
    wrong = 0;
    for (int i = 0; i < 20000 && wrong < 10; i++)
        wrong += has_turn(7) && !is_shortest(ldexp((double)(noise() >> 11),
                                                   (int)(noise() % 90) - 80));
    ok(wrong == 0, "doubles of usual sizes");
    wrong = 0;
    for (int i = 0; i < 5000 && wrong < 10; i++)
        wrong += has_turn(7) && !is_shortest(binning_bits_double(
                                    (noise() >> 12 >> noise() % 52) + 1));
    ok(wrong == 0, "subnormal doubles");
    wrong = 0;
    for (int i = -1074; i < 1024 && wrong < 10; i++) {
        double power = ldexp(1, i);
        if (!has_turn(3))
            continue;
        wrong += !is_shortest(power);
        if (i > -1074)
            wrong += !is_shortest(nextafter(power, 0));
        wrong += !is_shortest(nextafter(power, DBL_MAX));
    }
    ok(wrong == 0, "powers of 2 and their neighbours");
    wrong = 0;
    for (int i = -323; i <= 308 && wrong < 10; i++) {
        char text[16];
        snprintf(text, sizeof text, "1e%d", i);
        double power = strtod(text, NULL);
        if (!has_turn(3))
            continue;
        wrong += !is_shortest(power) || !is_shortest(nextafter(power, 0)) ||
                 !is_shortest(nextafter(power, DBL_MAX));
    }
    ok(wrong == 0, "powers of 10 and their neighbours");
    wrong = 0;
    for (int i = 1; i < 20000 && wrong < 10; i++) {
        char text[32], back[NUMBER_TEXT_BYTES];
        if (!has_turn(7))
            continue;
        wrong += !is_shortest(i / 1000.0) || !is_shortest(i * 1e11) ||
                 !is_shortest(i * 1e12);
        snprintf(text, sizeof text, "%d.%02d", i / 100, i % 100);
        number_text(strtod(text, NULL), back);
        /* Without the zeros at the end. */
        char *end = text + strlen(text);
        while (end[-1] == '0')
            *--end = '\0';
        if (end[-1] == '.')
            *--end = '\0';
        wrong += strcmp(text, back) != 0;
    }
    ok(wrong == 0, "short decimals");
    ok(is_shortest(DBL_MAX) && is_shortest(DBL_MIN) && is_shortest(0x1p-1074),
       "the limits");
}

static void
test_forms(void)
{
    static const struct {
        double value;
        const char *text;
    } table[] = {
        {0.0, "0"},
        {-0.0, "0"},
        {1, "1"},
        {-1, "-1"},
        {0.1, "0.1"},
        {-0.1, "-0.1"},
        {1.5, "1.5"},
        {100, "100"},
        {123456.789, "123456.789"},
        {0.1 + 0.2, "0.30000000000000004"},
        {1.0 / 3, "0.3333333333333333"},
        {2.0 / 3, "0.6666666666666666"},
        {0.0001, "0.0001"},
        {0.00012345, "0.00012345"},
        {0.00001, "1e-05"},
        {0.000099999, "9.9999e-05"},
        {1.5e-7, "1.5e-07"},
        {1e-100, "1e-100"},
        {999999999999999, "999999999999999"},
        {1e15, "1000000000000000"},
        {1e15 + 0.5, "1000000000000000.5"},
        {9999999999999998, "9999999999999998"},
        {9007199254740992, "9007199254740992"},
        {1e16, "1e+16"},
        {12345678901234567000.0, "1.2345678901234567e+19"},
        {18446744073709551616.0, "1.8446744073709552e+19"},
        {9223372036854775808.0, "9.223372036854776e+18"},
        {1e22, "1e+22"},
        {1e23, "1e+23"},
        {9.5e22, "9.5e+22"},
        {DBL_MAX, "1.7976931348623157e+308"},
        {DBL_MIN, "2.2250738585072014e-308"},
        {5e-324, "5e-324"},
        {1e-323, "1e-323"},
        {-2.5e-310, "-2.5e-310"},
        {0x1p-44, "5.684341886080802e-14"},
        {0x1p-1, "0.5"},
        {9007199254740994, "9007199254740994"},
        {5e-5, "5e-05"},
        {INFINITY, "inf"},
        {-INFINITY, "-inf"},
    };

    for (size_t i = 0; i < COUNT(table); i++) {
        char text[NUMBER_TEXT_BYTES];
        number_text(table[i].value, text);
        bool is_right = strcmp(text, table[i].text) == 0;
        ok(is_right, "%.17g is \"%s\"", table[i].value, table[i].text);
        if (!is_right)
            printf("# \"%s\"\n", text);
    }
    for (int sign = 0; sign < 2; sign++) {
        char text[NUMBER_TEXT_BYTES];
        number_text(
            binning_bits_double(0x7ff8000000000001 | (uint64_t)sign << 63),
            text);
        ok(strcmp(text, "nan") == 0, "not a number: \"%s\"", text);
    }
}

/* ---- integers as text ---- */

/* VALUE in decimal digits, one by one. */
static void
digits_of(test_integer value, char text[NUMBER_TEXT_BYTES])
{
    char backwards[NUMBER_TEXT_BYTES];
    size_t count = 0;
    bool is_negative = value < 0;

    do {
        int digit = (int)(value % 10);
        backwards[count++] = (char)('0' + (digit < 0 ? -digit : digit));
        value /= 10;
    } while (value != 0);
    if (is_negative)
        backwards[count++] = '-';
    for (size_t i = 0; i < count; i++)
        text[i] = backwards[count - 1 - i];
    text[count] = '\0';
}

static bool
is_put(test_integer value)
{
    char wanted[NUMBER_TEXT_BYTES];
    char text[NUMBER_TEXT_BYTES + 1];

    /* Two shifts: the type may have only 64 bits. */
    struct wide wide = {(uint64_t)value, (uint64_t)(value >> 32 >> 32)};

    digits_of(value, wanted);
    memset(text, '!', sizeof text);
    *number_put_integer(wide, text) = '\0';
    bool is_right = strcmp(text, wanted) == 0 && text[sizeof text - 1] == '!';
    if (wide.high == 0) {
        memset(text, '!', sizeof text);
        *number_put(wide.low, text) = '\0';
        is_right = is_right && strcmp(text, wanted) == 0 &&
                   text[sizeof text - 1] == '!';
    }
    if (!is_right)
        printf("# \"%.40s\", not %s\n", text, wanted);
    return is_right;
}

static void
test_put(void)
{
    const int digits = HAS_INT128 ? 38 : 18;
    const int bits = HAS_INT128 ? 127 : 63;
    size_t wrong = 0;
    test_integer power = 1;

    for (int i = 0; i <= digits; i++) {
        for (int near = -2; near <= 2; near++)
            wrong += !is_put(power + near) || !is_put(-power + near);
        power *= i < digits ? 10 : 1;
    }
    ok(wrong == 0, "around powers of 10");
    wrong = 0;
    for (int i = 0; i < bits; i++) {
        test_integer two = (test_integer)1 << i;
        wrong += !is_put(two) || !is_put(two - 1) || !is_put(-two);
    }
    ok(wrong == 0, "powers of 2, up to 2^%d", bits - 1);
    wrong = 0;
    for (int i = 0; i < ROUNDS; i++)
        wrong += !is_put(i);
    ok(wrong == 0, "0 to 199999");
    wrong = 0;
    for (int i = 0; i < ROUNDS; i++) {
        test_integer any = (test_integer)(noise() >> 1);
        for (int half = 0; half < (HAS_INT128 ? 2 : 0); half++)
            any = any << 32 | (test_integer)(noise() >> 32);
        wrong += !is_put(any >> noise() % (unsigned int)(bits - 1));
    }
    ok(wrong == 0, "any integers");
}

/* ---- from text ---- */

static void
test_parse(void)
{
    static const struct {
        const char *text;
        double value; /* NAN: refused */
    } table[] = {
        {"0", 0},
        {"1", 1},
        {"+1", 1},
        {"-1", -1},
        {"1.5", 1.5},
        {".5", 0.5},
        {"5.", 5},
        {"1e3", 1000},
        {"1E3", 1000},
        {"1e+3", 1000},
        {"1e-3", 0.001},
        {"-1.25e-2", -0.0125},
        {"000.100", 0.1},
        {"0.1", 0.1},
        {"9007199254740993", 9007199254740992},
        {"1.7976931348623157e308", DBL_MAX},
        {"1.7976931348623158e308", DBL_MAX},
        {"5e-324", 5e-324},
        {"3e-324", 5e-324},
        {"2.2250738585072014e-308", DBL_MIN},
        {"0e999", 0},
        {"0.000e-999", 0},
        {"0e5", 0},
        {"-0.0", 0},
        {"0.0000000000000000000000000000000000001", 1e-37},

        {"", NAN},
        {" ", NAN},
        {" 1", NAN},
        {"1 ", NAN},
        {"\t1", NAN},
        {"1\n", NAN},
        {"+", NAN},
        {"-", NAN},
        {".", NAN},
        {"e", NAN},
        {"e1", NAN},
        {".e1", NAN},
        {"1e", NAN},
        {"1e+", NAN},
        {"--1", NAN},
        {"+-1", NAN},
        {"1-", NAN},
        {"1.2.3", NAN},
        {"1e1e1", NAN},
        {"1e1.5", NAN},
        {"0x10", NAN},
        {"0x1p3", NAN},
        {"1f", NAN},
        {"1_000", NAN},
        {"1,5", NAN},
        {"inf", NAN},
        {"-inf", NAN},
        {"infinity", NAN},
        {"nan", NAN},
        {"nan(1)", NAN},
        {"1e309", NAN},
        {"-1e309", NAN},
        {"1.7976931348623159e308", NAN},
        {"1e99999999999999999999", NAN},
        {"1e-400", NAN},
        {"2e-324", NAN},
        {"-1e-99999999999999999999", NAN},
        {"0.00001e-330", NAN},
    };

    for (size_t i = 0; i < COUNT(table); i++) {
        double value = 42;
        int result = number_parse(table[i].text, &value);
        bool is_right = isnan(table[i].value)
                            ? result == -1
                            : result == 0 && value == table[i].value &&
                                  (value != 0 || !signbit(value));
        ok(is_right, "\"%s\": %s",
           strpbrk(table[i].text, "\t\n") == NULL ? table[i].text
                                                  : "(white space)",
           isnan(table[i].value) ? "refused" : "read");
    }
}

static void
test_round_trip(void)
{
    size_t wrong = 0;

    for (int i = 0; i < 20000; i++) {
        double value = binning_bits_double(noise()), back;
        char text[NUMBER_TEXT_BYTES];
        if (!isfinite(value) || !has_turn(7))
            continue;
        number_text(value, text);
        wrong += number_parse(text, &back) < 0 || back != value;
    }
    ok(wrong == 0, "what is written is read");
}

static void
test_integers(void)
{
    static const struct {
        const char *text;
        const char *wanted; /* NULL: refused */
    } table[] = {
        {"0", "0"},
        {"-0", "0"},
        {"7", "7"},
        {"+7", "7"},
        {"-7", "-7"},
        {"007", "7"},
        {"1e6", "1000000"},
        {"-1e6", "-1000000"},
        {"1.5e1", "15"},
        {"12.0", "12"},
        {"12.", "12"},
        {"9007199254740993", "9007199254740993"},
        {"-9007199254740993", "-9007199254740993"},
        {"9223372036854775807", "9223372036854775807"},
        {"9223372036854775808", "9223372036854775808"},
        {"-9223372036854775808", "-9223372036854775808"},
        {"-9223372036854775809", "-9223372036854775809"},
        {"18446744073709551615", "18446744073709551615"},
        {"18446744073709551616", "18446744073709551616"},
        {"-18446744073709551616", "-18446744073709551616"},
        {"1e19", "10000000000000000000"},
        {"0000000000000000000000000000000000000000000000001", "1"},
        {"0x0", "0"},
        {"0x10", "16"},
        {"0XaF", "175"},
        {"-0xFf", "-255"},
        {"0x1e2", "482"},
        {"0x0123456789abcdef", "81985529216486895"},
        {"0xFEDCBA9876543210", "18364758544493064720"},
        {"0x10000000000000000", "18446744073709551616"},

        {"0x10000000000000001", NULL},
        {"0x", NULL},
        {"x1", NULL},
        {"0xg", NULL},
        {"0x1.8", NULL},
        {"0x1p3", NULL},
        {"0x-1", NULL},
        {"18446744073709551617", NULL},
        {"-18446744073709551617", NULL},
        {"99999999999999999999999999999999999999999999999999", NULL},
        {"340282366920938463463374607431768211456", NULL},
        {"340282366920938463463374607431768211457", NULL},
        {"1e20", NULL},
        {"-1e20", NULL},
        {"1e308", NULL},
        {"1e400", NULL},
        {"0.5", NULL},
        {"1e-1", NULL},
        {"1.25e1", NULL},
        {"", NULL},
        {"+", NULL},
        {"-", NULL},
        {"--1", NULL},
        {"+-1", NULL},
        {" 1", NULL},
        {"1 ", NULL},
        {"inf", NULL},
        {"nan", NULL},
        {"1k", NULL},
        {"1,000", NULL},
    };

    for (size_t i = 0; i < COUNT(table); i++) {
        const char *wanted = table[i].wanted;
        char text[NUMBER_TEXT_BYTES] = "";
        struct wide value = {42, 42};
        int result = number_parse_integer(table[i].text, &value);
        *number_put_integer(value, text) = '\0';
        ok(wanted != NULL ? result == 0 && strcmp(text, wanted) == 0
                          : result == -1,
           "whole \"%s\": %s", table[i].text,
           wanted != NULL ? "read" : "refused");
    }
}

/* Bytes that are found eight at a time, and hexadecimal digits. */
static void
test_eight_bytes(void)
{
    unsigned int wrong = 0;

    for (int round = 0; round < ROUNDS; round++) {
        unsigned char bytes[8];
        char digits[9];
        uint64_t wanted = 0;
        const uint32_t number = (uint32_t)noise();
        for (int i = 0; i < 8; i++) {
            /* Neighbours of what is looked for, and their like above 127. */
            bytes[i] = (unsigned char)("\t\n\b\x89\x8a"[noise() % 5]);
            wanted |= bytes[i] == '\t' ? UINT64_C(0x80) << (8 * i) : 0;
        }
        snprintf(digits, sizeof digits, "%08x", (unsigned int)number);
        wrong += eight_bytes_find(little_endian_64(bytes), '\t') != wanted;
        wrong += eight_bytes_hex(
                     little_endian_64((const unsigned char *)digits)) != number;
    }
    ok(wrong == 0, "eight bytes at a time");
}

/* Whether VALUE is as printf() writes it. */
static bool
is_fixed(double value, unsigned int digits)
{
    char wanted[64];
    char text[NUMBER_TEXT_BYTES];

    snprintf(wanted, sizeof wanted, "%.*f", (int)digits, value);
    *number_put_fixed(value, digits, text) = '\0';
    return strcmp(text, wanted) == 0;
}

static void
test_fixed(void)
{
    static const double values[] = {
        0,
        -0.,
        0.05,
        0.005,
        0.25,
        0.125,
        99.995,
        99.95,
        100,
        -1.25,
        9999999,
        1e7,
        12345678.905,
        1e9,
        1e22,
        0.045,
        1.005,
        0.994999,
        0.9949999999999,
        2.675,
    };

    for (unsigned int digits = 1; digits <= 2; digits++) {
        size_t wrong = 0;
        for (size_t i = 0; i < COUNT(values); i++)
            wrong += !is_fixed(values[i], digits);
        for (size_t r = 0; r < ROUNDS; r++) {
            const uint64_t all = noise() % 100000 + 1;
            const double part = (double)(noise() % (2 * all));
            wrong += !is_fixed(100. * part / (double)all, digits);
            /* Near the numbers between two texts. */
            wrong += !is_fixed(
                nextafter((double)(noise() % 100000) / 2000, (double)(r % 3)),
                digits);
        }
        ok(wrong == 0, "%u digits after the point: %zu wrong", digits, wrong);
    }
}

int
main(void)
{
    test_eight_bytes();
    test_fixed();
    test_shortest();
    test_forms();
    test_put();
    test_parse();
    test_round_trip();
    test_integers();
    return done_testing();
}
