/* rows.c -- the lines of a histogram, one after the other */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/rows.h"

uint64_t
rows_most(const struct spec *spec, size_t i)
{
    if (spec->is_joint)
        return spec->shown_cells;
    return spec->shown[i].bins + axis_flows(&spec->shown[i]);
}

/* ---- from one row to the next ---- */

static void
find_cell(struct rows *rows)
{
    rows->cell = 0;
    rows->is_flow = false;
    for (size_t i = 0; i < rows->columns; i++) {
        const struct column *column = &rows->column[i];
        rows->cell += column->axis->base + column->axis->stride * column->cell;
        rows->is_flow |= column_is_flow(column);
    }
}

/* Go to the next row, the last axis being the fastest. */
static bool
next_row(struct rows *rows)
{
    struct column *column = rows->column;
    size_t i = rows->columns;

    if (rows->is_started) {
        while (i > 0 && column[i - 1].row + 1 == column_rows(&column[i - 1]))
            column_go(&column[--i], 0);
        if (i == 0)
            return false;
        column_go(&column[i - 1], column[i - 1].row + 1);
    }
    rows->is_started = true;
    find_cell(rows);
    return true;
}

/* The number of the row at hand, from 0. */
static uint64_t
bin_row_number(const struct rows *rows)
{
    uint64_t number = 0;

    for (size_t i = 0; i < rows->columns; i++)
        number = number * column_rows(&rows->column[i]) + rows->column[i].row;
    return number;
}

/* The cell of COLUMN's ROW, as it counts for the histogram's. */
static uint64_t
column_offset(const struct column *column, uint64_t row)
{
    const struct binning_axis *axis = column->axis;

    return axis->base + axis->stride * column_cell(column, row);
}

static uint64_t
bin_row_cell(const struct rows *rows, uint64_t number)
{
    uint64_t cell = 0;

    /* No division for the first axis, which is often the only one. */
    for (size_t i = rows->columns - 1; i > 0; i--) {
        uint64_t count = column_rows(&rows->column[i]);
        cell += column_offset(&rows->column[i], number % count);
        number /= count;
    }
    return cell + column_offset(&rows->column[0], number);
}

static void
go_to_row(struct rows *rows, uint64_t number)
{
    for (size_t i = rows->columns; i-- > 0;) {
        uint64_t count = column_rows(&rows->column[i]);
        column_go(&rows->column[i], number % count);
        number /= count;
    }
    find_cell(rows);
}

static bool
is_shown(const struct rows *rows)
{
    uint64_t values = rows->report->histogram->value[rows->cell];

    if (!rows->is_flow)
        return values != 0 || !rows->nonzero;
    if (rows->flow == FLOW_HIDE)
        return false;
    if (values != 0)
        return true;
    if (rows->flow != FLOW_SHOW || rows->nonzero)
        return false;
    for (size_t i = 0; i < rows->columns; i++) {
        if (column_is_flow(&rows->column[i]) &&
            column_is_impossible(&rows->column[i]))
            return false;
    }
    return true;
}

/* ---- by count ---- */

static bool
is_lower(const void *context, uint64_t a, uint64_t b)
{
    (void)context;
    return a < b;
}

/* Whether row A has more than row B, or as much and the lower value. */
static bool
has_more(const void *context, uint64_t a, uint64_t b)
{
    const struct rows *rows = context;
    const struct histogram *histogram = rows->report->histogram;
    struct amount amount_a = amount_of_cell(histogram, bin_row_cell(rows, a));
    struct amount amount_b = amount_of_cell(histogram, bin_row_cell(rows, b));
    int order = amount_compare(rows->report->spec, &amount_a, &amount_b);

    return order > 0 || (order == 0 && a < b);
}

/* Put the rows into their order, and what is left over into the rest. */
static void
rank_rows(struct rows *rows)
{
    const struct report *report = rows->report;
    uint64_t most = rows->most;

    if (report->options->top != 0 && report->options->top < most)
        most = report->options->top;
    ranking_open(&rows->ranking, report->order, most, has_more, rows);
    while (next_row(rows)) {
        if (!is_shown(rows))
            continue;
        uint64_t left_out = ranking_add(&rows->ranking, bin_row_number(rows));
        if (left_out == RANKING_NONE)
            continue;
        struct amount amount =
            amount_of_cell(report->histogram, bin_row_cell(rows, left_out));
        amount_add(&rows->rest, report->spec, &amount);
    }
    ranking_sort(&rows->ranking,
                 report->options->sort == SORT_VALUE ? is_lower : has_more);
    rows->next = 0;
}

