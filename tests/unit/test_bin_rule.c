/* SPDX-License-Identifier: MIT */
/* test_bin_rule.c -- tests of bin_rule.c and numpy_edges.c; the right values
   are from numpy 2.4 */

#include <math.h>
#include <string.h>

#include "hist/bin_rule.h"
#include "hist/numpy_edges.h"
#include "tests/tap.h"

/* Numbers in ascending order, each with a count. */
struct numbers {
    const double *value;
    const uint64_t *times;
    size_t count;
    size_t at;
};

static void
start(void *context)
{
    struct numbers *numbers = context;

    numbers->at = 0;
}

static bool
next(void *context, double *value, uint64_t *count)
{
    struct numbers *numbers = context;

    if (numbers->at == numbers->count)
        return false;
    *value = numbers->value[numbers->at];
    *count = numbers->times[numbers->at++];
    return true;
}

static void
test_words(void)
{
    bool is_found = true;

    for (int i = 0; i < BIN_RULES; i++)
        is_found &= bin_rule_find(bin_rule_words[i]) == i;
    ok(is_found, "each rule has a word");
    ok(bin_rule_find("sturgess") < 0, "another word is none");
}

/* 1, 1, 2, 2, 2, 3, 10. */
static void
test_rules(void)
{
    static const double value[] = {1, 2, 3, 10};
    static const uint64_t times[] = {2, 3, 1, 1};
    static const uint64_t wanted[BIN_RULES] = {
        [BIN_RULE_AUTO] = 6,    [BIN_RULE_FD] = 9,      [BIN_RULE_DOANE] = 6,
        [BIN_RULE_SCOTT] = 2,   [BIN_RULE_STONE] = 100, [BIN_RULE_RICE] = 4,
        [BIN_RULE_STURGES] = 4, [BIN_RULE_SQRT] = 3,
    };
    struct numbers numbers = {value, times, 4, 0};
    const struct number_source source = {start, next, &numbers};
    const struct number_facts facts = {SAMPLE_F8, 7, 1, 10};
    const struct number_facts none = {.type = SAMPLE_F8};

    for (int i = 0; i < BIN_RULES; i++) {
        uint64_t bins =
            bin_rule_bins((enum bin_rule)i, &facts, &source, UINT64_MAX);
        ok(bins == wanted[i], "%s: %llu bins", bin_rule_words[i],
           (unsigned long long)bins);
        ok(bin_rule_bins((enum bin_rule)i, &none, NULL, 5) == 1,
           "%s: no numbers, one bin", bin_rule_words[i]);
    }
    ok(bin_rule_bins(BIN_RULE_FD, &facts, &source, 5) == 5, "at most 5 bins");
}

static void
test_quantiles(void)
{
    static const double value[] = {1, 2, 3, 10};
    static const uint64_t times[] = {2, 3, 1, 1};
    static const double wanted[] = {1, 1.5, 2, 2.5, 10};
    struct numbers numbers = {value, times, 4, 0};
    const struct number_source source = {start, next, &numbers};
    double edge[5];

    bin_rule_quantiles(&source, 7, 4, edge);
    ok(memcmp(edge, wanted, sizeof edge) == 0, "quartiles");
    numbers.count = 1;
    bin_rule_quantiles(&source, 2, 4, edge);
    ok(edge[0] == 1 && edge[4] == 1, "of one number");
}

static void
test_edges(void)
{
    struct numpy_edges edges = numpy_edges_make(SAMPLE_F8, 0, 1, 10, false);
    ok(numpy_edges_at(&edges, 3) == 0.30000000000000004 &&
           numpy_edges_at(&edges, 10) == 1,
       "f8");
    edges = numpy_edges_make(SAMPLE_F4, 0, 1, 10, false);
    /* 0.3 as a float, whose constant some processors keep as a double. */
    ok(numpy_edges_at(&edges, 3) == 0x1.333334p-2, "f4");
    edges = numpy_edges_make(SAMPLE_F2, 0, 1, 10, false);
    ok(numpy_edges_at(&edges, 3) == 0.2998046875, "f2");
    edges = numpy_edges_make(SAMPLE_F2, 0, 1, 10, true);
    ok(numpy_edges_at(&edges, 3) == 0.300048828125, "f2, of no numbers");
    ok(numpy_edges_round(SAMPLE_F2, 65519) == 65504 &&
           isinf(numpy_edges_round(SAMPLE_F2, 65520)) &&
           numpy_edges_round(SAMPLE_F2, 0x1p-25) == 0 &&
           numpy_edges_round(SAMPLE_F2, 0x1.8p-25) == 0x1p-24 &&
           numpy_edges_round(SAMPLE_F2, -2049) == -2048,
       "numbers are rounded to f2");
    ok(numpy_edges_round(SAMPLE_U4, 0.1) == 0.1, "integers have doubles");
}

int
main(void)
{
    test_words();
    test_rules();
    test_quantiles();
    test_edges();
    return done_testing();
}
