/* SPDX-License-Identifier: MIT */
/*
 * test_ordered_decimal.c -- decimals as integers in the same order, beside
 * decimal_order() and decimal_sum_read()
 */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../noise.h"
#include "../tap.h"
#include "base/decimal.h"
#include "base/ordered_decimal.h"

#define CASES (IS_INSTRUMENTED ? 2000 : 200000)
#define TEXT_ROOM 96
#define COUNT(table) (sizeof(table) / sizeof *(table))

struct decimal_case {
    char text[TEXT_ROOM];
    struct text_number number;
    struct ordered_decimal ordered;
    bool is_ordered;
};

static uint32_t
below(uint32_t limit)
{
    return (uint32_t)(noise() >> 32) % limit;
}

static void
scan(struct decimal_case *made)
{
    text_number_scan((const unsigned char *)made->text,
                     (uint32_t)strlen(made->text), &made->number);
    made->is_ordered = ordered_decimal_read(&made->ordered, &made->number);
}

/* Make a number; the numbers of some cases have many digits in common. */
static void
make(struct decimal_case *made)
{
    static const char *const digits[] = {"1234567890123456789", "9999999999999",
                                         "1000000000000000000",
                                         "5000000000000000001"};
    char own[24];

    snprintf(own, sizeof own, "%.*s%u", (int)below(19), digits[below(4)],
             below(200));
    own[1 + below(20)] = '\0';
    switch (below(3)) {
    case 0:
        snprintf(made->text, TEXT_ROOM, "%s%se%d", below(2) ? "-" : "", own,
                 (int)below(84) - 60);
        break;
    case 1:
        snprintf(made->text, TEXT_ROOM, "%s%u.%s", below(2) ? "-" : "",
                 below(3), own);
        break;
    default:
        snprintf(made->text, TEXT_ROOM, "%s%s", below(2) ? "-" : "", own);
    }
    scan(made);
}

static int
sign(int64_t number)
{
    return (number > 0) - (number < 0);
}

static int
compare(const struct ordered_decimal *a, const struct ordered_decimal *b)
{
    if (a->high != b->high)
        return a->high < b->high ? -1 : 1;
    return sign((int64_t)a->low - (int64_t)b->low);
}

static bool
is_equal(const struct decimal_sum *a, const struct decimal_sum *b)
{
    return decimal_sum_compare(a, b) == 0;
}

/* Whether MADE is ordered if it is an addend of 19 digits, with the same sum,
   and is the same number again. */
static bool
is_right(const struct decimal_case *made)
{
    struct decimal_sum sum, found;

    bool is_addend = decimal_sum_read(&sum, &made->number,
                                      (const unsigned char *)made->text) == 0 &&
                     !made->number.is_cut;
    if (!is_addend || !made->is_ordered)
        return is_addend == made->is_ordered;
    found = ordered_decimal_sum(&made->ordered);
    const struct text_number again = ordered_decimal_number(&made->ordered);
    struct ordered_decimal second;
    return is_equal(&sum, &found) && ordered_decimal_read(&second, &again) &&
           compare(&second, &made->ordered) == 0 &&
           made->ordered.low < ORDERED_DECIMAL_LOWS;
}

static void
test_random(void)
{
    struct ordered_sums sums[2] = {{{{0}}}};
    struct decimal_sum total = {{0}};
    struct decimal_case last;
    unsigned int wrong = 0, unordered = 0, ordered = 0;

    make(&last);
    for (unsigned int i = 0; i < CASES; i++) {
        struct decimal_case made;
        make(&made);
        wrong += !is_right(&made);
        if (!made.is_ordered)
            continue;
        ordered++;
        struct decimal_sum sum = ordered_decimal_sum(&made.ordered);
        ordered_sums_add(&sums[i % 2], &made.ordered);
        decimal_sum_add(&total, &sum);
        if (last.is_ordered) {
            int order =
                decimal_order(&made.number, (const unsigned char *)made.text,
                              &last.number, (const unsigned char *)last.text);
            unordered += sign(order) != compare(&made.ordered, &last.ordered);
        }
        last = made;
    }
    ordered_sums_join(&sums[0], &sums[1]);
    struct decimal_sum found = ordered_sums_total(&sums[0]);
    ok(wrong == 0 && ordered > CASES / 2, "%u numbers", ordered);
    ok(unordered == 0, "... have their order");
    ok(is_equal(&total, &found), "... and their sum");
}

static void
test_nanos(void)
{
    unsigned int wrong = 0;

    for (unsigned int i = 0; i < CASES; i++) {
        struct decimal_case made;
        int64_t nano = (int64_t)(noise() >> (2 + below(62)));
        nano = i < 2 ? DECIMAL_NANO_MOST - (int64_t)i : nano;
        nano = below(2) ? -nano : nano;
        snprintf(made.text, TEXT_ROOM, "%llde-9", (long long)nano);
        scan(&made);
        const struct ordered_decimal found = ordered_decimal_of_nano(nano);
        wrong += !made.is_ordered || compare(&found, &made.ordered) != 0;
    }
    ok(wrong == 0, "nanos are the numbers that their texts are");
}

static void
test_edges(void)
{
    /* Ascending. */
    static const char *const texts[] = {
        "-inf",
        "-99999999999999999990000000000000000000",
        "-1e37",
        "-1.000000000000000001",
        "-1",
        "-0.9999999999999999999",
        "-1e-38",
        "-0",
        "1e-38",
        "1.1e-37",
        "0.9999999999999999998",
        "0.9999999999999999999",
        "1",
        "9223372036854775807",
        "9223372036854775808",
        "9.999999999999999999e37",
        "infinity",
    };
    static const char *const others[] = {"nan",
                                         "",
                                         "x",
                                         "1e38",
                                         "1e-39",
                                         "1.1e-38",
                                         "12345678901234567891",
                                         "1e99999999999999999999"};
    struct decimal_case made[COUNT(texts)];
    struct decimal_case other;

    for (size_t i = 0; i < COUNT(texts); i++) {
        snprintf(made[i].text, TEXT_ROOM, "%s", texts[i]);
        scan(&made[i]);
        ok(made[i].is_ordered &&
               (i == 0 || compare(&made[i - 1].ordered, &made[i].ordered) < 0),
           "%s", texts[i]);
        const struct text_number number =
            ordered_decimal_number(&made[i].ordered);
        ok(number.kind == made[i].number.kind &&
               decimal_order(&number, NULL, &made[i].number,
                             (const unsigned char *)made[i].text) == 0,
           "... is the same number again");
    }
    for (size_t i = 0; i < COUNT(others); i++) {
        snprintf(other.text, TEXT_ROOM, "%s", others[i]);
        scan(&other);
        ok(!other.is_ordered, "\"%s\" is refused", others[i]);
    }
}

int
main(void)
{
    test_random();
    test_nanos();
    test_edges();
    return done_testing();
}
