/* SPDX-License-Identifier: MIT */
/* group_figures.c -- facts about the values of a group */

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "hist/key_decimal.h"
#include "report/group_figures.h"

#define SIGN_BIT (UINT64_C(1) << 63)

/* ---- order ---- */

struct figure_rank
group_figures_rank(const struct column *column)
{
    struct figure_rank rank = {0};

    if (column->kind == KEY_CELL) {
        rank.major = (uint64_t)column_row(column) + 1;
        return rank;
    }
    struct key_component component = column_number(column);
    if (column->kind == KEY_INTEGER) {
        rank.major = SIGN_BIT;
        rank.minor = decimal_sum_of_integer(component.integer);
        return rank;
    }
    rank = figure_rank_of_double(component.real);
    /* A number too long for an addend is beyond all addends. */
    if (!key_decimal_sum(&component, &rank.minor)) {
        memset(&rank.minor, 0, sizeof rank.minor);
        rank.minor.word[DECIMAL_SUM_WORDS - 1] =
            component.real < 0 ? SIGN_BIT : SIGN_BIT - 1;
    }
    return rank;
}

/* ---- rows ---- */

struct group_figures
group_figures_none(const struct binning_axis *axis, unsigned int needs)
{
    bool is_real = !axis->is_text && axis_bins(axis) == AXIS_NUMBERS &&
                   axis_key_kind(axis) == KEY_REAL;

    return (struct group_figures){
        .needs = needs,
        .sum = figure_sum_none(is_real),
    };
}

void
group_figures_start(struct group_figures *figures,
                    const struct group_figures *none)
{
    memcpy(figures, none, offsetof(struct group_figures, min));
    figures->sum.is_real = none->sum.is_real;
    figures->sum.nano = none->sum.nano;
    if (none->sum.is_real)
        figures->sum.of.real = none->sum.of.real;
    else
        figures->sum.of.decimal = none->sum.of.decimal;
    if ((none->needs & FIGURE_NEEDS_SQUARES) != 0)
        figures->squares = none->squares;
}

/* Add the square of NUMBER, COUNT times, to the sum of squares of decimals. */
static void
add_square(struct natural *squares, struct decimal_sum number, uint64_t count)
{
    struct natural factor;
    struct natural square;
    struct natural product;

    if (decimal_sum_is_negative(&number))
        number = decimal_sum_negate(&number);
    natural_set(&factor, number.word, DECIMAL_SUM_WORDS);
    natural_product(&square, &factor, &factor);
    natural_set(&factor, &count, 1);
    natural_product(&product, &square, &factor);
    natural_add(squares, &product);
}

/* Whether COMPONENT, of KIND, is infinite. */
static bool
is_infinite(enum key_kind kind, const struct key_component *component)
{
    return kind != KEY_INTEGER && !component->is_exact &&
           isinf(component->real);
}

/* Add COUNT numbers of COMPONENT, of KIND, to the sums. */
static bool
add_to_sums(struct group_figures *figures, enum key_kind kind,
            const struct key_component *component, uint64_t count)
{
    bool has_squares = (figures->needs & FIGURE_NEEDS_SQUARES) != 0;
    struct decimal_sum number;

    if (is_infinite(kind, component)) {
        figures->infinite[component->real < 0] += count;
        return true;
    }
    if (figures->sum.is_real) {
        real_sum_add(&figures->sum.of.real, component->real, count);
        if (has_squares)
            real_squares_add(&figures->squares.real, component->real, count);
        return true;
    }
    if (!figure_sum_add_decimal(&figures->sum, kind, component, count))
        return false;
    if (has_squares && figure_sum_addend(&number, kind, component))
        add_square(&figures->squares.decimal, number, count);
    return true;
}

/* Whether the value of COLUMN, not a special row, is NaN. */
static bool
is_nan(const struct column *column, const struct key_component *component)
{
    if (axis_bins(column->axis) == AXIS_NUMBERS)
        return column->kind != KEY_INTEGER && isnan(component->real);
    return column->kind == KEY_CELL && column_is_flow(column) &&
           column->cell == column->axis->bins + BINNING_NAN;
}

