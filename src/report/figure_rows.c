/* SPDX-License-Identifier: MIT */
/* figure_rows.c -- the table of figures: how each is found, what it needs */

#include "report/figure.h"
#include "report/group_figures.h"

/* ---- how the figures of a group are found ---- */

static void
set_whole(struct figure_value *value, uint64_t whole)
{
    value->form = FIGURE_WHOLE;
    value->whole = whole;
}

static void
set_real(struct figure_value *value, double real)
{
    value->form = FIGURE_REAL;
    value->real = real;
}

static void
find_count(const struct group_figures *figures, struct figure_value *value)
{
    set_whole(value, figures->count);
}

static void
find_records(const struct group_figures *figures, struct figure_value *value)
{
    set_whole(value, group_figures_records(figures));
}

static void
find_missing(const struct group_figures *figures, struct figure_value *value)
{
    set_whole(value, figures->special[AXIS_KEY_MISSING]);
}

static void
find_empty(const struct group_figures *figures, struct figure_value *value)
{
    set_whole(value, figures->special[AXIS_EMPTY]);
}

static void
find_invalid(const struct group_figures *figures, struct figure_value *value)
{
    set_whole(value, figures->special[AXIS_INVALID]);
}

static void
find_nan(const struct group_figures *figures, struct figure_value *value)
{
    set_whole(value, figures->nan);
}

static void
find_distinct(const struct group_figures *figures, struct figure_value *value)
{
    set_whole(value, figures->distinct);
}

static void
set_extreme(const struct group_figures *figures,
            const struct group_value *extreme, struct figure_value *value)
{
    value->form = figures->count > 0 ? FIGURE_ROW : FIGURE_NONE;
    value->row = extreme->row;
    value->rank = &extreme->rank;
}

static void
find_min(const struct group_figures *figures, struct figure_value *value)
{
    set_extreme(figures, &figures->min, value);
}

static void
find_max(const struct group_figures *figures, struct figure_value *value)
{
    set_extreme(figures, &figures->max, value);
}

static void
find_sum(const struct group_figures *figures, struct figure_value *value)
{
    double infinite;

    if (group_figures_are_infinite(figures, &infinite)) {
        set_real(value, infinite);
    } else if (figures->sum.is_real) {
        set_real(value, figure_sum_divide(&figures->sum, 1));
    } else {
        value->form = FIGURE_DECIMAL;
        value->decimal = figure_sum_decimal(&figures->sum);
    }
}

static void
find_mean(const struct group_figures *figures, struct figure_value *value)
{
    set_real(value, group_figures_mean(figures));
}

static void
find_sd(const struct group_figures *figures, struct figure_value *value)
{
    set_real(value, group_figures_deviation(figures, false));
}

static void
find_sample_sd(const struct group_figures *figures, struct figure_value *value)
{
    set_real(value, group_figures_deviation(figures, true));
}

static void
find_serial(const struct group_figures *figures, struct figure_value *value)
{
    set_real(value, series_total_correlation(figures->series));
}

static void
find_pi(const struct group_figures *figures, struct figure_value *value)
{
    set_real(value, series_total_pi(figures->series));
}

/* ---- the table ---- */

/* Exact numbers. */
#define NEEDS_SUM                                                     \
    (FIGURE_NEEDS_FIELD | FIGURE_NEEDS_NUMBERS | FIGURE_NEEDS_EXACT | \
     FIGURE_NEEDS_SUM)

#define NEEDS_ALL (FIGURE_NEEDS_FIELD | FIGURE_NEEDS_ALL)
#define NEEDS_EVEN_BINS (NEEDS_ALL | FIGURE_NEEDS_EVENNESS | FIGURE_NEEDS_BINS)

