/* SPDX-License-Identifier: MIT */
/* stats.c -- the figures of --stats and --percentiles, of one field */

#include <math.h>

#include "base/elementary.h"
#include "base/precise.h"
#include "hist/spectrum.h"
#include "report/column.h"
#include "report/gamma.h"
#include "report/group_figures.h"
#include "report/stats.h"

/* ---- a walk over the rows with values ---- */

struct bin_walk {
    const struct histogram *histogram;
    struct column column;
    uint64_t next;
    uint64_t count; /* values in the column's row, at least 1 */
};

static void
walk_start(struct bin_walk *walk, const struct stats *stats)
{
    walk->histogram = stats->histogram;
    walk->next = 0;
    column_open(&walk->column, stats->spec, stats->i, stats->i, false,
                LABELS_DEC);
}

static bool
walk_next(struct bin_walk *walk)
{
    while (walk->next < walk->column.rows) {
        column_go(&walk->column, walk->next++);
        walk->count =
            walk->histogram->value[walk->column.axis->base + walk->column.cell];
        if (walk->count > 0)
            return true;
    }
    return false;
}

/* NaN, or the record has no value. */
static bool
is_no_number(const struct column *column)
{
    return !group_figures_have(column);
}

/* COUNT times the square of X. */
static struct precise
weigh_square(uint64_t count, struct precise x)
{
    return precise_multiply(precise_of_whole(count), precise_multiply(x, x));
}

static void
set_whole(struct figure_value *value, uint64_t whole)
{
    *value = (struct figure_value){.form = FIGURE_WHOLE, .whole = whole};
}

static void
set_real(struct figure_value *value, double real)
{
    *value = (struct figure_value){
        .form = FIGURE_REAL, .real = real, .is_exact = true};
}

/* Set *VALUE to the value in ROW; STATS_NO_ROW: to no figure. */
static void
set_row(struct figure_value *value, uint64_t row)
{
    *value = (struct figure_value){
        .form = row == STATS_NO_ROW ? FIGURE_NONE : FIGURE_ROW, .row = row};
}

/* ---- minimum, maximum and mode ---- */

/* Whether all values of the row are equal. */
static bool
is_one_value(const struct column *column)
{
    struct precise lo;
    struct precise hi;

    column_limits(column, &lo, &hi);
    return lo.high == hi.high && lo.low == hi.low;
}

static void
find_rows(struct stats *stats, struct bin_walk walk)
{
    struct figure_value *figure = stats->figure;
    uint64_t mode_row = STATS_NO_ROW;
    uint64_t mode_count = 0;
    uint64_t distinct = 0;
    uint64_t distinct_most = 0;

    stats->min_row = stats->max_row = STATS_NO_ROW;
    while (walk_next(&walk)) {
        const struct column *column = &walk.column;
        bool is_none = is_no_number(column);
        bool is_outside = is_none || column_is_flow(column);

        stats->values += walk.count;
        if (is_outside)
            stats->outside += walk.count;
        if (!is_outside && walk.count > mode_count) {
            mode_count = walk.count;
            mode_row = column->row;
        }
        if (is_none)
            continue;
        stats->numbers += walk.count;
        if (stats->min_row == STATS_NO_ROW)
            stats->min_row = column->row;
        stats->max_row = column->row;
        distinct++;
        distinct_most += is_one_value(column) ? 1 : walk.count;
    }
    set_whole(&figure[FIGURE_VALUES], stats->values);
    set_whole(&figure[FIGURE_OUTSIDE], stats->outside);
    set_row(&figure[FIGURE_MIN], stats->min_row);
    set_row(&figure[FIGURE_MAX], stats->max_row);
    set_row(&figure[FIGURE_MODE], mode_row);
    set_whole(&figure[FIGURE_DISTINCT], distinct);
    figure[FIGURE_DISTINCT].whole_most = distinct_most;
}

/* ---- moments ---- */

