/* SPDX-License-Identifier: MIT */
/* axis_check.h -- checks of any axis and of each value on it */

#ifndef GPUHIST_AXIS_CHECK_H
#define GPUHIST_AXIS_CHECK_H

#include <math.h>

#include "fuzz.h"
#include "hist/axis.h"
#include "kernels/binning/binning.h"

/* How many edges to check at either end, and in between. */
#define AXIS_CHECK_EDGES 24

/* An element as a number: an integer or a double. */
struct axis_value {
    bool is_float;
    double real;
    struct wide integer;
};

static inline struct axis_value
axis_check_value(const struct binning_axis *axis, uint64_t bits)
{
    struct axis_value value = {.is_float = binning_is_float(axis->type) &&
                                           axis->kind != BINNING_DIRECT};
    uint32_t single = (uint32_t)bits;
    float real;

    if (value.is_float && axis->type == SAMPLE_F8) {
        memcpy(&value.real, &bits, sizeof bits);
    } else if (value.is_float && axis->type == SAMPLE_F4) {
        memcpy(&real, &single, sizeof real);
        value.real = (double)real;
    } else if (value.is_float && axis->type != SAMPLE_F2) {
        value.real = binning_float(axis->type, bits);
    } else if (value.is_float) {
        int exponent = (int)(bits >> 10 & 31);
        double fraction = (double)(bits & 1023);
        value.real = exponent == 31  ? fraction > 0 ? (double)NAN : HUGE_VAL
                     : exponent == 0 ? ldexp(fraction, -24)
                                     : ldexp(1024 + fraction, exponent - 25);
        if (bits >> 15 & 1)
            value.real = -value.real;
    } else {
        uint64_t integer = binning_integer(axis, bits);
        value.integer = binning_is_signed(axis->type)
                            ? wide_of_signed((int64_t)integer)
                            : wide_of(integer);
    }
    return value;
}

/* The bits of BITS that an element of AXIS has. */
static inline uint64_t
axis_check_mask(const struct binning_axis *axis, uint64_t bits)
{
    uint32_t unused = 64 - 8 * binning_size(axis->type);

    return bits << unused >> unused;
}

/* Below 0, 0 or above: as VALUE, which is a number, is to EDGE. */
static inline int
axis_check_compare(const struct axis_value *value, double edge)
{
    if (value->is_float)
        return (value->real > edge) - (value->real < edge);
    if (fabs(edge) > 0x1p65)
        return edge > 0 ? -1 : 1;
    int sign = wide_compare(value->integer, wide_of_double(trunc(edge)));
    if (sign != 0)
        return sign;
    return (edge < trunc(edge)) - (edge > trunc(edge));
}

/* Edge I is printed so that it reads back. */
static inline void
axis_check_edge(const struct binning_axis *axis, const struct axis_edges *edges,
                uint64_t i)
{
    char text[NUMBER_TEXT_BYTES];
    double edge = axis_edge(axis, edges, i);
    double again = HUGE_VAL;

    axis_edge_text(axis, edges, i, text);
    if (i < axis->bins || !axis->is_log || isfinite(edge))
        fuzz_must(number_parse(text, &again) == 0, "an edge is finite");
    fuzz_must(again == edge, "an edge reads back");
    if (i < axis->bins)
        fuzz_must(edge < axis_edge(axis, edges, i + 1), "edges increase");
}

static inline void
axis_check_edges(const struct binning_axis *axis,
                 const struct axis_edges *edges)
{
    uint64_t step = axis->bins / AXIS_CHECK_EDGES + 1;

    for (uint64_t i = 0; i <= axis->bins && i < AXIS_CHECK_EDGES; i++) {
        axis_check_edge(axis, edges, i);
        axis_check_edge(axis, edges, axis->bins - i);
    }
    for (uint64_t i = 0; i <= axis->bins; i += step)
        axis_check_edge(axis, edges, i);
}

