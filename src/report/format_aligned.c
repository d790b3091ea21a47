/* SPDX-License-Identifier: MIT */
/*
 * format_aligned.c -- tables whose columns are aligned, for people
 *
 * A column is as wide as its widest cell, which any line may have.  So the
 * lines are walked twice: the first walk measures, and the second one prints.
 * Nothing is kept between both but the widths.
 */

#include <stdlib.h>
#include <string.h>

#include "base/number_style.h"
#include "report/format.h"
#include "report/group_table.h"
#include "report/key_text.h"
#include "report/pivot.h"
#include "report/profile.h"
#include "report/rows.h"
#include "report/slices.h"

/* The blanks between two columns. */
#define GAP 2

/* File and field; labels or keys, two of each if they have edges; then the
   amount and extra columns, or figures with edges. */
#define COLUMNS_MAX (2 + 2 * SPEC_AXES_MAX + 2 * FIGURES_MAX)
_Static_assert(1 + ROWS_EXTRAS <= 2 * FIGURES_MAX, "COLUMNS_MAX is too small");

/* A column, as the first walk finds it. */
struct aligned_column {
    size_t width;
    bool is_text; /* aligned to the left */
};

/* The line that is measured or printed. */
struct aligned_line {
    struct aligned_column *layout; /* changes only while OUT is NULL */
    struct writer *out;            /* NULL: measure */
    struct number_style counts;
    struct number_style figures;
    size_t column; /* of the next cell */
    size_t blanks; /* to print before the next cell */
};

static struct aligned_line
line_of(struct aligned_column *layout, struct writer *out,
        const struct report *report)
{
    const struct report_options *options = report->options;

    return (struct aligned_line){
        .layout = layout,
        .out = out,
        .counts = {.has_thousands = options->thousands},
        .figures = {.has_thousands = options->thousands,
                    .is_rounded = options->decimals != REPORT_DECIMALS_ALL,
                    .decimals = options->decimals},
    };
}

/* ---- cells ---- */

static void
put_blanks(struct writer *out, size_t count)
{
    for (size_t i = 0; i < count; i++)
        writer_put_char(out, ' ');
}

/* Start a cell of WIDTH columns.  Returns whether the cell is printed, and not
   measured. */
static bool
start_cell(struct aligned_line *line, size_t width)
{
    struct aligned_column *column = &line->layout[line->column++];

    if (line->out == NULL) {
        if (column->width < width)
            column->width = width;
        return false;
    }
    size_t blanks = column->width - width;
    /* No blanks at the end of a line. */
    if (width == 0) {
        line->blanks += blanks + GAP;
        return true;
    }
    put_blanks(line->out, line->blanks + (column->is_text ? 0 : blanks));
    line->blanks = GAP + (column->is_text ? blanks : 0);
    return true;
}

/* Put a cell of ASCII. */
static void
put_ascii(struct aligned_line *line, const char *text, size_t size)
{
    if (start_cell(line, size))
        writer_put_bytes(line->out, text, size);
}

/* Put a key, or the name of a field or a file. */
static void
put_text(struct aligned_line *line, const void *text, size_t size)
{
    if (start_cell(line, key_text_columns(text, size)))
        key_text_put_shown(line->out, text, size);
}

static void
put_number(struct aligned_line *line, const struct number_style *style,
           const char *text, size_t size)
{
    char room[NUMBER_STYLE_BYTES];

    put_ascii(line, room,
              (size_t)(number_style_put(style, text, size, room) - room));
}

/* Put the name of a column, of texts if IS_TEXT. */
static void
put_name(struct aligned_line *line, const char *name, bool is_text)
{
    if (line->out == NULL)
        line->layout[line->column].is_text = is_text;
    put_text(line, name, strlen(name));
}

static void
end_line(struct aligned_line *line)
{
    if (line->out != NULL)
        writer_put_char(line->out, '\n');
    line->column = 0;
    line->blanks = 0;
}

