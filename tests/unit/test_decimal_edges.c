/* SPDX-License-Identifier: MIT */
/* test_decimal_edges.c -- even edges between decimals, beside strtod() */

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../noise.h"
#include "../tap.h"
#include "hist/decimal_edges.h"

#define ROUNDS (IS_INSTRUMENTED ? 300 : 3000)

static size_t wrong;

static void
compare(double edge, const char *text)
{
    double wanted = strtod(text, NULL);

    if (edge == wanted)
        return;
    if (wrong++ < 10)
        printf("# %.17g, but %s is %.17g\n", edge, text, wanted);
}

/* Bins that divide 10^POWER into 10^DIGITS: edge I is I * 10^(POWER - DIGITS). */
static void
test_powers(void)
{
    struct decimal_edges edges;
    char hi[32];
    char text[48];

    wrong = 0;
    for (int power = -322; power <= 308; power++) {
        for (int digits = 1; digits <= 8; digits++) {
            uint64_t bins = (uint64_t)pow(10, digits);
            snprintf(hi, sizeof hi, "1e%d", power);
            decimal_edges_make(&edges, "0", hi, NULL, bins);
            uint64_t i = noise() % (bins + 1);
            snprintf(text, sizeof text, "%" PRIu64 "e%d", i, power - digits);
            compare(decimal_edges_read(&edges, i), text);
            snprintf(hi, sizeof hi, "-1e%d", power);
            decimal_edges_make(&edges, hi, "0", NULL, bins);
            snprintf(text, sizeof text, "-%" PRIu64 "e%d", bins - i,
                     power - digits);
            compare(decimal_edges_read(&edges, i), text);
        }
    }
    ok(wrong == 0, "0 to 1e%%d, and from -1e%%d");
}

/* From a random decimal on, in steps of another one. */
static void
test_steps(void)
{
    struct decimal_edges edges;
    char lo[48];
    char step[48];
    char text[80];

    wrong = 0;
    for (int r = 0; r < ROUNDS; r++) {
        int scale = (int)(noise() % 300);
        int64_t first = (int64_t)(noise() >> 24) - (INT64_C(1) << 39);
        int64_t width = (int64_t)(noise() >> 44) + 1;
        int64_t i = (int64_t)(noise() >> 44);
        snprintf(lo, sizeof lo, "%" PRId64 "e-%d", first, scale);
        snprintf(step, sizeof step, "%" PRId64 "e-%d", width, scale);
        snprintf(text, sizeof text, "%" PRId64 "e-%d", first + i * width,
                 scale);
        decimal_edges_make(&edges, lo, NULL, step, 1);
        compare(decimal_edges_read(&edges, (uint64_t)i), text);
    }
    ok(wrong == 0, "random decimals in steps");
}

static const struct {
    const char *lo;
    const char *hi;
    const char *step;
    uint64_t bins;
    uint64_t i;
    const char *edge;
} cases[] = {
    {"0", "1", NULL, 10, 3, "0.3"},
    {"0", "0.9", NULL, 3, 1, "0.3"},
    {"-.3", "+.3", NULL, 6, 3, "0"},
    {"-.3", "+.3", NULL, 6, 2, "-0.1"},
    {"0.1", "1", "0.1", 9, 2, "0.3"},
    {"0x10", "0X20", NULL, 16, 1, "17"},
    {"1e-300", "1e300", NULL, 1, 0, "1e-300"},
    {"1e-300", "1e300", NULL, 1, 1, "1e300"},
    {"-1.7e308", "1.e-10", NULL, 17, 1, "-1.6e308"},
    {"0e999999", "1E+2", NULL, 4, 3, "75"},
    {"0", "1e-322", NULL, 10, 7, "7e-323"},
    {"0", "1", NULL, 3, 1, "0.33333333333333333333333333333333333333333"},
    {"0", "2", NULL, 3, 1, "0.66666666666666666666666666666666666666667"},
    {"1000000000000000000000000000000", "1000000000000000000000000000001", NULL,
     2, 1, "1000000000000000000000000000000.5"},
    {"0.000000000000000000000000000000000000001",
     "0.000000000000000000000000000000000000003", NULL, 2, 1, "2e-39"},
};

static void
test_cases(void)
{
    struct decimal_edges edges;

    wrong = 0;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        decimal_edges_make(&edges, cases[c].lo, cases[c].hi, cases[c].step,
                           cases[c].bins);
        compare(decimal_edges_read(&edges, cases[c].i), cases[c].edge);
    }
    ok(wrong == 0, "edges by hand");
}

int
main(void)
{
    test_powers();
    test_steps();
    test_cases();
    return done_testing();
}
