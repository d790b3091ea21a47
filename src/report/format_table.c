/* format_table.c -- lines of columns: tsv, csv, histo, uniq */

#include <string.h>

#include "report/format.h"
#include "report/group_table.h"
#include "report/key_text.h"
#include "report/kmer_lines.h"
#include "report/rows.h"
#include "report/slices.h"

/* How to write the lines of a table. */
struct table {
    char separator;
    bool has_quotes; /* quote where RFC 4180 requires it */
    bool has_kinds;  /* what is no key stands in a column of its own */
    bool has_other;  /* the rest may have a line */
    key_text_put *put_key;
};

static const struct table tsv = {'\t', false, false, true, key_text_put_tsv};
static const struct table csv = {',', true, true, true, key_text_put_csv};
/* All of its lines are two numbers. */
static const struct table histo = {' ', false, false, false, key_text_put_tsv};

/* Which lines to print, and how. */
struct lines {
    const struct table *table;
    size_t histogram;
    const struct kmer_lines *kmers; /* of put_kmers() */
};

/* ---- lines ---- */

/* Whether there is a column of kinds for each column of the histogram. */
static bool
has_kinds(const struct table *table, const struct rows *rows)
{
    const struct spec *spec = rows->report->spec;
    bool has_keys = rows->key_axes > 0 && !spec_lacks_bins(spec);

    return table->has_kinds && (has_keys || spec->is_text);
}

/* Put the key, or the LABEL of a row that has none. */
static void
put_key(struct writer *out, const struct table *table,
        const struct column *column, const struct label *label)
{
    if (column->has_key) {
        struct key_text text;
        key_text_open(&text, &column->key, out);
        table->put_key(out, text.byte, text.size);
        key_text_close(&text);
    } else if (!table->has_kinds)
        writer_put_short(out, label->text, label->size);
}

static inline void
put_label(struct writer *out, const struct table *table,
          const struct column *column, const struct label *label)
{
    if (column_has_keys(column)) {
        put_key(out, table, column, label);
        return;
    }
    /* What begins with a backslash is no number. */
    if (table->has_kinds && column->axis->is_text && label->text[0] == '\\')
        return;
    /* Numbers need no quotes. */
    if (table->has_quotes && column->labels == LABELS_CHAR)
        key_text_put_csv(out, (const unsigned char *)label->text, label->size);
    else
        writer_put_short(out, label->text, label->size);
}

static void
put_labels(struct writer *out, const struct lines *lines, struct rows *rows)
{
    const struct spec *spec = rows->report->spec;
    const struct table *table = lines->table;
    const char *file = rows->report->file;
    char field[SPEC_HISTOGRAM_BYTES];

    if (file != NULL) {
        table->put_key(out, (const unsigned char *)file, strlen(file));
        writer_put_char(out, table->separator);
    }
    if (rows_have_field(spec)) {
        const char *text = spec_histogram_text(spec, lines->histogram, field);
        table->put_key(out, (const unsigned char *)text, strlen(text));
        writer_put_char(out, table->separator);
    }
    rows_set_labels(rows);
    for (size_t i = 0; i < rows->columns; i++) {
        const struct column *column = &rows->column[i];
        if (i > 0)
            writer_put_char(out, table->separator);
        put_label(out, table, column, &column->lo);
        if (column->has_edges) {
            writer_put_char(out, table->separator);
            put_label(out, table, column, &column->hi);
        }
    }
    for (size_t i = 0; has_kinds(table, rows) && i < rows->columns; i++) {
        writer_put_char(out, table->separator);
        writer_put_text(out, rows_kind(rows, i));
    }
}

static void
put_amount(struct writer *out, const struct report *report,
           const struct amount *amount)
{
    out->at = amount_put(report->spec, amount, writer_piece(out));
}

static inline void
put_line(struct writer *out, const struct lines *lines, struct rows *rows)
{
    const struct report *report = rows->report;
    char separator = lines->table->separator;

    put_labels(out, lines, rows);
    writer_put_char(out, separator);
    put_amount(out, report, &rows->amount);
    for (size_t i = 0; i < rows->extras; i++) {
        writer_put_char(out, separator);
        out->at = rows_put_extra(rows, rows->extra[i], writer_piece(out));
    }
    writer_put_char(out, '\n');
}

static void
put_lines(struct writer *out, struct rows *rows, const void *context)
{
    while (!writer_has_failed(out) && rows_next(rows))
        put_line(out, context, rows);
}

/* As put_lines(), of k-mers. */
static void
put_kmers(struct writer *out, struct rows *rows, const void *context)
{
    const struct lines *lines = context;

    while (!writer_has_failed(out) && rows_next(rows)) {
        put_line(out, lines, rows);
        kmer_lines_put(lines->kmers, out, rows);
    }
}