/* OUT is the writer of the report, for a failure. */
static void
put_label(struct aligned_line *line, const struct column *column,
          const struct label *label, struct writer *out)
{
    if (column_has_keys(column) && column->has_key) {
        struct key_text text;
        key_text_open(&text, &column->key, out);
        put_text(line, text.byte, text.size);
        key_text_close(&text);
    } else {
        put_ascii(line, label->text, label->size);
    }
}

/* Put the label of COLUMN, or both if it has edges. */
static void
put_labels(struct aligned_line *line, const struct column *column,
           struct writer *out)
{
    put_label(line, column, &column->lo, out);
    if (column->has_edges)
        put_label(line, column, &column->hi, out);
}

static void
put_amount(struct aligned_line *line, const struct spec *spec,
           const struct amount *amount)
{
    char text[WRITER_PIECE_BYTES];
    char *end = amount_put(spec, amount, text);

    put_number(line, spec->has_weights ? &line->figures : &line->counts, text,
               (size_t)(end - text));
}

/* ---- lines ---- */

/* The names of the columns that all reports have, before the others. */
static void
put_first_names(struct aligned_line *line, const struct report *report)
{
    if (report->file != NULL)
        put_name(line, report->names->file, true);
    if (rows_have_field(report))
        put_name(line, report->names->field, true);
}

/* The cells of histogram I below these names. */
static void
put_first_cells(struct aligned_line *line, const struct report *report,
                size_t i)
{
    char field[SPEC_HISTOGRAM_BYTES];

    if (report->file != NULL)
        put_text(line, report->file, strlen(report->file));
    if (rows_have_field(report)) {
        const char *text = spec_histogram_text(report->spec, i, field);
        put_text(line, text, strlen(text));
    }
}

static void
put_header(struct aligned_line *line, const struct rows *rows)
{
    const struct column_names *names = rows->report->names;

    put_first_names(line, rows->report);
    for (size_t i = 0; i < rows->columns; i++) {
        const struct column *column = &rows->column[i];
        put_name(line, rows_first_name(rows, i), column_is_text(column));
        if (column->has_edges)
            put_name(line, rows_names(rows, i)->hi, column_is_text(column));
    }
    put_name(line, names->amount, false);
    for (size_t i = 0; i < rows->extras; i++)
        put_name(line, names->extra[rows->extra[i]], false);
    end_line(line);
}

static void
put_extra(struct aligned_line *line, const struct rows *rows,
          enum rows_extra extra)
{
    bool is_count = extra == ROWS_LUT || (extra == ROWS_CUMULATIVE &&
                                          !rows->report->spec->has_weights);
    char text[WRITER_PIECE_BYTES];
    char *end = rows_put_extra(rows, extra, text);

    put_number(line, is_count ? &line->counts : &line->figures, text,
               (size_t)(end - text));
}

static void
put_line(struct aligned_line *line, struct rows *rows, struct writer *out)
{
    put_first_cells(line, rows->report, rows->histogram);
    rows_set_labels(rows);
    for (size_t i = 0; i < rows->columns; i++)
        put_labels(line, &rows->column[i], out);
    put_amount(line, rows->report->spec, &rows->amount);
    for (size_t i = 0; i < rows->extras; i++)
        put_extra(line, rows, rows->extra[i]);
    end_line(line);
}

/* CONTEXT is the layout, which other threads print, too. */
static void
put_lines(struct writer *out, struct rows *rows, const void *context)
{
    struct aligned_column *const *layout = context;
    struct aligned_line line = line_of(*layout, out, rows->report);

    while (!writer_has_failed(out) && rows_next(rows))
        put_line(&line, rows, out);
}

static void
put_rows(struct writer *out, const struct report *report, size_t i)
{
    struct aligned_column layout[COLUMNS_MAX] = {{0}};
    struct aligned_column *context = layout;
    struct aligned_line line = line_of(layout, NULL, report);
    struct rows rows;

    rows_open(&rows, report, i);
    put_header(&line, &rows);
    while (!writer_has_failed(out) && rows_next(&rows))
        put_line(&line, &rows, out);
    rows_open(&rows, report, i);
    line.out = out;
    put_header(&line, &rows);
    slices_print(out, &rows, report->threads, put_lines, &context);
}

