/* SPDX-License-Identifier: MIT */
/* figure_rows.c -- the table of figures: how each is found and named */

#include <stdio.h>
#include <string.h>

#include "base/ascii.h"
#include "base/number.h"
#include "base/word_list.h"
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
        value->decimal = figures->sum.of.decimal;
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
            .aliases = "unique",
            .needs =
                FIGURE_NEEDS_FIELD | FIGURE_NEEDS_EXACT | FIGURE_NEEDS_DISTINCT,
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
                     FIGURE_NEEDS_EXTREMES,
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
            .needs =
                FIGURE_NEEDS_FIELD | FIGURE_NEEDS_NUMBERS | FIGURE_NEEDS_ORDER,
            .shape = FIGURE_PLACE,
        },
    [FIGURE_N] =
        {
            .name = "n",
            .needs = NEEDS_SUM | FIGURE_NEEDS_ABOVE,
            .shape = FIGURE_PLACE,
        },
    [FIGURE_L] = {.name = "l", .needs = NEEDS_SUM | FIGURE_NEEDS_ABOVE},
    [FIGURE_VALUES] = {.name = "values"},
    [FIGURE_OUTSIDE] = {.name = "outside"},
    [FIGURE_ENTROPY] = {.name = "entropy", .needs = FIGURE_NEEDS_EVENNESS},
    [FIGURE_CHI_SQUARE] = {.name = "chi-square",
                           .needs = FIGURE_NEEDS_EVENNESS},
    [FIGURE_P_VALUE] = {.name = "p-value", .needs = FIGURE_NEEDS_EVENNESS},
    [FIGURE_UNIQUE] = {.name = "unique"},
    [FIGURE_TOTAL] = {.name = "total"},
};

const struct figures figures_of_bins = {
    .figure = {{FIGURE_VALUES, {0}},
               {FIGURE_OUTSIDE, {0}},
               {FIGURE_MIN, {0}},
               {FIGURE_MAX, {0}},
               {FIGURE_MEAN, {0}},
               {FIGURE_SD, {0}},
               {FIGURE_MODE, {0}},
               {FIGURE_ENTROPY, {0}},
               {FIGURE_CHI_SQUARE, {0}},
               {FIGURE_P_VALUE, {0}},
               {FIGURE_DISTINCT, {0}}},
    .count = 11,
};

const struct figures figures_of_numbers = {
    .figure = {{FIGURE_VALUES, {0}},
               {FIGURE_OUTSIDE, {0}},
               {FIGURE_MIN, {0}},
               {FIGURE_MAX, {0}},
               {FIGURE_MEAN, {0}},
               {FIGURE_SD, {0}},
               {FIGURE_MODE, {0}},
               {FIGURE_ENTROPY, {0}},
               {FIGURE_DISTINCT, {0}}},
    .count = 9,
};

const struct figures figures_of_spectrum = {
    .figure = {{FIGURE_UNIQUE, {0}},
               {FIGURE_DISTINCT, {0}},
               {FIGURE_TOTAL, {0}},
               {FIGURE_MAX, {0}}},
    .count = 4,
};

/* ---- names ---- */

/* Set *FIGURE to KIND with the percentage in the LENGTH bytes at TEXT.  Returns
   0, or -1: not a percentage. */
static int
read_percentage(struct figure *figure, enum figure_kind kind, const char *text,
                size_t length)
{
    uint64_t nano = 0;
    int decimals = -1; /* -1 until the decimal point */

    for (size_t i = 0; i < length; i++) {
        if (text[i] == '.' && decimals < 0) {
            decimals = 0;
            continue;
        }
        if (!ascii_is_digit(text[i]) || decimals == 9 ||
            nano > PERCENTILE_NANO_MAX)
            return -1;
        nano = nano * 10 + (uint64_t)(text[i] - '0');
        decimals += decimals >= 0;
    }
    for (int i = decimals < 0 ? 0 : decimals; i < 9; i++) {
        if (nano > PERCENTILE_NANO_MAX)
            return -1;
        nano *= 10;
    }
    if (nano == 0 || nano > PERCENTILE_NANO_MAX)
        return -1;
    *figure = (struct figure){kind, {nano, text, (int)length}};
    return 0;
}

