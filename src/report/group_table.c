/* SPDX-License-Identifier: MIT */
/* group_table.c -- the lines of --columns, one for each group */

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/thread.h"
#include "report/group_order.h"
#include "report/group_table.h"

/* A list is cut to the first groups when it has KEPT_MORE groups, and twice as
   many as --top keeps. */
#define KEPT_MORE 1024

/* The work of a thread: the groups that start in one part of the rows. */
struct chosen_part {
    struct group_table table; /* a copy with a RANKED and a LAST of the
                                 thread */
    uint64_t first;           /* the part of the rows */
    uint64_t end;
    int result;
};

/* ---- order ---- */

/* Set *VALUE to FIGURE of the group ENTRY with the facts FIGURES. */
static void
find_value(struct group_table *table, const struct group_entry *entry,
           const struct group_figures *figures, const struct figure *figure,
           struct figure_value *value)
{
    const struct figure_row *row = figure_row(figure);

    *value = (struct figure_value){.form = FIGURE_NONE};
    if (row->find != NULL)
        row->find(figures, value);
    else if (figures->count > 0)
        group_walk_find(&table->walk, entry, figures, figure, 1, value);
}

/* Returns the rank of FIGURE of the group ENTRY. */
static struct figure_rank
find_rank(struct group_table *table, const struct group_entry *entry,
          const struct group_figures *figures, const struct figure *figure)
{
    struct rows *rows = &table->walk.keys;
    struct figure_value value;

    find_value(table, entry, figures, figure, &value);
    if (value.form != FIGURE_ROW || value.rank != NULL)
        return figure_rank_of(&value);
    rows_seek(rows, value.row, 1);
    (void)rows_next(rows);
    return group_figures_rank(group_walk_values(rows));
}

/* Returns the order in which --top keeps groups. */
static group_order *
kept_order(const struct report_options *options)
{
    if (options->sort == SORT_FIGURE)
        return group_order_ranks;
    return options->sort == SORT_COUNT || options->top != 0 ? group_order_counts
                                                            : group_order_rows;
}

/* Returns the order of lines. */
static group_order *
line_order(const struct report_options *options)
{
    return options->sort == SORT_COUNT    ? group_order_counts
           : options->sort == SORT_FIGURE ? group_order_ranks
                                          : group_order_rows;
}

/* Keep the first groups. */
static void
cut_entries(struct group_table *table)
{
    struct group_entries *entries = &table->ranked;
    uint64_t top = table->report->options->top;

    if (top == 0 || entries->count <= top)
        return;
    table->left_out += entries->count - (size_t)top;
    entries->count = (size_t)top;
}

/* Sort the groups as --top keeps them, and keep the first ones. */
static void
sort_kept(struct group_table *table)
{
    group_order *order = kept_order(table->report->options);

    /* They come in the order of rows. */
    if (order != group_order_rows)
        group_entries_sort(&table->ranked, order);
    cut_entries(table);
}

/* Add ENTRY to the groups to print, unless --top leaves it out.  Returns 0, or
   -1: out of memory. */
static int
keep_entry(struct group_table *table, const struct group_entry *entry)
{
    const struct report_options *options = table->report->options;
    struct group_entries *entries = &table->ranked;
    const uint64_t top = options->top;

    /* After a cut, entry TOP - 1 is the last group that is kept. */
    if (table->left_out > 0 &&
        kept_order(options)(&entries->entry[top - 1], entry) < 0) {
        table->left_out++;
        return 0;
    }
    if (group_entries_add(entries, entry) < 0)
        return -1;
    if (top != 0 && entries->count >= KEPT_MORE && entries->count / 2 >= top)
        sort_kept(table);
    return 0;
}

/* Find the groups to print among the groups that start before row END, and the
   facts about all groups with a key.  Returns 0, or -1: out of memory. */
static int
choose_before(struct group_table *table, uint64_t end)
{
    const struct report_options *options = table->report->options;
    struct group_figures figures;
    struct group_entry entry;
    bool is_last;

    if (!table->is_ranked) {
        table->valueless += group_walk_check(&table->walk, end);
        return 0;
    }
    while (group_walk_starts_before(&table->walk, end)) {
        (void)group_walk_next(&table->walk, &entry, &is_last, &figures);
        table->valueless += group_figures_records(&figures) - figures.count;
        if (is_last) {
            if (group_entries_add(&table->last, &entry) < 0)
                return -1;
            continue;
        }
        if (!count_limits_include(&options->limits, entry.count)) {
            group_figures_add(&table->other, &figures);
            continue;
        }
        if (options->top != 0)
            group_figures_add(&table->all, &figures);
        if (options->sort == SORT_FIGURE)
            entry.rank = find_rank(table, &entry, &figures, &table->order);
        if (keep_entry(table, &entry) < 0)
            return -1;
    }
    sort_kept(table);
    return 0;
}