/* The greatest of GREATEST and the finite limits of ROW, without signs. */
static double
greatest_limit(double greatest, struct column *column, uint64_t row)
{
    struct precise lo;
    struct precise hi;

    column_go(column, row);
    column_limits(column, &lo, &hi);
    if (isfinite(lo.high))
        greatest = fmax(greatest, fabs(lo.high));
    return isfinite(hi.high) ? fmax(greatest, fabs(hi.high)) : greatest;
}

/*
 * The exponent of the greatest limit of the rows with numbers.  Positions
 * divided by the power of two are at most 1, so that no square overflows.
 * Empty bins do not count: their limits may be much greater, and squares would
 * underflow.
 */
static int
find_exponent(const struct stats *stats, struct bin_walk walk)
{
    double greatest = 0;
    int exponent;

    greatest = greatest_limit(greatest, &walk.column, stats->min_row);
    greatest = greatest_limit(greatest, &walk.column, stats->max_row);
    frexp(greatest, &exponent);
    return exponent;
}

/* A row of the walk, without EXPONENT. */
struct bin_place {
    struct precise count;
    struct precise lo;
    struct precise hi;
    struct precise position; /* the number used for all values */
};

static struct precise
half(struct precise x)
{
    return (struct precise){x.high / 2, x.low / 2};
}

static void
place_set(struct bin_place *place, const struct bin_walk *walk, int exponent)
{
    column_limits(&walk->column, &place->lo, &place->hi);
    place->count = precise_of_whole(walk->count);
    place->lo = precise_scale(place->lo, -exponent);
    place->hi = precise_scale(place->hi, -exponent);
    if (isinf(place->lo.high))
        place->position = place->hi;
    else if (isinf(place->hi.high))
        place->position = place->lo;
    else
        place->position = half(precise_add(place->lo, place->hi));
}

/*
 * Estimate the mean and its bounds, with all numbers at their positions and at
 * the ends of their bins.  Returns the mean, without EXPONENT.
 */
static struct precise
estimate_mean(struct stats *stats, struct bin_walk walk, int exponent)
{
    struct precise numbers = precise_of_whole(stats->numbers);
    struct precise least = precise_of(0);
    struct precise most = precise_of(0);
    struct precise sum = precise_of(0);
    struct bin_place place;

    while (walk_next(&walk)) {
        if (is_no_number(&walk.column))
            continue;
        place_set(&place, &walk, exponent);
        least = precise_add(least, precise_multiply(place.count, place.lo));
        most = precise_add(most, precise_multiply(place.count, place.hi));
        sum = precise_add(sum, precise_multiply(place.count, place.position));
    }
    struct precise mean = precise_divide(sum, numbers);
    stats->figure[FIGURE_MEAN] = (struct figure_value){
        .form = FIGURE_REAL,
        .real = ldexp(mean.high, exponent),
        .least = ldexp(precise_divide(least, numbers).high, exponent),
        .most = ldexp(precise_divide(most, numbers).high, exponent),
    };
    return mean;
}

/*
 * Estimate the deviation from the positions.  Each value is at most half a bin
 * from its position.  By Minkowski's inequality, the deviation is wrong by at
 * most the deviation of these distances.
 */
static void
estimate_deviation(struct stats *stats, struct bin_walk walk, int exponent,
                   struct precise mean)
{
    struct precise numbers = precise_of_whole(stats->numbers);
    struct precise squares = precise_of(0);
    struct precise errors = precise_of(0);
    struct bin_place place;

    while (walk_next(&walk)) {
        if (is_no_number(&walk.column))
            continue;
        place_set(&place, &walk, exponent);
        squares = precise_add(
            squares,
            weigh_square(walk.count, precise_subtract(place.position, mean)));
        errors = precise_add(
            errors, weigh_square(walk.count,
                                 half(precise_subtract(place.hi, place.lo))));
    }

