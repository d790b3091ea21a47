/* SPDX-License-Identifier: MIT */
/* axis_even.c -- axes with bins of one width */

#include <math.h>
#include <string.h>

#include "hist/axis_edges.h"
#include "hist/axis_finding.h"
#include "hist/axis_rule.h"
#include "hist/decimal_edges.h"
#include "hist/lattice.h"
#include "hist/numpy_edges.h"
#include "hist/record.h"

/* The default number of bins, as in numpy. */
#define BINS_DEFAULT 10

/* Without --range, --bins divides all values of a type with up to this many. */
#define NATURAL_VALUES_MAX 65536

/*
 * (hi - lo) / width counts as a whole number if the distance from the nearest
 * whole number is at most this fraction of the number and of a bin.
 */
#define WIDTHS_TOLERANCE 1e-9
#define BIN_TOLERANCE 1e-3

/* All whole numbers below are doubles. */
#define WHOLE_MAX 0x1p53

/* The distance from the magnitude of X to the next double. */
static double
spacing(double x)
{
    return nextafter(fabs(x), INFINITY) - fabs(x);
}

/* Whether each edge is above the previous one, after rounding. */
static bool
edges_increase(const struct binning_axis *axis)
{
    double widest = fmax(spacing(axis->lo), spacing(axis->hi));

    if (axis->width >= 4 * widest)
        return true;
    if (axis->width < widest)
        return false;
    for (uint64_t i = 0; i < axis->bins; i++) {
        if (binning_even_edge(axis, i) >= binning_even_edge(axis, i + 1))
            return false;
    }
    return true;
}

/* Fail: BINS bins are too narrow for floats of SIZE bytes. */
static int
fail_narrow(const struct axis_making *making, uint64_t bins, unsigned int size)
{
    const char *range = making->texts->range;
    const char *found = axis_finding_range(range);
    char lo[NUMBER_TEXT_BYTES > AXIS_PARSE_BYTES ? NUMBER_TEXT_BYTES
                                                 : AXIS_PARSE_BYTES];
    char hi[sizeof lo];

    /* As they were typed. */
    if (range == NULL ||
        axis_parse_split(found != NULL ? found : range, lo, hi) < 0) {
        number_text(making->axis->lo, lo);
        number_text(making->axis->hi, hi);
    }
    error_set(making->error, EXIT_USAGE,
              "%llu bins between %s and %s are too narrow for %u-bit floats",
              (unsigned long long)bins, lo, hi, 8 * size);
    return -1;
}

/* Make BINS bins of WIDTH between axis->lo and axis->hi, which are set. */
static int
set_even(struct axis_making *making, uint64_t bins, double width)
{
    struct binning_axis *axis = making->axis;

    axis->kind = BINNING_EVEN;
    axis->bins = bins;
    axis->width = width;
    axis->scale = (double)bins / (axis->hi - axis->lo);
    if (isinf(axis->hi - axis->lo)) {
        error_set(making->error, EXIT_USAGE,
                  "the range of the bins is wider than a double can hold");
        return -1;
    }
    if (isinf(axis->scale) || !edges_increase(axis))
        return fail_narrow(making, bins, sizeof(double));
    return 0;
}

/*
 * Move the edges of a field of text to the decimals of the command line.  LO
 * and HI are the ends, or NULL: those of the axis.  WIDTH is that of the bins;
 * NULL: they divide the range.  The edges are listed where the formula of other
 * axes rounds an edge to another double.
 */
static int
set_decimal(struct axis_making *making, const char *lo, const char *hi,
            const char *width)
{
    struct binning_axis *axis = making->axis;
    struct decimal_edges decimal;
    char low[NUMBER_TEXT_BYTES];
    char high[NUMBER_TEXT_BYTES];
    size_t table = making->edges->count;
    uint64_t i = 0;

    number_text(axis->lo, low);
    number_text(axis->hi, high);
    decimal_edges_make(&decimal, lo != NULL ? lo : low, hi != NULL ? hi : high,
                       width, axis->bins);
    while (i <= axis->bins &&
           decimal_edges_read(&decimal, i) == binning_even_edge(axis, i))
        i++;
    if (i > axis->bins)
        return 0;
    if (axis_edges_check_room(making, "--bins", (double)axis->bins + 1) < 0)
        return -1;
    for (i = 0; i <= axis->bins; i++) {
        double edge = decimal_edges_read(&decimal, i);
        if (i > 0 && edge <= making->edges->edge[making->edges->count - 1])
            return fail_narrow(making, axis->bins, sizeof(double));
        if (axis_edges_append(making, edge) < 0)
            return -1;
    }
    return axis_edges_set(making, table);
}

