/* group_table.c -- the lines of --columns, one for each group */

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/thread.h"
#include "report/group_table.h"

/* What a thread finds of the groups that start in its part of the rows. */
struct choice {
    struct group_table table; /* a copy; only RANKED and LAST are its own */
    uint64_t first;           /* its part */
    uint64_t end;
    int result;
};

/* ---- order ---- */

/* Whether the figure KIND is a count.  If so, *COUNT is set to that of
   FIGURES. */
static bool
find_count(const struct group_figures *figures, enum group_column_kind kind,
           uint64_t *count)
{
    switch (kind) {
    case GROUP_COUNT:
        *count = figures->count;
        return true;
    case GROUP_RECORDS:
        *count = group_figures_records(figures);
        return true;
    case GROUP_MISSING:
        *count = figures->special[AXIS_KEY_MISSING];
        return true;
    case GROUP_EMPTY:
        *count = figures->special[AXIS_EMPTY];
        return true;
    case GROUP_INVALID:
        *count = figures->special[AXIS_INVALID];
        return true;
    case GROUP_NAN:
        *count = figures->nan;
        return true;
    case GROUP_DISTINCT:
        *count = figures->distinct;
        return true;
    default:
        return false;
    }
}

/* Returns the rank of the figure COLUMN of the group ENTRY. */
static struct group_rank
find_rank(struct group_table *table, const struct group_entry *entry,
          const struct group_figures *figures,
          const struct group_column *column)
{
    uint64_t row = 0;
    uint64_t count;

    if (find_count(figures, column->kind, &count))
        return (struct group_rank){.major = count};
    switch (column->kind) {
    case GROUP_SUM:
        return group_figures_sum_rank(figures);
    case GROUP_MEAN:
        return group_rank_of_double(group_figures_mean(figures));
    case GROUP_SD:
    case GROUP_SAMPLE_SD:
        return group_rank_of_double(
            group_figures_deviation(figures, column->kind == GROUP_SAMPLE_SD));
    default:
        break;
    }
    if (figures->count == 0)
        return group_rank_of_double((double)NAN);
    if (column->kind == GROUP_MIN)
        return figures->min.rank;
    if (column->kind == GROUP_MAX)
        return figures->max.rank;
    group_walk_percentiles(&table->walk, entry, figures->count, column, 1,
                           &row);
    rows_seek(&table->walk.keys, row, 1);
    (void)rows_next(&table->walk.keys);
    return group_rank_of_column(group_walk_values(&table->walk.keys));
}

/* Keep the greatest groups: by the figure that orders them, or their counts. */
static void
cut_entries(struct group_table *table)
{
    bool is_by_column = table->report->options->sort == SORT_COLUMN;
    struct group_entries *entries = &table->ranked;
    uint64_t top = table->report->options->top;

    if (top == 0 || entries->count <= top)
        return;
    group_entries_sort(entries,
                       is_by_column ? GROUP_ORDER_RANK : GROUP_ORDER_COUNT);
    table->left_out += entries->count - (size_t)top;
    entries->count = (size_t)top;
}

/* Find the groups to print of those that start before row END, and the figures
   of all but the last ones.  Returns 0, or -1: out of memory. */
static int
choose_before(struct group_table *table, uint64_t end)
{
    const struct report_options *options = table->report->options;
    struct group_entries *entries = &table->ranked;
    struct group_figures figures;
    struct group_entry entry;
    bool is_last;

    while (group_walk_starts_before(&table->walk, end)) {
        (void)group_walk_next(&table->walk, &entry, &is_last, &figures);
        table->valueless += group_figures_records(&figures) - figures.count;
        if (!table->is_ranked)
            continue;
        if (is_last) {
            if (group_entries_add(&table->last, &entry) < 0)
                return -1;
            continue;
        }
        if (figures.count < options->min_count) {
            group_figures_add(&table->rest, &figures);
            continue;
        }
        if (options->top != 0)
            group_figures_add(&table->all, &figures);
        if (options->sort == SORT_COLUMN)
            entry.rank =
                find_rank(table, &entry, &figures, &options->sort_column);
        if (group_entries_add(entries, &entry) < 0)
            return -1;
        if (options->top != 0 && entries->count >= GROUP_ENTRIES_MORE &&
            entries->count / 2 >= options->top)
            cut_entries(table);
    }
    cut_entries(table);
    return 0;
}

