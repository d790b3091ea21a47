/* SPDX-License-Identifier: MIT */
/* format_md.c -- tables in GitHub's Markdown */

#include "report/format.h"
#include "report/group_slices.h"
#include "report/group_table.h"
#include "report/key_text.h"
#include "report/pivot.h"
#include "report/profile.h"
#include "report/rows.h"
#include "report/slices.h"

/* ---- cells ---- */

/* TEXT is the name of a column, a field or a file. */
static void
put_text(struct writer *out, const char *text)
{
    writer_put_text(out, "| ");
    key_text_put_md(out, (const unsigned char *)text, strlen(text));
    writer_put_char(out, ' ');
}

/* Put a cell of the line that aligns columns. */
static void
put_alignment(struct writer *out, bool is_text)
{
    writer_put_text(out, is_text ? "| :--- " : "| ---: ");
}

static void
put_extra(struct writer *out, const struct rows *rows, enum rows_extra extra)
{
    writer_put_text(out, "| ");
    out->at = rows_put_extra(rows, extra, writer_piece(out));
    writer_put_char(out, ' ');
}

static void
put_amount(struct writer *out, const struct report *report,
           const struct amount *amount)
{
    writer_put_text(out, "| ");
    out->at = amount_put(report->spec, amount, writer_piece(out));
    writer_put_char(out, ' ');
}

static void
put_label(struct writer *out, const struct column *column,
          const struct label *label)
{
    writer_put_text(out, "| ");
    if (column_has_keys(column) && column->has_key) {
        struct key_text text;
        key_text_open(&text, &column->key, out);
        key_text_put_md(out, text.byte, text.size);
        key_text_close(&text);
    } else if (column_is_text(column) || label->text[0] == '\\') {
        key_text_put_md_label(out, label->text);
    } else {
        writer_put_short(out, label->text, label->size);
    }
    writer_put_char(out, ' ');
}

/* ---- lines ---- */

static void
put_line(struct writer *out, struct rows *rows, size_t histogram)
{
    const struct report *report = rows->report;
    char field[SPEC_HISTOGRAM_BYTES];

    if (report->file != NULL)
        put_text(out, report->file);
    if (rows_have_field(report))
        put_text(out, spec_histogram_text(report->spec, histogram, field));
    rows_set_labels(rows);
    for (size_t i = 0; i < rows->columns; i++) {
        const struct column *column = &rows->column[i];
        put_label(out, column, &column->lo);
        if (column->has_edges)
            put_label(out, column, &column->hi);
    }
    put_amount(out, report, &rows->amount);
    for (size_t i = 0; i < rows->extras; i++)
        put_extra(out, rows, rows->extra[i]);
    writer_put_text(out, "|\n");
}

/* CONTEXT is the number of the histogram. */
static void
put_lines(struct writer *out, struct rows *rows, const void *context)
{
    const size_t *histogram = context;

    while (!writer_has_failed(out) && rows_next(rows))
        put_line(out, rows, *histogram);
}

/* ---- headers ---- */

/* The names of the first columns of all tables. */
static void
put_first_names(struct writer *out, const struct report *report)
{
    if (report->file != NULL)
        put_text(out, report->names->file);
    if (rows_have_field(report))
        put_text(out, report->names->field);
}

static void
put_first_alignments(struct writer *out, const struct report *report)
{
    if (report->file != NULL)
        put_alignment(out, true);
    if (rows_have_field(report))
        put_alignment(out, true);
}

static void
put_names(struct writer *out, const struct rows *rows)
{
    const struct column_names *names = rows->report->names;

    put_first_names(out, rows->report);
    for (size_t i = 0; i < rows->columns; i++) {
        put_text(out, rows_first_name(rows, i));
        if (rows->column[i].has_edges)
            put_text(out, rows_names(rows, i)->hi);
    }
    put_text(out, names->amount);
    for (size_t i = 0; i < rows->extras; i++)
        put_text(out, names->extra[rows->extra[i]]);
    writer_put_text(out, "|\n");
}

