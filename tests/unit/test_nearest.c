/* SPDX-License-Identifier: MIT */
/*
 * test_nearest.c -- one comparison finds the same cells as binning.h
 *
 * Axes are drawn at random, also some for which nearest_is_enough() by little;
 * samples are at the edges and beside them, and what is special.
 */

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "../even_axis.h"
#include "../noise.h"
#include "../tap.h"
#include "kernels/binning/nearest.h"

#define AXES (IS_INSTRUMENTED ? 3000 : 30000)
#define EDGES 40 /* of an axis */
#define BESIDE 2 /* numbers on either side of an edge */
#define LAST 0x1p63

static const char *const closed_names[] = {"left", "right", "numpy"};

/* ---- samples ---- */

/* Whether the cell of X, or of the integer VALUE of its type, is right. */
static bool
is_number_right(struct binning_axis *axis, double x)
{
    const struct binning_tables none = {NULL, NULL};

    axis->type = SAMPLE_F8;
    return nearest_number_cell(axis, x) ==
           binning_cell(axis, &none, binning_double_bits(x));
}

static bool
is_integer_right(struct binning_axis *axis, uint64_t value)
{
    const struct binning_tables none = {NULL, NULL};
    bool result;

    axis->type = SAMPLE_U8;
    result = nearest_integer_cell(axis, value, 0) ==
             binning_cell(axis, &none, value);
    axis->type = SAMPLE_I8;
    return result && nearest_integer_cell(axis, value, 1) ==
                         binning_cell(axis, &none, value);
}

/* X and the integers at it, with what is beside them. */
static bool
is_right_near(struct binning_axis *axis, double x)
{
    /* Unsigned integers have all values from 0 on, signed ones the others. */
    uint64_t value = x >= LAST    ? (uint64_t)(fmin(x, 2 * LAST - 2048))
                     : x <= -LAST ? (uint64_t)INT64_MIN
                                  : (uint64_t)(int64_t)x;
    bool result = true;

    for (int i = 0; i < BESIDE; i++)
        x = nextafter(x, -INFINITY);
    for (int i = 0; i <= 2 * BESIDE; i++) {
        result &= is_number_right(axis, x);
        result &= is_integer_right(axis, value + (uint64_t)i - BESIDE);
        x = nextafter(x, INFINITY);
    }
    return result;
}

static bool
are_edges_right(struct binning_axis *axis)
{
    uint64_t step = 1 + axis->bins / EDGES;
    bool result = is_right_near(axis, axis->hi);

    for (uint64_t i = noise() % step; i < axis->bins; i += step)
        result &= is_right_near(axis, binning_even_edge(axis, i));
    return result;
}

static bool
are_others_right(struct binning_axis *axis)
{
    static const double special[] = {
        0, -0.0, NAN, INFINITY, -INFINITY, 0x1p-1074, -0x1p-1074, 1e308, -1e308,
    };
    bool result = true;

    for (size_t i = 0; i < sizeof special / sizeof *special; i++)
        result &= is_number_right(axis, special[i]);
    for (int i = 0; i < EDGES; i++) {
        uint64_t bits = noise();
        double x = axis->lo - axis->width +
                   (axis->hi - axis->lo + 2 * axis->width) *
                       (double)(bits >> 11) * 0x1p-53;
        result &= is_right_near(axis, x) && is_integer_right(axis, bits) &&
                  is_number_right(axis, binning_bits_double(bits));
    }
    return result;
}

/* ---- axes ---- */

static double
draw_number(void)
{
    double x = ldexp((double)(noise() >> 11), -53 + (int)(noise() % 160) - 80);

    switch (noise() % 4) {
    case 0:
        return (double)(noise() % 2000) - 1000;
    case 1:
        return (double)(noise() % 20000) / 100 - 100;
    case 2:
        return noise() % 2 == 0 ? x : -x;
    default:
        return (double)noise();
    }
}

/* Draw an axis; every fourth one grows, with a width that is a power of two. */
static void
draw_axis(struct binning_axis *axis)
{
    do {
        double a = draw_number();
        double b = noise() % 2 == 0 ? a + ldexp(fabs(a), -(int)(noise() % 52))
                                    : draw_number();
        uint64_t bins = 1 + (noise() >> 32 >> noise() % 32);

        even_axis(axis, fmin(a, b), fmax(a, b), bins);
        if (noise() % 4 == 0) {
            double width = ldexp(1, (int)(noise() % 60) - 30);
            double number = (double)(noise() >> 40);
            even_axis(axis, number * width, (number + (double)bins) * width,
                      bins);
            axis->is_auto = 1;
        }
    } while (!nearest_is_enough(axis));
}

/* ---- tests ---- */

static void
test_drawn(void)
{
    bool edges = true, others = true;

    for (int i = 0; i < AXES; i++) {
        struct binning_axis axis;

        draw_axis(&axis);
        edges &= are_edges_right(&axis);
        others &= are_others_right(&axis);
    }
    ok(edges, "%d axes, at their edges", AXES);
    ok(others, "%d axes, anywhere", AXES);
}

static void
test_axis(double lo, double hi, uint64_t bins, bool is_enough)
{
    struct binning_axis axis;

    for (uint32_t closed = 0; closed < 3; closed++) {
        even_axis(&axis, lo, hi, bins);
        axis.closed = closed;
        ok(nearest_is_enough(&axis) == is_enough &&
               (!is_enough ||
                (are_edges_right(&axis) && are_others_right(&axis))),
           "%.9g to %.9g in %llu, closed %s%s", lo, hi,
           (unsigned long long)bins, closed_names[closed],
           is_enough ? "" : ": not enough");
    }
}

/* What is not even, or has more flow cells, is not for nearest.h. */
static void
test_others(void)
{
    struct binning_axis axis;

    even_axis(&axis, 1, 2, 10);
    axis.kind = BINNING_LOG2;
    ok(!nearest_is_enough(&axis), "not for log axes");
    even_axis(&axis, 1, 2, 10);
    axis.is_log = 1;
    ok(!nearest_is_enough(&axis), "not if 0 has a cell");
    even_axis(&axis, 0, 0, 10);
    ok(!nearest_is_enough(&axis), "not without a range");
    even_axis(&axis, 0, 1, 10);
    axis.scale *= 1 + 0x1p-30;
    ok(!nearest_is_enough(&axis), "not with a coarse scale");
}

int
main(void)
{
    test_drawn();
    test_axis(-1, 1, 4194304, true);
    test_axis(0, 4294967296.0, 100, true);
    test_axis(0, 0x1p64, 1000, true);
    test_axis(-LAST, LAST, 999, true);
    test_axis(-1e30, 1e30, 2000000000, true);
    test_axis(1e15, 1e15 + 32, 8, true);
    test_axis(1e15, 1e15 + 8, 8, false);
    test_axis(0, 1e-285, 10, true);
    test_axis(0, 1e-300, 10, false);
    test_axis(0, 1e289, 10, true);
    test_axis(-1e307, 1e308, 10, false);
    test_axis(0, 1, 3000000000, false);
    test_others();
    return done_testing();
}
