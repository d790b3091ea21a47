/* SPDX-License-Identifier: MIT */
/* rows.c -- the lines of a histogram, one after the other */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/row_group.h"
#include "report/rows.h"

/* ---- by count ---- */

/* The amount of ITEM of the ranking, a row or a group. */
static struct amount
item_amount(const struct rows *rows, uint64_t item)
{
    if (rows->groups != NULL)
        return amount_of_cell(&rows->groups->total, item);
    return amount_of_cell(rows->report->histogram, row_step_cell(rows, item));
}

/*
 * Whether item A has a higher count than B, or an equal count and lower values.
 */
static bool
has_more(const void *context, uint64_t a, uint64_t b)
{
    const struct rows *rows = context;
    struct amount amount_a = item_amount(rows, a);
    struct amount amount_b = item_amount(rows, b);
    int order = amount_compare(rows->report->spec, &amount_a, &amount_b);

    return order > 0 || (order == 0 && a < b);
}

static void
add_to_other(struct rows *rows, uint64_t cell)
{
    struct amount amount = amount_of_cell(rows->report->histogram, cell);

    amount_add(&rows->other, rows->report->spec, &amount);
}

/* Add ITEM to the ranking, and the dropped item to OTHER. */
static void
rank_item(struct rows *rows, uint64_t item)
{
    uint64_t left_out = ranking_add(&rows->ranking, item);

    if (left_out == RANKING_NONE)
        return;
    struct amount amount = item_amount(rows, left_out);
    amount_add(&rows->other, rows->report->spec, &amount);
}

/* Find OTHER for rows without a ranking. */
static void
sum_up_other(struct rows *rows)
{
    rows->has_other = true;
    if (!count_limits_are_set(&rows->limits))
        return;
    while (row_step_counted(rows)) {
        if (row_step_is_beyond(rows))
            add_to_other(rows, rows->cell);
    }
    row_step_set(rows, 0, rows->most);
}

/*
 * After the keys of --top, the list has the other keys in any order.  If the
 * next row is the first of the other keys, add all of them to OTHER, and skip
 * them.
 */
static void
skip_other_keys(struct rows *rows)
{
    const struct report *report = rows->report;
    const struct column *column = &rows->column[0];
    const struct key_list *keys =
        column->keys != NULL ? column->keys : column->codes;

    if (keys == NULL || keys->top == 0 || rows->next != keys->top ||
        column->flows_before > 0)
        return;
    uint64_t first = column->axis->base + keys->top;
    uint64_t end = column->axis->base + keys->count;
    if (report->spec->has_weights) {
        for (uint64_t cell = first; cell < end; cell++)
            add_to_other(rows, cell);
    } else {
        rows->other.count +=
            histogram_total(report->histogram, first, end - first);
    }
    row_step_set(rows, keys->count, rows->most - keys->count);
}

/* Whether counts alone decide which bins are ranked, so that many bins can be
   skipped at once. */
static bool
skips_low_counts(const struct rows *rows)
{
    return row_step_is_bins(rows) && rows->groups == NULL &&
           !count_limits_are_set(&rows->limits) &&
           !rows->report->spec->has_weights;
}

/*
 * When the ranking is full: add the next bins to OTHER up to the first bin with
 * a higher count than the last ranked row.  An equal count is not enough,
 * because the ranked row comes first.
 */
static void
skip_low_counts(struct rows *rows)
{
    const struct histogram *histogram = rows->report->histogram;
    const struct binning_axis *axis = rows->column[0].axis;
    uint64_t low;
    uint64_t some;

    if (rows->ranking.count == 0 || rows->ranking.count < rows->ranking.most ||
        !skips_low_counts(rows))
        return;
    uint64_t last = item_amount(rows, rows->ranking.item[0]).count;
    do {
        if (rows->next >= axis->bins)
            return;
        some = ROWS_AT_A_TIME - rows->next % ROWS_AT_A_TIME;
        if (some > axis->bins - rows->next)
            some = axis->bins - rows->next;
        low = histogram_up_to(histogram, axis->base + rows->next, some, last,
                              &rows->other.count);
        row_step_set(rows, rows->next + low, rows->left - low);
        if (rows->next % ROWS_AT_A_TIME == 0)
            row_step_forget(rows);
    } while (low == some);
}

