/* SPDX-License-Identifier: MIT */
/* stats.c -- figures of all values of one field */

#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "base/precise.h"
#include "hist/spectrum.h"
#include "report/column.h"
#include "report/figure_search.h"
#include "report/gamma.h"
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
        walk->count = histogram_count(walk->histogram, walk->column.axis->base +
                                                           walk->column.cell);
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
set_whole(struct stats *stats, enum figure_kind kind, uint64_t whole)
{
    stats->found |= UINT64_C(1) << kind;
    stats->figure[kind] =
        (struct figure_value){.form = FIGURE_WHOLE, .whole = whole};
}

static void
set_real(struct stats *stats, enum figure_kind kind, double real)
{
    stats->found |= UINT64_C(1) << kind;
    stats->figure[kind] = (struct figure_value){
        .form = FIGURE_REAL, .real = real, .is_exact = true};
}

/* Set KIND to an estimate with two bounds, all without EXPONENT. */
static void
set_estimate(struct stats *stats, enum figure_kind kind, int exponent,
             double real, double least, double most)
{
    stats->found |= UINT64_C(1) << kind;
    stats->figure[kind] = (struct figure_value){
        .form = FIGURE_REAL,
        .real = ldexp(real, exponent),
        .least = ldexp(least, exponent),
        .most = ldexp(most, exponent),
    };
}

/* ---- facts, and figures of single rows ---- */

/* Whether all values of the row are equal. */
static bool
is_one_value(const struct column *column)
{
    struct precise lo;
    struct precise hi;

    if (axis_has_names(column->axis))
        return true;
    column_limits(column, &lo, &hi);
    return lo.high == hi.high && lo.low == hi.low;
}

static void
find_rows(struct stats *stats, struct bin_walk walk)
{
    struct group_figures *facts = &stats->facts;
    uint64_t distinct_most = 0;

    while (walk_next(&walk)) {
        const struct column *column = &walk.column;
        uint64_t before = facts->count;
        bool is_summed =
            group_figures_add_row(facts, column, walk.count, column->row);
        bool is_none = facts->count == before;
        bool is_outside = is_none || column_is_flow(column);

        if (!is_summed && stats->wrong_row == STATS_NO_ROW)
            stats->wrong_row = column->row;
        if (is_outside)
            stats->outside += walk.count;
        if (!is_none)
            distinct_most += is_one_value(column) ? 1 : walk.count;
    }
    stats->values = group_figures_records(facts);
    set_whole(stats, FIGURE_VALUES, stats->values);
    set_whole(stats, FIGURE_OUTSIDE, stats->outside);
    set_whole(stats, FIGURE_DISTINCT, facts->distinct);
    stats->figure[FIGURE_DISTINCT].whole_most = distinct_most;
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

    greatest = greatest_limit(greatest, &walk.column, stats->facts.min.row);
    greatest = greatest_limit(greatest, &walk.column, stats->facts.max.row);
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
    struct precise numbers = precise_of_whole(stats->facts.count);
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
    set_estimate(stats, FIGURE_MEAN, exponent, mean.high,
                 precise_divide(least, numbers).high,
                 precise_divide(most, numbers).high);
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
    struct precise numbers = precise_of_whole(stats->facts.count);
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
    set_estimate(stats, FIGURE_SD, exponent, deviation.high, fmax(least, 0),
                 precise_add(deviation, error).high);
}