    struct precise deviation = precise_root(precise_divide(squares, numbers));
    struct precise error = precise_root(precise_divide(errors, numbers));
    double least = precise_subtract(deviation, error).high;
    stats->figure[FIGURE_SD] = (struct figure_value){
        .form = FIGURE_REAL,
        .real = ldexp(deviation.high, exponent),
        .least = ldexp(fmax(least, 0), exponent),
        .most = ldexp(precise_add(deviation, error).high, exponent),
    };
}

/* For numbers that each have a row of their own. */
static void
find_number_moments(struct stats *stats, struct bin_walk walk)
{
    struct group_figures figures = group_figures_none(
        walk.column.axis, FIGURE_NEEDS_SUM | FIGURE_NEEDS_SQUARES);

    while (walk_next(&walk)) {
        uint64_t row = walk.column.row;
        if (!group_figures_add_row(&figures, &walk.column, walk.count, row) &&
            stats->wrong_row == STATS_NO_ROW)
            stats->wrong_row = row;
    }
    set_real(&stats->figure[FIGURE_MEAN], group_figures_mean(&figures));
    set_real(&stats->figure[FIGURE_SD],
             group_figures_deviation(&figures, false));
}

static void
find_moments(struct stats *stats, const struct bin_walk *walk)
{
    enum axis_bins bins = axis_bins(walk->column.axis);

    if (bins == AXIS_NUMBERS ||
        (bins == AXIS_INTEGERS && stats->outside == 0)) {
        find_number_moments(stats, *walk);
    } else if (stats->numbers == 0) {
        set_real(&stats->figure[FIGURE_MEAN], (double)NAN);
        set_real(&stats->figure[FIGURE_SD], (double)NAN);
    } else {
        int exponent = find_exponent(stats, *walk);
        struct precise mean = estimate_mean(stats, *walk, exponent);
        estimate_deviation(stats, *walk, exponent, mean);
    }
}

/* ---- how even the counts are ---- */

static void
find_entropy(struct stats *stats, struct bin_walk walk)
{
    struct log2_table table;
    struct precise sum = precise_of(0);

    set_real(&stats->figure[FIGURE_ENTROPY], 0);
    if (stats->values == 0)
        return;
    log2_table_make(&table);
    struct precise all = log2_whole(&table, stats->values);
    while (walk_next(&walk)) {
        struct precise bits =
            precise_subtract(all, log2_whole(&table, walk.count));
        sum = precise_add(sum,
                          precise_multiply(precise_of_whole(walk.count), bits));
    }
    set_real(&stats->figure[FIGURE_ENTROPY],
             precise_divide(sum, precise_of_whole(stats->values)).high);
}

static void
find_chi_square(struct stats *stats, struct bin_walk walk)
{
    uint64_t bins = walk.column.axis->bins;
    uint64_t in_bins = stats->values - stats->outside;
    struct precise expected =
        precise_divide(precise_of_whole(in_bins), precise_of_whole(bins));
    struct precise squares = precise_of(0);
    uint64_t empty = bins;

    /* No number that does not occur has a bin. */
    set_real(&stats->figure[FIGURE_CHI_SQUARE], (double)NAN);
    set_real(&stats->figure[FIGURE_P_VALUE], (double)NAN);
    if (in_bins == 0 || bins < 2 || axis_bins(walk.column.axis) == AXIS_NUMBERS)
        return;
    while (walk_next(&walk)) {
        if (column_is_flow(&walk.column))
            continue;
        struct precise excess =
            precise_subtract(precise_of_whole(walk.count), expected);
        squares = precise_add(squares, weigh_square(1, excess));
        empty--;
    }
    squares = precise_add(squares, weigh_square(empty, expected));
    double chi_square = precise_divide(squares, expected).high;
    set_real(&stats->figure[FIGURE_CHI_SQUARE], chi_square);
    set_real(&stats->figure[FIGURE_P_VALUE],
             gamma_upper((double)(bins - 1) / 2, chi_square / 2));
}