/* The line below the header aligns numbers to the right. */
static void
put_alignments(struct writer *out, const struct rows *rows)
{
    put_first_alignments(out, rows->report);
    for (size_t i = 0; i < rows->columns; i++) {
        bool is_text = column_is_text(&rows->column[i]);
        put_alignment(out, is_text);
        if (rows->column[i].has_edges)
            put_alignment(out, is_text);
    }
    for (size_t i = 0; i < 1 + rows->extras; i++)
        put_alignment(out, false);
    writer_put_text(out, "|\n");
}

/* ---- groups ---- */

static void
put_cell(struct writer *out, const char *text, size_t size)
{
    writer_put_text(out, "| ");
    writer_put_bytes(out, text, size);
    writer_put_char(out, ' ');
}

static void
put_no_key(struct writer *out)
{
    writer_put_text(out, "| ");
    key_text_put_md_label(out, "\\N");
    writer_put_char(out, ' ');
}

static void
put_group(struct writer *out, struct group_table *groups, size_t histogram)
{
    const struct report *report = groups->report;
    char field[SPEC_HISTOGRAM_BYTES];

    if (report->file != NULL)
        put_text(out, report->file);
    if (rows_have_field(report))
        put_text(out, spec_histogram_text(report->spec, histogram, field));
    for (size_t i = 0; i < groups->walk.groups; i++)
        put_label(out, &groups->walk.keys.column[i],
                  &groups->walk.keys.column[i].lo);
    for (size_t c = 0; c < groups->columns->count; c++) {
        const struct group_cell *cell = &groups->cell[c];
        if (cell->is_key) {
            const struct column *column = group_table_key(groups, c);
            put_label(out, column, &column->lo);
            continue;
        }
        for (size_t t = 0; t < group_table_texts(groups, c); t++) {
            if (cell->is_no_key)
                put_no_key(out);
            else
                put_cell(out, cell->text[t].text, cell->text[t].size);
        }
    }
    writer_put_text(out, "|\n");
}

/* The names of the columns, and the line below the names. */
static void
put_group_names(struct writer *out, const struct group_table *groups)
{
    const struct rows *rows = &groups->walk.keys;
    size_t keys = groups->walk.groups;
    size_t numbers = 0;

    put_first_names(out, groups->report);
    for (size_t i = 0; i < keys; i++)
        put_text(out, rows_names(rows, i)->name);
    for (size_t c = 0; c < groups->columns->count; c++) {
        for (size_t t = 0; t < group_table_texts(groups, c); t++) {
            put_text(out, group_table_name(groups, c, t));
            numbers++;
        }
    }
    writer_put_text(out, "|\n");
    put_first_alignments(out, groups->report);
    for (size_t i = 0; i < keys; i++)
        put_alignment(out, column_is_text(&rows->column[i]));
    for (size_t i = 0; i < numbers; i++)
        put_alignment(out, false);
    writer_put_text(out, "|\n");
}

/* ---- columns of values ---- */

static void
put_pivot_labels(struct writer *out, const struct column *column)
{
    put_label(out, column, &column->lo);
    if (column->has_edges)
        put_label(out, column, &column->hi);
}

/* The names of the columns, and the line below the names. */
static void
put_pivot_names(struct writer *out, struct pivot *pivot)
{
    const struct rows *rows = &pivot->rows;

    for (size_t i = 0; i < rows->group_columns; i++) {
        put_text(out, rows_first_name(rows, i));
        if (rows->column[i].has_edges)
            put_text(out, rows_names(rows, i)->hi);
    }
    for (uint64_t c = 0; c < pivot_columns(pivot); c++)
        put_pivot_labels(out, pivot_name(pivot, c));
    writer_put_text(out, "|\n");
    for (size_t i = 0; i < rows->group_columns; i++) {
        bool is_text = column_is_text(&rows->column[i]);
        put_alignment(out, is_text);
        if (rows->column[i].has_edges)
            put_alignment(out, is_text);
    }
    for (uint64_t c = 0; c < pivot_columns(pivot); c++)
        put_alignment(out, false);
    writer_put_text(out, "|\n");
}