/* Add the groups to the ranking, each with all rows.  Add the dropped groups,
   and the rows beyond the limits of ranked groups, to OTHER. */
static void
rank_groups(struct rows *rows)
{
    for (uint64_t g = 0; g < rows->groups->count; g++)
        rank_item(rows, g);
    for (uint64_t r = 0;
         count_limits_are_set(&rows->limits) && r < rows->ranking.count; r++) {
        uint64_t group = rows->ranking.item[r];
        row_step_set(rows, rows->groups->first[group],
                     rows->groups->rows[group]);
        while (row_step(rows)) {
            if (row_step_is_beyond(rows))
                add_to_other(rows, rows->cell);
        }
    }
}

/* Rank the rows or groups, and add the dropped rows or groups to OTHER.  The
   rows of special cells follow all other rows, with any count. */
static void
rank_rows(struct rows *rows)
{
    const struct report *report = rows->report;
    uint64_t most = rows->most;
    const struct count_limits limits = rows->limits;

    /* Each group has a line of its own for rows beyond the limits. */
    if (report->options->top_each != 0)
        rows->limits = (struct count_limits){0};
    if (report->options->top != 0 && report->options->top < most)
        most = report->options->top;
    ranking_open(&rows->ranking, report->order, most, has_more, rows);
    rows->last = RANKING_NONE;
    while (skip_other_keys(rows), skip_low_counts(rows),
           row_step_counted(rows)) {
        if (row_step_is_beyond(rows) &&
            (rows->groups == NULL || row_step_is_keyless(rows)))
            add_to_other(rows, rows->cell);
        if (!row_step_is_shown(rows))
            continue;
        if (row_step_is_keyless(rows)) {
            if (rows->last == RANKING_NONE)
                rows->last = rows->next - 1;
        } else if (rows->groups == NULL) {
            rank_item(rows, rows->next - 1);
        }
    }
    if (rows->groups != NULL)
        rank_groups(rows);
    ranking_sort(&rows->ranking, report->options->sort == SORT_VALUE
                                     ? ranking_is_lower
                                     : has_more);
    rows->is_sorted = true;
    rows->limits = limits;
}

/* Go to the line for others, the last line, unless hidden or empty. */
static bool
next_other(struct rows *rows)
{
    if (rows->is_other || !rows->shows_other || rows->other.count == 0)
        return false;
    rows->is_other = true;
    rows->other_from = 0;
    rows->is_flow = false;
    return true;
}

/* Go to the next row of the current group, or of the special rows.  Between
   tuples without a value, the list has ranked tuples. */
static bool
next_in_group(struct rows *rows)
{
    while (row_step(rows)) {
        if (row_step_is_shown(rows) &&
            (rows->groups != NULL || row_step_is_keyless(rows)))
            return true;
    }
    return false;
}

static bool
next_ranked(struct rows *rows)
{
    while (!next_in_group(rows)) {
        if (rows->rank < rows->ranking.count) {
            uint64_t item = rows->ranking.item[rows->rank++];
            if (rows->groups == NULL) {
                row_step_to(rows, item);
                return true;
            }
            row_step_set(rows, rows->groups->first[item],
                         rows->groups->rows[item]);
        } else if (rows->last != RANKING_NONE) {
            row_step_set(rows, rows->last, rows->most - rows->last);
            rows->last = RANKING_NONE;
        } else {
            return next_other(rows);
        }
    }
    return true;
}

/* ---- amounts and extra columns ---- */