/* Make bins on a lattice; auto_range.h finds it while counting. */
static int
make_auto(struct axis_making *making)
{
    struct binning_axis *axis = making->axis;

    axis->kind = BINNING_EVEN;
    axis->is_auto = 1;
    axis->is_trimmed = 1;
    axis->bins = BINS_DEFAULT;
    if (making->texts->bin_width != NULL || axis->closed == BINNING_NUMPY) {
        error_set(making->error, EXIT_USAGE,
                  "--range=auto chooses the width and the edges: it excludes "
                  "--bin-width and --numpy");
        return -1;
    }
    if (making->texts->bins == NULL)
        return 0;
    if (axis_parse_bins(making, &axis->bins) < 0)
        return -1;
    if (axis->bins < LATTICE_BINS_MIN)
        return axis_parse_wrong(making, "--bins", making->texts->bins,
                                "fewer than 4 bins need --range=LO,HI");
    return 0;
}

/* Make bins for a type with too many values: as --range=auto, if it can. */
static int
make_without_range(struct axis_making *making)
{
    const char *type = axis_type_name(making->axis);

    if (making->texts->bin_width != NULL ||
        making->axis->closed == BINNING_NUMPY) {
        error_set(making->error, EXIT_USAGE,
                  "%s needs --range=LO,HI with --bin-width or --numpy", type);
        return -1;
    }
    if (making->texts->bins == NULL) {
        error_set(making->error, EXIT_USAGE,
                  "%s needs --bins=N, --range=LO,HI, --edges, --log or "
                  "--scale%s",
                  type,
                  making->may_be_sparse ? "; --nonzero lists what occurs" : "");
        return -1;
    }
    return make_auto(making);
}

/* Set *BINS and *WIDTH from --bin-width; moves the last edge if it must. */
static int
find_width(struct axis_making *making, uint64_t *bins, double *width,
           bool *is_moved)
{
    struct binning_axis *axis = making->axis;

    if (axis_parse_width(making, width) < 0)
        return -1;
    double widths = (axis->hi - axis->lo) / *width;
    if (widths >= (double)AXIS_BINS_MAX)
        return axis_parse_wrong(making, "--bin-width", making->texts->bin_width,
                                "more than 2^31 bins");
    /* A last bin of another width would mislead: move hi up instead. */
    double whole = rint(widths);
    *is_moved = whole < 1 || fabs(widths - whole) >
                                 fmin(WIDTHS_TOLERANCE * whole, BIN_TOLERANCE);
    if (*is_moved) {
        /* If hi - lo is far below the width, the quotient may round to 0. */
        whole = fmax(ceil(widths), 1);
        axis->hi = axis->lo + whole * *width;
    }
    *bins = (uint64_t)whole;
    return 0;
}

/* ---- minmax ---- */

/* Give LO and HI, the ends of the axis, a distance if they are one number. */
static void
spread_ends(struct binning_axis *axis)
{
    const enum sample_type type = (enum sample_type)axis->type;

    /* As numpy; but where 0.5 is too little, numpy fails. */
    for (double half = 0.5; axis->lo == axis->hi; half *= 2) {
        double hi = numpy_edges_round(type, axis->hi + half);
        axis->lo = numpy_edges_round(type, axis->lo - half);
        axis->hi = isinf(hi) ? axis->hi : hi;
    }
}

/* Whether END, in the argument of --range, is an integer that is not VALUE, the
   nearest double, but below or above, as SIGN says. */
static bool
is_beyond(const char *end, double value, int sign)
{
    struct wide whole;

    return number_parse_integer(end, &whole) == 0 &&
           wide_compare(whole, wide_of_double(value)) * sign > 0;
}

/*
 * List the edges of BINS bins, as numpy has them.  Integers between doubles
 * are in the bins, too: then the first or the last edge is the next double.
 */
