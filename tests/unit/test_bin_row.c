/* SPDX-License-Identifier: MIT */
/*
 * test_bin_row.c -- rows find the same cells as binning.h
 *
 * Axes and elements are drawn at random, most of them where it is hard: at
 * edges and beside them, with few bits and with all.  Every form is tried
 * that this processor can do.
 */

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../arena.h"
#include "../noise.h"
#include "../tap.h"
#include "engine/cpu/cells/bin_row.h"
#include "hist/lattice.h"
#include "kernels/binning/binning.h"

#define WATCHDOG_SECONDS 300
#define AXES rounds_of(4000)
#define EDGES_MAX 40
#define LOOKUP_ENTRIES 65536
#define ARENA_BYTES ((size_t)64 << 10)
#define RECORD_BYTES_MAX 24

static unsigned char *arena; /* ARENA_BYTES between two guard pages */
static double edges[EDGES_MAX + 1];
static uint32_t lookup[LOOKUP_ENTRIES];

static const enum sample_type types[] = {
    SAMPLE_U1, SAMPLE_I1,   SAMPLE_U2,   SAMPLE_I2,   SAMPLE_U4,
    SAMPLE_I4, SAMPLE_U8,   SAMPLE_I8,   SAMPLE_F2,   SAMPLE_F4,
    SAMPLE_F8, SAMPLE_BF16, SAMPLE_E4M3, SAMPLE_E5M2,
};
#define TYPES (sizeof types / sizeof *types)

static const char *const type_names[] = {"u1", "i1",   "u2",     "i2",    "u4",
                                         "i4", "u8",   "i8",     "f2",    "f4",
                                         "f8", "bf16", "f8e4m3", "f8e5m2"};

/* ---- axes ---- */

/* A finite number: small and whole, a fraction, a power of two, any bits. */
static double
draw_number(void)
{
    double x;

    switch (noise() % 6) {
    case 0:
        return (double)(noise() % 300) - 100;
    case 1:
        return (double)(noise() % 1000000) / 1000 - 300;
    case 2:
        x = ldexp(1, (int)(noise() % 128) - 64);
        return noise() % 2 == 0 ? x : -x;
    case 3:
        return (double)(int64_t)noise();
    case 4:
        return (double)(float)((double)(noise() >> 11) * 0x1p-53);
    default:
        x = binning_bits_double(noise());
        return fabs(x) < 1e300 ? x : 1;
    }
}

/* Two different numbers, the lower one first; neither HI - LO nor the number of
   bins divided by it is infinite. */
static void
draw_range(struct binning_axis *axis)
{
    do {
        double a = draw_number();
        /* Sometimes only few doubles lie between them. */
        double b = noise() % 4 == 0
                       ? a + fabs(a) * ldexp(1, -(int)(noise() % 53))
                       : draw_number();
        axis->lo = fmin(a, b);
        axis->hi = fmax(a, b);
    } while (!(axis->hi - axis->lo > 0x1p-900) || isinf(axis->hi - axis->lo));
}

static void
draw_even(struct binning_axis *axis)
{
    axis->kind = BINNING_EVEN;
    axis->bins = noise() % 4 == 0 ? 1 + noise() % 3 : 1 + noise() % 5000;
    if (noise() % 16 == 0)
        axis->bins = 1 + (noise() >> 34);
    if (noise() % 4 == 0 && axis->closed != BINNING_NUMPY) {
        double x = draw_number(), y = draw_number();
        axis->is_auto = 1;
        axis->bins += LATTICE_BINS_MIN;
        lattice_set(axis, &(struct extent){fmin(x, y), fmax(x, y)});
        return;
    }
    draw_range(axis);
    /* Edges must increase. */
    for (;; axis->bins = (axis->bins + 1) / 2) {
        axis->width = (axis->hi - axis->lo) / (double)axis->bins;
        axis->scale = (double)axis->bins / (axis->hi - axis->lo);
        double most = fmax(fabs(axis->lo), fabs(axis->hi));
        if (axis->bins == 1 || axis->width > most * 0x1p-52)
            return;
    }
}

static void
draw_edges(struct binning_axis *axis)
{
    static double drawn[EDGES_MAX + 1];
    size_t count = 0;

    axis->kind = BINNING_EDGES;
    axis->bins = 1 + noise() % EDGES_MAX;
    while (count <= axis->bins) {
        double x = draw_number();
        size_t at = count;
        bool is_new = true;
        for (size_t i = 0; i < count; i++)
            is_new &= drawn[i] != x;
        if (!is_new)
            continue;
        for (; at > 0 && drawn[at - 1] > x; at--)
            drawn[at] = drawn[at - 1];
        drawn[at] = x;
        count++;
    }
    memcpy(edges, drawn, sizeof edges);
    axis->lo = edges[0];
    axis->hi = edges[axis->bins];
}