static bool
next_ranked(struct rows *rows)
{
    if (rows->next < rows->ranking.count) {
        go_to_row(rows, rows->ranking.item[rows->next++]);
        return true;
    }
    if (rows->is_other || rows->rest.count == 0)
        return false;
    rows->is_other = true;
    rows->is_flow = false;
    return true;
}

/* ---- figures ---- */

static double
line_density(const struct rows *rows)
{
    double density = amount_double(rows->report->spec, &rows->amount);

    if (rows->is_other)
        return (double)NAN;
    /* In numpy's order: then it is numpy's number.  Flow cells have none. */
    for (size_t i = 0; i < rows->columns; i++)
        density /= column_width(&rows->column[i]);
    struct amount in_bins = amount_of_total(&rows->in_bins);
    return density / amount_double(rows->report->spec, &in_bins);
}

static double
line_percent(const struct rows *rows)
{
    const struct spec *spec = rows->report->spec;
    struct amount all = amount_of_total(&rows->all);

    return 100 * amount_double(spec, &rows->amount) / amount_double(spec, &all);
}

static void
set_figures(struct rows *rows)
{
    const struct report *report = rows->report;
    const struct report_options *options = report->options;

    rows->amount = rows->is_other
                       ? amount_of_total(&rows->rest)
                       : amount_of_cell(report->histogram, rows->cell);
    if (options->cumulative)
        amount_add(&rows->cumulative, report->spec, &rows->amount);
    if (options->density)
        rows->density = line_density(rows);
    if (options->percent)
        rows->percent = line_percent(rows);
}

/* ---- the lines ---- */

void
rows_open(struct rows *rows, const struct report *report, size_t i)
{
    const struct spec *spec = report->spec;
    const struct report_options *options = report->options;
    bool has_edges = false;

    *rows = (struct rows){
        .report = report,
        .columns = spec->is_joint ? spec->axis_count : 1,
        .most = rows_most(spec, i),
        .is_ranked = options->top != 0 || options->sort == SORT_COUNT,
        .flow = options->flow,
        .nonzero = options->nonzero || options->top != 0,
    };
    /* One histogram below the other: all lines have the same columns. */
    for (size_t a = 0; a < spec->axis_count; a++)
        has_edges |= spec->shown[a].kind != BINNING_DIRECT;
    for (size_t c = 0; c < rows->columns; c++) {
        if (spec->is_joint)
            has_edges = spec->shown[c].kind != BINNING_DIRECT;
        column_open(&rows->column[c], spec, i + c, has_edges, options->labels);
    }
    if (options->density || options->percent)
        rows_sum_up(rows);
}

bool
rows_next(struct rows *rows)
{
    bool is_there;

    if (rows->is_ranked) {
        if (!rows->is_started)
            rank_rows(rows);
        is_there = next_ranked(rows);
    } else {
        do {
            is_there = next_row(rows);
        } while (is_there && !is_shown(rows));
    }
    if (is_there)
        set_figures(rows);
    return is_there;
}

void
rows_set_texts(struct rows *rows)
{
    for (size_t i = 0; i < rows->columns; i++) {
        struct column *column = &rows->column[i];
        if (rows->is_other) {
            strcpy(column->lo, "other");
            strcpy(column->hi, "other");
        } else {
            column_set_texts(column);
        }
    }
}

const char *
rows_name(const struct rows *rows, size_t i, bool is_hi,
          char name[ROWS_NAME_BYTES])
{
    const struct spec *spec = rows->report->spec;
    const char *word = !rows->column[i].has_edges ? "value"
                       : is_hi                    ? "hi"
                                                  : "lo";

    if (spec->is_joint)
        snprintf(name, ROWS_NAME_BYTES, "%s%zu", word, spec->field[i] + 1);
    else
        strcpy(name, word);
    return name;
}

uint32_t
rows_lut(const struct rows *rows)
{
    const struct column *column = &rows->column[0];
    uint64_t last = column->axis->bins - 1;
    uint64_t bin = column->cell <= last                           ? column->cell
                   : column->cell == last + 1 + BINNING_UNDERFLOW ? 0
                                                                  : last;

    return rows->report->lut[bin];
}

void
rows_sum_up(struct rows *rows)
{
    const struct report *report = rows->report;

    rows->all = (struct amount_total){0};
    rows->in_bins = (struct amount_total){0};
    rows->is_started = false;
    while (next_row(rows)) {
        struct amount amount = amount_of_cell(report->histogram, rows->cell);
        amount_add(&rows->all, report->spec, &amount);
        if (!rows->is_flow)
            amount_add(&rows->in_bins, report->spec, &amount);
    }
    rows->is_started = false;
}