static int
list_edges(struct axis_making *making, const char *text,
           const struct numpy_edges *edges)
{
    size_t table = making->edges->count;
    char low[AXIS_PARSE_BYTES] = "";
    char high[AXIS_PARSE_BYTES] = "";
    double before = 0;

    if (making->is_integer)
        (void)axis_parse_split(text, low, high);
    if (axis_edges_check_room(making, "--bins", (double)edges->bins + 1) < 0)
        return -1;
    for (uint64_t i = 0; i <= edges->bins; i++) {
        double edge = numpy_edges_at(edges, i);
        if (i > 0 && !(edge > before && edge < INFINITY))
            return fail_narrow(making, edges->bins, binning_size(edges->type));
        before = edge;
        if (i == 0 && is_beyond(low, edge, -1))
            edge = nextafter(edge, -INFINITY);
        if (i == edges->bins && is_beyond(high, edge, 1))
            edge = nextafter(edge, INFINITY);
        if (axis_edges_append(making, edge) < 0)
            return -1;
    }
    return axis_edges_set(making, table);
}

/* Make bins over exactly the ends at TEXT, "LO,HI", as numpy does. */
static int
make_minmax(struct axis_making *making, const char *text)
{
    struct binning_axis *axis = making->axis;
    const enum sample_type type = (enum sample_type)axis->type;
    bool has_none = strcmp(text, AXIS_FINDING_NONE) == 0;
    uint64_t bins = BINS_DEFAULT;

    if (axis->closed == BINNING_RIGHT) {
        error_set(making->error, EXIT_USAGE,
                  "--range=minmax has a closed last bin: it excludes "
                  "--closed=right");
        return -1;
    }
    axis->closed = BINNING_NUMPY;
    axis->hi = 1; /* as numpy, without values */
    if ((!has_none &&
         axis_parse_ends(making, text, &axis->lo, &axis->hi) < 0) ||
        (making->texts->bins != NULL && axis_parse_bins(making, &bins) < 0))
        return -1;
    if (axis->lo > axis->hi)
        return axis_parse_wrong(making, "--range", making->texts->range,
                                "LO must not be greater than HI");
    spread_ends(axis);
    const struct numpy_edges edges =
        numpy_edges_make(type, axis->lo, axis->hi, bins, has_none);
    double most = fmax(fabs(axis->lo), fabs(axis->hi));
    bool is_listed = type == SAMPLE_F2 || type == SAMPLE_F4 ||
                     (making->is_integer && most >= WHOLE_MAX) ||
                     isinf((double)bins / (axis->hi - axis->lo));
    return is_listed ? list_edges(making, text, &edges)
                     : set_even(making, bins, edges.width);
}

int
axis_even_make(struct axis_making *making)
{
    const struct axis_texts *texts = making->texts;
    struct binning_axis *axis = making->axis;
    uint64_t bins = BINS_DEFAULT;
    bool is_moved = false;
    char low[AXIS_PARSE_BYTES];
    char high[AXIS_PARSE_BYTES];
    double width;

    const char *found = axis_finding_range(texts->range);
    if (found != NULL)
        return make_minmax(making, found);
    if (axis_parse_is_auto(making))
        return make_auto(making);
    if (texts->range != NULL) {
        if (axis_parse_range(making, &axis->lo, &axis->hi) < 0)
            return -1;
    } else if (making->is_integer &&
               making->most - (uint64_t)making->least < NATURAL_VALUES_MAX) {
        axis->lo = (double)making->least;
        axis->hi = (double)making->most + 1;
        if (axis->closed == BINNING_RIGHT) {
            axis->lo--;
            axis->hi--;
        }
    } else {
        return make_without_range(making);
    }

    if (texts->bin_width != NULL) {
        if (find_width(making, &bins, &width, &is_moved) < 0)
            return -1;
    } else {
        if (texts->bins != NULL && axis_parse_bins(making, &bins) < 0)
            return -1;
        width = (axis->hi - axis->lo) / (double)bins;
    }
    if (set_even(making, bins, width) < 0)
        return -1;
    if (!axis->is_text || axis->closed == BINNING_NUMPY)
        return 0;
    bool is_typed =
        texts->range != NULL && axis_parse_split(texts->range, low, high) == 0;
    return set_decimal(making, is_typed ? low : NULL, is_typed ? high : NULL,
                       is_moved ? texts->bin_width : NULL);
}