static void
put_pivot(struct writer *out, struct pivot *pivot)
{
    put_pivot_names(out, pivot);
    while (!writer_has_failed(out) && pivot_next(pivot)) {
        pivot_set_labels(pivot);
        for (size_t i = 0; i < pivot->rows.group_columns; i++)
            put_pivot_labels(out, &pivot->rows.column[i]);
        for (uint64_t c = 0; c < pivot_columns(pivot); c++) {
            struct amount amount = pivot_amount(pivot, c);
            put_amount(out, pivot->report, &amount);
        }
        writer_put_text(out, "|\n");
    }
}

/* Whether the tables of REPORT do not continue a started table. */
static bool
has_title(const struct report *report)
{
    return !report->is_continued || rows_have_field(report);
}

/* Start table I of REPORT, if the table has a title.  Returns whether the table
   has a title. */
static bool
start_table(struct writer *out, const struct report *report, size_t i)
{
    if (!has_title(report))
        return false;
    if (i > 0 || report->is_continued)
        writer_put_char(out, '\n');
    return true;
}

static void
put_group_lines(struct writer *out, struct group_table *groups,
                const void *context)
{
    const size_t *histogram = context;

    while (!writer_has_failed(out) && group_table_next(groups))
        put_group(out, groups, *histogram);
}

static void
put_groups(struct writer *out, const struct report *report, size_t i)
{
    struct error error = ERROR_NONE;
    struct group_table groups;

    if (group_table_open(&groups, report, i, &error) == 0) {
        if (start_table(out, report, i))
            put_group_names(out, &groups);
        group_slices_print(out, &groups, put_group_lines, &i);
    } else {
        writer_fail_memory(out);
    }
    group_table_close(&groups);
    error_clear(&error);
}

/* Put the names of the columns of a profile, and the line below the names. */
static void
put_profile_names(struct writer *out, const struct report *report)
{
    if (report->file != NULL)
        put_text(out, "file");
    for (size_t c = 0; c < PROFILE_COLUMNS; c++) {
        const char *name = profile_name((enum profile_column)c);
        put_cell(out, name, strlen(name));
    }
    writer_put_text(out, "|\n");
    if (report->file != NULL)
        put_alignment(out, true);
    for (size_t c = 0; c < PROFILE_COLUMNS; c++)
        put_alignment(out,
                      profile_is_text(report->profile, (enum profile_column)c));
    writer_put_text(out, "|\n");
}

static void
put_profile(struct writer *out, const struct report *report)
{
    const struct profile *profile = report->profile;

    if (!report->is_continued)
        put_profile_names(out, report);
    for (size_t i = 0; i < profile->count && !writer_has_failed(out); i++) {
        if (report->file != NULL)
            put_text(out, report->file);
        for (size_t c = 0; c < PROFILE_COLUMNS; c++) {
            const struct profile_cell *cell = &profile->line[i].cell[c];
            writer_put_text(out, "| ");
            if (cell->kind == PROFILE_TEXT)
                key_text_put_md(out, profile_bytes(cell), cell->size);
            else
                writer_put_bytes(out, cell->text, cell->size);
            writer_put_char(out, ' ');
        }
        writer_put_text(out, "|\n");
    }
}

void
format_md(struct writer *out, const struct report *report)
{
    if (report->profile != NULL)
        put_profile(out, report);
    for (size_t i = 0; report->profile == NULL &&
                       i < figure_fields_tables(report->options, report->spec);
         i++) {
        struct rows rows;

        if (report->pivot != NULL) {
            put_pivot(out, report->pivot);
            continue;
        }
        if (report->options->figures.count > 0) {
            put_groups(out, report, i);
            continue;
        }
        rows_open(&rows, report, i);
        if (start_table(out, report, i)) {
            put_names(out, &rows);
            put_alignments(out, &rows);
        }
        slices_print(out, &rows, report->threads, put_lines, &i);
    }
    /* A table ends with an empty line. */
    if (report->incomplete != NULL) {
        writer_put_text(out, "\n*incomplete: ");
        writer_put_text(out, report->incomplete);
        writer_put_text(out, "*\n");
    }
}
