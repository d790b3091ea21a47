/* SPDX-License-Identifier: MIT */
/* axis_log.c -- axes with bins of one ratio: --log and --scale */

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "hist/axis_edges.h"
#include "hist/axis_rule.h"

#define SUBDIVISION_MAX 20

/* The limits of OpenTelemetry. */
#define SCALE_MIN (-10)
#define SCALE_MAX 20

/*
 * Set the range of a logarithmic axis: that of --range, or else the range of
 * all positive values of the type.  An axis without --range is trimmed.
 */
static int
find_log_range(const struct axis_making *making, double *lo, double *hi)
{
    making->axis->is_log = true;
    making->axis->is_trimmed = making->texts->range == NULL;
    if (making->texts->range != NULL) {
        if (axis_parse_is_auto(making))
            return axis_parse_wrong(
                making, "--range", "auto",
                "does not work with --log and --scale, which cover all values "
                "without --range");
        if (axis_parse_range(making, lo, hi) < 0)
            return -1;
        if (*lo < DBL_MIN)
            return axis_parse_wrong(
                making, "--range", making->texts->range,
                "a logarithmic axis starts above 0, at 2^-1022");
        return 0;
    }
    switch (making->axis->type) {
    case SAMPLE_F2:
        *lo = 0x1p-24;
        *hi = 0x1p16;
        break;
    case SAMPLE_F4:
        *lo = 0x1p-149;
        *hi = 0x1p128;
        break;
    case SAMPLE_BF16:
        *lo = 0x1p-133;
        *hi = 0x1p128;
        break;
    case SAMPLE_E4M3:
        *lo = 0x1p-9;
        *hi = 0x1p9;
        break;
    case SAMPLE_E5M2:
        *lo = 0x1p-16;
        *hi = 0x1p16;
        break;
    case SAMPLE_F8:
        *lo = DBL_MIN;
        *hi = DBL_MAX;
        break;
    default:
        *lo = 1;
        *hi = making->most < 1
                  ? 2
                  : wide_double(wide_add(wide_of(making->most), wide_of(1)));
        /* The last edge must be above the greatest value. */
        if (wide_compare(wide_of_double(*hi), wide_of(making->most)) <= 0)
            *hi = nextafter(*hi, INFINITY);
        break;
    }
    /* With bins (lo,hi] the least value must be above the first edge. */
    if (making->axis->closed == BINNING_RIGHT && *lo > DBL_MIN)
        *lo = nextafter(*lo, 0);
    return 0;
}

/* Make even bins within each octave, as bpftrace and HdrHistogram do. */
static void
make_log2(struct axis_making *making, double lo, double hi,
          unsigned int subdivision)
{
    struct binning_axis *axis = making->axis;
    unsigned int shift = 52 - subdivision;
    int64_t bias = (int64_t)1023 << subdivision;
    uint64_t first = binning_double_bits(lo) >> shift;
    uint64_t high = binning_double_bits(hi);
    uint64_t last = high >> shift;

    if (last << shift != high)
        last++;
    axis->kind = BINNING_LOG2;
    axis->subdivision = subdivision;
    axis->first_step = (int64_t)first - bias;
    axis->bins = last - first;
    axis->lo = binning_log2_edge(axis, 0);
    axis->hi = binning_log2_edge(axis, axis->bins);
}

/* 10 or e to the power STEP / 2^SUBDIVISION; whole powers of 10 are exact. */
static double
log_edge(bool is_decimal, long step, unsigned int subdivision)
{
    long steps = 1L << subdivision;
    char text[NUMBER_TEXT_BYTES];

    if (!is_decimal)
        return exponential_e((double)step / (double)steps);
    if (step % steps != 0)
        return exponential_10((double)step / (double)steps);
    snprintf(text, sizeof text, "1e%ld", step / steps);
    return strtod(text, NULL);
}

/*
 * Make bins of one ratio, 2^SUBDIVISION of them for each power of 10 or e.
 * An edge beyond the greatest double is infinite.
 */