static void
draw_log2(struct binning_axis *axis)
{
    int first = (int)(noise() % 2000) - 1000;

    axis->kind = BINNING_LOG2;
    axis->is_log = 1;
    axis->subdivision = (uint32_t)(noise() % 4);
    axis->bins = (1 + noise() % 64) << axis->subdivision;
    if (noise() % 4 == 0)
        first = 1024 - (int)(axis->bins >> axis->subdivision);
    if (noise() % 2 == 0 && axis->bins < 64)
        first = -2;
    axis->first_step = (int64_t)first * ((int64_t)1 << axis->subdivision);
    axis->lo = ldexp(1, first);
    axis->hi = ldexp(1, first + (int)(axis->bins >> axis->subdivision));
}

static void
draw_integers(struct binning_axis *axis)
{
    axis->mask = UINT64_MAX;
    if (noise() % 4 == 0)
        axis->shift = (uint32_t)noise() % 64;
    if (noise() % 4 == 0)
        axis->mask = noise() >> noise() % 64;
    if (noise() % 3 == 0)
        axis->mod =
            noise() % 4 == 0 ? 1 + noise() % 9 : noise() >> noise() % 64;
}

/* AXIS is of a type and at a place of a record. */
static void
draw_axis(struct binning_axis *axis)
{
    bool is_float = binning_is_float(axis->type);

    axis->closed = (uint32_t)(noise() % 3);
    axis->is_swapped = (uint32_t)(noise() % 2);
    if (!is_float)
        draw_integers(axis);
    switch (noise() % 8) {
    case 0:
        draw_edges(axis);
        axis->is_log = axis->lo > 0 && noise() % 2 == 0;
        return;
    case 1:
        draw_log2(axis);
        return;
    case 2:
        if (is_float)
            break;
        axis->kind = BINNING_DIRECT;
        axis->bins = 1 + (noise() >> (33 + noise() % 30));
        axis->first = noise() % 2 == 0 ? noise() : noise() % 500 - 200;
        return;
    case 3:
        if (binning_size(axis->type) > 2)
            break;
        axis->kind = noise() % 2 == 0 ? BINNING_RAW : BINNING_LOOKUP;
        axis->is_swapped = axis->is_swapped && axis->kind == BINNING_LOOKUP;
        return;
    default:
        break;
    }
    draw_even(axis);
}

/* ---- elements ---- */

/* The bits of the float next to the double X, either side. */
static uint64_t
float_bits(double x)
{
    float nearest = (float)x;
    uint32_t bits;

    memcpy(&bits, &nearest, sizeof bits);
    return bits;
}

static double
draw_edge(const struct binning_axis *axis)
{
    uint64_t i = noise() % (axis->bins + 1);

    switch (axis->kind) {
    case BINNING_EVEN:
        return binning_even_edge(axis, i);
    case BINNING_EDGES:
        return edges[axis->table + i];
    case BINNING_LOG2:
        return binning_log2_edge(axis, i);
    default:
        return (double)(axis->first + i);
    }
}

/* The bits of an element: any, of a number, at an edge or beside it. */
static uint64_t
draw_bits(const struct binning_axis *axis)
{
    double x = noise() % 2 == 0 ? draw_edge(axis) : draw_number();
    uint64_t off = noise() % 2 == 0 ? noise() % 5 - 2 : 0;
    uint64_t bits;

    if (noise() % 3 == 0)
        return noise() >> noise() % 64;
    if (noise() % 16 == 0)
        x = noise() % 2 == 0 ? (double)INFINITY : -(double)INFINITY;
    if (noise() % 16 == 0)
        x = noise() % 2 == 0 ? 0.0 : (double)NAN;
    if (noise() % 16 == 0)
        x = noise() % 2 == 0 ? BINNING_AUTO_MAX : -BINNING_AUTO_MAX;
    if (axis->type == SAMPLE_F4)
        return float_bits(x) + off;
    if (axis->type == SAMPLE_BF16)
        return (float_bits(x) >> 16) + off;
    if (binning_is_float(axis->type)) {
        memcpy(&bits, &x, sizeof bits);
        return bits + off;
    }
    if (!(fabs(x) < 0x1p63))
        return noise();
    /* The bits that --shift removes may be anything. */
    return ((uint64_t)(int64_t)x + off) << axis->shift;
}