/* ---- groups ---- */

/* Whether column C of GROUPS may have keys. */
static bool
has_keys(const struct group_table *groups, size_t c)
{
    const struct group_walk *walk = &groups->of[c]->walk;

    return groups->columns->figure[c].kind == FIGURE_MODE && walk->has_values &&
           column_has_keys(group_walk_values(&walk->keys));
}

static void
put_group_header(struct aligned_line *line, const struct group_table *groups)
{
    const struct rows *keys = &groups->walk.keys;

    put_first_names(line, groups->report);
    for (size_t i = 0; i < groups->walk.groups; i++)
        put_name(line, rows_names(keys, i)->name,
                 column_is_text(&keys->column[i]));
    for (size_t c = 0; c < groups->columns->count; c++) {
        for (size_t t = 0; t < group_table_texts(groups, c); t++)
            put_name(line, group_table_name(groups, c, t), has_keys(groups, c));
    }
    end_line(line);
}

static void
put_group(struct aligned_line *line, struct group_table *groups,
          size_t histogram, struct writer *out)
{
    put_first_cells(line, groups->report, histogram);
    for (size_t i = 0; i < groups->walk.groups; i++) {
        const struct column *column = &groups->walk.keys.column[i];
        put_label(line, column, &column->lo, out);
    }
    for (size_t c = 0; c < groups->columns->count; c++) {
        const struct group_cell *cell = &groups->cell[c];
        const struct number_style *style =
            figure_is_count(&groups->columns->figure[c]) ? &line->counts
                                                         : &line->figures;
        if (cell->is_key) {
            const struct column *column = group_table_key(groups, c);
            put_label(line, column, &column->lo, out);
            continue;
        }
        for (size_t t = 0; t < group_table_texts(groups, c); t++)
            put_number(line, style, cell->text[t].text, cell->text[t].size);
    }
    end_line(line);
}

/* Measure the lines of GROUPS, of HISTOGRAM, or print the lines if LINE has an
   OUT. */
static void
walk_groups(struct aligned_line *line, struct group_table *groups,
            size_t histogram, struct writer *out)
{
    put_group_header(line, groups);
    while (!writer_has_failed(out) && group_table_next(groups))
        put_group(line, groups, histogram, out);
}

static void
put_groups(struct writer *out, const struct report *report, size_t i)
{
    struct aligned_column layout[COLUMNS_MAX] = {{0}};
    struct aligned_line line = line_of(layout, NULL, report);
    struct error error = ERROR_NONE;
    struct group_table groups;

    if (group_table_open(&groups, report, i, &error) == 0) {
        walk_groups(&line, &groups, i, out);
        group_table_restart(&groups);
        line.out = out;
        walk_groups(&line, &groups, i, out);
    } else {
        writer_fail_memory(out);
    }
    group_table_close(&groups);
    error_clear(&error);
}

/* ---- columns of values ---- */

static void
put_pivot_header(struct aligned_line *line, struct pivot *pivot,
                 struct writer *out)
{
    const struct rows *rows = &pivot->rows;

    for (size_t i = 0; i < rows->group_columns; i++) {
        bool is_text = column_is_text(&rows->column[i]);
        put_name(line, rows_first_name(rows, i), is_text);
        if (rows->column[i].has_edges)
            put_name(line, rows_names(rows, i)->hi, is_text);
    }
    for (uint64_t c = 0; c < pivot_columns(pivot); c++)
        put_labels(line, pivot_name(pivot, c), out);
    end_line(line);
}

/* Measure the lines of PIVOT, or print the lines if LINE has an OUT. */
static void
walk_pivot(struct aligned_line *line, struct pivot *pivot, struct writer *out)
{
    put_pivot_header(line, pivot, out);
    while (!writer_has_failed(out) && pivot_next(pivot)) {
        pivot_set_labels(pivot);
        for (size_t i = 0; i < pivot->rows.group_columns; i++)
            put_labels(line, &pivot->rows.column[i], out);
        for (uint64_t c = 0; c < pivot_columns(pivot); c++) {
            struct amount amount = pivot_amount(pivot, c);
            put_amount(line, pivot->report->spec, &amount);
        }
        end_line(line);
    }
}