double
rows_line_density(const struct rows *rows)
{
    double density = amount_double(rows->report->spec, &rows->amount);

    if (rows->is_other)
        return (double)NAN;
    /*
     * Divide in the same order as numpy, to get numpy's result.  The width of a
     * flow cell is NaN.
     */
    for (size_t i = 0; i < rows->columns; i++)
        density /= column_width(&rows->column[i]);
    return density / rows->in_bins_double;
}

double
rows_line_percent(const struct rows *rows)
{
    double all = rows->all_double;

    if (rows->report->options->percent == PERCENT_GROUP)
        all = rows->is_other && rows->other_from == 0
                  ? (double)NAN
                  : rows->group_lines.all_double;
    return 100 * amount_double(rows->report->spec, &rows->amount) / all;
}

static char *
put_lut(const struct rows *rows, char *at)
{
    const struct column *column = &rows->column[0];
    uint64_t last = column->axis->bins - 1;
    uint64_t bin = column->cell <= last                           ? column->cell
                   : column->cell == last + 1 + BINNING_UNDERFLOW ? 0
                                                                  : last;

    return rows->is_other ? number_put_double((double)NAN, at)
                          : number_put(rows->report->lut[bin], at);
}

char *
rows_put_extra(const struct rows *rows, enum rows_extra extra, char *at)
{
    struct amount cumulative = amount_of_total(&rows->cumulative);

    switch (extra) {
    case ROWS_LUT:
        return put_lut(rows, at);
    case ROWS_CUMULATIVE:
        return amount_put(rows->report->spec, &cumulative, at);
    case ROWS_DENSITY:
        return number_put_double(rows->density, at);
    default:
        return number_put_double(rows->percent, at);
    }
}

static void
set_amounts(struct rows *rows)
{
    const struct report *report = rows->report;
    const struct report_options *options = report->options;

    if (!rows->is_other)
        rows->amount = amount_of_cell(report->histogram, rows->cell);
    else
        rows->amount = amount_of_total(
            rows->other_from > 0 ? &rows->group_lines.other : &rows->other);
    if (options->cumulative)
        amount_add(&rows->cumulative, report->spec, &rows->amount);
    if (options->density)
        rows->density = rows_line_density(rows);
    if (options->percent != PERCENT_NONE)
        rows->percent = rows_line_percent(rows);
}

/* ---- names ---- */

const struct axis_names *
rows_names(const struct rows *rows, size_t i)
{
    const struct report *report = rows->report;

    return column_names_of(report->names, report->spec, rows->histogram, i);
}

void
rows_set_group_labels(struct rows *rows, size_t columns)
{
    for (size_t i = 0; i < columns; i++) {
        if (rows->is_other && i >= rows->other_from)
            column_set_other(&rows->column[i]);
        else
            column_set_labels(&rows->column[i]);
    }
}

void
rows_set_labels(struct rows *rows)
{
    rows_set_group_labels(rows, rows->columns);
}

/* ---- the lines ---- */

uint64_t
rows_most(const struct spec *spec, size_t i)
{
    const struct binning_axis *axis = &spec->shown[spec_own_axis(spec, i)];

    if (spec->histogram[i].rows == ROWS_TUPLES)
        return spec->keys != NULL ? spec->keys[i].count : 0;
    if (spec->is_joint)
        return spec->shown_cells;
    return axis->bins + axis_flows(axis);
}

size_t
rows_group_columns(const struct spec *spec,
                   const struct report_options *options, size_t i)
{
    bool is_last_value =
        options->pivot || (spec->are_groups && report_is_by_group(options));

    return is_last_value ? spec_dimensions(spec, i) - 1 : spec->group_count;
}

bool
rows_are_ranked(const struct spec *spec, const struct report_options *options,
                size_t i)
{
    /* Rows of tuples without a key, and groups, have places of their own. */
    bool is_by_count = spec->keys != NULL && spec->histogram[i].is_listed &&
                       spec->histogram[i].rows != ROWS_TUPLES &&
                       spec->keys[i].is_by_count;

    return options->top != 0 || (options->sort == SORT_COUNT && !is_by_count);
}