/* Returns the row of the percentile NANO * 10^-9; STATS_NO_ROW: no numbers. */
static uint64_t
percentile_row(const struct stats *stats, uint64_t nano)
{
    uint64_t wanted = percentile_rank(nano, stats->numbers);
    struct bin_walk walk;
    uint64_t so_far = 0;

    walk_start(&walk, stats);
    while (walk_next(&walk)) {
        if (is_no_number(&walk.column))
            continue;
        so_far += walk.count;
        if (so_far >= wanted)
            return walk.column.row;
    }
    return STATS_NO_ROW;
}

/* ---- spectra ---- */

/* Returns how many keys have multiplicity M of the list. */
static uint64_t
keys_with(const struct stats *stats, uint64_t m)
{
    return histogram_count(stats->histogram,
                           spec_first_cell(stats->spec, stats->i) + m);
}

static void
find_spectrum(struct stats *stats)
{
    const struct key_list *list = &stats->spec->keys[stats->i];
    struct figure_value *figure = stats->figure;
    uint64_t unique = 0;
    uint64_t total = 0;
    uint64_t most = 0;

    for (uint64_t m = 0; m < list->count; m++) {
        uint64_t keys = keys_with(stats, m);
        uint64_t multiplicity = spectrum_multiplicity(list, m);
        if (keys == 0)
            continue;
        unique += multiplicity == 1 ? keys : 0;
        stats->numbers += keys;
        total += keys * multiplicity;
        most = multiplicity;
    }
    set_whole(&figure[FIGURE_UNIQUE], unique);
    set_whole(&figure[FIGURE_DISTINCT], stats->numbers);
    figure[FIGURE_DISTINCT].whole_most = stats->numbers;
    set_whole(&figure[FIGURE_TOTAL], total);
    set_whole(&figure[FIGURE_MAX], most);
}

/* Returns the percentile of the counts of keys; the spectrum has keys. */
static uint64_t
percentile_multiplicity(const struct stats *stats, uint64_t nano)
{
    uint64_t rank = percentile_rank(nano, stats->numbers);
    uint64_t keys = 0;
    uint64_t m = 0;

    while ((keys += keys_with(stats, m)) < rank)
        m++;
    return spectrum_multiplicity(&stats->spec->keys[stats->i], m);
}

/* ---- all figures ---- */

void
stats_make(struct stats *stats, const struct spec *spec,
           const struct histogram *histogram, size_t i, unsigned int needs)
{
    struct bin_walk walk;

    *stats = (struct stats){.spec = spec,
                            .histogram = histogram,
                            .i = i,
                            .wrong_row = STATS_NO_ROW};
    if (spec->is_spectrum) {
        find_spectrum(stats);
        return;
    }
    walk_start(&walk, stats);
    find_rows(stats, walk);
    if ((needs & FIGURE_NEEDS_SUM) != 0)
        find_moments(stats, &walk);
    if ((needs & FIGURE_NEEDS_EVENNESS) != 0) {
        find_entropy(stats, walk);
        find_chi_square(stats, walk);
    }
}

int
stats_check(const struct stats *stats, struct error *error)
{
    struct column column;
    char text[SPEC_FIELD_BYTES];

    if (stats->wrong_row == STATS_NO_ROW)
        return 0;
    column_open(&column, stats->spec, stats->i, stats->i, false, LABELS_DEC);
    column_go(&column, stats->wrong_row);
    column_set_labels(&column);
    error_set(
        error, EXIT_DATA,
        "field %s: %s has more than %d digits before or after its decimal "
        "point, so mean and sd would not be exact",
        spec_field_text(stats->spec, stats->i, text), column.lo.text,
        DECIMAL_SUM_PLACES);
    return -1;
}

void
stats_find(const struct stats *stats, const struct figure *figure,
           struct figure_value *value)
{
    uint64_t nano = figure->percentile.nano;

    if (figure->kind != FIGURE_PERCENTILE)
        *value = stats->figure[figure->kind];
    else if (!stats->spec->is_spectrum)
        set_row(value, percentile_row(stats, nano));
    else if (stats->numbers > 0)
        set_whole(value, percentile_multiplicity(stats, nano));
    else
        *value = (struct figure_value){.form = FIGURE_NONE};
}