const struct figure_row figure_rows[FIGURE_KINDS] = {
    [FIGURE_COUNT] = {.name = "count", .find = find_count},
    [FIGURE_RECORDS] =
        {
            .name = "records",
            .needs = FIGURE_OF_VALUELESS,
            .find = find_records,
        },
    [FIGURE_MISSING] =
        {
            .name = "missing",
            .needs = FIGURE_NEEDS_FIELD | FIGURE_OF_VALUELESS,
            .find = find_missing,
        },
    [FIGURE_EMPTY] =
        {
            .name = "empty",
            .needs =
                FIGURE_NEEDS_FIELD | FIGURE_NEEDS_NUMBERS | FIGURE_OF_VALUELESS,
            .find = find_empty,
        },
    [FIGURE_INVALID] =
        {
            .name = "invalid",
            .needs = FIGURE_NEEDS_FIELD | FIGURE_OF_VALUELESS,
            .find = find_invalid,
        },
    [FIGURE_NAN] =
        {
            .name = "nan",
            .needs =
                FIGURE_NEEDS_FIELD | FIGURE_NEEDS_NUMBERS | FIGURE_OF_VALUELESS,
            .find = find_nan,
        },
    [FIGURE_DISTINCT] =
        {
            .name = "distinct",
            .needs = FIGURE_NEEDS_FIELD | FIGURE_NEEDS_EXACT |
                     FIGURE_NEEDS_DISTINCT | FIGURE_OF_SPECTRUM,
            .shape = FIGURE_BOUNDS,
            .find = find_distinct,
        },
    [FIGURE_MIN] =
        {
            .name = "min",
            .aliases = "minimum",
            .needs = FIGURE_NEEDS_FIELD | FIGURE_NEEDS_NUMBERS |
                     FIGURE_NEEDS_EXTREMES,
            .shape = FIGURE_PLACE,
            .find = find_min,
        },
    [FIGURE_MAX] =
        {
            .name = "max",
            .aliases = "maximum",
            .needs = FIGURE_NEEDS_FIELD | FIGURE_NEEDS_NUMBERS |
                     FIGURE_NEEDS_EXTREMES | FIGURE_OF_SPECTRUM,
            .shape = FIGURE_PLACE,
            .find = find_max,
        },
    [FIGURE_SUM] = {.name = "sum", .needs = NEEDS_SUM, .find = find_sum},
    [FIGURE_MEAN] =
        {
            .name = "mean",
            .aliases = "avg average",
            .needs = NEEDS_SUM,
            .shape = FIGURE_ESTIMATE,
            .find = find_mean,
        },
    [FIGURE_SD] =
        {
            .name = "sd",
            .aliases = "stddev stdev std",
            .needs = NEEDS_SUM | FIGURE_NEEDS_SQUARES,
            .shape = FIGURE_ESTIMATE,
            .find = find_sd,
        },
    [FIGURE_SAMPLE_SD] =
        {
            .name = "sample_sd",
            .needs = NEEDS_SUM | FIGURE_NEEDS_SQUARES,
            .find = find_sample_sd,
        },
    [FIGURE_MODE] =
        {
            .name = "mode",
            .needs = FIGURE_NEEDS_FIELD | FIGURE_NEEDS_MOST,
            .shape = FIGURE_PLACE,
        },
    [FIGURE_MEDIAN] = {.name = "median",
                       .needs = NEEDS_SUM | FIGURE_NEEDS_QUARTILES},
    [FIGURE_Q1] = {.name = "q1", .needs = NEEDS_SUM | FIGURE_NEEDS_QUARTILES},
    [FIGURE_Q3] = {.name = "q3", .needs = NEEDS_SUM | FIGURE_NEEDS_QUARTILES},
    [FIGURE_IQR] = {.name = "iqr", .needs = NEEDS_SUM | FIGURE_NEEDS_QUARTILES},
    [FIGURE_SERIAL] =
        {
            .name = "serial",
            .aliases = "scc",
            .needs = FIGURE_NEEDS_FIELD | FIGURE_NEEDS_SERIES,
            .find = find_serial,
        },
    [FIGURE_PI] =
        {
            .name = "pi",
            .needs = FIGURE_NEEDS_FIELD | FIGURE_NEEDS_SERIES,
            .find = find_pi,
        },
    [FIGURE_PERCENTILE] =
        {
            .name = "p",
            .needs = FIGURE_NEEDS_FIELD | FIGURE_NEEDS_NUMBERS |
                     FIGURE_NEEDS_ORDER | FIGURE_OF_SPECTRUM,
            .shape = FIGURE_PLACE,
        },
    [FIGURE_N] =
        {
            .name = "n",
            .needs = NEEDS_SUM | FIGURE_NEEDS_ABOVE,
            .shape = FIGURE_PLACE,
        },
    [FIGURE_L] = {.name = "l", .needs = NEEDS_SUM | FIGURE_NEEDS_ABOVE},
    [FIGURE_VALUES] = {.name = "values",
                       .needs = NEEDS_ALL | FIGURE_OF_VALUELESS},
    [FIGURE_OUTSIDE] = {.name = "outside",
                        .needs = NEEDS_ALL | FIGURE_OF_VALUELESS},
    [FIGURE_ENTROPY] = {.name = "entropy",
                        .needs = NEEDS_ALL | FIGURE_NEEDS_EVENNESS},
    [FIGURE_CHI_SQUARE] = {.name = "chi-square", .needs = NEEDS_EVEN_BINS},
    [FIGURE_P_VALUE] = {.name = "p-value", .needs = NEEDS_EVEN_BINS},
    [FIGURE_UNIQUE] = {.name = "unique",
                       .needs = NEEDS_ALL | FIGURE_NEEDS_SPECTRUM |
                                FIGURE_OF_SPECTRUM},
    [FIGURE_TOTAL] = {.name = "total",
                      .needs = NEEDS_ALL | FIGURE_NEEDS_SPECTRUM |
                               FIGURE_OF_SPECTRUM},
};

const struct figures figures_of_bins = {
    .figure = {{.kind = FIGURE_VALUES},
               {.kind = FIGURE_OUTSIDE},
               {.kind = FIGURE_MIN},
               {.kind = FIGURE_MAX},
               {.kind = FIGURE_MEAN},
               {.kind = FIGURE_SD},
               {.kind = FIGURE_MODE},
               {.kind = FIGURE_ENTROPY},
               {.kind = FIGURE_CHI_SQUARE},
               {.kind = FIGURE_P_VALUE},
               {.kind = FIGURE_DISTINCT}},
    .count = 11,
};

const struct figures figures_of_numbers = {
    .figure = {{.kind = FIGURE_VALUES},
               {.kind = FIGURE_OUTSIDE},
               {.kind = FIGURE_MIN},
               {.kind = FIGURE_MAX},
               {.kind = FIGURE_MEAN},
               {.kind = FIGURE_SD},
               {.kind = FIGURE_MODE},
               {.kind = FIGURE_ENTROPY},
               {.kind = FIGURE_DISTINCT}},
    .count = 9,
};

const struct figures figures_of_spectrum = {
    .figure = {{.kind = FIGURE_UNIQUE},
               {.kind = FIGURE_DISTINCT},
               {.kind = FIGURE_TOTAL},
               {.kind = FIGURE_MAX}},
    .count = 4,
};

/* ---- needs ---- */

unsigned int
figures_needs(const struct figures *figures)
{
    unsigned int needs = 0;

    for (size_t c = 0; c < figures->count; c++)
        needs |= figure_row(&figures->figure[c])->needs;
    return needs;
}