static void
set_extras(struct rows *rows)
{
    const struct report_options *options = rows->report->options;
    const bool is_wanted[ROWS_EXTRAS] = {
        [ROWS_LUT] = rows->report->lut != NULL,
        [ROWS_CUMULATIVE] = options->cumulative,
        [ROWS_DENSITY] = options->density,
        [ROWS_PERCENT] = options->percent != PERCENT_NONE,
    };

    for (unsigned int f = 0; f < ROWS_EXTRAS; f++) {
        if (is_wanted[f])
            rows->extra[rows->extras++] = (enum rows_extra)f;
    }
}

void
rows_open(struct rows *rows, const struct report *report, size_t i)
{
    const struct spec *spec = report->spec;
    const struct report_options *options = report->options;
    bool has_edges = false;

    *rows = (struct rows){
        .report = report,
        .histogram = i,
        .columns = spec_dimensions(spec, i),
        .key_axes = spec_key_axes(spec),
        .most = rows_most(spec, i),
        .is_ranked = rows_are_ranked(spec, options, i),
        .is_by_group = report_is_by_group(options),
        .group_columns = rows_group_columns(spec, options, i),
        .flow = options->flow,
        .nonzero = options->nonzero || options->top != 0 ||
                   count_limits_are_set(&options->limits),
        .limits = options->limits,
        .shows_other = !options->no_other,
    };
    if (spec->histogram[i].rows == ROWS_TUPLES) {
        rows->tuples = &spec->keys[i];
        rows->outer_cell = spec_first_cell(spec, i);
    }
    if (rows->is_ranked && report->groups != NULL)
        rows->groups = &report->groups[i];
    /* All histograms form one table with the same columns, except histograms
       with several axes. */
    for (size_t a = spec->group_count; a < spec->axis_count; a++)
        has_edges |= axis_bins(&spec->shown[a]) == AXIS_INTERVALS;
    for (size_t c = 0; c < rows->columns; c++) {
        size_t axis = spec_axis_of(spec, i, c);
        bool is_shared =
            spec->lists == 0 && !spec->is_joint && c == spec->group_count;
        column_open(&rows->column[c], spec, i, axis,
                    is_shared ? has_edges
                              : axis_bins(&spec->shown[axis]) == AXIS_INTERVALS,
                    options->labels);
    }
    rows->hides_zeros = rows->column[0].kind != KEY_CELL ||
                        (column_has_keys(&rows->column[0]) && !options->full);
    set_extras(rows);
    row_step_set(rows, 0, rows->most);
    if (options->density || options->percent == PERCENT_ALL)
        rows_sum_up(rows);
}

/* Go to the next line of all groups. */
static bool
next_by_group(struct rows *rows)
{
    if (rows->is_other && rows->other_from == 0)
        return false;
    if (rows->is_ranked && !rows->is_sorted)
        rank_rows(rows);
    else if (!rows->has_other && rows->report->options->top_each == 0)
        sum_up_other(rows);
    return row_group_next(rows) || next_other(rows);
}

bool
rows_next(struct rows *rows)
{
    bool is_there;

    if (rows->is_by_group) {
        is_there = next_by_group(rows);
    } else if (rows->is_ranked) {
        if (!rows->is_sorted)
            rank_rows(rows);
        is_there = next_ranked(rows);
    } else if (rows->tuples != NULL && !count_limits_are_set(&rows->limits)) {
        is_there = row_step_tuple(rows) || next_other(rows);
    } else {
        if (!rows->has_other)
            sum_up_other(rows);
        do {
            is_there = row_step_counted(rows);
        } while (is_there && !row_step_is_shown(rows));
        is_there = is_there || next_other(rows);
    }
    if (is_there)
        set_amounts(rows);
    return is_there;
}