static void
choose_part(void *task, unsigned int member)
{
    struct chosen_part *part = (struct chosen_part *)task + member;

    group_walk_start(&part->table.walk, part->first);
    part->result = choose_before(&part->table, part->end);
}

/* Add the facts found by PART to those of TABLE. */
static void
add_facts(struct group_table *table, const struct group_table *part)
{
    table->walk.met += part->walk.met;
    group_figures_add(&table->other, &part->other);
    group_figures_add(&table->all, &part->all);
    table->left_out += part->left_out;
    table->valueless += part->valueless;
    if (table->walk.wrong_row == GROUP_WALK_NO_ROW)
        table->walk.wrong_row = part->walk.wrong_row;
}

/* Let TABLE have the groups and facts found by the PARTS parts at PART.
   Returns 0, or -1: out of memory. */
static int
join_parts(struct group_table *table, struct chosen_part *part,
           unsigned int parts)
{
    struct group_entries_part ranked[CREW_MAX];
    struct group_entries_part last[CREW_MAX];
    int result = 0;

    for (unsigned int p = 0; p < parts; p++) {
        uint64_t met = table->walk.met;
        ranked[p] = (struct group_entries_part){part[p].table.ranked, met};
        last[p] = (struct group_entries_part){part[p].table.last, met};
        add_facts(table, &part[p].table);
        if (part[p].result < 0)
            result = -1;
    }
    if (result == 0)
        result = group_entries_join(&table->ranked, ranked, parts,
                                    kept_order(table->report->options));
    if (result == 0)
        result =
            group_entries_join(&table->last, last, parts, group_order_rows);
    cut_entries(table);
    return result;
}

/* Find the groups to print.  Each thread has a part of the rows; a group
   belongs to the part of its first row.  Returns 0, or -1: out of memory. */
static int
choose_groups(struct group_table *table)
{
    const struct group_walk *walk = &table->walk;
    unsigned int parts = group_walk_parts(walk, table->report->threads);
    struct chosen_part *part = NULL;

    if (parts > 1 && walk->groups > 0)
        part = malloc(parts * sizeof *part);
    if (part == NULL)
        return choose_before(table, UINT64_MAX);
    for (unsigned int p = 0; p < parts; p++) {
        part[p].table = *table;
        part[p].first = group_walk_part(walk, parts, p);
        part[p].end = group_walk_part(walk, parts, p + 1);
    }
    crew_run(parts, choose_part, part);
    int result = join_parts(table, part, parts);
    for (size_t p = 0; p < parts; p++) {
        free(part[p].table.ranked.entry);
        free(part[p].table.last.entry);
    }
    free(part);
    return result;
}

/* Add all groups that --top left out to OTHER: all groups minus the groups to
   print, which are few. */
static void
subtract_chosen(struct group_table *table)
{
    const struct group_entries *entries = &table->ranked;
    struct group_figures figures;

    for (size_t e = 0; e < entries->count; e++) {
        group_walk_again(&table->walk, &entries->entry[e], &figures);
        group_figures_subtract(&table->all, &figures);
    }
    group_figures_add(&table->other, &table->all);
}

/* The same for the least and the greatest number of OTHER, which a subtraction
   cannot find. */
static void
add_other(struct group_table *table)
{
    const struct group_entries *entries = &table->ranked;
    const struct count_limits *limits = &table->report->options->limits;
    struct group_figures figures;
    struct group_entry entry;
    bool is_last;
    size_t next = 0;

    group_entries_sort(&table->ranked, group_order_rows);
    group_walk_restart(&table->walk);
    while (group_walk_next(&table->walk, &entry, &is_last, &figures)) {
        if (next < entries->count && entries->entry[next].first == entry.first)
            next++;
        else if (!is_last && count_limits_include(limits, entry.count))
            group_figures_add(&table->other, &figures);
    }
}

/* Find the groups to print, and the figures of OTHER.  Returns 0, or -1: out
   of memory. */
