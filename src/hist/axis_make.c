/* axis_make.c -- make an axis from the user's options */

#include <math.h>
#include <string.h>

#include "hist/axis_edges.h"
#include "hist/axis_make.h"
#include "hist/axis_parse.h"
#include "hist/lattice.h"

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

/* ---- integers before binning ---- */

static int
make_operations(struct axis_making *making)
{
    const struct axis_texts *texts = making->texts;
    struct binning_axis *axis = making->axis;
    uint64_t number;

    axis->mask = UINT64_MAX;
    if (!making->is_integer) {
        if (texts->shift == NULL && texts->mask == NULL && texts->mod == NULL)
            return 0;
        error_set(making->error, EXIT_USAGE,
                  "--shift, --mask and --mod are for integers, not for %s",
                  record_type_name((enum sample_type)axis->type));
        return -1;
    }
    if (texts->shift != NULL) {
        if (axis_parse_bits(texts->shift, &number) < 0 ||
            number >= 8 * binning_size(axis->type))
            return axis_parse_wrong(making, "--shift", texts->shift,
                                    "not below the number of bits of the type");
        axis->shift = (uint32_t)number;
    }
    if (texts->mask != NULL && axis_parse_bits(texts->mask, &axis->mask) < 0)
        return axis_parse_wrong(
            making, "--mask", texts->mask,
            "not a number of up to 64 bits, like 255 or 0xff");
    if (texts->mod != NULL && (axis_parse_bits(texts->mod, &axis->mod) < 0 ||
                               axis->mod == 0 || axis->mod > (uint64_t)1 << 63))
        return axis_parse_wrong(making, "--mod", texts->mod,
                                "not a number from 1 to 2^63");
    return 0;
}

/* ---- direct ---- */

/* Make one bin for each value from FIRST to LAST, both included. */
static int
set_direct(struct axis_making *making, number_integer first,
           number_integer last)
{
    struct binning_axis *axis = making->axis;

    if (last - first >= (number_integer)AXIS_BINS_MAX)
        return axis_parse_wrong(making, "--range", making->texts->range,
                                "more than 2^31 values; -b N makes fewer bins");
    axis->kind = BINNING_DIRECT;
    axis->first = (uint64_t)first;
    axis->bins = (uint64_t)(last - first + 1);
    return 0;
}

static int
make_direct(struct axis_making *making)
{
    const char *text = making->texts->range;
    char low[AXIS_PARSE_BYTES];
    char high[AXIS_PARSE_BYTES];
    number_integer first;
    number_integer end;

    /* A bin of one value has no open side. */
    if (making->axis->closed == BINNING_NUMPY)
        making->axis->closed = BINNING_LEFT;
    if (text == NULL) {
        if (making->most - making->least < (number_integer)AXIS_BINS_MAX)
            return set_direct(making, making->least, making->most);
        error_set(making->error, EXIT_USAGE,
                  "%s has more than %llu values, too many to list: give "
                  "--range=LO,HI, --range=auto, --edges or --log",
                  record_type_name((enum sample_type)making->axis->type),
                  (unsigned long long)AXIS_BINS_MAX);
        return -1;
    }
    if (axis_parse_split(text, low, high) < 0 ||
        number_parse_integer(low, &first) < 0 ||
        number_parse_integer(high, &end) < 0)
        return axis_parse_wrong(
            making, "--range", text,
            "not LO,HI with two whole numbers; for other bins add "
            "--bins or --bin-width");
    if (first >= end)
        return axis_parse_wrong(making, "--range", text,
                                "LO must be less than HI");
    if (making->axis->closed == BINNING_RIGHT) {
        first++;
        end++;
    }
    /* Impossible values would wrap around to possible ones. */
    if (end - 1 < making->least || first > making->most)
        return axis_parse_wrong(making, "--range", text,
                                "no value of this field is in this range");
    if (first < making->least || end - 1 > making->most) {
        bool is_signed = binning_is_signed(making->axis->type);
        number_integer least = is_signed ? INT64_MIN : 0;
        number_integer most =
            is_signed ? INT64_MAX : (number_integer)UINT64_MAX;
        if (first < least || end - 1 > most)
            return axis_parse_wrong(making, "--range", text,
                                    "beyond what the type can hold");
    }
    return set_direct(making, first, end - 1);
}

/* ---- even ---- */

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

static int
make_even(struct axis_making *making)
{
    const struct axis_texts *texts = making->texts;
    struct binning_axis *axis = making->axis;
    uint64_t bins = BINS_DEFAULT;
    double width;

    if (texts->range != NULL) {
        if (axis_parse_range(making, &axis->lo, &axis->hi) < 0)
            return -1;
    } else if (making->is_integer &&
               making->most - making->least < NATURAL_VALUES_MAX) {
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

/* ---- all ---- */

/* Refuse options that exclude each other or would have no effect. */
static int
check_texts(const struct axis_making *making)
{
    const struct axis_texts *texts = making->texts;
    int rules = (texts->bins != NULL) + (texts->bin_width != NULL) +
                (texts->edges != NULL) + (texts->log != NULL);

    if (rules > 1) {
        error_set(making->error, EXIT_USAGE,
                  "an axis takes only one of --bins, --bin-width, --edges "
                  "and --log");
        return -1;
    }
    if (texts->edges != NULL && texts->range != NULL) {
        error_set(making->error, EXIT_USAGE,
                  "--range has no effect with --edges");
        return -1;
    }
    if (texts->subdiv != NULL && texts->log == NULL) {
        error_set(making->error, EXIT_USAGE, "--subdiv goes with --log");
        return -1;
    }
    return 0;
}

int
axis_make(struct binning_axis *axis, struct axis_edges *edges,
          const struct axis_texts *texts, const struct element *element,
          enum binning_closed closed, struct error *error)
{
    struct axis_making making = {
        .axis = axis,
        .edges = edges,
        .texts = texts,
        .is_integer = !binning_is_float(element->type),
        .error = error,
    };

    *axis = (struct binning_axis){
        .offset = (uint32_t)element->offset,
        .type = element->type,
        .is_swapped = element->is_swapped,
        .closed = closed,
    };
    if (check_texts(&making) < 0 || make_operations(&making) < 0)
        return -1;
    if (making.is_integer) {
        axis_values(axis, &making.least, &making.most);
        if (element->most != 0 && (number_integer)element->most < making.most)
            making.most = (number_integer)element->most;
    }
    bool is_auto = texts->range != NULL && strcmp(texts->range, "auto") == 0;
    if (is_auto && texts->log == NULL)
        return make_auto(&making);
    if (texts->edges != NULL)
        return axis_edges_list(&making);
    if (texts->log != NULL)
        return axis_edges_log(&making);
    if (texts->bins != NULL || texts->bin_width != NULL || !making.is_integer)
        return make_even(&making);
    return make_direct(&making);
}