static int
make_log_edges(struct axis_making *making, double lo, double hi,
               bool is_decimal, unsigned int subdivision)
{
    double steps = (double)(1L << subdivision);
    double first_step = (is_decimal ? log10(lo) : log(lo)) * steps;
    double last_step = (is_decimal ? log10(hi) : log(hi)) * steps;
    long step = (long)floor(first_step) - 1;
    size_t table = making->edges->count;
    double edge;

    if (axis_edges_check_room(making, "--log", ceil(last_step - first_step)) <
        0)
        return -1;
    /* From the last edge at or below LO to the first at or above HI. */
    while (log_edge(is_decimal, step + 1, subdivision) <= lo)
        step++;
    do {
        edge = log_edge(is_decimal, step++, subdivision);
        if (axis_edges_append(making, edge) < 0)
            return -1;
    } while (edge < hi);
    return axis_edges_set(making, table);
}

int
axis_log_make(struct axis_making *making)
{
    const struct axis_texts *texts = making->texts;
    uint64_t subdivision = 0;
    double lo;
    double hi;

    if (texts->subdiv != NULL &&
        (axis_parse_bits(texts->subdiv, &subdivision) < 0 ||
         subdivision > SUBDIVISION_MAX))
        return axis_parse_wrong(making, "--subdiv", texts->subdiv,
                                "not a number from 0 to 20");
    if (find_log_range(making, &lo, &hi) < 0)
        return -1;
    if (strcmp(texts->log, "2") == 0) {
        make_log2(making, lo, hi, (unsigned int)subdivision);
        return 0;
    }
    bool is_decimal = strcmp(texts->log, "10") == 0;
    if (!is_decimal && strcmp(texts->log, "e") != 0)
        return axis_parse_wrong(
            making, "--log", texts->log,
            "not a base: 2, 10 or e (--log is for bins; a log of "
            "requests is read with --clf)");
    return make_log_edges(making, lo, hi, is_decimal,
                          (unsigned int)subdivision);
}

/* Read the scale.  Returns 0, or -1 with the error set. */
static int
parse_scale(const struct axis_making *making, int *scale)
{
    const char *text = making->texts->scale;
    bool is_negative = *text == '-';
    uint64_t number;

    if (axis_parse_bits(text + is_negative, &number) < 0 ||
        number > (is_negative ? -SCALE_MIN : SCALE_MAX))
        return axis_parse_wrong(making, "--scale", text,
                                "not a number from -10 to 20");
    *scale = is_negative ? -(int)number : (int)number;
    return 0;
}

/* Returns the next edge, 2^(STEP / 2^SCALE); those before are from TABLE on. */
static double
scale_edge(const struct axis_making *making, size_t table, double step,
           int scale)
{
    const struct axis_edges *edges = making->edges;
    size_t octave = (size_t)1 << (scale > 0 ? scale : 0);

    /* Twice an edge is an edge, unless it is beyond all doubles. */
    if (scale >= 0 && edges->count - table >= octave &&
        edges->edge[edges->count - octave] < 0x1p1023)
        return 2 * edges->edge[edges->count - octave];
    return exponential_2(ldexp(step, -scale),
                         making->axis->closed != BINNING_RIGHT);
}

/*
 * A value is in the same bin as if the edges, which have no end as decimals,
 * were exact: they are rounded to the side on which bins are not closed.
 */
int
axis_scale_make(struct axis_making *making)
{
    size_t table = making->edges->count;
    int scale = 0;
    double lo;
    double hi;
    double edge;

    if (parse_scale(making, &scale) < 0 || find_log_range(making, &lo, &hi) < 0)
        return -1;

    double first_step = ldexp(log2(lo), scale);
    double last_step = ldexp(log2(hi), scale);
    double step = floor(first_step) - 1;
    if (axis_edges_check_room(making, "--scale", ceil(last_step - first_step)) <
        0)
        return -1;
    /* From the last edge at or below LO to the first at or above HI. */
    while (scale_edge(making, table, step + 1, scale) <= lo)
        step++;
    making->axis->first_step = (int64_t)step;
    making->axis->subdivision = (uint32_t)scale;
    do {
        edge = scale_edge(making, table, step++, scale);
        if (axis_edges_append(making, edge) < 0)
            return -1;
    } while (edge < hi);
    return axis_edges_set(making, table);
}
