/* SPDX-License-Identifier: MIT */
/* row_step.c -- the rows of a histogram, shown or not, one after the other */

#include <assert.h>
#include <string.h>

#include "hist/spectrum.h"
#include "report/row_step.h"

/* The row of a column before the last column has changed. */
static void
find_outer(struct rows *rows)
{
    rows->outer_cell = 0;
    rows->outer_is_flow = false;
    for (size_t i = 0; i + 1 < rows->columns; i++) {
        const struct column *column = &rows->column[i];
        rows->outer_cell +=
            column->axis->base + column->axis->stride * column->cell;
        rows->outer_is_flow |= column_is_flow(column);
    }
}

/* The row of the last column has changed. */
static void
find_cell(struct rows *rows)
{
    const struct column *column = &rows->column[rows->columns - 1];
    const struct binning_axis *axis = column->axis;

    rows->cell = rows->outer_cell + axis->base + axis->stride * column->cell;
    rows->is_flow = rows->outer_is_flow | column_is_flow(column);
}

/* Go to tuple NUMBER of a sparse histogram. */
static void
go_to_tuple(struct rows *rows, uint64_t number)
{
    const size_t groups = rows->group_columns;
    const struct key_entry entry = key_list_key(rows->tuples, number);
    const unsigned char *at = entry.key;
    const unsigned char *end = at + entry.size;

    rows->cell = rows->outer_cell + number;
    rows->is_flow = false;
    rows->special = 0;
    rows->group = at;
    for (size_t i = 0; i < rows->columns; i++) {
        struct column *column = &rows->column[i];
        at = column_read_fast(column, at, end, i + 1 == rows->columns);
        if (i + 1 == groups)
            rows->group_size = (size_t)(at - entry.key);
        rows->special += rows->special == i && column_is_special(column);
        rows->is_flow |= column_is_flow(column);
    }
    assert(at == end);
}

void
row_step_to(struct rows *rows, uint64_t number)
{
    if (rows->tuples != NULL) {
        go_to_tuple(rows, number);
        return;
    }
    for (size_t i = rows->columns; i-- > 0;) {
        uint64_t count = rows->column[i].rows;
        column_go(&rows->column[i], number % count);
        number /= count;
    }
    find_outer(rows);
    find_cell(rows);
}

/* Go to the next row; the last axis varies fastest. */
static void
advance(struct rows *rows)
{
    struct column *column = rows->column;
    size_t i = rows->columns - 1;

    if (column[i].row + 1 < column[i].rows) {
        column_go(&column[i], column[i].row + 1);
        find_cell(rows);
        return;
    }
    while (column[i].row + 1 == column[i].rows)
        column_go(&column[i--], 0);
    column_go(&column[i], column[i].row + 1);
    find_outer(rows);
    find_cell(rows);
}

void
row_step_set(struct rows *rows, uint64_t first, uint64_t count)
{
    rows->next = first;
    rows->left = count;
    /* advance() goes to the first row from here. */
    if (first > 0 && count > 0 && rows->tuples == NULL)
        row_step_to(rows, first - 1);
}

void
row_step_forget(const struct rows *rows)
{
    const struct column *column = rows->column;
    const struct key_list *keys = rows->tuples   ? rows->tuples
                                  : column->keys ? column->keys
                                                 : column->codes;
    uint64_t first = rows->next - ROWS_AT_A_TIME;
    uint64_t cell =
        first + (rows->tuples != NULL ? rows->outer_cell : column->axis->base);

    if (keys == NULL || rows->next > keys->count)
        return;
    key_list_forget(keys, first, ROWS_AT_A_TIME);
    histogram_forget(rows->report->histogram, cell, ROWS_AT_A_TIME);
}

bool
row_step(struct rows *rows)
{
    if (rows->next % ROWS_AT_A_TIME == 0 && rows->next > 0)
        row_step_forget(rows);
    if (rows->left == 0)
        return false;
    if (rows->next > 0 && rows->tuples == NULL)
        advance(rows);
    else
        row_step_to(rows, rows->next);
    rows->next++;
    rows->left--;
    return true;
}

