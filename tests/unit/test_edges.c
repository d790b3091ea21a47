/* SPDX-License-Identifier: MIT */
/*
 * test_edges.c -- a search in the tree of edges.h finds the cells of binning.h
 *
 * Edges are drawn at random: near to each other, far apart, or so near that no
 * float is between them.  Samples are at the edges and beside them, and what is
 * special.  A search takes the steps that kernels/binning/samples.cuh takes.
 */

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../noise.h"
#include "../tap.h"
#include "kernels/binning/edges.h"

#define AXES (IS_INSTRUMENTED ? 300 : 3000)
#define BINS_MAX 2100
#define NODES_MAX 4096

/* An axis, and its trees: of floats and of doubles. */
static struct binning_axis axis;
static double edges[BINS_MAX + 1];
static float floats[NODES_MAX];
static double doubles[NODES_MAX];

/* ---- the tree ---- */

static bool
make_tree(void)
{
    binning_u32 levels = edges_levels(axis.bins);
    bool is_used[NODES_MAX] = {false};
    binning_u32 nodes = 1;

    /* The fewest levels that have room. */
    while (nodes - 1 < axis.bins + 1)
        nodes *= 2;
    if (nodes != 1u << levels || nodes > NODES_MAX ||
        edges_bytes(&axis) != nodes * (axis.type == SAMPLE_F4 ? 4 : 8))
        return false;
    for (binning_u32 node = 1; node < nodes; node++) {
        binning_u32 i = edges_place(levels, node);
        if (i >= nodes - 1 || is_used[i])
            return false;
        is_used[i] = true;
        floats[node] = NAN;
        doubles[node] = NAN;
        if (i <= axis.bins) {
            int is_excluded = binning_is_excluded(&axis, i);
            floats[node] = edges_least_float(edges[i], is_excluded);
            doubles[node] = edges_least_double(edges[i], is_excluded);
        }
    }
    return true;
}

/* The number of edges that X is above. */
static uint64_t
count_above(double x)
{
    binning_u32 levels = edges_levels(axis.bins);
    binning_u32 node = 1;

    for (binning_u32 i = 0; i < levels; i++)
        node = 2 * node + (axis.type == SAMPLE_F4 ? (float)x >= floats[node]
                                                  : x >= doubles[node]);
    return node - (1u << levels);
}

/* ---- samples ---- */

/* Whether X, a number of the axis' type with these BITS, is found. */
static bool
is_found(double x, uint64_t bits)
{
    const struct binning_tables tables = {edges, NULL};
    uint64_t cell = binning_cell(&axis, &tables, bits);
    uint64_t above = count_above(x);

    if (cell < axis.bins)
        return above == cell + 1;
    return above == (cell == axis.bins + BINNING_OVERFLOW ? axis.bins + 1 : 0);
}

static bool
is_right(double x)
{
    float near = (float)x;
    uint32_t bits;

    axis.type = SAMPLE_F8;
    bool result = is_found(x, binning_double_bits(x));
    axis.type = SAMPLE_F4;
    memcpy(&bits, &near, sizeof bits);
    return result && is_found((double)near, bits);
}

static bool
is_right_near(double x)
{
    float near = (float)x;

    return is_right(x) && is_right(nextafter(x, INFINITY)) &&
           is_right(nextafter(x, -INFINITY)) &&
           is_right((double)nextafterf(near, INFINITY)) &&
           is_right((double)nextafterf(near, -INFINITY));
}

static bool
are_samples_right(void)
{
    static const double special[] = {
        0,        -0.0,    NAN,    -NAN,    INFINITY,   -INFINITY, 0x1p-1074,
        0x1p-149, 0x1p128, 0x1p24, -0x1p24, -0x1p-1074, 1e308,     -1e308,
    };
    bool result = true;

    for (uint64_t i = 0; i <= axis.bins; i++)
        result &= is_right_near(edges[i]);
    for (size_t i = 0; i < sizeof special / sizeof *special; i++)
        result &= is_right(special[i]);
    for (int i = 0; i < 20; i++)
        result &= is_right(binning_bits_double(noise()));
    return result;
}

/* ---- edges ---- */

static int
compare(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;

    return (x > y) - (x < y);
}

static double
draw_edge(uint64_t kind)
{
    uint64_t bits = noise();
    double x = (double)(bits >> 11) * 0x1p-53;

    switch (kind) {
    case 0: /* some floats, and what is between them */
        return 1 + floor(x * 4096) * 0x1p-25;
    case 1:
        return floor(x * 4096) - 2048;
    case 2: /* subnormal floats, and both sides of 0 */
        return (floor(x * 4096) - 2048) * 0x1p-150;
    case 3: /* beyond the floats */
        return (x - 0.5) * 1e39;
    default: /* any finite number */
        return isfinite(binning_bits_double(bits)) ? binning_bits_double(bits)
                                                   : x;
    }
}

/* Draw an axis of up to BINS bins. */
static void
draw_axis(uint64_t bins)
{
    uint64_t kind = noise() % 5;
    uint64_t count = 1;

    for (uint64_t i = 0; i <= bins; i++)
        edges[i] = draw_edge(kind);
    qsort(edges, bins + 1, sizeof *edges, compare);
    for (uint64_t i = 1; i <= bins; i++) {
        if (edges[i] > edges[count - 1])
            edges[count++] = edges[i];
    }
    if (count == 1)
        edges[count++] = INFINITY;
    axis = (struct binning_axis){
        .kind = BINNING_EDGES,
        .closed = (uint32_t)(noise() % 3),
        .bins = count - 1,
        .stride = 1,
        .mask = UINT64_MAX,
        .lo = edges[0],
        .hi = edges[count - 1],
        .is_log = edges[0] > 0,
    };
}

static void
test_drawn(uint64_t bins_max, int axes)
{
    bool are_trees = true;
    bool are_found = true;

    for (int i = 0; i < axes; i++) {
        draw_axis(1 + noise() % bins_max);
        for (axis.type = SAMPLE_F4; axis.type <= SAMPLE_F8; axis.type++)
            are_trees &= make_tree();
        are_found &= are_samples_right();
    }
    ok(are_trees, "trees of up to %d bins", (int)bins_max);
    ok(are_found, "... in which samples are found");
}

/* Trees that are full, or have one edge more. */
static void
test_sizes(void)
{
    for (uint64_t bins = 1; bins <= 1024; bins *= 2) {
        bool result = true;
        for (uint64_t less = 0; less < 3 && less < bins; less++) {
            for (uint64_t i = 0; i <= bins - less; i++)
                edges[i] = (double)i;
            axis = (struct binning_axis){
                .kind = BINNING_EDGES,
                .type = SAMPLE_F4,
                .bins = bins - less,
                .stride = 1,
                .mask = UINT64_MAX,
                .hi = (double)(bins - less),
            };
            result &= make_tree() && are_samples_right();
        }
        ok(result, "%d bins, and up to two less", (int)bins);
    }
    axis.kind = BINNING_EVEN;
    ok(edges_bytes(&axis) == 0, "even bins have no tree");
}

int
main(void)
{
    test_drawn(7, AXES);
    test_drawn(70, AXES / 10);
    test_drawn(BINS_MAX - 60, AXES / 300);
    test_sizes();
    return done_testing();
}