static int
rank_groups(struct group_table *table)
{
    const struct report_options *options = table->report->options;

    if (choose_groups(table) < 0)
        return -1;
    if (table->left_out > 0) {
        if ((table->walk.none.needs & FIGURE_NEEDS_EXTREMES) != 0)
            add_other(table);
        else
            subtract_chosen(table);
    }
    if (table->left_out > 0 || line_order(options) != kept_order(options))
        group_entries_sort(&table->ranked, line_order(options));
    return 0;
}

/* ---- other fields ---- */

/* Returns the entry of LIST, in the order of numbers, with NUMBER, or NULL. */
static const struct group_entry *
find_number(const struct group_entries *list, uint64_t number)
{
    const struct group_entry wanted = {.number = number};

    if (list->count == 0)
        return NULL;
    return bsearch(&wanted, list->entry, list->count, sizeof wanted,
                   group_order_numbers);
}

/* Returns copies of the entries of LIST in the order of numbers, owned; NULL:
   out of memory. */
static struct group_entry *
copy_by_number(const struct group_entries *list)
{
    struct group_entries copy = {.count = list->count};

    copy.entry = malloc((list->count + 1) * sizeof *copy.entry);
    if (copy.entry != NULL && list->count > 0) {
        memcpy(copy.entry, list->entry, list->count * sizeof *copy.entry);
        group_entries_sort(&copy, group_order_numbers);
    }
    return copy.entry;
}

/*
 * Find in FELLOW the groups that TABLE prints: fellow->ranked and fellow->last
 * get them in the order of numbers.  All others are in fellow->other.  Returns
 * 0, or -1: out of memory.
 */
static int
follow(struct group_table *fellow, const struct group_table *table)
{
    struct group_entries chosen = {.entry = copy_by_number(&table->ranked),
                                   .count = table->ranked.count};
    struct group_figures figures;
    struct group_entry entry;
    bool is_last;
    int result = chosen.entry == NULL ? -1 : 0;

    group_walk_restart(&fellow->walk);
    while (result == 0 &&
           group_walk_next(&fellow->walk, &entry, &is_last, &figures)) {
        fellow->valueless += group_figures_records(&figures) - figures.count;
        if (is_last)
            result = group_entries_add(&fellow->last, &entry);
        else if (find_number(&chosen, entry.number) != NULL)
            result = group_entries_add(&fellow->ranked, &entry);
        else
            group_figures_add(&fellow->other, &figures);
    }
    free(chosen.entry);
    return result;
}

/* Let FELLOW be on the group that is ENTRY of TABLE, which come in the order of
   numbers unless they are ranked; NULL: on the line for others. */
static void
follow_entry(struct group_table *fellow, const struct group_table *table,
             const struct group_entry *entry)
{
    const struct group_entry *found;
    bool is_last;

    fellow->is_other = entry == NULL;
    if (entry == NULL) {
        fellow->figures = fellow->other;
        return;
    }
    if (!table->is_ranked) {
        (void)group_walk_next(&fellow->walk, &fellow->entry, &is_last,
                              &fellow->figures);
        return;
    }
    found = find_number(&fellow->ranked, entry->number);
    if (found == NULL)
        found = find_number(&fellow->last, entry->number);
    assert(found != NULL);
    fellow->entry = *found;
    group_walk_again(&fellow->walk, found, &fellow->figures);
}

/* ---- cells ---- */

size_t
group_table_texts(const struct group_table *table, size_t c)
{
    bool has_bounds = table->of[c]->has_bounds;
    size_t texts = 1;

    /* Only values that share bins have more. */
    if (!has_bounds)
        return texts;
    while (figure_suffix(&table->columns->figure[c], has_bounds, texts) != NULL)
        texts++;
    return texts;
}

const char *
group_table_name(const struct group_table *table, size_t c, size_t t)
{
    const struct column_names *names = table->report->names;
    const char *suffix =
        figure_suffix(&table->columns->figure[c], table->of[c]->has_bounds, t);

    if (strcmp(suffix, "_hi") == 0)
        return names->figure_hi[c];
    if (strcmp(suffix, "_least") == 0)
        return names->figure_least[c];
    return strcmp(suffix, "_most") == 0 ? names->figure_most[c]
                                        : names->figure[c];
}

const struct column *
group_table_key(struct group_table *table, size_t c)
{
    struct group_table *of = table->of[c];
    struct rows *rows = &of->walk.keys;
    struct column *column = &rows->column[rows->columns - 1];

    if (of->is_other) {
        group_cells_read_other(of, column, table->figure_of[c]);
    } else {
        rows_seek(rows, table->cell[c].row, 1);
        (void)rows_next(rows);
    }
    column_set_labels(column);
    return column;
}

