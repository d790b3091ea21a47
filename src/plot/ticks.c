/* SPDX-License-Identifier: MIT */
/* ticks.c -- round numbers along an axis of bands */

#include <float.h>
#include <math.h>

#include "hist/axis_rule.h"
#include "plot/band.h"
#include "plot/ticks.h"

/* Digits of a number of many digits. */
#define TICK_DIGITS 6

/* From EDGE, a position in bins of the whole axis, to a position in bands. */
static double
band_position(const struct band_axis *axis, double edge)
{
    const struct band *last = &axis->band[axis->last - 1];
    double start = (double)axis->band[axis->first].first;

    if (edge <= (double)last->first)
        return (double)axis->first + (edge - start) / (double)axis->joined;
    return (double)(axis->last - 1) +
           (edge - (double)last->first) / (double)last->cells;
}

/* Returns the first of 1, 2, 5, 10, ... with at most MOST multiples in
   COUNT. */
static uint64_t
whole_step(uint64_t count, size_t most)
{
    uint64_t step = 1;

    for (uint64_t power = 1;; power *= 10) {
        static const unsigned int factor[] = {1, 2, 5};
        for (size_t i = 0; i < 3; i++) {
            step = factor[i] * power;
            if (count / step < most)
                return step;
        }
    }
}

/* Multiples of a step, each in the middle of a bin. */
static size_t
direct_ticks(const struct band_axis *axis, uint64_t start, uint64_t end,
             size_t most, struct tick *tick)
{
    const struct binning_axis *binning = axis->axis;
    uint64_t step = whole_step(end - start, most);
    struct wide value = axis_value(binning, start);
    uint64_t remainder; /* bins before the first multiple of STEP */
    size_t count = 0;

    if (wide_is_negative(value)) {
        wide_divide(wide_negate(value), step, &remainder);
    } else {
        wide_divide(value, step, &remainder);
        remainder = remainder > 0 ? step - remainder : 0;
    }
    for (uint64_t bin = start + remainder; bin < end && count < most;
         bin += step) {
        tick[count].value = band_position(axis, (double)bin + 0.5);
        axis_value_text(binning, bin, tick[count].text);
        count++;
    }
    return count;
}

/* The position of X in bins, between edges START and END. */
static double
find_edge(const struct band_axis *axis, uint64_t start, uint64_t end, double x)
{
    while (end - start > 1) {
        uint64_t middle = start + (end - start) / 2;
        if (axis_edge(axis->axis, axis->edges, middle) <= x)
            start = middle;
        else
            end = middle;
    }
    double lo = axis_edge(axis->axis, axis->edges, start);
    double hi = axis_edge(axis->axis, axis->edges, end);
    double part = isfinite(hi) ? (x - lo) / (hi - lo) : 0;
    return (double)start + (part < 1 ? part : 1);
}

static size_t
even_ticks(const struct band_axis *axis, uint64_t start, uint64_t end,
           size_t most, struct tick *tick)
{
    double lo = axis_edge(axis->axis, axis->edges, start);
    double hi = axis_edge(axis->axis, axis->edges, end);
    double step = scale_step(lo, hi, most - 1);
    double slack = step * 1e-6;
    size_t count = 0;

    for (double k = ceil((lo - slack) / step);
         k * step <= hi + slack && count < most; k++) {
        double value = k * step;
        tick[count].value = band_position(
            axis, find_edge(axis, start, end, value < lo ? lo : value));
        scale_round_text(value, tick[count].text);
        count++;
    }
    return count;
}

static size_t
log_axis_ticks(const struct band_axis *axis, uint64_t start, uint64_t end,
               size_t most, struct tick *tick)
{
    double hi = axis_edge(axis->axis, axis->edges, end);
    struct scale scale = {
        .is_log = true,
        .least = axis_edge(axis->axis, axis->edges, start),
        .most = isfinite(hi) ? hi : DBL_MAX,
    };
    size_t count = scale_ticks(&scale, most, tick);

    for (size_t i = 0; i < count; i++)
        tick[i].value =
            band_position(axis, find_edge(axis, start, end, tick[i].value));
    return count;
}

/* Edges that follow no rule: every n-th edge between bands. */
static size_t
edge_ticks(const struct band_axis *axis, size_t most, struct tick *tick)
{
    size_t bands = axis->last - axis->first;
    size_t step = (bands + most - 1) / most;
    size_t count = 0;

    if (bands / step + 1 > most)
        step++;
    for (size_t i = axis->first; i <= axis->last; i += step) {
        const struct band *band = &axis->band[i];
        uint64_t edge =
            i < axis->last ? band->first : band[-1].first + band[-1].cells;
        tick[count].value = (double)i;
        band_edge_text(axis, edge, TICK_DIGITS, tick[count].text);
        count++;
    }
    return count;
}

/* Without two round numbers: both ends, which are edges or values. */
static size_t
end_ticks(const struct band_axis *axis, uint64_t start, uint64_t end,
          struct tick *tick)
{
    bool is_direct = axis_bins(axis->axis) == AXIS_INTEGERS;
    double half = is_direct ? 0.5 : 0;

    tick[0].value = band_position(axis, (double)start + half);
    tick[1].value = band_position(axis, (double)end - half);
    band_end_text(axis, false, TICK_DIGITS, tick[0].text);
    band_end_text(axis, true, TICK_DIGITS, tick[1].text);
    return is_direct && end - start == 1 ? 1 : 2;
}

static size_t
round_ticks(const struct band_axis *axis, uint64_t start, uint64_t end,
            size_t most, struct tick *tick)
{
    switch (axis_rule_of(axis->axis)->spacing) {
    case AXIS_SPACING_VALUES:
        return direct_ticks(axis, start, end, most, tick);
    case AXIS_SPACING_EVEN:
        return even_ticks(axis, start, end, most, tick);
    case AXIS_SPACING_RATIO:
        return log_axis_ticks(axis, start, end, most, tick);
    default:
        return edge_ticks(axis, most, tick);
    }
}

size_t
ticks_find(const struct band_axis *axis, size_t most, struct tick *tick)
{
    const struct band *last = &axis->band[axis->last - 1];
    uint64_t start = axis->band[axis->first].first;
    uint64_t end = last->first + last->cells;

    if (most > SCALE_TICKS_MAX)
        most = SCALE_TICKS_MAX;
    if (most < 2)
        return 0;
    size_t count = round_ticks(axis, start, end, most, tick);
    return count < 2 ? end_ticks(axis, start, end, tick) : count;
}