bool
row_step_tuple(struct rows *rows)
{
    uint64_t count;

    do {
        if (rows->next % ROWS_AT_A_TIME == 0 && rows->next > 0)
            row_step_forget(rows);
        if (rows->left == 0)
            return false;
        go_to_tuple(rows, rows->next);
        rows->next++;
        rows->left--;
        count = histogram_count(rows->report->histogram, rows->cell);
    } while (count == 0 || (rows->is_flow && rows->flow == FLOW_HIDE));
    return true;
}

bool
row_step_is_bins(const struct rows *rows)
{
    const struct column *column = &rows->column[0];

    return rows->columns == 1 && rows->tuples == NULL &&
           column->flows_before == 0 && column->axis->stride == 1;
}

/* Whether rows of bins without a count are hidden. */
static bool
skips_zeros(const struct rows *rows)
{
    const struct column *column = &rows->column[0];

    return (rows->nonzero || rows->hides_zeros) && row_step_is_bins(rows) &&
           column->keys == NULL && column->codes == NULL;
}

bool
row_step_counted(struct rows *rows)
{
    const struct binning_axis *axis = rows->column[0].axis;

    if (skips_zeros(rows) && rows->next < axis->bins) {
        uint64_t most = axis->bins - rows->next;
        most = rows->left < most ? rows->left : most;
        uint64_t zeros = histogram_zeros(rows->report->histogram,
                                         axis->base + rows->next, most);
        /* advance() starts from the row before the next row. */
        if (zeros > 0)
            column_go(&rows->column[0], rows->next + zeros - 1);
        rows->next += zeros;
        rows->left -= zeros;
    }
    return row_step(rows);
}

/* Returns the share of ROW of COLUMN in the number of the histogram's cell. */
static uint64_t
column_offset(const struct column *column, uint64_t row)
{
    const struct binning_axis *axis = column->axis;

    return axis->base + axis->stride * column_cell(column, row);
}

uint64_t
row_step_cell(const struct rows *rows, uint64_t number)
{
    uint64_t cell = 0;

    if (rows->tuples != NULL)
        return rows->outer_cell + number;
    /* The first axis, often the only axis, needs no division. */
    for (size_t i = rows->columns - 1; i > 0; i--) {
        uint64_t count = rows->column[i].rows;
        cell += column_offset(&rows->column[i], number % count);
        number /= count;
    }
    return cell + column_offset(&rows->column[0], number);
}

/* Whether the first COLUMNS of the row have no value: in a special cell. */
static bool
is_special(const struct rows *rows, size_t columns)
{
    size_t i = 0;

    if (rows->tuples != NULL)
        return rows->special >= columns;
    while (i < columns && column_is_special(&rows->column[i]))
        i++;
    return i == columns;
}

bool
row_step_is_keyless(const struct rows *rows)
{
    size_t groups = rows->group_columns;

    return is_special(rows, groups > 0 ? groups : rows->columns);
}

bool
row_step_is_beyond(const struct rows *rows)
{
    const struct column *column = &rows->column[0];
    bool is_flow = rows->tuples != NULL && rows->flow != FLOW_HIDE
                       ? is_special(rows, rows->columns)
                       : rows->is_flow;

    if (is_flow)
        return false;
    /* A row of a spectrum stands for all keys with one count. */
    uint64_t count = rows->report->spec->is_spectrum
                         ? spectrum_multiplicity(column->codes, column->cell)
                         : histogram_count(rows->report->histogram, rows->cell);
    return !count_limits_include(&rows->limits, count);
}

bool
row_step_is_shown(const struct rows *rows)
{
    uint64_t values = histogram_count(rows->report->histogram, rows->cell);

    if (row_step_is_beyond(rows) || (rows->tuples != NULL && values == 0))
        return false;
    if (!rows->is_flow)
        return values != 0 || !(rows->nonzero || rows->hides_zeros);
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
