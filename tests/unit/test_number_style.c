/* SPDX-License-Identifier: MIT */
/* test_number_style.c -- numbers, rounded and with separators of thousands */

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "../tap.h"
#include "base/number_style.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))
#define ALL (-1)

static void
test_texts(void)
{
    static const struct {
        const char *text;
        bool has_thousands;
        int decimals;
        const char *wanted;
    } table[] = {
        {"0", false, ALL, "0"},
        {"0", true, 2, "0.00"},
        {"999", true, ALL, "999"},
        {"1000", true, ALL, "1,000"},
        {"-1234567.12345", true, ALL, "-1,234,567.12345"},
        {"123456", true, 0, "123,456"},
        {"0.5", false, 0, "0"},
        {"1.5", false, 0, "2"},
        {"2.5", false, 0, "2"},
        {"2.50000000000000000000000000000000000001", false, 0, "3"},
        {"0.125", false, 2, "0.12"},
        {"0.375", false, 2, "0.38"},
        {"2.675", false, 2, "2.68"},
        {"-0.004", false, 2, "0.00"},
        {"-0.005", false, 2, "0.00"},
        {"-0.0051", false, 2, "-0.01"},
        {"9.995", false, 2, "10.00"},
        {"9.985", false, 2, "9.98"},
        {"999.9996", true, 3, "1,000.000"},
        {"999999.5", true, 0, "1,000,000"},
        {"7", false, 3, "7.000"},
        {"1e+22", true, ALL, "1e+22"},
        {"1e+22", true, 1, "10,000,000,000,000,000,000,000.0"},
        {"1.5e-07", false, 3, "0.000"},
        {"1.5e-07", false, 8, "0.00000015"},
        {"5e-07", false, 6, "0.000000"},
        {"5.1e-07", false, 6, "0.000001"},
        {"nan", true, 2, "nan"},
        {"-inf", true, 2, "-inf"},
        {"", true, 2, ""},
        {"-", true, 2, "-"},
        {"1:30", true, 2, "1:30"},
        {"1e", true, 2, "1e"},
        {"1e+", true, 2, "1e+"},
        {"1.2.3", true, 2, "1.2.3"},
        {"2026-01-02", true, 2, "2026-01-02"},
        {"1e999", false, 2, "1e999"},
    };

    for (size_t i = 0; i < COUNT(table); i++) {
        struct number_style style = {
            .has_thousands = table[i].has_thousands,
            .is_rounded = table[i].decimals != ALL,
            .decimals = (unsigned int)table[i].decimals,
        };
        char room[NUMBER_STYLE_BYTES];
        const char *text = table[i].text;
        char *end = number_style_put(&style, text, strlen(text), room);

        *end = '\0';
        ok(strcmp(room, table[i].wanted) == 0, "'%s': '%s', not '%s'", text,
           table[i].wanted, room);
    }
}

/* The widest texts fit. */
static void
test_longest(void)
{
    const struct number_style style = {true, true, NUMBER_STYLE_DECIMALS_MAX};
    const char *text = "-1.7976931348623157e+308";
    char room[NUMBER_STYLE_BYTES];
    char digits[NUMBER_STYLE_TEXT_MAX + 1];
    char *end = number_style_put(&style, text, strlen(text), room);

    ok(end - room == 1 + 309 + 102 + 1 + NUMBER_STYLE_DECIMALS_MAX &&
           memcmp(room, "-179,769,313,", 13) == 0,
       "the greatest double");
    memset(digits, '9', sizeof digits);
    end = number_style_put(&style, digits, NUMBER_STYLE_TEXT_MAX, room);
    ok(end - room == 128 + 42 + 1 + NUMBER_STYLE_DECIMALS_MAX, "many digits");
}

int
main(void)
{
    test_texts();
    test_longest();
    return done_testing();
}