static void
choose_part(void *task, unsigned int member)
{
    struct choice *choice = (struct choice *)task + member;

    group_walk_start(&choice->table.walk, choice->first);
    choice->result = choose_before(&choice->table, choice->end);
}

/* Returns 0, or -1: out of memory. */
static int
add_entries(struct group_entries *entries, const struct group_entries *more)
{
    for (size_t e = 0; e < more->count; e++) {
        if (group_entries_add(entries, &more->entry[e]) < 0)
            return -1;
    }
    return 0;
}

/* Add what CHOICE has found, behind what TABLE has.  Returns 0, or -1: out of
   memory. */
static int
add_choice(struct group_table *table, const struct choice *choice)
{
    const struct group_table *more = &choice->table;

    group_figures_add(&table->rest, &more->rest);
    group_figures_add(&table->all, &more->all);
    table->left_out += more->left_out;
    table->valueless += more->valueless;
    if (table->walk.wrong_row == GROUP_WALK_NO_ROW)
        table->walk.wrong_row = more->walk.wrong_row;
    return choice->result < 0 ||
                   add_entries(&table->ranked, &more->ranked) < 0 ||
                   add_entries(&table->last, &more->last) < 0
               ? -1
               : 0;
}

/*
 * Find the groups to print.  Threads have a part of the rows each; a group
 * belongs to the part that its first row is in.  Returns 0, or -1: out of
 * memory.
 */
static int
choose_groups(struct group_table *table)
{
    const struct group_walk *walk = &table->walk;
    unsigned int parts = group_walk_parts(walk, table->report->threads);
    struct choice *choice = NULL;
    int result = 0;

    if (parts > 1 && walk->groups > 0)
        choice = malloc(parts * sizeof *choice);
    if (choice == NULL)
        return choose_before(table, UINT64_MAX);
    for (unsigned int p = 0; p < parts; p++) {
        choice[p].table = *table;
        choice[p].first = group_walk_part(walk, parts, p);
        choice[p].end = group_walk_part(walk, parts, p + 1);
    }
    crew_run(parts, choose_part, choice);
    for (size_t p = 0; p < parts; p++) {
        if (result == 0)
            result = add_choice(table, &choice[p]);
        free(choice[p].table.ranked.entry);
        free(choice[p].table.last.entry);
    }
    free(choice);
    cut_entries(table);
    return result;
}

/* Add the groups that are not among those to print, and have not been added, to
   the rest: by taking away the others, which are few. */
static void
subtract_chosen(struct group_table *table)
{
    const struct group_entries *entries = &table->ranked;
    struct group_figures figures;

    for (size_t e = 0; e < entries->count; e++) {
        group_walk_again(&table->walk, &entries->entry[e], &figures);
        group_figures_subtract(&table->all, &figures);
    }
    group_figures_add(&table->rest, &table->all);
}

/* The same, if the least or the greatest number of the rest is wanted: that of
   all groups does not tell. */
static void
add_rest(struct group_table *table)
{
    const struct group_entries *entries = &table->ranked;
    struct group_figures figures;
    struct group_entry entry;
    bool is_last;
    size_t next = 0;

    group_entries_sort(&table->ranked, GROUP_ORDER_FIRST);
    group_walk_restart(&table->walk);
    while (group_walk_next(&table->walk, &entry, &is_last, &figures)) {
        if (next < entries->count && entries->entry[next].first == entry.first)
            next++;
        else if (!is_last && figures.count >= table->report->options->min_count)
            group_figures_add(&table->rest, &figures);
    }
}

/* Find the groups to print, and the figures of the rest.  Returns 0, or -1: out
   of memory. */
static int
rank_groups(struct group_table *table)
{
    enum sort sort = table->report->options->sort;

    if (choose_groups(table) < 0)
        return -1;
    if (table->left_out > 0) {
        if (table->walk.none.has_ranks)
            add_rest(table);
        else
            subtract_chosen(table);
    }
    group_entries_sort(&table->ranked, sort == SORT_COUNT ? GROUP_ORDER_COUNT
                                       : sort == SORT_COLUMN
                                           ? GROUP_ORDER_RANK
                                           : GROUP_ORDER_FIRST);
    return 0;
}

