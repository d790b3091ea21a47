/* SPDX-License-Identifier: MIT */
/* test_real_sum.c -- exact sums of doubles, and of their squares */

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/real_sum.h"
#include "tests/tap.h"

#define TINY 4.9406564584124654e-324

/* The sum of COUNT values. */
static struct real_sum
sum_of(const double *value, size_t count)
{
    struct real_sum sum = {{0}};

    for (size_t i = 0; i < count; i++)
        real_sum_add(&sum, value[i], 1);
    return sum;
}

static void
test_sums(void)
{
    static const struct {
        const char *name;
        double value[5];
        double wanted;
    } table[] = {
        {"no places are lost", {1e300, 1, -1e300, TINY, -1}, TINY},
        {"a partial sum beyond all doubles",
         {DBL_MAX, DBL_MAX, -DBL_MAX, -DBL_MAX, -2.5},
         -2.5},
        {"ties go to even", {1, 0x1p-53, 0, 0, 0}, 1},
        {"more than half goes up", {1, 0x1p-53, TINY, 0, 0}, 1 + 0x1p-52},
        {"-0 is 0", {-0.0, -0.0, 0, 0, 0}, 0},
    };
    static const double big[] = {DBL_MAX, DBL_MAX};

    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct real_sum sum = sum_of(table[i].value, 5);
        ok(real_sum_divide(&sum, 1) == table[i].wanted, "%s", table[i].name);
    }
    struct real_sum sum = sum_of(big, 2);
    ok(isinf(real_sum_divide(&sum, 1)) != 0, "a sum beyond all doubles");
    ok(real_sum_divide(&sum, 2) == DBL_MAX, "... has a mean");
}

static void
test_counts(void)
{
    const uint64_t many = UINT64_MAX;
    struct real_sum sum = {{0}};
    struct real_sum less = {{0}};

    real_sum_add(&sum, -DBL_MAX, many);
    ok(real_sum_divide(&sum, many) == -DBL_MAX, "2^64 - 1 times");
    real_sum_add(&less, -DBL_MAX, many - 3);
    real_sum_subtract(&sum, &less);
    ok(real_sum_divide(&sum, 3) == -DBL_MAX, "... less 2^64 - 4 times");
    real_sum_add_sum(&sum, &less);
    ok(real_sum_compare(&sum, &less) < 0, "... and again");
    memset(&less, 0, sizeof less);
    ok(real_sum_compare(&sum, &less) < 0 && real_sum_compare(&less, &sum) > 0 &&
           real_sum_compare(&sum, &sum) == 0,
       "a sum below 0 is less");
}

static void
test_parts(void)
{
    static const double value[] = {10, 0x1p-1000};
    struct real_sum sum = sum_of(value, 2);
    struct real_sum part;
    struct real_sum third = {{0}};

    real_sum_part(&part, &sum, 3, 10);
    real_sum_add(&third, 3, 1);
    ok(real_sum_compare(&part, &third) > 0, "3 of 10 parts");
    real_sum_subtract(&part, &third);
    ok(real_sum_divide(&part, 1) == 0.3 * 0x1p-1000, "... to the last place");
    memset(&sum, 0, sizeof sum);
    real_sum_add(&sum, TINY, 5);
    real_sum_part(&part, &sum, 1, 3);
    ok(real_sum_divide(&part, 1) == TINY, "rounded down");
    real_sum_increment(&part);
    ok(real_sum_divide(&part, 1) == 2 * TINY, "... and the next one");
}

static void
test_deviations(void)
{
    static const double value[] = {DBL_MAX, -DBL_MAX, TINY};
    struct real_sum sum = {{0}};
    struct real_squares squares = {{0}};
    struct real_squares more = {{0}};

    for (size_t i = 0; i < 3; i++) {
        real_sum_add(&sum, value[i], 1);
        real_squares_add(&squares, value[i], 1);
    }
    ok(real_sum_deviation(&sum, &squares, 3, true) == DBL_MAX,
       "the deviation of a sample of the greatest numbers");
    real_squares_add(&more, TINY, 7);
    real_squares_add_sum(&squares, &more);
    real_squares_subtract(&squares, &more);
    ok(real_sum_deviation(&sum, &squares, 3, true) == DBL_MAX,
       "... with other squares added and subtracted");
    memset(&sum, 0, sizeof sum);
    memset(&squares, 0, sizeof squares);
    real_sum_add(&sum, 0.1, UINT64_MAX);
    real_squares_add(&squares, 0.1, UINT64_MAX);
    ok(real_sum_deviation(&sum, &squares, UINT64_MAX, false) == 0,
       "equal numbers have none");
    memset(&sum, 0, sizeof sum);
    memset(&squares, 0, sizeof squares);
    real_sum_add(&sum, TINY, 1);
    real_sum_add(&sum, 3 * TINY, 1);
    real_squares_add(&squares, TINY, 1);
    real_squares_add(&squares, 3 * TINY, 1);
    ok(real_sum_deviation(&sum, &squares, 2, false) == TINY,
       "that of the least numbers");
}

int
main(void)
{
    test_sums();
    test_counts();
    test_parts();
    test_deviations();
    return done_testing();
}
