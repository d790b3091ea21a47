/* SPDX-License-Identifier: MIT */
/* row_group.c -- the lines of each group, for --top-each and --percent=group */

#include <string.h>

#include "report/row_group.h"

/* Whether the values of the current row, without the group, are all special. */
static bool
has_no_value(const struct rows *rows)
{
    size_t i = rows->group_columns;

    while (i < rows->columns && column_is_special(&rows->column[i]))
        i++;
    return i == rows->columns;
}

static struct amount
amount_of_row(const struct rows *rows, uint64_t row)
{
    return amount_of_cell(rows->report->histogram, rows->outer_cell + row);
}

/* Whether row A has a higher count than B, or an equal count and lower
   values. */
static bool
has_more(const void *context, uint64_t a, uint64_t b)
{
    const struct rows *rows = context;
    struct amount amount_a = amount_of_row(rows, a);
    struct amount amount_b = amount_of_row(rows, b);
    int order = amount_compare(rows->report->spec, &amount_a, &amount_b);

    return order > 0 || (order == 0 && a < b);
}

/* ---- the first pass ---- */

static void
add_to_other(struct rows *rows, uint64_t row)
{
    struct amount amount = amount_of_row(rows, row);

    amount_add(&rows->group_lines.other, rows->report->spec, &amount);
}

/* Rank the current row among the values of its group. */
static void
rank_row(struct rows *rows)
{
    struct row_group *group = &rows->group_lines;
    uint64_t row = rows->next - 1;

    if (row_step_is_beyond(rows)) {
        add_to_other(rows, row);
        return;
    }
    if (!row_step_is_shown(rows))
        return;
    if (has_no_value(rows)) {
        if (group->last == RANKING_NONE)
            group->last = row;
        return;
    }
    uint64_t left_out = ranking_add(&group->ranking, row);
    if (left_out != RANKING_NONE)
        add_to_other(rows, left_out);
}

/* Whether the code of row ROW starts with CODE, SIZE bytes of a group. */
static bool
is_in_group(const struct rows *rows, uint64_t row, const unsigned char *code,
            size_t size)
{
    const struct key_entry entry = key_list_key(rows->tuples, row);

    return entry.size > size && memcmp(entry.key, code, size) == 0;
}

/* Returns the first row of the current group, which may be hidden. */
static uint64_t
find_first(const struct rows *rows)
{
    uint64_t first = rows->next - 1;

    while (first > 0 &&
           is_in_group(rows, first - 1, rows->group, rows->group_size))
        first--;
    return first;
}

/* Start the group of row FIRST or, if rows of the group before FIRST were
   hidden, of a row before. */
static void
start_group(struct rows *rows, uint64_t first)
{
    const struct report *report = rows->report;
    const struct report_options *options = report->options;
    struct row_group *group = &rows->group_lines;

    row_step_set(rows, first, rows->most - first);
    (void)row_step(rows);
    if (rows->groups != NULL)
        first = find_first(rows);
    *group = (struct row_group){.next = group->next, .last = RANKING_NONE};
    if (options->top_each != 0)
        ranking_open(&group->ranking, report->order + rows->ranking.most,
                     options->top_each < rows->most ? options->top_each
                                                    : rows->most,
                     has_more, rows);
    const unsigned char *code = rows->group;
    size_t size = rows->group_size;
    row_step_set(rows, first, rows->most - first);
    while (rows->left > 0 && is_in_group(rows, rows->next, code, size)) {
        (void)row_step(rows);
        struct amount amount = amount_of_row(rows, rows->next - 1);
        amount_add(&group->all, report->spec, &amount);
        if (options->top_each != 0)
            rank_row(rows);
    }
    group->first = first;
    group->end = rows->next;
    struct amount all = amount_of_total(&group->all);
    group->all_double = amount_double(report->spec, &all);
    if (options->top_each == 0)
        return;
    ranking_sort(&group->ranking,
                 options->each_by_value ? ranking_is_lower : has_more);
}

/* ---- the second pass ---- */

/* The values of the group have been ranked: set the rows that follow. */
static void
set_rest(struct rows *rows)
{
    struct row_group *group = &rows->group_lines;
    const struct report_options *options = rows->report->options;
    uint64_t first = options->top_each == 0 ? group->first : group->last;
    struct amount other = amount_of_total(&group->other);

    if (first == RANKING_NONE)
        first = group->end;
    row_step_set(rows, first, group->end - first);
    /* Without a line of the group for others, all groups have a total. */
    if (!rows->shows_other)
        amount_add(&rows->other, rows->report->spec, &other);
}

/* Go to the line for the other values of the group, unless hidden or empty. */
static bool
next_other(struct rows *rows)
{
    struct row_group *group = &rows->group_lines;

    if (group->has_ended || !rows->shows_other || group->other.count == 0)
        return false;
    group->has_ended = true;
    row_step_to(rows, group->first);
    rows->is_flow = false;
    for (size_t i = 0; i < rows->group_columns; i++)
        rows->is_flow |= column_is_flow(&rows->column[i]);
    rows->is_other = true;
    rows->other_from = rows->group_columns;
    return true;
}

/* Go to the next line of the current group.  Returns false at the end. */
static bool
next_in_group(struct rows *rows)
{
    struct row_group *group = &rows->group_lines;
    bool are_ranked = rows->report->options->top_each != 0;

    if (group->rank < group->ranking.count) {
        row_step_to(rows, group->ranking.item[group->rank++]);
        return true;
    }
    while (row_step(rows)) {
        if (row_step_is_shown(rows) && (!are_ranked || has_no_value(rows)))
            return true;
    }
    return next_other(rows);
}

/* Start the next group: ranked groups, then groups without any key; or all
   groups in their order.  Returns false after the last group. */
static bool
next_group(struct rows *rows)
{
    struct row_group *group = &rows->group_lines;
    bool is_keyless = rows->groups != NULL;

    if (is_keyless && rows->rank < rows->ranking.count) {
        uint64_t item = rows->ranking.item[rows->rank++];
        start_group(rows, rows->groups->first[item]);
        return true;
    }
    if (is_keyless && rows->last != RANKING_NONE) {
        group->next = rows->last;
        rows->last = RANKING_NONE;
    } else if (is_keyless && group->next == 0) {
        return false;
    }
    while (group->next < rows->most) {
        start_group(rows, group->next);
        group->next = group->end;
        if (!is_keyless || row_step_is_keyless(rows))
            return true;
    }
    return false;
}

bool
row_group_next(struct rows *rows)
{
    rows->is_other = false;
    while (rows->group_lines.end == 0 || !next_in_group(rows)) {
        if (!next_group(rows))
            return false;
        set_rest(rows);
    }
    return true;
}