/* ---- cells ---- */

bool
group_table_has_edges(const struct group_table *table, size_t c)
{
    enum group_column_kind kind = table->columns->column[c].kind;

    return table->has_bounds &&
           (kind == GROUP_MIN || kind == GROUP_MAX || kind == GROUP_PERCENTILE);
}

const char *
group_table_name(const struct group_table *table, size_t c, bool is_hi,
                 char name[GROUP_TABLE_NAME_BYTES])
{
    const struct group_column *column = &table->columns->column[c];
    const char *word = group_column_name(column->kind);

    if (word != NULL)
        snprintf(name, GROUP_TABLE_NAME_BYTES, "%s%s", word,
                 is_hi ? "_hi" : "");
    else
        snprintf(name, GROUP_TABLE_NAME_BYTES, "p%.*s%s",
                 column->percentile.text_length, column->percentile.text,
                 is_hi ? "_hi" : "");
    return name;
}

static void
set_number(struct group_cell *cell, uint64_t number)
{
    cell->lo_size = (size_t)(number_put(number, cell->lo) - cell->lo);
}

static void
set_double(struct group_cell *cell, double number)
{
    cell->lo_size = (size_t)(number_put_double(number, cell->lo) - cell->lo);
}

/* There is no such figure. */
static void
set_none(struct group_cell *cell)
{
    set_double(cell, (double)NAN);
    memcpy(cell->hi, cell->lo, cell->lo_size);
    cell->hi_size = cell->lo_size;
}

/* Set CELL to the value that COLUMN has. */
static void
set_labels(struct group_cell *cell, struct column *column)
{
    column->has_edges =
        !axis_is_key(column->axis) &&
        (axis_has_edges(column->axis) || column_is_flow(column));
    column_set_labels(column);
    cell->lo_size = column->lo.size;
    memcpy(cell->lo, column->lo.text, column->lo.size);
    const struct label *hi = column->has_edges ? &column->hi : &column->lo;
    cell->hi_size = hi->size;
    memcpy(cell->hi, hi->text, hi->size);
}

/* Set CELL to the value in ROW. */
static void
set_value(struct group_table *table, struct group_cell *cell, uint64_t row)
{
    struct rows *rows = &table->walk.keys;

    rows_seek(rows, row, 1);
    (void)rows_next(rows);
    set_labels(cell, &rows->column[rows->columns - 1]);
}

/* Set CELL to the percentile that is column C of the rest. */
static void
set_rest_value(struct group_table *table, struct group_cell *cell, size_t c)
{
    const struct group_rest *values = table->values;
    struct rows *rows = &table->walk.keys;
    struct column *column = &rows->column[rows->columns - 1];

    if (values == NULL || values->code[c] == NULL) {
        set_none(cell);
        return;
    }
    (void)column_read(column, values->code[c],
                      values->code[c] + values->size[c], true);
    set_labels(cell, column);
}

/* Set the cell of column C, which is no percentile. */
static void
set_figure(struct group_table *table, size_t c)
{
    const struct group_figures *figures = &table->figures;
    struct group_cell *cell = &table->cell[c];
    enum group_column_kind kind = table->columns->column[c].kind;
    uint64_t count;

    if (find_count(figures, kind, &count)) {
        /* Groups may have values in common. */
        if (kind == GROUP_DISTINCT && table->is_other)
            count = table->values != NULL ? table->values->distinct : 0;
        set_number(cell, count);
        return;
    }
    switch (kind) {
    case GROUP_SUM:
        cell->lo_size =
            (size_t)(group_figures_put_sum(figures, cell->lo) - cell->lo);
        break;
    case GROUP_MEAN:
        set_double(cell, group_figures_mean(figures));
        break;
    case GROUP_SD:
    case GROUP_SAMPLE_SD:
        set_double(cell,
                   group_figures_deviation(figures, kind == GROUP_SAMPLE_SD));
        break;
    default:
        if (figures->count == 0)
            set_none(cell);
        else
            set_value(table, cell,
                      kind == GROUP_MIN ? figures->min.row : figures->max.row);
    }
}