/* Returns the number of COLUMN, which may be in ROOM: a component is many
   bytes.  column_is_number() holds. */
static const struct key_component *
number_of(const struct column *column, struct key_component *room)
{
    if (column_has_components(column))
        return &column->component;
    *room = column_number(column);
    return room;
}

bool
group_figures_have(const struct column *column)
{
    const struct key_component *component = NULL;
    struct key_component room;

    if (column_is_special(column))
        return false;
    if (axis_bins(column->axis) == AXIS_NUMBERS)
        component = number_of(column, &room);
    return !is_nan(column, component);
}

bool
group_figures_add_row(struct group_figures *figures,
                      const struct column *column, uint64_t count, uint64_t row)
{
    bool is_number = column_is_number(column);
    const struct key_component *component = NULL;
    struct key_component room;

    if (column_is_special(column)) {
        figures->special[column_special(column)] += count;
        return true;
    }
    if (is_number)
        component = number_of(column, &room);
    if (is_nan(column, component)) {
        figures->nan += count;
        return true;
    }
    figures->max.row = row;
    if ((figures->needs & FIGURE_NEEDS_EXTREMES) != 0)
        figures->max.rank = group_figures_rank(column);
    if (figures->count == 0) {
        figures->min.row = row;
        if ((figures->needs & FIGURE_NEEDS_EXTREMES) != 0)
            figures->min.rank = figures->max.rank;
    }
    figures->count += count;
    figures->distinct++;
    return !is_number || (figures->needs & FIGURE_NEEDS_SUM) == 0 ||
           add_to_sums(figures, column_number_kind(column), component, count);
}

bool
group_figures_can_add(const struct group_figures *figures,
                      const struct column *column)
{
    /* The shortest text of a double has at most 17 digits. */
    const double least = 1e-20;
    const double most = 1e37;
    struct key_component room;
    struct decimal_sum number;

    if ((figures->needs & FIGURE_NEEDS_SUM) == 0 || figures->sum.is_real ||
        !column_is_number(column))
        return true;
    const struct key_component *component = number_of(column, &room);
    const enum key_kind kind = column_number_kind(column);
    double magnitude = fabs(component->real);
    return kind == KEY_INTEGER || component->is_exact || magnitude == 0 ||
           (magnitude >= least && magnitude <= most) ||
           is_infinite(kind, component) ||
           figure_sum_addend(&number, kind, component);
}

/* ---- sums without rows ---- */

/* Returns MAGNITUDE, without a sign. */
static struct decimal_sum
decimal_of(struct wide magnitude)
{
    const uint64_t half = UINT64_C(1) << 32;
    struct decimal_sum sum = decimal_sum_of_integer(wide_of(magnitude.high));
    struct decimal_sum low = decimal_sum_of_integer(wide_of(magnitude.low));

    sum = decimal_sum_multiply(&sum, half);
    sum = decimal_sum_multiply(&sum, half);
    decimal_sum_add(&sum, &low);
    return sum;
}

void
group_figures_set_sums(struct group_figures *figures,
                       const struct exact_sums *sums)
{
    struct wide magnitude;

    for (int i = 0; i < 2; i++)
        figures->infinite[i] = sums->infinite[i];
    if (figures->sum.is_real) {
        exact_sums_real(sums, &figures->sum.of.real);
        exact_sums_real_squares(sums, &figures->squares.real);
        return;
    }
    bool is_negative = exact_sums_integer(sums, &magnitude);
    struct decimal_sum sum = decimal_of(magnitude);
    figures->sum.of.decimal = is_negative ? decimal_sum_negate(&sum) : sum;
    exact_sums_integer_squares(sums, &figures->squares.decimal);
    natural_scale(&figures->squares.decimal, 2 * DECIMAL_SUM_PLACES);
}

/* ---- several groups ---- */