/* VALUE, which is at neither end, lies in BIN as it is printed. */
static inline void
axis_check_bin(const struct binning_axis *axis, const struct axis_edges *edges,
               const struct axis_value *value, uint64_t bin)
{
    char text[NUMBER_TEXT_BYTES];
    struct wide integer;
    bool is_right = axis->closed == BINNING_RIGHT;

    if (axis->kind == BINNING_DIRECT) {
        axis_value_text(axis, bin, text);
        fuzz_must(number_parse_integer(text, &integer) == 0 &&
                      wide_compare(integer, value->integer) == 0,
                  "a bin of its own");
        return;
    }
    int low = axis_check_compare(value, axis_edge(axis, edges, bin));
    int high = axis_check_compare(value, axis_edge(axis, edges, bin + 1));
    fuzz_must(is_right ? low > 0 : low >= 0, "above the lower edge");
    if (axis->closed == BINNING_NUMPY && bin == axis->bins - 1)
        is_right = true;
    fuzz_must(is_right ? high <= 0 : high < 0, "below the upper edge");
}

/* VALUE is in no bin and belongs to the FLOW cell. */
static inline void
axis_check_flow(const struct binning_axis *axis, const struct axis_edges *edges,
                const struct axis_value *value, uint64_t flow)
{
    bool is_right = axis->closed == BINNING_RIGHT;
    bool is_nan = value->is_float && isnan(value->real);

    fuzz_must((flow == BINNING_NAN) == is_nan, "a NaN");
    if (is_nan || axis->kind == BINNING_DIRECT)
        return;
    int zero = axis_check_compare(value, 0);
    if (axis->is_log && zero <= 0) {
        fuzz_must(flow == (zero == 0 ? BINNING_ZERO : BINNING_NEGATIVE),
                  "zero or negative");
        return;
    }
    int low = axis_check_compare(value, axis_edge(axis, edges, 0));
    int high = axis_check_compare(value, axis_edge(axis, edges, axis->bins));
    if (axis->is_auto) /* larger values count as infinite */
        fuzz_must(fabs(value->real) > BINNING_AUTO_MAX, "in the lattice");
    else if (flow == BINNING_UNDERFLOW)
        fuzz_must(is_right ? low <= 0 : low < 0, "below the first edge");
    else
        fuzz_must(flow == BINNING_OVERFLOW && (is_right ? high > 0 : high >= 0),
                  "above the last edge");
}

/* An element with these BITS is counted where it belongs. */
static inline void
axis_check_bits(const struct binning_axis *axis, const struct axis_edges *edges,
                uint64_t bits)
{
    struct binning_tables tables = {edges->edge, NULL};

    bits = axis_check_mask(axis, bits);
    struct axis_value value = axis_check_value(axis, bits);
    uint64_t cell = binning_cell(axis, &tables, bits);
    fuzz_must(cell < axis->bins + axis_flows(axis), "a cell of the axis");
    if (cell < axis->bins)
        axis_check_bin(axis, edges, &value, cell);
    else
        axis_check_flow(axis, edges, &value, cell - axis->bins);
}

/* Check the values around edge I, too. */
static inline void
axis_check_around(const struct binning_axis *axis,
                  const struct axis_edges *edges, uint64_t i)
{
    uint64_t bits = axis->first + i;
    double edge;
    float single;
    uint32_t half;

    if (axis->kind != BINNING_DIRECT) {
        edge = axis_edge(axis, edges, i);
        single = (float)edge;
        memcpy(&half, &single, sizeof half);
        if (axis->type == SAMPLE_F8)
            memcpy(&bits, &edge, sizeof bits);
        else if (axis->type == SAMPLE_F4)
            bits = half;
        else if (axis->type == SAMPLE_F2)
            bits = (half >> 31 << 15) +
                   (((half & 0x7fffffff) - (112u << 23)) >> 13);
        else if (fabs(edge) < 0x1p63)
            bits = (uint64_t)(int64_t)edge;
    }
    for (uint64_t n = 0; n < 3; n++)
        axis_check_bits(axis, edges, (bits + n - 1) << axis->shift);
}

#endif
