/* SPDX-License-Identifier: MIT */
/* group_cells.c -- the cells of a line of --columns */

#include <string.h>

#include "report/group_cells.h"

/* The group lacks a figure. */
static const struct figure_value no_value = {.form = FIGURE_NONE};

/* Set CELL of TABLE to VALUE, not a row.  Copies of what was just written would
   wait for it. */
static void
set_text(const struct group_table *table, struct group_cell *cell,
         const struct figure_value *value)
{
    cell->is_key = false;
    cell->is_no_key = false;
    struct label *text = &cell->text[0];
    text->size = (size_t)(figure_put(value, text->text) - text->text);
    if (table->has_bounds)
        cell->text[1] = *text;
}

/* Set CELL to the current value of COLUMN. */
static void
set_labels(struct group_cell *cell, struct column *column)
{
    column->has_edges =
        column->kind == KEY_CELL &&
        (axis_bins(column->axis) == AXIS_INTERVALS || column_is_flow(column));
    cell->is_key = column_has_keys(column);
    if (cell->is_key)
        return;
    if (column_has_components(column) && column_is_number(column)) {
        column_put_number(column, &cell->text[0]);
        return;
    }
    column_set_labels(column);
    cell->text[0] = column->lo;
    cell->text[1] = column->has_edges ? column->hi : column->lo;
}

void
group_cells_set_row(struct group_table *table, struct group_cell *cell,
                    uint64_t row)
{
    struct rows *rows = &table->walk.keys;

    rows_seek(rows, row, 1);
    (void)rows_next(rows);
    set_labels(cell, &rows->column[rows->columns - 1]);
    cell->row = row;
}

/* The same of a row of the current line: of its group, unless the line is for
   others. */
static void
set_row(struct group_table *table, struct group_cell *cell, uint64_t row)
{
    struct rows *rows = &table->walk.keys;

    if (table->is_other || table->walk.groups == 0 || !table->walk.has_values) {
        group_cells_set_row(table, cell, row);
        return;
    }
    rows_read_in_group(rows, row);
    set_labels(cell, &rows->column[rows->columns - 1]);
    cell->row = row;
}

/* Set CELL to VALUE. */
static void
set_value(struct group_table *table, struct group_cell *cell,
          const struct figure_value *value)
{
    const struct rows *rows = &table->walk.keys;

    if (value->form == FIGURE_ROW) {
        set_row(table, cell, value->row);
        return;
    }
    set_text(table, cell, value);
    cell->is_no_key = value->form == FIGURE_NONE &&
                      column_has_keys(&rows->column[rows->columns - 1]);
    if (!cell->is_no_key)
        return;
    memcpy(cell->text[0].text, "\\N", 2);
    cell->text[0].size = 2;
}

void
group_cells_read_other(const struct group_table *table, struct column *column,
                       size_t f)
{
    const struct group_other *values = table->values;

    (void)column_read(column, values->code[f],
                      values->code[f] + values->size[f], true);
}

/* Set CELL to figure F of TABLE for OTHER. */
static void
set_other_value(struct group_table *table, struct group_cell *cell, size_t f)
{
    const struct group_other *values = table->values;
    struct rows *rows = &table->walk.keys;
    struct column *column = &rows->column[rows->columns - 1];

    if (values == NULL || values->code[f] == NULL) {
        set_value(table, cell, values == NULL ? &no_value : &values->value[f]);
        return;
    }
    group_cells_read_other(table, column, f);
    set_labels(cell, column);
}

/* Whether figure F is of all values, and not of groups. */
static bool
is_of_all(const struct group_table *table, size_t f)
{
    const struct figure_row *row = figure_row(&table->own.figures.figure[f]);

    return table->report->spec->is_spectrum ||
           (row->needs & FIGURE_NEEDS_ALL) != 0 ||
           (table->has_bounds &&
            (row->shape == FIGURE_ESTIMATE || row->shape == FIGURE_BOUNDS));
}

/* Whether all values are searched for figure F. */
static bool
is_searched_for(const struct group_table *table, size_t f)
{
    return figure_row(&table->own.figures.figure[f])->find == NULL &&
           !is_of_all(table, f);
}

bool
group_cells_are_searched(const struct group_table *table)
{
    bool are_searched = false;

    for (size_t f = 0; f < table->own.figures.count; f++)
        are_searched |= is_searched_for(table, f);
    return are_searched;
}

/* Returns the cell of figure F. */
static struct group_cell *
cell_of(struct group_table *table, size_t f)
{
    return &table->cell[table->own.place[f]];
}

/* Set the cells of figures of all values. */
static void
set_of_all(struct group_table *table)
{
    const struct figures *figures = &table->own.figures;
    struct stats_texts texts;

    for (size_t f = 0; f < figures->count; f++) {
        struct group_cell *cell = cell_of(table, f);
        if (!is_of_all(table, f))
            continue;
        if (!table->has_stats)
            stats_make(
                table->stats, table->report,
                spec_own_axis(table->report->spec, table->walk.keys.histogram),
                figures_needs(figures), figures);
        table->has_stats = true;
        stats_put(table->stats, &figures->figure[f], &texts);
        *cell = (struct group_cell){.row = 0};
        memcpy(cell->text, texts.text, sizeof texts.text);
    }
}

/* Set the cell of figure F, which is found without the order of values. */
static void
set_figure(struct group_table *table, size_t f)
{
    const struct figure_row *row = figure_row(&table->own.figures.figure[f]);
    struct figure_value value; /* many bytes, of which FIND sets a few */

    row->find(&table->figures, &value);
    /* Groups may have values in common. */
    if ((row->needs & FIGURE_NEEDS_DISTINCT) != 0 && table->is_other)
        value.whole = table->values != NULL ? table->values->distinct : 0;
    set_value(table, cell_of(table, f), &value);
}

/* Set the cells of ENTRY with figures that need all values; NULL: of the line
   for others. */
static void
set_searched(struct group_table *table, const struct group_entry *entry)
{
    const struct figures *figures = &table->own.figures;
    struct figure_value value[FIGURES_MAX];
    bool is_searched = entry != NULL && table->figures.count > 0;

    if (is_searched)
        group_walk_find(&table->walk, entry, &table->figures, figures->figure,
                        figures->count, value);
    for (size_t f = 0; f < figures->count; f++) {
        if (!is_searched_for(table, f))
            continue;
        if (entry == NULL)
            set_other_value(table, cell_of(table, f), f);
        else
            set_value(table, cell_of(table, f),
                      is_searched ? &value[f] : &no_value);
    }
}

void
group_cells_set(struct group_table *table, const struct group_entry *entry)
{
    const struct figures *figures = &table->own.figures;
    struct rows *rows = &table->walk.keys;

    if (table->walk.groups > 0 && entry != NULL) {
        rows_seek(rows, entry->first, entry->rows);
        (void)rows_next(rows);
    }
    for (size_t f = 0; f < figures->count; f++) {
        if (figure_row(&figures->figure[f])->find != NULL &&
            !is_of_all(table, f))
            set_figure(table, f);
    }
    if (table->has_searched)
        set_searched(table, entry);
    if (table->walk.groups == 0)
        set_of_all(table);
}