void
group_figures_add(struct group_figures *figures,
                  const struct group_figures *more)
{
    if (more->count > 0 && (more->needs & FIGURE_NEEDS_EXTREMES) != 0) {
        if (figures->count == 0 ||
            figure_rank_compare(&more->min.rank, &figures->min.rank) < 0)
            figures->min = more->min;
        if (figures->count == 0 ||
            figure_rank_compare(&more->max.rank, &figures->max.rank) > 0)
            figures->max = more->max;
    }
    figures->count += more->count;
    figures->nan += more->nan;
    for (int s = 0; s < AXIS_SPECIALS; s++)
        figures->special[s] += more->special[s];
    figure_sum_add(&figures->sum, &more->sum);
    for (int i = 0; i < 2; i++)
        figures->infinite[i] += more->infinite[i];
    if ((more->needs & FIGURE_NEEDS_SQUARES) == 0)
        return;
    if (figures->sum.is_real)
        real_squares_add_sum(&figures->squares.real, &more->squares.real);
    else
        natural_add(&figures->squares.decimal, &more->squares.decimal);
}

void
group_figures_subtract(struct group_figures *figures,
                       const struct group_figures *less)
{
    figures->count -= less->count;
    figures->nan -= less->nan;
    for (int s = 0; s < AXIS_SPECIALS; s++)
        figures->special[s] -= less->special[s];
    figure_sum_subtract(&figures->sum, &less->sum);
    for (int i = 0; i < 2; i++)
        figures->infinite[i] -= less->infinite[i];
    if ((less->needs & FIGURE_NEEDS_SQUARES) == 0)
        return;
    if (figures->sum.is_real)
        real_squares_subtract(&figures->squares.real, &less->squares.real);
    else
        natural_subtract(&figures->squares.decimal, &less->squares.decimal);
}

/* ---- figures ---- */

uint64_t
group_figures_records(const struct group_figures *figures)
{
    uint64_t records = figures->count + figures->nan;

    for (int s = 0; s < AXIS_SPECIALS; s++)
        records += figures->special[s];
    return records;
}

bool
group_figures_are_infinite(const struct group_figures *figures, double *sum)
{
    bool has_plus = figures->infinite[0] > 0;
    bool has_minus = figures->infinite[1] > 0;

    *sum = has_plus && has_minus ? (double)NAN
           : has_minus           ? -(double)INFINITY
                                 : (double)INFINITY;
    return has_plus || has_minus;
}

double
group_figures_mean(const struct group_figures *figures)
{
    double mean;

    if (figures->count == 0)
        return (double)NAN;
    return group_figures_are_infinite(figures, &mean)
               ? mean
               : figure_sum_divide(&figures->sum, figures->count);
}

/*
 * With N numbers, N^2 times the square of the deviation is N times the sum of
 * squares, minus the square of the sum.  Of a sample, N (N - 1) stands for N^2.
 */
static double
find_deviation(const struct group_figures *figures, bool is_sample)
{
    struct decimal_sum magnitude = figure_sum_decimal(&figures->sum);
    struct natural count;
    struct natural fewer;
    struct natural number;
    struct natural square;
    struct natural above;
    uint64_t less = figures->count - 1;

    if (decimal_sum_is_negative(&magnitude))
        magnitude = decimal_sum_negate(&magnitude);
    natural_set(&count, &figures->count, 1);
    natural_set(&number, magnitude.word, DECIMAL_SUM_WORDS);
    natural_product(&square, &number, &number);
    natural_product(&above, &figures->squares.decimal, &count);
    natural_subtract(&above, &square);
    if (is_sample) {
        natural_set(&fewer, &less, 1);
        natural_product(&square, &count, &fewer);
        count = square;
        natural_product(&square, &above, &count);
        above = square;
    }
    natural_scale(&count, DECIMAL_SUM_PLACES);
    return natural_divide_root(&above, &count);
}

double
group_figures_deviation(const struct group_figures *figures, bool is_sample)
{
    double infinite;

    if (figures->count < 1 + (uint64_t)is_sample ||
        group_figures_are_infinite(figures, &infinite))
        return (double)NAN;
    return figures->sum.is_real ? real_sum_deviation(&figures->sum.of.real,
                                                     &figures->squares.real,
                                                     figures->count, is_sample)
                                : find_deviation(figures, is_sample);
}