/* Set the cells and the keys of ENTRY; NULL: of the line for others. */
static void
set_line(struct group_table *table, const struct group_entry *entry)
{
    struct rows *rows = &table->walk.keys;

    table->is_other = entry == NULL;
    group_cells_set(table, entry);
    for (size_t f = 0; f < table->fellows; f++) {
        struct group_table *fellow = &table->fellow[f];
        follow_entry(fellow, table, entry);
        group_cells_set(fellow, entry == NULL ? NULL : &fellow->entry);
    }
    if (table->walk.groups == 0)
        return;
    rows->is_other = entry == NULL;
    rows_set_group_labels(rows, table->walk.groups);
}

/* ---- lines ---- */

/*
 * Set *ENTRY to the next group to print, and table->figures to the facts about
 * the group.  *IS_OTHER: the next line is the line for others.  Returns false
 * at the end.
 */
static bool
next_entry(struct group_table *table, struct group_entry *entry, bool *is_other)
{
    bool is_last;

    *is_other = false;
    if (!table->is_ranked)
        return (table->end == UINT64_MAX ||
                group_walk_starts_before(&table->walk, table->end)) &&
               group_walk_next(&table->walk, entry, &is_last, &table->figures);
    if (table->next >= table->end)
        return false;
    size_t ranked = table->ranked.count;
    size_t number = table->next++;
    if (number < ranked + table->last.count) {
        *entry = number < ranked ? table->ranked.entry[number]
                                 : table->last.entry[number - ranked];
        group_walk_again(&table->walk, entry, &table->figures);
        return true;
    }
    *is_other = number == ranked + table->last.count &&
                group_figures_records(&table->other) > 0;
    table->figures = table->other;
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

void
group_table_restart(struct group_table *table)
{
    table->next = 0;
    table->walk.keys.is_other = false;
    group_walk_restart(&table->walk);
    for (size_t f = 0; f < table->fellows; f++)
        group_walk_restart(&table->fellow[f].walk);
}

uint64_t
group_table_place(const struct group_table *table, uint64_t *most)
{
    const struct rows *rows = &table->walk.rows;

    /* The line for others follows all groups. */
    *most = table->is_ranked ? table->ranked.count + table->last.count + 1
                             : rows->most;
    if (table->is_ranked)
        return table->next;
    return table->walk.has_row ? rows->next - 1 : rows->most;
}

void
group_table_cut(struct group_table *table, uint64_t first, uint64_t end)
{
    table->end = end;
    if (table->is_ranked)
        table->next = first;
    else
        group_walk_start(&table->walk, first);
}

/* Returns the needs of TABLE for each group.  IS_LEAD: of the order, too. */
static unsigned int
find_needs(const struct group_table *table, bool is_lead)
{
    unsigned int needs = figures_needs(&table->own.figures);

    if (is_lead && table->report->options->sort == SORT_FIGURE)
        needs |= figure_row(&table->order)->needs;
    /* Without ranks, rows alone give the least and the greatest value. */
    return table->is_ranked ? needs
                            : needs & ~(unsigned int)FIGURE_NEEDS_EXTREMES;
}

/* Start the lines of histogram I of REPORT, without an order.  IS_LEAD: their
   order is wanted.  Returns 0, or -1: out of memory. */
static int
open_own(struct group_table *table, const struct report *report, size_t i,
         bool is_lead)
{
    const struct report_options *options = report->options;
    size_t own = spec_own_axis(report->spec, i);
    bool is_spectrum = report->spec->is_spectrum;
    bool are_groups = report->spec->are_groups && !is_spectrum;
    size_t groups = are_groups    ? spec_dimensions(report->spec, i)
                    : is_spectrum ? 0
                                  : report->spec->group_count;

    *table = (struct group_table){
        .report = report,
        .columns = &options->figures,
        .order = figure_fields_found(options, &options->sort_figure),
        .values = report->others != NULL ? &report->others[i] : NULL,
        .has_bounds = !spec_has_values(report->spec, own) &&
                      !axis_has_names(&report->spec->shown[own]),
        .plain_options = {.flow = FLOW_AUTO, .nonzero = true},
        .plain = *report,
        .is_ranked = groups > 0 && (options->top != 0 ||
                                    count_limits_are_set(&options->limits) ||
                                    options->sort != SORT_VALUE),
        .end = UINT64_MAX,
        .walk = {.groups = groups,
                 .has_values = !are_groups,
                 .counts_records = figure_fields_are_named(options),
                 .wrong_row = GROUP_WALK_NO_ROW},
    };
    figure_fields_choose(&table->own, options, report->spec, i);
    table->has_searched = group_cells_are_searched(table);
    table->walk.none = group_figures_none(&report->spec->shown[own],
                                          find_needs(table, is_lead));
    table->walk.none.series = report->series;
    if (report->spec->histogram[i].kind == COUNTED_SUMS) {
        table->walk.sums = &report->spec->sums[i];
        table->walk.none.needs &=
            ~(unsigned int)(FIGURE_NEEDS_SUM | FIGURE_NEEDS_SQUARES);
    }
    table->other = table->walk.none;
    table->all = table->walk.none;
    table->plain_options.sort = SORT_VALUE;
    table->plain.options = &table->plain_options;
    table->plain.groups = NULL;
    table->plain.lut = NULL;
    table->stats = groups == 0 ? malloc(sizeof *table->stats) : NULL;
    rows_open(&table->walk.rows, &table->plain, i);
    rows_open(&table->walk.keys, &table->plain, i);
    group_walk_restart(&table->walk);
    return groups == 0 && table->stats == NULL ? -1 : 0;
}

/* Let the columns of the figures of OF be those of TABLE. */
static void
share_columns(struct group_table *table, struct group_table *of)
{
    of->cell = table->cell;
    for (size_t f = 0; f < of->own.figures.count; f++) {
        table->of[of->own.place[f]] = of;
        table->figure_of[of->own.place[f]] = f;
    }
}

/* Start the fellows of TABLE, one for each other histogram with a figure.
   Returns 0, or -1: out of memory. */
static int
open_fellows(struct group_table *table)
{
    const struct report *report = table->report;
    size_t histograms = spec_histograms(report->spec);
    struct figure_choice choice;

    table->fellow = calloc(histograms, sizeof *table->fellow);
    if (table->fellow == NULL)
        return -1;
    for (size_t i = 0; i < histograms; i++) {
        struct group_table *fellow = &table->fellow[table->fellows];
        figure_fields_choose(&choice, report->options, report->spec, i);
        if (i == table->walk.keys.histogram || choice.figures.count == 0)
            continue;
        table->fellows++;
        if (open_own(fellow, report, i, false) < 0)
            return -1;
        share_columns(table, fellow);
    }
    return 0;
}

/* Find the groups to print in TABLE, table I of its report, and in its fellows.
   Returns 0, or -1: out of memory. */
static int
rank_all(struct group_table *table, size_t i)
{
    const struct group_choice *choices = table->report->choices;
    int result = 0;

    if (choices != NULL && choices[i].is_made) {
        table->is_borrowed = true;
        table->ranked = choices[i].ranked;
        table->last = choices[i].last;
        table->other = choices[i].other;
    } else {
        result = rank_groups(table);
    }

    for (size_t f = 0; f < table->fellows && result == 0; f++)
        result = follow(&table->fellow[f], table);
    return result;
}

int
group_table_open(struct group_table *table, const struct report *report,
                 size_t i, struct error *error)
{
    const struct report_options *options = report->options;
    bool are_named = figure_fields_are_named(options);
    size_t own = are_named ? figure_fields_lead(options, report->spec) : i;
    int result = open_own(table, report, own, true);
    table->cell = calloc(table->columns->count, sizeof *table->cell);
    if (table->cell == NULL)
        result = -1;
    share_columns(table, table);
    if (result == 0 && are_named)
        result = open_fellows(table);
    if (result == 0 && table->is_ranked)
        result = rank_all(table, i);
    return result < 0 ? error_fail_memory(error) : 0;
}

void
group_table_close(struct group_table *table)
{
    if (!table->is_borrowed) {
        free(table->ranked.entry);
        free(table->last.entry);
    }
    free(table->cell);
    free(table->stats);
    for (size_t f = 0; f < table->fellows; f++) {
        /* The cells are those of the table. */
        free(table->fellow[f].ranked.entry);
        free(table->fellow[f].last.entry);
        free(table->fellow[f].stats);
    }
    free(table->fellow);
}

/* ---- checks ---- */

/* Set *ERROR: a number of TABLE is too long for a sum. Returns -1. */
static int
fail_sum(struct group_table *table, struct error *error)
{
    const struct spec *spec = table->report->spec;
    size_t axis = spec_own_axis(spec, table->walk.keys.histogram);
    struct group_cell cell;
    char text[SPEC_FIELD_BYTES];

    group_cells_set_row(table, &cell, table->walk.wrong_row);
    error_set(error, EXIT_DATA,
              "field %s: %.*s has more than %d digits before or after its "
              "decimal point, so sum, mean and sd would not be exact",
              spec_field_text(spec, axis, text), (int)cell.text[0].size,
              cell.text[0].text, DECIMAL_SUM_PLACES);
    return -1;
}

/* Returns the number of records without a value in the printed groups of TABLE,
   after choosing. */
static uint64_t
count_valueless(const struct group_table *table)
{
    bool no_other = table->report->options->no_other;
    uint64_t other = group_figures_records(&table->other) - table->other.count;

    return table->valueless - (no_other ? other : 0);
}

/*
 * Whether the line for others has figures that cannot be added up from groups.
 */
static bool
needs_values(const struct group_table *table)
{
    return !table->report->options->no_other && table->other.count > 0 &&
           (figures_needs(&table->own.figures) & FIGURE_NEEDS_VALUES) != 0;
}

/* Find the figures of the line for others that need all values.  Returns 0, or
   -1 with *ERROR set. */
static int
make_other(struct group_table *table, struct group_other *other,
           struct error *error)
{
    const struct report *report = table->report;

    group_entries_sort(&table->ranked, group_order_rows);
    const struct group_numbers *numbers = report->spec->numbers;

    if (numbers != NULL)
        numbers += table->walk.keys.histogram;
    if (numbers != NULL && numbers->find != NULL)
        return group_other_find(other, &table->walk, &table->ranked,
                                &table->own.figures, &table->other,
                                report->spec, error);
    return group_other_make(other, &table->walk, &table->ranked,
                            &table->own.figures, &table->other,
                            (size_t)report->memory, report->threads, error);
}

/* Whether a figure of OWN, or any if the fields are not named, tells of records
   without a value. */
static bool
shows_valueless(const struct group_table *table)
{
    const struct figures *figures = &table->own.figures;
    bool are_named = table->walk.counts_records;
    bool is_shown = false;

    for (size_t f = 0; f < figures->count; f++)
        is_shown |=
            (!are_named || figures->figure[f].field != NULL) &&
            (figure_row(&figures->figure[f])->needs & FIGURE_OF_VALUELESS) != 0;
    return is_shown;
}

/* Count the records without a value in TABLE, and find the figures of its line
   for others.  Returns 0, or -1 with *ERROR set. */
static int
find_hidden(struct group_table *table, struct report_hidden *hidden,
            struct group_other *others, struct error *error)
{
    /* Without ranking, the walk only counts records without a value. */
    if (!table->is_ranked && choose_groups(table) < 0)
        return error_fail_memory(error);
    if (!shows_valueless(table))
        hidden->valueless += count_valueless(table);
    if (table->walk.wrong_row != GROUP_WALK_NO_ROW)
        return fail_sum(table, error);
    return needs_values(table)
               ? make_other(table, &others[table->walk.keys.histogram], error)
               : 0;
}

/* Move the groups to print, in the order of lines, from TABLE to CHOICE. */
static void
keep_choice(struct group_table *table, struct group_choice *choice)
{
    if (needs_values(table)) /* make_other() has sorted them by rows */
        group_entries_sort(&table->ranked, line_order(table->report->options));
    *choice = (struct group_choice){.is_made = true,
                                    .ranked = table->ranked,
                                    .last = table->last,
                                    .other = table->other};
    table->is_borrowed = true;
}

int
group_table_hidden(const struct report *report, struct report_hidden *hidden,
                   struct group_other *others, struct group_choice *choices,
                   struct error *error)
{
    size_t tables = figure_fields_tables(report->options, report->spec);
    struct group_table table;
    int result = 0;

    for (size_t i = 0; i < tables && result == 0; i++) {
        result = group_table_open(&table, report, i, error);
        if (report->options->no_other)
            hidden->other += group_figures_records(&table.other);
        if (result == 0)
            result = find_hidden(&table, hidden, others, error);
        for (size_t f = 0; f < table.fellows && result == 0; f++)
            result = find_hidden(&table.fellow[f], hidden, others, error);
        if (result == 0 && table.is_ranked)
            keep_choice(&table, &choices[i]);
        group_table_close(&table);
    }
    return result;
}

void
group_choice_close(struct group_choice *choice)
{
    free(choice->ranked.entry);
    free(choice->last.entry);
    *choice = (struct group_choice){.is_made = false};
}