/* Estimate the mean and the deviation, unless the facts have the exact ones. */
static void
find_moments(struct stats *stats, const struct bin_walk *walk)
{
    enum axis_bins bins = axis_bins(walk->column.axis);

    if (bins == AXIS_NUMBERS || (bins == AXIS_INTEGERS && stats->outside == 0))
        return;
    if (stats->facts.count == 0) {
        set_real(stats, FIGURE_MEAN, (double)NAN);
        set_real(stats, FIGURE_SD, (double)NAN);
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

    set_real(stats, FIGURE_ENTROPY, 0);
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
    set_real(stats, FIGURE_ENTROPY,
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

    /* No value that does not occur has a bin. */
    set_real(stats, FIGURE_CHI_SQUARE, (double)NAN);
    set_real(stats, FIGURE_P_VALUE, (double)NAN);
    if (in_bins == 0 || bins < 2 || axis_is_key(walk.column.axis))
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
    set_real(stats, FIGURE_CHI_SQUARE, chi_square);
    set_real(stats, FIGURE_P_VALUE,
             gamma_upper((double)(bins - 1) / 2, chi_square / 2));
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
    uint64_t unique = 0;
    uint64_t all = 0;
    uint64_t total = 0;
    uint64_t most = 0;

    for (uint64_t m = 0; m < list->count; m++) {
        uint64_t keys = keys_with(stats, m);
        uint64_t multiplicity = spectrum_multiplicity(list, m);
        if (keys == 0)
            continue;
        unique += multiplicity == 1 ? keys : 0;
        all += keys;
        total += keys * multiplicity;
        most = multiplicity;
    }
    set_whole(stats, FIGURE_UNIQUE, unique);
    set_whole(stats, FIGURE_DISTINCT, all);
    stats->figure[FIGURE_DISTINCT].whole_most = all;
    set_whole(stats, FIGURE_TOTAL, total);
    set_whole(stats, FIGURE_MAX, most);
}

/* ---- figures that need the values in their order ---- */

/* Find the figures of STATS->searched in one walk. */
static void
search(struct stats *stats)
{
    const struct figures *figures = &stats->searched;
    uint64_t row[FIGURES_MAX];
    struct figure_search search;
    struct bin_walk walk;
    size_t found;

    for (size_t f = 0; f < figures->count; f++)
        row[f] = STATS_NO_ROW;
    figure_search_open(&search, figures->figure, figures->count, &stats->facts);
    walk_start(&walk, stats);
    while (search.left > 0 && walk_next(&walk)) {
        if (!group_figures_have(&walk.column))
            continue;
        figure_search_add(&search, &walk.column, walk.count);
        while (figure_search_next(&search, &found))
            row[found] = walk.column.row;
    }
    for (size_t f = 0; f < figures->count; f++) {
        figure_search_value(&search, f, &stats->value[f]);
        if (row[f] != STATS_NO_ROW)
            stats->value[f] =
                (struct figure_value){.form = FIGURE_ROW, .row = row[f]};
    }
}

/* Search for those of FIGURES that need it, if there are values. */
static void
find_searched(struct stats *stats, const struct figures *figures)
{
    for (size_t f = 0; f < figures->count; f++) {
        const struct figure *figure = &figures->figure[f];
        if (figure_row(figure)->find == NULL &&
            (figure_row(figure)->needs & FIGURE_NEEDS_ALL) == 0)
            stats->searched.figure[stats->searched.count++] = *figure;
    }
    if (stats->searched.count > 0 && stats->facts.count > 0)
        search(stats);
}

/* Set *VALUE to FIGURE, one of those that were searched for. */
static void
read_searched(const struct stats *stats, const struct figure *figure,
              struct figure_value *value)
{
    const struct figures *searched = &stats->searched;

    for (size_t f = 0; f < searched->count; f++) {
        if (searched->figure[f].kind == figure->kind &&
            searched->figure[f].percentile.nano == figure->percentile.nano)
            *value = stats->value[f];
    }
}

/* ---- all figures ---- */

void
stats_make(struct stats *stats, const struct report *report, size_t i,
           unsigned int needs, const struct figures *figures)
{
    const struct spec *spec = report->spec;
    struct bin_walk walk;

    *stats = (struct stats){
        .spec = spec,
        .histogram = report->histogram,
        .i = i,
        .facts = group_figures_none(&spec->shown[i], needs),
        .wrong_row = STATS_NO_ROW,
    };
    stats->facts.series = report->series;
    walk_start(&walk, stats);
    find_rows(stats, walk);
    if (spec->is_spectrum)
        find_spectrum(stats);
    if ((needs & FIGURE_NEEDS_SUM) != 0)
        find_moments(stats, &walk);
    if ((needs & FIGURE_NEEDS_EVENNESS) != 0) {
        find_entropy(stats, walk);
        find_chi_square(stats, walk);
    }
    find_searched(stats, figures);
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

/* Set *VALUE to FIGURE. */
static void
find_value(const struct stats *stats, const struct figure *figure,
           struct figure_value *value)
{
    const struct figure_row *row = figure_row(figure);

    *value = (struct figure_value){.form = FIGURE_NONE, .is_exact = true};
    if ((stats->found >> figure->kind & 1) != 0)
        *value = stats->figure[figure->kind];
    else if (row->find != NULL)
        row->find(&stats->facts, value);
    else if (stats->facts.count > 0)
        read_searched(stats, figure, value);
}

/* ---- texts ---- */

static void
set_number(struct label *label, struct figure_value value)
{
    char *end = figure_put(&value, label->text);

    *end = '\0';
    label->size = (size_t)(end - label->text);
}

/* Set TEXTS to the value or the edges of ROW. */
static void
set_row(struct stats_texts *texts, const struct stats *stats, uint64_t row)
{
    struct column column;

    column_open(&column, stats->spec, stats->i, stats->i, true, LABELS_DEC);
    column_go(&column, row);
    column.has_edges =
        axis_bins(column.axis) != AXIS_INTEGERS || column_is_flow(&column);
    column_set_labels(&column);
    texts->text[0] = column.lo;
    texts->text[1] = column.has_edges ? column.hi : column.lo;
    texts->are_bounds = strcmp(texts->text[0].text, texts->text[1].text) != 0;
}

void
stats_put(const struct stats *stats, const struct figure *figure,
          struct stats_texts *texts)
{
    enum figure_shape shape = figure_row(figure)->shape;
    struct figure_value value;

    find_value(stats, figure, &value);
    texts->are_bounds = false;
    if (value.form == FIGURE_ROW) {
        set_row(texts, stats, value.row);
        return;
    }
    for (int t = 0; t < FIGURE_TEXTS_MAX; t++)
        set_number(&texts->text[t], value);
    if (shape == FIGURE_ESTIMATE && !value.is_exact) {
        texts->are_bounds = true;
        value.real = value.least;
        set_number(&texts->text[1], value);
        value.real = value.most;
        set_number(&texts->text[2], value);
    } else if (shape == FIGURE_BOUNDS) {
        texts->are_bounds = value.whole != value.whole_most;
        value.whole = value.whole_most;
        set_number(&texts->text[1], value);
    }
}