bool
rows_next_in_group(struct rows *rows)
{
    if (rows->left == 0)
        return false;
    if (rows->next % ROWS_AT_A_TIME == 0)
        row_step_forget(rows);
    const struct key_entry entry = key_list_key(rows->tuples, rows->next);
    const unsigned char *at = entry.key + rows->group_size;
    if (entry.size <= rows->group_size ||
        memcmp(entry.key, rows->group, rows->group_size) != 0)
        return false;
    (void)column_read_fast(&rows->column[rows->columns - 1], at,
                           entry.key + entry.size, true);
    rows->group = entry.key;
    rows->cell = rows->outer_cell + rows->next;
    rows->amount = amount_of_cell(rows->report->histogram, rows->cell);
    rows->next++;
    rows->left--;
    return true;
}

void
rows_read_in_group(struct rows *rows, uint64_t number)
{
    const unsigned char *entry = key_list_at(rows->tuples, number);
    const struct key_entry key = key_entry_key(entry);

    (void)column_read_fast(&rows->column[rows->columns - 1],
                           key.key + rows->group_size, key.key + key.size,
                           true);
}

/* Whether row NUMBER is in the current group. */
static bool
is_in_group(const struct rows *rows, uint64_t number)
{
    const struct key_entry entry = key_list_key(rows->tuples, number);

    return entry.size > rows->group_size &&
           memcmp(entry.key, rows->group, rows->group_size) == 0;
}

void
rows_leave_group(struct rows *rows)
{
    const uint64_t end = rows->next + rows->left;
    uint64_t inner = rows->next - 1; /* a row of the group */
    uint64_t step = 1;

    /* Most groups are short. */
    while (step < end - inner && is_in_group(rows, inner + step)) {
        inner += step;
        step *= 2;
    }
    uint64_t outer = step < end - inner ? inner + step : end;
    while (outer - inner > 1) {
        uint64_t middle = inner + (outer - inner) / 2;
        if (is_in_group(rows, middle))
            inner = middle;
        else
            outer = middle;
    }
    rows_seek(rows, outer, end - outer);
}

void
rows_seek(struct rows *rows, uint64_t first, uint64_t count)
{
    row_step_set(rows, first, count);
}

/* Skip COUNT rows, but add their amounts to the cumulative amounts. */
static void
accumulate(struct rows *rows, uint64_t count)
{
    for (; count > 0; count--) {
        (void)row_step(rows);
        if (!row_step_is_shown(rows))
            continue;
        struct amount amount =
            amount_of_cell(rows->report->histogram, rows->cell);
        amount_add(&rows->cumulative, rows->report->spec, &amount);
    }
}

void
rows_split(struct rows *rows, struct rows *part, uint64_t count)
{
    if (!rows->has_other)
        sum_up_other(rows);
    if (count > rows->left)
        count = rows->left;
    *part = *rows;
    part->left = count;
    part->shows_other &= count == rows->left;
    if (rows->report->options->cumulative)
        accumulate(rows, count);
    else
        rows_skip(rows, count);
}

void
rows_find_other(struct rows *rows)
{
    if (rows->report->options->top_each != 0) {
        rows->shows_other = false;
        while (rows_next(rows))
            continue;
    } else if (rows->report->options->top != 0) {
        rank_rows(rows);
    } else {
        sum_up_other(rows);
    }
}

void
rows_sum_up(struct rows *rows)
{
    const struct report *report = rows->report;
    const struct spec *spec = report->spec;

    rows->all = (struct amount_total){0};
    rows->in_bins = (struct amount_total){0};
    row_step_set(rows, 0, rows->most);
    while (row_step_counted(rows)) {
        struct amount amount = amount_of_cell(report->histogram, rows->cell);
        amount_add(&rows->all, spec, &amount);
        if (!rows->is_flow)
            amount_add(&rows->in_bins, spec, &amount);
    }
    row_step_set(rows, 0, rows->most);

    struct amount all = amount_of_total(&rows->all);
    struct amount in_bins = amount_of_total(&rows->in_bins);
    rows->all_double = amount_double(spec, &all);
    rows->in_bins_double = amount_double(spec, &in_bins);
}