/* ---- headers ---- */

/* Put a name, after a separator unless it is the first. */
static void
put_name(struct writer *out, const struct table *table, bool is_first,
         const char *name)
{
    if (!is_first)
        writer_put_char(out, table->separator);
    writer_put_text(out, name);
}

/* Put the names of the columns that are not of values: they are the first ones.
   Returns whether there are none. */
static bool
put_first_names(struct writer *out, const struct table *table,
                const struct report *report)
{
    bool is_first = true;

    if (report->file != NULL) {
        put_name(out, table, is_first, "file");
        is_first = false;
    }
    if (rows_have_field(report->spec)) {
        put_name(out, table, is_first, "field");
        is_first = false;
    }
    return is_first;
}

static void
put_header(struct writer *out, const struct table *table,
           const struct report *report)
{
    struct rows rows;
    char name[ROWS_NAME_BYTES];

    rows_open(&rows, report, 0);
    bool is_first = put_first_names(out, table, report);
    for (size_t i = 0; i < rows.columns; i++) {
        put_name(out, table, is_first, rows_name(&rows, i, false, name));
        is_first = false;
        if (rows.column[i].has_edges)
            put_name(out, table, false, rows_name(&rows, i, true, name));
    }
    for (size_t i = 0; has_kinds(table, &rows) && i < rows.columns; i++)
        put_name(out, table, false, rows_name_of(&rows, i, "kind", name));
    put_name(out, table, false, report->spec->has_weights ? "sum" : "count");
    for (size_t i = 0; i < rows.extras; i++)
        put_name(out, table, false, rows_extra_name(rows.extra[i]));
    writer_put_char(out, '\n');
}

/* ---- groups ---- */

static void
put_separator(struct writer *out, const struct table *table, bool *is_first)
{
    if (!*is_first)
        writer_put_char(out, table->separator);
    *is_first = false;
}

/* Whether the keys of GROUPS have columns of kinds. */
static bool
has_group_kinds(const struct table *table, const struct group_table *groups)
{
    return table->has_kinds && groups->walk.groups > 0;
}

/* Put the names of the columns of GROUPS. */
static void
put_group_header(struct writer *out, const struct table *table,
                 const struct group_table *groups)
{
    const struct report *report = groups->report;
    size_t keys = groups->walk.groups;
    char name[FIGURE_NAME_BYTES];
    bool is_first = put_first_names(out, table, report);

    for (size_t i = 0; i < keys; i++) {
        put_name(out, table, is_first,
                 rows_name(&groups->walk.keys, i, false, name));
        is_first = false;
    }
    for (size_t i = 0; has_group_kinds(table, groups) && i < keys; i++)
        put_name(out, table, false,
                 rows_name_of(&groups->walk.keys, i, "kind", name));
    for (size_t c = 0; c < groups->columns->count; c++) {
        put_name(out, table, is_first,
                 group_table_name(groups, c, false, name));
        is_first = false;
        if (group_table_has_edges(groups, c))
            put_name(out, table, false,
                     group_table_name(groups, c, true, name));
    }
    writer_put_char(out, '\n');
}

/* Put the current line of GROUPS, of HISTOGRAM. */
static void
put_group(struct writer *out, const struct table *table,
          const struct group_table *groups, size_t histogram)
{
    const struct report *report = groups->report;
    size_t keys = groups->walk.groups;
    char field[SPEC_HISTOGRAM_BYTES];
    bool is_first = true;

    if (report->file != NULL) {
        put_separator(out, table, &is_first);
        table->put_key(out, (const unsigned char *)report->file,
                       strlen(report->file));
    }
    if (rows_have_field(report->spec)) {
        const char *text = spec_histogram_text(report->spec, histogram, field);
        put_separator(out, table, &is_first);
        table->put_key(out, (const unsigned char *)text, strlen(text));
    }
    for (size_t i = 0; i < keys; i++) {
        const struct column *column = &groups->walk.keys.column[i];
        put_separator(out, table, &is_first);
        put_label(out, table, column, &column->lo);
    }
    for (size_t i = 0; has_group_kinds(table, groups) && i < keys; i++) {
        put_separator(out, table, &is_first);
        writer_put_text(out, rows_kind(&groups->walk.keys, i));
    }
    for (size_t c = 0; c < groups->columns->count; c++) {
        const struct group_cell *cell = &groups->cell[c];
        put_separator(out, table, &is_first);
        writer_put_bytes(out, cell->lo, cell->lo_size);
        if (group_table_has_edges(groups, c)) {
            writer_put_char(out, table->separator);
            writer_put_bytes(out, cell->hi, cell->hi_size);
        }
    }
    writer_put_char(out, '\n');
}

