/* axis_even.c -- axes with bins of one width */

#include <math.h>

#include "hist/axis_rule.h"
#include "hist/lattice.h"
#include "hist/record.h"

/* The default number of bins, as in numpy. */
#define BINS_DEFAULT 10

/* Without --range, --bins divides all values of a type with up to this many. */
#define NATURAL_VALUES_MAX 65536

/*
 * (hi - lo) / width counts as a whole number if its distance from one is at
 * most this fraction of the number and this fraction of a bin.
 */
#define WIDTHS_TOLERANCE 1e-9
#define BIN_TOLERANCE 1e-3

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
    if (isinf(axis->scale) || !edges_increase(axis)) {
        error_set(making->error, EXIT_USAGE,
                  "%llu bins between %.17g and %.17g are too narrow for "
                  "64-bit floats",
                  (unsigned long long)bins, axis->lo, axis->hi);
        return -1;
    }
    return 0;
}

/* Make bins on a lattice; auto_range.h finds it while counting. */
static int
make_auto(struct axis_making *making)
{
    struct binning_axis *axis = making->axis;

    axis->kind = BINNING_EVEN;
    axis->is_auto = 1;
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
    const char *type = record_type_name((enum sample_type)making->axis->type);

    if (making->texts->bin_width != NULL ||
        making->axis->closed == BINNING_NUMPY) {
        error_set(making->error, EXIT_USAGE,
                  "%s needs --range=LO,HI with --bin-width or --numpy", type);
        return -1;
    }
    if (making->texts->bins == NULL) {
        error_set(making->error, EXIT_USAGE,
                  "%s needs --bins=N, --range=LO,HI, --edges or --log", type);
        return -1;
    }
    return make_auto(making);
}

int
axis_even_make(struct axis_making *making)
{
    const struct axis_texts *texts = making->texts;
    struct binning_axis *axis = making->axis;
    uint64_t bins = BINS_DEFAULT;
    double width;

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

    if (texts->bin_width == NULL) {
        if (texts->bins != NULL && axis_parse_bins(making, &bins) < 0)
            return -1;
        return set_even(making, bins, (axis->hi - axis->lo) / (double)bins);
    }
    if (axis_parse_width(making, &width) < 0)
        return -1;
    double widths = (axis->hi - axis->lo) / width;
    if (widths >= (double)AXIS_BINS_MAX)
        return axis_parse_wrong(making, "--bin-width", texts->bin_width,
                                "more than 2^31 bins");
    /* A last bin of another width would mislead: move hi up instead. */
    double whole = rint(widths);
    if (whole < 1 ||
        fabs(widths - whole) > fmin(WIDTHS_TOLERANCE * whole, BIN_TOLERANCE)) {
        /* If hi - lo is far below the width, the quotient may round to 0. */
        whole = fmax(ceil(widths), 1);
        axis->hi = axis->lo + whole * width;
    }
    return set_even(making, (uint64_t)whole, width);
}