int
figure_find_percentile(struct figure *figure, const char *text, size_t length)
{
    return read_percentage(figure, FIGURE_PERCENTILE, text, length);
}

/* Returns the kind whose name is LETTER, before a percentage; FIGURE_KINDS:
   none. */
static enum figure_kind
find_letter(char letter)
{
    for (unsigned int k = FIGURE_WORDS; k < FIGURE_LETTERS_END; k++) {
        if (figure_rows[k].name[0] == letter)
            return (enum figure_kind)k;
    }
    return FIGURE_KINDS;
}

bool
figure_has_letter(const char *text, size_t length)
{
    return length > 1 && find_letter(text[0]) != FIGURE_KINDS &&
           strspn(text + 1, "-+.0123456789") >= length - 1;
}

int
figure_find(struct figure *figure, const char *text, size_t length)
{
    for (unsigned int k = 0; k < FIGURE_WORDS; k++) {
        if (strlen(figure_rows[k].name) != length ||
            memcmp(figure_rows[k].name, text, length) != 0)
            continue;
        *figure = (struct figure){.kind = (enum figure_kind)k};
        return 0;
    }
    return figure_has_letter(text, length)
               ? read_percentage(figure, find_letter(text[0]), text + 1,
                                 length - 1)
               : -1;
}

const char *
figure_alias(const char *text, size_t length)
{
    for (unsigned int k = 0; k < FIGURE_KINDS; k++) {
        const struct figure_row *row = &figure_rows[k];
        if (word_list_has(row->aliases, text, length))
            return row->name;
    }
    return NULL;
}

const char *
figure_name(const struct figure *figure, const char *suffix,
            char name[FIGURE_NAME_BYTES])
{
    const struct percentile *percentile = &figure->percentile;

    snprintf(name, FIGURE_NAME_BYTES, "%s%.*s%s", figure_row(figure)->name,
             percentile->text_length,
             percentile->text != NULL ? percentile->text : "", suffix);
    return name;
}

const char *
figure_words(char text[FIGURE_WORDS_BYTES])
{
    size_t used = 0;

    for (unsigned int k = 0; k < FIGURE_WORDS; k++)
        used += (size_t)snprintf(text + used, FIGURE_WORDS_BYTES - used, "%s%s",
                                 k > 0 ? ", " : "", figure_rows[k].name);
    return text;
}

unsigned int
figures_needs(const struct figures *figures)
{
    unsigned int needs = 0;

    for (size_t c = 0; c < figures->count; c++)
        needs |= figure_row(&figures->figure[c])->needs;
    return needs;
}

int
figure_check(const struct figure *figure, const struct spec *spec, size_t i,
             struct error *error)
{
    const struct binning_axis *axis = &spec->shown[i];
    const struct figure_row *row = figure_row(figure);
    char text[SPEC_FIELD_BYTES];
    char name[FIGURE_NAME_BYTES];

    if ((row->needs & FIGURE_NEEDS_SERIES) != 0 && !spec->sums_series)
        error_set(error, EXIT_USAGE,
                  "--columns: %s is of the bytes of whole inputs in their "
                  "order: --dtype=u1 alone",
                  figure_name(figure, "", name));
    else if ((row->needs & FIGURE_NEEDS_NUMBERS) != 0 && axis_has_names(axis))
        error_set(error, EXIT_USAGE,
                  "--columns: %s is of numbers, and the field %s has keys",
                  figure->kind == FIGURE_PERCENTILE
                      ? "a percentile"
                      : figure_name(figure, "", name),
                  spec_field_text(spec, i, text));
    else if (axis_bins(axis) == AXIS_INTEGERS && binning_is_float(axis->type))
        error_set(error, EXIT_USAGE,
                  "--columns: the bits of %s were counted, not the numbers",
                  axis_type_name(axis));
    else if ((row->needs & FIGURE_NEEDS_EXACT) != 0 &&
             !spec_has_values(spec, i))
        error_set(error, EXIT_USAGE,
                  "--columns: bins do not have the figure %s, only count, min, "
                  "max, mode and percentiles; leave out the bins",
                  figure_name(figure, "", name));
    else
        return 0;
    return -1;
}
