/* format_md.c -- tables in GitHub's Markdown */

#include "report/format.h"
#include "report/group_table.h"
#include "report/key_text.h"
#include "report/pivot.h"
#include "report/profile.h"
#include "report/rows.h"
#include "report/slices.h"

/* ---- cells ---- */

static void
put_name(struct writer *out, const char *name)
{
    writer_put_text(out, "| ");
    writer_put_text(out, name);
    writer_put_char(out, ' ');
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

/* TEXT is the name of a field or a file. */
static void
put_text(struct writer *out, const char *text)
{
    writer_put_text(out, "| ");
    key_text_put_md(out, (const unsigned char *)text, strlen(text));
    writer_put_char(out, ' ');
}

static void
put_line(struct writer *out, struct rows *rows, size_t histogram)
{
    const struct report *report = rows->report;
    char field[SPEC_HISTOGRAM_BYTES];

    if (report->file != NULL)
        put_text(out, report->file);
    if (rows_have_field(report->spec))
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

static void
put_names(struct writer *out, const struct rows *rows)
{
    const struct report *report = rows->report;
    char name[ROWS_NAME_BYTES];

    if (report->file != NULL)
        put_name(out, "file");
    if (rows_have_field(report->spec))
        put_name(out, "field");
    for (size_t i = 0; i < rows->columns; i++) {
        put_name(out, rows_name(rows, i, false, name));
        if (rows->column[i].has_edges)
            put_name(out, rows_name(rows, i, true, name));
    }
    put_name(out, report->spec->has_weights ? "sum" : "count");
    for (size_t i = 0; i < rows->extras; i++)
        put_name(out, rows_extra_name(rows->extra[i]));
    writer_put_text(out, "|\n");
}

/* The line below the header aligns numbers to the right. */
static void
put_alignments(struct writer *out, const struct rows *rows)
{
    const struct report *report = rows->report;

    if (report->file != NULL)
        put_name(out, ":---");
    if (rows_have_field(report->spec))
        put_name(out, ":---");
    for (size_t i = 0; i < rows->columns; i++) {
        put_name(out, column_is_text(&rows->column[i]) ? ":---" : "---:");
        if (rows->column[i].has_edges)
            put_name(out, column_is_text(&rows->column[i]) ? ":---" : "---:");
    }
    for (size_t i = 0; i < 1 + rows->extras; i++)
        put_name(out, "---:");
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
    if (rows_have_field(report->spec))
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
        if (cell->is_no_key)
            put_no_key(out);
        else
            put_cell(out, cell->lo, cell->lo_size);
        if (group_table_has_edges(groups, c))
            put_cell(out, cell->hi, cell->hi_size);
    }
    writer_put_text(out, "|\n");
}

/* The names of the columns, and the line below the names. */
static void
put_group_names(struct writer *out, const struct group_table *groups)
{
    const struct report *report = groups->report;
    size_t keys = groups->walk.groups;
    size_t numbers = 0;
    char name[FIGURE_NAME_BYTES];

    if (report->file != NULL)
        put_name(out, "file");
    if (rows_have_field(report->spec))
        put_name(out, "field");
    for (size_t i = 0; i < keys; i++)
        put_name(out, rows_name(&groups->walk.keys, i, false, name));
    for (size_t c = 0; c < groups->columns->count; c++) {
        put_name(out, group_table_name(groups, c, false, name));
        numbers++;
        if (!group_table_has_edges(groups, c))
            continue;
        put_name(out, group_table_name(groups, c, true, name));
        numbers++;
    }
    writer_put_text(out, "|\n");
    if (report->file != NULL)
        put_name(out, ":---");
    if (rows_have_field(report->spec))
        put_name(out, ":---");
    for (size_t i = 0; i < keys; i++)
        put_name(out, column_is_text(&groups->walk.keys.column[i]) ? ":---"
                                                                   : "---:");
    for (size_t i = 0; i < numbers; i++)
        put_name(out, "---:");
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
    char name[ROWS_NAME_BYTES];

    for (size_t i = 0; i < rows->group_columns; i++) {
        put_name(out, rows_name(rows, i, false, name));
        if (rows->column[i].has_edges)
            put_name(out, rows_name(rows, i, true, name));
    }
    for (uint64_t c = 0; c < pivot_columns(pivot); c++)
        put_pivot_labels(out, pivot_name(pivot, c));
    writer_put_text(out, "|\n");
    for (size_t i = 0; i < rows->group_columns; i++) {
        for (int e = 0; e <= rows->column[i].has_edges; e++)
            put_name(out, column_is_text(&rows->column[i]) ? ":---" : "---:");
    }
    for (uint64_t c = 0; c < pivot_columns(pivot); c++)
        put_name(out, "---:");
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
    return !report->is_continued || rows_have_field(report->spec);
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
put_groups(struct writer *out, const struct report *report, size_t i)
{
    struct error error = ERROR_NONE;
    struct group_table groups;

    if (group_table_open(&groups, report, i, &error) == 0) {
        if (start_table(out, report, i))
            put_group_names(out, &groups);
        while (!writer_has_failed(out) && group_table_next(&groups))
            put_group(out, &groups, i);
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
        put_name(out, "file");
    for (size_t c = 0; c < PROFILE_COLUMNS; c++)
        put_name(out, profile_name((enum profile_column)c));
    writer_put_text(out, "|\n");
    if (report->file != NULL)
        put_name(out, ":---");
    for (size_t c = 0; c < PROFILE_COLUMNS; c++)
        put_name(out, profile_is_text(report->profile, (enum profile_column)c)
                          ? ":---"
                          : "---:");
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
    for (size_t i = 0;
         report->profile == NULL && i < spec_histograms(report->spec); i++) {
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
