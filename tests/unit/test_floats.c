/* SPDX-License-Identifier: MIT */
/*
 * test_floats.c -- computing in float finds the same cells as binning.h
 *
 * Axes are drawn at random; samples are the floats at their edges and beside
 * them, some of all floats there are, and what is special.  Once as usual and
 * once as on a device that takes subnormal floats for 0.
 */

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#ifdef __SSE2__
#    include <immintrin.h>
#endif

#include "../even_axis.h"
#include "../noise.h"
#include "../tap.h"
#include "engine/gpu/device/kernel.h"
#include "kernels/binning/floats.h"

#define AXES rounds_of(3000)
/* A prime: from one of all floats to the next. */
#define STRIDE (IS_EMULATED ? 49999 : 4999)
#define BESIDE 3 /* floats on either side of an edge */

static const char *const closed_names[] = {"left", "right", "numpy"};

/* Where subnormal floats are 0, while the samples are placed. */
static void
flush_subnormals(bool on)
{
#ifdef __SSE2__
    _MM_SET_FLUSH_ZERO_MODE(on ? _MM_FLUSH_ZERO_ON : _MM_FLUSH_ZERO_OFF);
    _mm_setcsr(on ? _mm_getcsr() | 0x40 : _mm_getcsr() & ~0x40u);
#else
    (void)on;
#endif
}

/* The words of an axis, and how its samples are flushed. */
struct table {
    const struct binning_axis *axis;
    struct floats_rule rule;
    uint32_t *words;
    bool is_flushing;
    uint64_t doubts; /* how many samples were not certain */
};

static uint64_t
find_cell(struct table *table, uint32_t bits)
{
    const struct binning_axis *axis = table->axis;
    uint32_t cell = UINT32_MAX;

    flush_subnormals(table->is_flushing);
    struct floats_place place = floats_find(&table->rule, bits);
    bool has_edge = place.edge >= 0 && (uint64_t)place.edge <= axis->bins;
    /* Else it would be compared with an edge that does not exist. */
    if (place.is_certain || has_edge || floats_is_nan(bits))
        cell = floats_cell(&table->rule, table->words + FLOATS_RULE_WORDS,
                           (uint32_t)axis->bins, bits);
    flush_subnormals(false);
    if (!place.is_certain)
        table->doubts++;
    return cell;
}

static bool
is_right(struct table *table, uint32_t bits)
{
    const struct binning_tables none = {NULL, NULL};

    return find_cell(table, bits) == binning_cell(table->axis, &none, bits);
}

/* X, and what is beside it. */
static bool
is_right_near(struct table *table, float x)
{
    bool result = true;

    for (int i = 0; i < BESIDE; i++)
        x = nextafterf(x, -INFINITY);
    for (int i = 0; i <= 2 * BESIDE; i++) {
        result &= is_right(table, floats_bits(x));
        x = nextafterf(x, INFINITY);
    }
    return result;
}

static bool
are_edges_right(struct table *table)
{
    const struct binning_axis *axis = table->axis;
    uint64_t step = 1 + axis->bins / 1000;
    bool result = true;

    for (uint64_t i = 0; i <= axis->bins; i += step)
        result &= is_right_near(table, (float)binning_even_edge(axis, i));
    return result && is_right_near(table, (float)axis->hi);
}

static bool
are_special_right(struct table *table)
{
    static const uint32_t special[] = {
        0,          0x80000000, 1,          0x80000001, 0x7f800000,
        0xff800000, 0x7f800001, 0xffc00000, 0x7fffffff, 0x7f7fffff,
        0xff7fffff, 0x00800000, 0x807fffff,
    };
    bool result = true;

    for (size_t i = 0; i < sizeof special / sizeof *special; i++)
        result &= is_right(table, special[i]);
    return result;
}

