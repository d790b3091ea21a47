/* SPDX-License-Identifier: MIT */
/* test_state_sums.c -- exact sums as lines of a state */

#include <math.h>
#include <string.h>

#include "../tap.h"
#include "state/state_sums.h"

/* Make SPEC, with sums of records of TYPE. */
static bool
make_spec(struct spec *spec, const char *type)
{
    const struct spec_options options = {
        .record = type,
        .has_figures = true,
        .only_sums = EXACT_ALL,
    };
    struct error error = ERROR_NONE;

    return spec_make(spec, &options, NULL, UINT64_C(1) << 30, &error) == 0 &&
           spec->histogram[0].kind == COUNTED_SUMS;
}

/* Set SUMS to those of the COUNT elements of TYPE at DATA. */
static void
add(struct exact_sums *sums, enum sample_type type, const void *data,
    size_t count)
{
    struct exact_adder *adder = exact_adder_new(type, false, EXACT_ALL);

    ok(adder != NULL, "an adder");
    exact_adder_add(adder, data, count, 8);
    *sums = adder->sums;
    exact_sums_reduce(sums);
    exact_adder_close(adder);
}

/* The sums of a f8 and an i8 come back, and twice add up. */
static void
test_both(void)
{
    const double real[] = {-0x1p-1074, 1.5, -0x1.8p1023, (double)NAN};
    const int64_t integer[] = {-3, INT64_MIN, 7};
    struct exact_sums sums[2];
    struct exact_sums back[2] = {{0}};
    struct exact_sums twice[2];
    struct state_lines lines = {0};
    struct spec spec;

    ok(make_spec(&spec, "f8,i8"), "a spec with sums");
    add(&sums[0], SAMPLE_F8, real, 4);
    add(&sums[1], SAMPLE_I8, integer, 3);
    spec.sums = sums;
    ok(state_sums_describe(&spec, &lines) == 0 && lines.count == 2,
       "a line for each histogram");
    ok(state_sums_add(&spec, &lines, back) == 0 &&
           memcmp(sums, back, sizeof sums) == 0,
       "the sums come back");
    memcpy(twice, sums, sizeof twice);
    for (int i = 0; i < 2; i++)
        exact_sums_add(&twice[i], &sums[i]);
    ok(state_sums_add(&spec, &lines, back) == 0 &&
           memcmp(twice, back, sizeof twice) == 0,
       "... and add up");
    state_lines_close(&lines);
    spec_close(&spec);
}

/* Whether LINE are possible sums of an i4. */
static bool
is_possible(struct spec *spec, const char *line)
{
    struct exact_sums sums = {0};
    struct state_lines lines = {0};

    bool is_right = state_lines_add(&lines, line, strlen(line)) == 0 &&
                    state_sums_add(spec, &lines, &sums) == 0;
    state_lines_close(&lines);
    return is_right;
}

static void
test_wrong(void)
{
    static const char *const wrong[] = {
        "",
        "1",
        "2\t2\t0\t0\t0\t80000001\t80000003\t4\t0\ta",
        "1\t2\t0\t0\t0\t80000001\t80000003\t4\t0",
        "1\t2\t0\t0\t0\t80000001\t80000003\t4\t0\ta\t0",
        "1\t2\t0\t0\t0\t80000001\t80000003\t4\t0\tA",
        "1\t2\t0\t0\t0\t80000001\t80000003\t04\t0\ta",
        "1\t02\t0\t0\t0\t80000001\t80000003\t4\t0\ta",
        "1\t2\t0\t0\t0\t80000001\t80000003\t4\t0\t",
        "1\t2\t0\t0\t0\t80000003\t80000001\t4\t0\ta",
        "1\t2\t0\t0\t0\t80000001\t180000003\t4\t0\ta",
        "1\t2\t0\t3\t0\t80000001\t80000003\t4\t0\ta",
        "1\t2\t1\t0\t0\t80000001\t80000003\t4\t0\ta",
        "1\t2\t0\t0\t0\t80000001\t80000003\t4\t0\t7",
        "1\t0\t0\t0\t0\t0\t0\t4\t0\t0",
    };
    struct spec spec;

    ok(make_spec(&spec, "i4"), "a spec of integers");
    ok(is_possible(&spec, "1\t2\t0\t0\t0\t80000001\t80000003\t4\t0\ta"),
       "1 and 3 have such sums");
    for (size_t w = 0; w < sizeof wrong / sizeof *wrong; w++)
        ok(!is_possible(&spec, wrong[w]), "wrong: %s", wrong[w]);
    spec_close(&spec);
}

int
main(void)
{
    test_both();
    test_wrong();
    return done_testing();
}
