/* SPDX-License-Identifier: MIT */
/* group_walk.c -- walk over the rows of --columns, group by group */

#include "report/group_walk.h"
#include "base/thread.h"
#include "report/figure_search.h"

/* Fewer rows are not worth a thread. */
#define PART_ROWS_MIN 4096

const struct column *
group_walk_values(const struct rows *rows)
{
    return &rows->column[rows->columns - 1];
}

/* Add the current row of ROWS to FIGURES. */
static void
add_row(struct group_walk *walk, const struct rows *rows,
        struct group_figures *figures)
{
    uint64_t row = rows->next - 1;

    if (!walk->has_values)
        figures->count += rows->amount.count;
    else if (!group_figures_add_row(figures, group_walk_values(rows),
                                    rows->amount.count, row) &&
             walk->wrong_row == GROUP_WALK_NO_ROW)
        walk->wrong_row = row;
}

bool
group_walk_next_row(const struct group_walk *walk, struct rows *rows)
{
    if (!walk->has_values)
        return false;
    if (walk->groups == 0)
        return rows_next(rows);
    while (rows_next_in_group(rows)) {
        if (rows->amount.count > 0)
            return true;
    }
    return false;
}

/* Whether the current group of ROWS has no key. */
static bool
is_keyless(const struct group_walk *walk, const struct rows *rows)
{
    return rows->tuples != NULL ? rows->special >= walk->groups
                                : column_is_special(&rows->column[0]);
}

bool
group_walk_next(struct group_walk *walk, struct group_entry *entry,
                bool *is_last, struct group_figures *figures)
{
    struct rows *rows = &walk->rows;
    size_t groups = walk->groups;

    /* Without groups a table has one line, even for no rows. */
    if (!walk->has_row && (groups > 0 || walk->has_line))
        return false;
    walk->has_line = true;
    *entry = (struct group_entry){
        .number = walk->met++,
        .first = walk->has_row ? rows->next - 1 : 0,
    };
    *is_last = groups > 0 && is_keyless(walk, rows);
    group_figures_start(figures, &walk->none);
    while (walk->has_row) {
        add_row(walk, rows, figures);
        entry->rows = rows->next - entry->first;
        if (!group_walk_next_row(walk, rows))
            break;
    }
    if (walk->sums != NULL)
        group_figures_set_sums(figures, walk->sums);
    walk->has_row = walk->has_row && rows_next(rows);
    entry->count =
        walk->counts_records ? group_figures_records(figures) : figures->count;
    return true;
}

void
group_walk_again(struct group_walk *walk, const struct group_entry *entry,
                 struct group_figures *figures)
{
    struct rows *rows = &walk->keys;

    group_figures_start(figures, &walk->none);
    rows_seek(rows, entry->first, entry->rows);
    for (bool is_there = rows_next(rows); is_there;
         is_there = group_walk_next_row(walk, rows))
        add_row(walk, rows, figures);
}

uint64_t
group_walk_check(struct group_walk *walk, uint64_t end)
{
    struct rows *rows = &walk->rows;
    uint64_t valueless = 0;

    while (walk->has_values && group_walk_starts_before(walk, end)) {
        do {
            const struct column *column = group_walk_values(rows);
            if (!group_figures_have(column))
                valueless += rows->amount.count;
            else if (walk->wrong_row == GROUP_WALK_NO_ROW &&
                     !group_figures_can_add(&walk->none, column))
                walk->wrong_row = rows->next - 1;
        } while (group_walk_next_row(walk, rows));
        walk->has_row = rows_next(rows);
    }
    return valueless;
}

void
group_walk_restart(struct group_walk *walk)
{
    rows_seek(&walk->rows, 0, walk->rows.most);
    walk->has_row = rows_next(&walk->rows);
    walk->has_line = false;
    walk->met = 0;
}

/* ---- figures that need all values ---- */

void
group_walk_find(struct group_walk *walk, const struct group_entry *entry,
                const struct group_figures *all, const struct figure *figure,
                size_t count, struct figure_value *value)
{
    struct figure_search search;
    struct rows *rows = &walk->keys;
    uint64_t row[FIGURES_MAX];
    size_t found;

    for (size_t c = 0; c < count; c++)
        row[c] = GROUP_WALK_NO_ROW;
    figure_search_open(&search, figure, count, all);
    rows_seek(rows, entry->first, entry->rows);
    for (bool is_there = rows_next(rows); is_there && search.left > 0;
         is_there = group_walk_next_row(walk, rows)) {
        if (!group_figures_have(group_walk_values(rows)))
            continue;
        figure_search_add(&search, group_walk_values(rows), rows->amount.count);
        while (figure_search_next(&search, &found))
            row[found] = rows->next - 1;
    }
    for (size_t c = 0; c < count; c++) {
        figure_search_value(&search, c, &value[c]);
        if (row[c] == GROUP_WALK_NO_ROW)
            continue;
        value[c].form = FIGURE_ROW;
        value[c].row = row[c];
    }
}

unsigned int
group_walk_parts(const struct group_walk *walk, unsigned int threads)
{
    uint64_t useful = walk->rows.most / PART_ROWS_MIN;
    unsigned int most = threads < CREW_MAX ? threads : CREW_MAX;

    return useful < 1 ? 1 : useful < most ? (unsigned int)useful : most;
}

uint64_t
group_walk_part(const struct group_walk *walk, unsigned int parts,
                unsigned int p)
{
    return p < parts ? walk->rows.most / parts * p : UINT64_MAX;
}

bool
group_walk_starts_before(const struct group_walk *walk, uint64_t end)
{
    return walk->has_row && walk->rows.next - 1 < end;
}

void
group_walk_start(struct group_walk *walk, uint64_t row)
{
    struct rows *rows = &walk->rows;
    const uint64_t most = rows->most;
    uint64_t before = row;

    if (!walk->has_values) {
        /* Each row is a group. */
        rows_seek(rows, row, most - row);
        walk->has_row = rows_next(rows);
        walk->has_line = false;
        walk->met = 0;
        return;
    }
    group_walk_restart(walk);
    /* The group of ROW starts at the last row with records before ROW, or
       earlier. */
    while (before > 0) {
        rows_seek(rows, --before, 1);
        if (!rows_next(rows))
            continue;
        rows_seek(rows, before, most - before);
        (void)rows_next(rows);
        rows_leave_group(rows);
        walk->has_row = rows_next(rows);
        return;
    }
    group_walk_restart(walk);
}