/* Set the cells of the percentiles of ENTRY; NULL: of the rest. */
static void
set_percentiles(struct group_table *table, const struct group_entry *entry)
{
    const struct group_columns *columns = table->columns;
    uint64_t row[GROUP_COLUMNS_MAX] = {0};
    bool has_values = entry != NULL && table->figures.count > 0;

    if (has_values)
        group_walk_percentiles(&table->walk, entry, table->figures.count,
                               columns->column, columns->count, row);
    for (size_t c = 0; c < columns->count; c++) {
        if (columns->column[c].kind != GROUP_PERCENTILE)
            continue;
        if (entry == NULL)
            set_rest_value(table, &table->cell[c], c);
        else if (has_values)
            set_value(table, &table->cell[c], row[c]);
        else
            set_none(&table->cell[c]);
    }
}

/* Set the cells and the keys of ENTRY; NULL: of the rest. */
static void
set_line(struct group_table *table, const struct group_entry *entry)
{
    struct rows *rows = &table->walk.keys;

    table->is_other = entry == NULL;
    for (size_t c = 0; c < table->columns->count; c++) {
        if (table->columns->column[c].kind != GROUP_PERCENTILE)
            set_figure(table, c);
    }
    set_percentiles(table, entry);
    if (table->walk.groups == 0)
        return;
    if (entry != NULL) {
        rows_seek(rows, entry->first, entry->rows);
        (void)rows_next(rows);
    }
    rows->is_other = entry == NULL;
    rows_set_labels(rows);
}

/* ---- lines ---- */

/*
 * Set *ENTRY to the next group to print, and the figures of TABLE to those of
 * it; of the rest, *IS_OTHER is set.  Returns false at the end.
 */
static bool
next_entry(struct group_table *table, struct group_entry *entry, bool *is_other)
{
    bool is_last;

    *is_other = false;
    if (!table->is_ranked)
        return group_walk_next(&table->walk, entry, &is_last, &table->figures);
    size_t ranked = table->ranked.count;
    size_t number = table->next++;
    if (number < ranked + table->last.count) {
        *entry = number < ranked ? table->ranked.entry[number]
                                 : table->last.entry[number - ranked];
        group_walk_again(&table->walk, entry, &table->figures);
        return true;
    }
    *is_other = number == ranked + table->last.count &&
                group_figures_records(&table->rest) > 0;
    table->figures = table->rest;
    return *is_other && !table->report->options->no_other;
}

bool
group_table_next(struct group_table *table)
{
    struct group_entry entry;
    bool is_other;

    if (!next_entry(table, &entry, &is_other))
        return false;
    set_line(table, is_other ? NULL : &entry);
    return true;
}

/* Which of the figures in NONE the options ask for. */
static struct group_figures
find_wanted(const struct report_options *options)
{
    struct group_columns all = options->columns;
    bool is_by_column = options->sort == SORT_COLUMN;
    struct group_figures none = {0};

    /* What is sorted by is found, too. */
    if (is_by_column && all.count < GROUP_COLUMNS_MAX)
        all.column[all.count++] = options->sort_column;
    none.has_sums = group_columns_have(&all, GROUP_SUM);
    none.has_squares = group_columns_have(&all, GROUP_SD);
    none.has_ranks =
        (options->top != 0 || options->min_count != 0 || is_by_column) &&
        (group_columns_show(&all, GROUP_MIN) ||
         group_columns_show(&all, GROUP_MAX));
    return none;
}

int
group_table_open(struct group_table *table, const struct report *report,
                 size_t i, struct error *error)
{
    const struct report_options *options = report->options;
    const struct binning_axis *axis =
        &report->spec->shown[spec_own_axis(report->spec, i)];
    bool are_groups = report->spec->are_groups;
    size_t groups = are_groups ? spec_dimensions(report->spec, i)
                               : report->spec->group_count;

    *table = (struct group_table){
        .report = report,
        .columns = &options->columns,
        .values = report->rests != NULL ? &report->rests[i] : NULL,
        .has_bounds = !axis_is_key(axis),
        .plain_options = {.flow = FLOW_AUTO, .nonzero = true},
        .plain = *report,
        .is_ranked =
            groups > 0 && (options->top != 0 || options->min_count != 0 ||
                           options->sort != SORT_VALUE),
        .walk = {.groups = groups,
                 .has_values = !are_groups,
                 .none = find_wanted(options),
                 .wrong_row = GROUP_WALK_NO_ROW},
    };
    table->rest = table->walk.none;
    table->all = table->walk.none;
    table->plain_options.sort = SORT_VALUE;
    table->plain.options = &table->plain_options;
    table->plain.groups = NULL;
    table->plain.lut = NULL;
    table->cell = calloc(table->columns->count, sizeof *table->cell);
    if (table->cell == NULL)
        return error_fail_memory(error);
    rows_open(&table->walk.rows, &table->plain, i);
    rows_open(&table->walk.keys, &table->plain, i);
    group_walk_restart(&table->walk);
    if (table->is_ranked && rank_groups(table) < 0)
        return error_fail_memory(error);
    return 0;
}