/* Samples anywhere from a width below the range to one above it. */
static bool
are_some_right(struct table *table)
{
    const struct binning_axis *axis = table->axis;
    bool result = true;

    for (int i = 0; i < 500; i++) {
        double x = axis->lo - axis->width +
                   (axis->hi - axis->lo + 2 * axis->width) *
                       (double)(noise() >> 11) * 0x1p-53;
        result &= is_right(table, floats_bits((float)x));
    }
    return result;
}

static void
table_open(struct table *table, const struct binning_axis *axis)
{
    size_t count;

    *table = (struct table){.axis = axis, .rule = floats_make_rule(axis)};
    table->words = kernel_floats_table(axis, &count);
    if (table->words == NULL || count != axis->bins + 5)
        abort();
}

/* ---- axes ---- */

static double
draw_number(void)
{
    double x = ldexp((double)(noise() >> 11), -53 + (int)(noise() % 225) - 125);

    switch (noise() % 4) {
    case 0:
        return (double)(noise() % 200) - 100;
    case 1:
        return (double)(noise() % 20000) / 100 - 100;
    case 2:
        return noise() % 2 == 0 ? (double)(float)x : -(double)(float)x;
    default:
        return noise() % 2 == 0 ? x : -x;
    }
}

/* One for which floats are enough, now and then only just so. */
static void
draw_axis(struct binning_axis *axis)
{
    do {
        double a = draw_number();
        double b = noise() % 2 == 0 ? a + ldexp(fabs(a), -(int)(noise() % 20))
                                    : draw_number();
        uint64_t bins = 1 + (noise() >> 32 >> noise() % 31);
        even_axis(axis, fmin(a, b), fmax(a, b), bins);
    } while (!floats_are_enough(axis));
}

/* ---- tests ---- */

static void
test_drawn(bool is_flushing)
{
    bool edges = true, special = true, some = true;
    uint64_t doubts = 0;

    for (int i = 0; i < AXES; i++) {
        struct binning_axis axis;
        struct table table;

        draw_axis(&axis);
        table_open(&table, &axis);
        table.is_flushing = is_flushing;
        edges &= are_edges_right(&table);
        special &= are_special_right(&table);
        some &= are_some_right(&table);
        doubts += table.doubts;
        free(table.words);
    }
    const char *how = is_flushing ? "subnormals are 0: " : "";
    ok(edges, "%d axes, %sat all edges", AXES, how);
    ok(special, "%d axes, %swhat is special", AXES, how);
    ok(some, "%d axes, %sanywhere", AXES, how);
    ok(doubts > (uint64_t)AXES * 100, "... and many were not certain");
}

/* One of STRIDE floats of all there are. */
static void
test_all(double lo, double hi, uint64_t bins, bool is_flushing)
{
    struct binning_axis axis;
    struct table table;
    bool is_all_right = true;
    uint64_t first = noise() % STRIDE;

    even_axis(&axis, lo, hi, bins);
    table_open(&table, &axis);
    table.is_flushing = is_flushing;
    for (uint64_t bits = first; bits <= UINT32_MAX; bits += STRIDE)
        is_all_right &= is_right(&table, (uint32_t)bits);
    ok(floats_are_enough(&axis) && is_all_right,
       "all floats: %.9g to %.9g in %llu, closed %s%s", lo, hi,
       (unsigned long long)bins, closed_names[axis.closed],
       is_flushing ? ", subnormals are 0" : "");
    free(table.words);
}

int
main(void)
{
    for (int i = 0; i < 2; i++) {
        bool is_flushing = i == 1;

        test_drawn(is_flushing);
        test_all(0, 1, 100, is_flushing);
        test_all(-1, 1, 13, is_flushing);
        test_all(-1e-9, 1e-9, 1, is_flushing);
        test_all(0, 1e-27, 3, is_flushing);
        test_all(-1e29, 1e29, 300000, is_flushing);
        test_all(-0.1, 0.3, 4000, is_flushing);
    }
    return done_testing();
}