static void
put_pivot(struct writer *out, struct pivot *pivot)
{
    size_t columns = 2 * pivot->rows.group_columns + pivot_columns(pivot);
    struct aligned_column *layout = calloc(columns, sizeof *layout);
    struct aligned_line line = line_of(layout, NULL, pivot->report);

    if (layout == NULL) {
        writer_fail_memory(out);
        return;
    }
    walk_pivot(&line, pivot, out);
    pivot_restart(pivot);
    line.out = out;
    walk_pivot(&line, pivot, out);
    free(layout);
}

/* ---- profiles ---- */

/* The most characters of a text in a profile; longer texts end with "...". */
#define TEXT_COLUMNS_MAX 24

/* Put a text of a profile, or its start. */
static void
put_start(struct aligned_line *line, const unsigned char *text, size_t size)
{
    const size_t most = TEXT_COLUMNS_MAX - 3;
    size_t start = size < 4 * TEXT_COLUMNS_MAX ? size : 4 * TEXT_COLUMNS_MAX;

    if (start == size && key_text_columns(text, size) <= TEXT_COLUMNS_MAX) {
        put_text(line, text, size);
        return;
    }
    /* A character of UTF-8 is whole, or shown as several bytes. */
    while (start > 0 && (key_text_columns(text, start) > most ||
                         (start < size && (text[start] & 0xc0) == 0x80)))
        start--;
    if (!start_cell(line, key_text_columns(text, start) + 3))
        return;
    key_text_put_shown(line->out, text, start);
    writer_put_text(line->out, "...");
}

static void
put_profile_cell(struct aligned_line *line, const struct profile_cell *cell)
{
    if (cell->kind == PROFILE_TEXT)
        put_start(line, profile_bytes(cell), cell->size);
    else if (cell->kind == PROFILE_WHOLE)
        put_number(line, &line->counts, cell->text, cell->size);
    else if (cell->kind == PROFILE_NUMBER)
        put_number(line, &line->figures, cell->text, cell->size);
    else
        put_ascii(line, cell->text, cell->size);
}

/* Measure the lines of the profile of REPORT, or print the lines if LINE has an
   OUT. */
static void
walk_profile(struct aligned_line *line, const struct report *report)
{
    const struct profile *profile = report->profile;

    if (report->file != NULL)
        put_name(line, "file", true);
    for (size_t c = 0; c < PROFILE_COLUMNS; c++) {
        enum profile_column column = (enum profile_column)c;
        put_name(line, profile_name(column), profile_is_text(profile, column));
    }
    end_line(line);
    for (size_t i = 0; i < profile->count; i++) {
        if (report->file != NULL)
            put_text(line, report->file, strlen(report->file));
        for (size_t c = 0; c < PROFILE_COLUMNS; c++)
            put_profile_cell(line, &profile->line[i].cell[c]);
        end_line(line);
    }
}

static void
put_profile(struct writer *out, const struct report *report)
{
    struct aligned_column layout[COLUMNS_MAX] = {{0}};
    struct aligned_line line = line_of(layout, NULL, report);

    if (report->is_continued)
        writer_put_char(out, '\n');
    walk_profile(&line, report);
    line.out = out;
    walk_profile(&line, report);
}

/* ---- tables ---- */

void
format_table(struct writer *out, const struct report *report)
{
    if (report->profile != NULL)
        put_profile(out, report);
    for (size_t i = 0; report->profile == NULL &&
                       i < figure_fields_tables(report->options, report->spec);
         i++) {
        if (i > 0 || report->is_continued)
            writer_put_char(out, '\n');
        if (report->pivot != NULL)
            put_pivot(out, report->pivot);
        else if (report->options->figures.count > 0)
            put_groups(out, report, i);
        else
            put_rows(out, report, i);
    }
    format_put_mark(out, report);
}