void
group_table_close(struct group_table *table)
{
    free(table->ranked.entry);
    free(table->last.entry);
    free(table->cell);
}

/* ---- checks ---- */

/* TABLE has a number that is no addend.  Returns -1. */
static int
fail_sum(struct group_table *table, struct error *error)
{
    const struct spec *spec = table->report->spec;
    size_t axis = spec_own_axis(spec, table->walk.keys.histogram);
    struct group_cell cell;
    char text[SPEC_FIELD_BYTES];

    set_value(table, &cell, table->walk.wrong_row);
    error_set(error, EXIT_DATA,
              "field %s: %.*s has more than %d digits before or after its "
              "decimal point, so sum, mean and sd would not be exact",
              spec_field_text(spec, axis, text), (int)cell.lo_size, cell.lo,
              DECIMAL_SUM_PLACES);
    return -1;
}

/* Whether a column shows how many records have no value, or why. */
static bool
shows_valueless(const struct group_columns *columns)
{
    return group_columns_show(columns, GROUP_RECORDS) ||
           group_columns_show(columns, GROUP_MISSING) ||
           group_columns_show(columns, GROUP_EMPTY) ||
           group_columns_show(columns, GROUP_INVALID) ||
           group_columns_show(columns, GROUP_NAN);
}

/* Returns how many records of the groups of TABLE that are printed have no
   value, after choosing. */
static uint64_t
count_valueless(const struct group_table *table)
{
    bool no_other = table->report->options->no_other;
    uint64_t rest = group_figures_records(&table->rest) - table->rest.count;

    return table->valueless - (no_other ? rest : 0);
}

/* Whether the line for the rest has percentiles or a number of different
   values, which no figures of groups add up to. */
static bool
needs_values(const struct group_table *table)
{
    return !table->report->options->no_other && table->rest.count > 0 &&
           (group_columns_show(table->columns, GROUP_PERCENTILE) ||
            group_columns_show(table->columns, GROUP_DISTINCT));
}

/* Find what takes the values of the rest of TABLE.  Returns 0, or -1 with
   *ERROR set. */
static int
make_rest(struct group_table *table, struct group_rest *rest,
          struct error *error)
{
    const struct report *report = table->report;

    group_entries_sort(&table->ranked, GROUP_ORDER_FIRST);
    return group_rest_make(rest, &table->walk, &table->ranked, table->columns,
                           table->rest.count, (size_t)report->memory,
                           report->threads, error);
}

int
group_table_hidden(const struct report *report, struct report_hidden *hidden,
                   struct group_rest *rests, struct error *error)
{
    bool is_shown = shows_valueless(&report->options->columns);
    struct group_table table;
    int result = 0;

    for (size_t i = 0; i < spec_histograms(report->spec) && result == 0; i++) {
        result = group_table_open(&table, report, i, error);
        /* What is not ranked has nothing to choose, but is looked at. */
        if (result == 0 && !table.is_ranked && choose_groups(&table) < 0)
            result = error_fail_memory(error);
        if (result == 0 && !is_shown)
            hidden->valueless += count_valueless(&table);
        if (report->options->no_other)
            hidden->rest += group_figures_records(&table.rest);
        if (result == 0 && table.walk.wrong_row != GROUP_WALK_NO_ROW)
            result = fail_sum(&table, error);
        if (result == 0 && needs_values(&table))
            result = make_rest(&table, &rests[i], error);
        group_table_close(&table);
    }
    return result;
}