/* Put a line for each group of all histograms; if HAS_HEADER, after the names
   of the columns. */
static void
put_groups(struct writer *out, const struct table *table,
           const struct report *report, bool has_header)
{
    struct error error = ERROR_NONE;
    struct group_table groups;

    for (size_t i = 0; i < spec_histograms(report->spec); i++) {
        int result = group_table_open(&groups, report, i, &error);
        if (result == 0 && i == 0 && has_header)
            put_group_header(out, table, &groups);
        while (result == 0 && !writer_has_failed(out) &&
               group_table_next(&groups))
            put_group(out, table, &groups, i);
        if (result < 0)
            writer_fail_memory(out);
        group_table_close(&groups);
    }
    error_clear(&error);
}

/* ---- tables ---- */

/* The last line if a part of the input is missing. */
static void
put_mark(struct writer *out, const struct report *report)
{
    if (report->incomplete == NULL)
        return;
    writer_put_text(out, "# incomplete: ");
    writer_put_text(out, report->incomplete);
    writer_put_char(out, '\n');
}

static void
put_table(struct writer *out, const struct table *table,
          const struct report *report)
{
    struct kmer_lines kmers;
    bool is_of_rows = report->options->figures.count == 0;

    for (size_t i = 0; is_of_rows && i < spec_histograms(report->spec); i++) {
        struct lines lines = {table, i, NULL};
        struct rows rows;
        rows_open(&rows, report, i);
        rows.shows_other &= table->has_other;
        const char between[] = {
            table->separator, has_kinds(table, &rows) ? table->separator : '\0',
            '\0'};
        if (kmer_lines_open(&kmers, &rows, between))
            lines.kmers = &kmers;
        slices_print(out, &rows, report->threads,
                     lines.kmers != NULL ? put_kmers : put_lines, &lines);
    }
    put_mark(out, report);
}

/* Put a table with a header, if it HAS_HEADER and does not continue one. */
static void
put_all(struct writer *out, const struct table *table,
        const struct report *report, bool has_header)
{
    has_header &= !report->is_continued;
    if (report->options->figures.count > 0)
        put_groups(out, table, report, has_header);
    else if (has_header)
        put_header(out, table, report);
    put_table(out, table, report);
}

void
format_tsv(struct writer *out, const struct report *report)
{
    put_all(out, &tsv, report, report->options->header_out);
}

void
format_csv(struct writer *out, const struct report *report)
{
    put_all(out, &csv, report, true);
}

/* ---- the format of jellyfish histo ---- */

const char *
format_histo_wrong(const struct spec *spec)
{
    return spec_histograms(spec) == 1
               ? NULL
               : "--format=histo prints one spectrum: give one field";
}

void
format_histo(struct writer *out, const struct report *report)
{
    put_table(out, &histo, report);
}

/* ---- the format of uniq -c ---- */

/* The width of a count; longer counts take more. */
#define UNIQ_WIDTH 7

static void
put_uniq_lines(struct writer *out, struct rows *rows, const void *context)
{
    const struct report *report = rows->report;
    /* As `sort -z | uniq -zc`. */
    char end = report->spec->is_text ? (char)report->spec->text.end : '\n';

    while (!writer_has_failed(out) && rows_next(rows)) {
        char text[SUM_TEXT_BYTES];
        size_t size =
            (size_t)(amount_put(report->spec, &rows->amount, text) - text);

        for (size_t i = size; i < UNIQ_WIDTH; i++)
            writer_put_char(out, ' ');
        writer_put_short(out, text, size);
        writer_put_char(out, ' ');
        put_labels(out, context, rows);
        writer_put_char(out, end);
    }
}

/* What is between two columns: in tuples of fields, as between the fields that
   cut and awk print. */
static char
uniq_separator(const struct spec *spec)
{
    return spec->is_sparse ? (char)spec->text.delimiter : '\t';
}

void
format_uniq(struct writer *out, const struct report *report)
{
    const struct table table = {uniq_separator(report->spec), false, false,
                                true, key_text_put_raw};

    for (size_t i = 0; i < spec_histograms(report->spec); i++) {
        const struct lines lines = {&table, i, NULL};
        struct rows rows;

        rows_open(&rows, report, i);
        rows.nonzero = true;
        /* uniq -c has only the lines of its input. */
        if (rows_have_keys(report->spec, i)) {
            rows.flow = FLOW_HIDE;
            rows.shows_other = false;
        }
        slices_print(out, &rows, report->threads, put_uniq_lines, &lines);
    }
    put_mark(out, report);
}
