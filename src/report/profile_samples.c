/* SPDX-License-Identifier: MIT */
/* profile_samples.c -- the line of a profile for a field of numbers */

#include <string.h>

#include "base/number.h"
#include "report/group_table.h"
#include "report/profile_samples.h"

/* The columns that --columns has, too. */
static const struct {
    enum profile_column column;
    enum profile_kind kind;
    struct figure figure;
} figures_of_columns[] = {
    {PROFILE_COUNT, PROFILE_WHOLE, {.kind = FIGURE_COUNT}},
    {PROFILE_MISSING, PROFILE_WHOLE, {.kind = FIGURE_MISSING}},
    {PROFILE_EMPTY, PROFILE_WHOLE, {.kind = FIGURE_EMPTY}},
    {PROFILE_INVALID, PROFILE_WHOLE, {.kind = FIGURE_INVALID}},
    {PROFILE_NAN, PROFILE_WHOLE, {.kind = FIGURE_NAN}},
    {PROFILE_DISTINCT, PROFILE_WHOLE, {.kind = FIGURE_DISTINCT}},
    {PROFILE_MIN, PROFILE_NUMBER, {.kind = FIGURE_MIN}},
    {PROFILE_MAX, PROFILE_NUMBER, {.kind = FIGURE_MAX}},
    {PROFILE_MEAN, PROFILE_NUMBER, {.kind = FIGURE_MEAN}},
    {PROFILE_SD, PROFILE_NUMBER, {.kind = FIGURE_SD}},
    {PROFILE_P50,
     PROFILE_NUMBER,
     {.kind = FIGURE_PERCENTILE,
      .percentile = {.nano = PERCENTILE_NANO_MAX / 2,
                     .text = "50",
                     .text_length = 2}}},
    {PROFILE_MODE, PROFILE_NUMBER, {.kind = FIGURE_MODE}},
};

#define FIGURES (sizeof figures_of_columns / sizeof *figures_of_columns)

/* Returns the greatest count of a number among the rows of TABLE. */
static uint64_t
find_mode_count(struct group_table *table)
{
    struct rows *rows = &table->walk.keys;
    uint64_t most = 0;

    rows_seek(rows, 0, rows->most);
    while (rows_next(rows)) {
        if (group_figures_have(group_walk_values(rows)) &&
            rows->amount.count > most)
            most = rows->amount.count;
    }
    return most;
}

/* Set the cells of LINE to those of TABLE, which is on its line. */
static void
set_cells(struct profile_line *line, struct group_table *table)
{
    bool has_numbers = table->figures.count > 0;

    for (size_t f = 0; f < FIGURES; f++) {
        enum profile_kind kind = figures_of_columns[f].kind;
        struct profile_cell *cell = &line->cell[figures_of_columns[f].column];
        if (kind == PROFILE_NUMBER && !has_numbers)
            continue;
        cell->kind = kind;
        cell->size = table->cell[f].text[0].size;
        memcpy(cell->text, table->cell[f].text[0].text, cell->size);
    }
    if (!has_numbers)
        return;
    struct profile_cell *cell = &line->cell[PROFILE_MODE_COUNT];
    cell->kind = PROFILE_WHOLE;
    cell->size =
        (size_t)(number_put(find_mode_count(table), cell->text) - cell->text);
}

int
profile_samples_make(struct profile_line *line, const struct report *report,
                     size_t i, struct error *error)
{
    const struct spec *spec = report->spec;
    const struct binning_axis *axis = &spec->shown[spec_own_axis(spec, i)];
    struct report_options options = *report->options;
    struct report plain = *report;
    struct group_table table;

    options.figures.count = FIGURES;
    for (size_t f = 0; f < FIGURES; f++)
        options.figures.figure[f] = figures_of_columns[f].figure;
    plain.options = &options;
    int result = group_table_open(&table, &plain, i, error);
    if (result == 0) {
        (void)group_table_next(&table);
        set_cells(line, &table);
    }
    group_table_close(&table);
    struct profile_cell *type = &line->cell[PROFILE_TYPE];
    bool is_integer = !binning_is_float(axis->type) && !axis->is_decimal;
    const char *word = is_integer ? "integer" : "decimal";
    type->kind = PROFILE_WORD;
    type->size = (size_t)(stpcpy(type->text, word) - type->text);
    return result;
}