static void
fill(const struct binning_axis *axis, unsigned char *data, size_t count,
     size_t record_bytes)
{
    size_t size = binning_size(axis->type);

    for (size_t i = 0; i < count; i++, data += record_bytes) {
        uint64_t bits = draw_bits(axis);
        for (size_t b = 0; b < size; b++)
            data[axis->offset + (axis->is_swapped ? size - 1 - b : b)] =
                (unsigned char)(bits >> 8 * b);
    }
}

/* ---- the comparisons ---- */

static size_t
wrong_cells(const struct bin_row_form *form, const struct bin_row_rule *rule,
            const unsigned char *data, size_t count)
{
    const struct binning_axis *axis = rule->axis;
    uint32_t cell[BIN_ROW_ELEMENTS];
    size_t wrong = 0;

    form->find(rule, data, count, cell);
    for (size_t i = 0; i < count; i++) {
        uint64_t bits =
            binning_load(data + i * rule->record_bytes + axis->offset,
                         axis->type, axis->is_swapped);
        uint64_t wanted = binning_cell(axis, rule->tables, bits);
        if (cell[i] == wanted)
            continue;
        if (wrong++ == 0)
            printf("# %s %s: kind %u closed %u auto %u [%a, %a] %llu bins: "
                   "bits %llx in %u, not in %llu\n",
                   form->name, type_names[axis->type], axis->kind, axis->closed,
                   axis->is_auto, axis->lo, axis->hi,
                   (unsigned long long)axis->bins, (unsigned long long)bits,
                   cell[i], (unsigned long long)wanted);
    }
    return wrong;
}

/* Whether the extent of two rows is that of its elements one by one. */
static bool
is_wide_as(const struct bin_row_form *form, const struct bin_row_rule *rule,
           const unsigned char *data)
{
    const struct binning_axis *axis = rule->axis;
    struct extent got = extent_none, wanted = extent_none;

    form->widen(rule, data, 2, &got.min, &got.max);
    for (size_t i = 0; i < 2 * (size_t)BIN_ROW_ELEMENTS; i++)
        extent_widen_bits(
            &wanted, axis,
            binning_load(data + i * rule->record_bytes + axis->offset,
                         axis->type, axis->is_swapped));
    return got.min == wanted.min && got.max == wanted.max;
}

static void
test_form(const struct bin_row_form *form, enum sample_type type)
{
    struct binning_tables tables = {edges, lookup};
    size_t wrong_find = 0, wrong_widen = 0, left = 0;

    for (int n = 0; n < AXES; n++) {
        struct binning_axis axis = {.type = type};
        size_t size = binning_size(type);
        size_t count = 1 + noise() % BIN_ROW_ELEMENTS;
        size_t record_bytes = size;
        struct bin_row_rule rule;

        if (noise() % 2 == 0) {
            axis.offset = (uint32_t)(noise() % (RECORD_BYTES_MAX - size));
            record_bytes =
                axis.offset + size +
                noise() % (RECORD_BYTES_MAX - size - axis.offset + 1);
        }
        draw_axis(&axis);
        bin_row_rule_make(&rule, &axis, &tables, record_bytes);
        left += !rule.is_possible;
        /* The records end, or start, at a guard page. */
        unsigned char *data =
            n % 2 == 0 ? arena : arena + ARENA_BYTES - count * record_bytes;
        fill(&axis, data, count, record_bytes);
        wrong_find += wrong_cells(form, &rule, data, count);

        if (axis.kind != BINNING_EVEN)
            continue;
        data =
            arena + ARENA_BYTES - 2 * (size_t)BIN_ROW_ELEMENTS * record_bytes;
        fill(&axis, data, 2 * (size_t)BIN_ROW_ELEMENTS, record_bytes);
        wrong_widen += !is_wide_as(form, &rule, data);
    }
    ok(wrong_find == 0, "%s, %s: cells (%zu wrong)", form->name,
       type_names[type], wrong_find);
    ok(wrong_widen == 0, "%s, %s: extents (%zu wrong)", form->name,
       type_names[type], wrong_widen);
    /* Otherwise nothing would have been tested. */
    ok(left < (size_t)AXES / 4, "%s, %s: %zu of %d axes left to binning.h",
       form->name, type_names[type], left, AXES);
}

int
main(void)
{
    alarm(WATCHDOG_SECONDS);
    arena = arena_open(ARENA_BYTES);
    for (size_t i = 0; i < LOOKUP_ENTRIES; i++)
        lookup[i] = (uint32_t)noise() >> 1;
    for (const struct bin_row_form *form = bin_row_forms; form->name != NULL;
         form++) {
        for (size_t t = 0; t < TYPES; t++) {
            if (form->is_possible())
                test_form(form, types[t]);
        }
    }
    return done_testing();
}
