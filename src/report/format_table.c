/* SPDX-License-Identifier: MIT */
/* format_table.c -- lines of columns: tsv, csv, histo, uniq */

#include <assert.h>
#include <string.h>

#include "report/format.h"
#include "report/group_slices.h"
#include "report/group_table.h"
#include "report/key_text.h"
#include "report/pivot.h"
#include "report/profile.h"
#include "report/rows.h"
#include "report/slices.h"

/* How to write the lines of a table. */
struct table_style {
    char separator;
    bool has_quotes; /* quote where RFC 4180 requires it */
    bool has_other;  /* a line for others may follow */
    key_text_put *put_key;
    key_text_put *put_name; /* all texts but keys: names, for instance */
};

static const struct table_style tsv = {'\t', false, true, key_text_put_tsv,
                                       key_text_put_tsv};
static const struct table_style csv = {',', true, true, key_text_put_csv,
                                       key_text_put_quoted};
/* All lines are two numbers. */
static const struct table_style histo = {' ', false, false, key_text_put_tsv,
                                         key_text_put_tsv};

/* The lines to print, and their form. */
struct table_lines {
    const struct table_style *table;
    size_t histogram;
    const struct kmer_lines *kmers; /* of put_kmers() */
};

/* ---- lines ---- */

/* Put the key, or the LABEL of a row without a key. */
static void
put_key(struct writer *out, const struct table_style *table,
        const struct column *column, const struct label *label)
{
    if (column->has_key) {
        struct key_text text;
        key_text_open(&text, &column->key, out);
        table->put_key(out, text.byte, text.size);
        key_text_close(&text);
    } else {
        writer_put_short(out, label->text, label->size);
    }
}

static inline void
put_label(struct writer *out, const struct table_style *table,
          const struct column *column, const struct label *label)
{
    if (column_has_keys(column)) {
        put_key(out, table, column, label);
        return;
    }
    /* Of all other labels, only characters may need quotes. */
    if (table->has_quotes && column->labels == LABELS_CHAR)
        key_text_put_quoted(out, (const unsigned char *)label->text,
                            label->size);
    else
        writer_put_short(out, label->text, label->size);
}

static void
put_labels(struct writer *out, const struct table_lines *lines,
           struct rows *rows)
{
    const struct spec *spec = rows->report->spec;
    const struct table_style *table = lines->table;
    const char *file = rows->report->file;
    char field[SPEC_HISTOGRAM_BYTES];

    if (file != NULL) {
        table->put_name(out, (const unsigned char *)file, strlen(file));
        writer_put_char(out, table->separator);
    }
    if (rows_have_field(rows->report)) {
        const char *text = spec_histogram_text(spec, lines->histogram, field);
        table->put_name(out, (const unsigned char *)text, strlen(text));
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
}

static void
put_amount(struct writer *out, const struct report *report,
           const struct amount *amount)
{
    out->at = amount_put(report->spec, amount, writer_piece(out));
}

static inline void
put_line(struct writer *out, const struct table_lines *lines, struct rows *rows)
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

/* ---- many lines of k-mers at a time ---- */

/* The lines of neighbouring k-mers differ in few letters, and most counts are
   small.  So a line is put together from prepared texts. */

/* Neighbours differ only in their last letters, of 2 bits each. */
#define KMER_LINES_LETTERS 4
#define KMER_LINES_WORDS (1u << 2 * KMER_LINES_LETTERS)

/* Lower counts have a prepared text. */
#define KMER_LINES_COUNTS 256

/* The text after the letters. */
struct kmer_lines_tail {
    char text[7];
    uint8_t line; /* bytes of the whole line; 0: hidden */
};

struct kmer_lines {
    const char *between; /* the text between the letters and the count */
    unsigned int k;
    struct count_limits limits; /* of a shown line */
    char word[KMER_LINES_WORDS][KMER_LINES_LETTERS];
    struct kmer_lines_tail tail[KMER_LINES_COUNTS];
};

/* All letters of the longest k-mers but the last letters. */
#define PREFIX_BYTES 16

static bool
are_plain_kmers(const struct rows *rows)
{
    const struct column *column = &rows->column[0];

    return rows->report->spec->histogram[rows->histogram].rows == ROWS_KMERS &&
           column->axis->stride == 1 && rows->extras == 0 && !rows->is_ranked &&
           !rows->report->spec->has_weights && rows->report->file == NULL &&
           !rows_have_field(rows->report);
}

/*
 * Prepare to put lines of ROWS: a k-mer, BETWEEN and the count.  BETWEEN has 2
 * bytes at most.  Returns false, with nothing done, unless ROWS are all k-mers
 * in their order, with nothing else on a line.
 */
static bool
kmer_lines_open(struct kmer_lines *lines, const struct rows *rows,
                const char *between)
{
    const struct binning_axis *axis = rows->column[0].axis;
    struct count_limits *limits = &lines->limits;
    char text[NUMBER_TEXT_BYTES];
    size_t size = strlen(between);

    if (!are_plain_kmers(rows))
        return false;
    size_t k = (size_t)(axis_put_value(axis, 0, text) - text);
    if (k < KMER_LINES_LETTERS || k > PREFIX_BYTES)
        return false;
    lines->between = between;
    lines->k = (unsigned int)k;
    *limits = rows->limits;
    if (limits->least == 0)
        limits->least = rows->nonzero || rows->hides_zeros;
    for (unsigned int w = 0; w < KMER_LINES_WORDS; w++) {
        char *end = axis_put_value(axis, w, text);
        memcpy(lines->word[w], end - KMER_LINES_LETTERS, KMER_LINES_LETTERS);
    }
    for (unsigned int c = 0; c < KMER_LINES_COUNTS; c++) {
        struct kmer_lines_tail *tail = &lines->tail[c];
        char *end = number_put(c, text);
        *end++ = '\n';
        size_t digits = (size_t)(end - text);
        assert(size + digits <= sizeof tail->text);
        memcpy(tail->text, between, size);
        memcpy(tail->text + size, text, digits);
        tail->line =
            count_limits_include(limits, c) ? (uint8_t)(k + size + digits) : 0;
    }
    return true;
}

/* Put the lines of CELLS k-mers from BIN on, with a common PREFIX and the
   COUNTS. */
static void
put_neighbours(const struct kmer_lines *lines, struct writer *out,
               const char prefix[PREFIX_BYTES], uint64_t bin, size_t cells,
               const uint64_t *counts)
{
    const unsigned int k = lines->k;

    for (size_t c = 0; c < cells; c++) {
        uint64_t count = counts[c];
        char *at = writer_piece(out);
        memcpy(at, prefix, PREFIX_BYTES);
        memcpy(at + k - KMER_LINES_LETTERS,
               lines->word[(bin + c) % KMER_LINES_WORDS], KMER_LINES_LETTERS);
        if (count < KMER_LINES_COUNTS) {
            memcpy(at + k, &lines->tail[count], sizeof lines->tail[count]);
            out->at = at + lines->tail[count].line;
        } else if (count_limits_include(&lines->limits, count)) {
            size_t size = strlen(lines->between);
            memcpy(at + k, lines->between, size);
            at = number_put(count, at + k + size);
            *at++ = '\n';
            out->at = at;
        }
    }
}

/* Put all lines of k-mers after the current line of ROWS, returned by
   rows_next(). */
static void
kmer_lines_put(const struct kmer_lines *lines, struct writer *out,
               struct rows *rows)
{
    const struct binning_axis *axis = rows->column[0].axis;
    uint64_t bin = rows->next;
    uint64_t end = axis->bins < bin ? bin : axis->bins;
    uint64_t counts[KMER_LINES_WORDS];
    char prefix[NUMBER_TEXT_BYTES];
    size_t cells;

    end = rows->left < end - bin ? bin + rows->left : end;
    for (; bin < end && !writer_has_failed(out); bin += cells) {
        cells = KMER_LINES_WORDS - bin % KMER_LINES_WORDS;
        cells = cells < end - bin ? cells : (size_t)(end - bin);
        bool has_counts = histogram_read(rows->report->histogram,
                                         axis->base + bin, cells, counts);
        if (!has_counts && !count_limits_include(&lines->limits, 0))
            continue;
        (void)axis_put_value(axis, bin, prefix);
        put_neighbours(lines, out, prefix, bin, cells, counts);
    }
    if (bin > rows->next)
        rows_skip(rows, bin - rows->next);
}

/* As put_lines(), of k-mers. */
static void
put_kmers(struct writer *out, struct rows *rows, const void *context)
{
    const struct table_lines *lines = context;

    while (!writer_has_failed(out) && rows_next(rows)) {
        put_line(out, lines, rows);
        kmer_lines_put(lines->kmers, out, rows);
    }
}

/* ---- headers ---- */

/* Put a name, with a separator before all names but the first. */
static void
put_name(struct writer *out, const struct table_style *table, bool *is_first,
         const char *name)
{
    if (!*is_first)
        writer_put_char(out, table->separator);
    *is_first = false;
    table->put_name(out, (const unsigned char *)name, strlen(name));
}

/* Put the names of the first columns, before the columns of values.  Clears
   *IS_FIRST if such columns exist. */
static void
put_first_names(struct writer *out, const struct table_style *table,
                const struct report *report, bool *is_first)
{
    if (report->file != NULL)
        put_name(out, table, is_first, report->names->file);
    if (rows_have_field(report))
        put_name(out, table, is_first, report->names->field);
}

static void
put_header(struct writer *out, const struct table_style *table,
           const struct report *report)
{
    const struct column_names *names = report->names;
    bool is_first = true;
    struct rows rows;

    rows_open(&rows, report, 0);
    put_first_names(out, table, report, &is_first);
    for (size_t i = 0; i < rows.columns; i++) {
        put_name(out, table, &is_first, rows_first_name(&rows, i));
        if (rows.column[i].has_edges)
            put_name(out, table, &is_first, rows_names(&rows, i)->hi);
    }
    put_name(out, table, &is_first, names->amount);
    for (size_t i = 0; i < rows.extras; i++)
        put_name(out, table, &is_first, names->extra[rows.extra[i]]);
    writer_put_char(out, '\n');
}

/* ---- groups ---- */

static void
put_separator(struct writer *out, const struct table_style *table,
              bool *is_first)
{
    if (!*is_first)
        writer_put_char(out, table->separator);
    *is_first = false;
}

/* Put the names of the columns of GROUPS. */
static void
put_group_header(struct writer *out, const struct table_style *table,
                 const struct group_table *groups)
{
    const struct rows *keys = &groups->walk.keys;
    bool is_first = true;

    put_first_names(out, table, groups->report, &is_first);
    for (size_t i = 0; i < groups->walk.groups; i++)
        put_name(out, table, &is_first, rows_names(keys, i)->name);
    for (size_t c = 0; c < groups->columns->count; c++) {
        for (size_t t = 0; t < group_table_texts(groups, c); t++)
            put_name(out, table, &is_first, group_table_name(groups, c, t));
    }
    writer_put_char(out, '\n');
}

/* Put the current line of GROUPS, of HISTOGRAM. */
static void
put_group(struct writer *out, const struct table_style *table,
          struct group_table *groups, size_t histogram)
{
    const struct report *report = groups->report;
    size_t keys = groups->walk.groups;
    char field[SPEC_HISTOGRAM_BYTES];
    bool is_first = true;

    if (report->file != NULL) {
        put_separator(out, table, &is_first);
        table->put_name(out, (const unsigned char *)report->file,
                        strlen(report->file));
    }
    if (rows_have_field(report)) {
        const char *text = spec_histogram_text(report->spec, histogram, field);
        put_separator(out, table, &is_first);
        table->put_name(out, (const unsigned char *)text, strlen(text));
    }
    for (size_t i = 0; i < keys; i++) {
        const struct column *column = &groups->walk.keys.column[i];
        put_separator(out, table, &is_first);
        put_label(out, table, column, &column->lo);
    }
    for (size_t c = 0; c < groups->columns->count; c++) {
        const struct group_cell *cell = &groups->cell[c];
        if (cell->is_key) {
            const struct column *column = group_table_key(groups, c);
            put_separator(out, table, &is_first);
            put_label(out, table, column, &column->lo);
            continue;
        }
        for (size_t t = 0; t < group_table_texts(groups, c); t++) {
            put_separator(out, table, &is_first);
            writer_put_bytes(out, cell->text[t].text, cell->text[t].size);
        }
    }
    writer_put_char(out, '\n');
}

static void
put_group_lines(struct writer *out, struct group_table *groups,
                const void *context)
{
    const struct table_lines *lines = context;

    while (!writer_has_failed(out) && group_table_next(groups))
        put_group(out, lines->table, groups, lines->histogram);
}

/* Put a line for each group of all histograms; if HAS_HEADER, after the names
   of the columns. */
static void
put_groups(struct writer *out, const struct table_style *table,
           const struct report *report, bool has_header)
{
    struct error error = ERROR_NONE;
    struct group_table groups;
    size_t tables = figure_fields_tables(report->options, report->spec);

    for (size_t i = 0; i < tables; i++) {
        int result = group_table_open(&groups, report, i, &error);
        if (result == 0 && i == 0 && has_header)
            put_group_header(out, table, &groups);
        const struct table_lines lines = {table, i, NULL};
        if (result == 0)
            group_slices_print(out, &groups, put_group_lines, &lines);
        if (result < 0)
            writer_fail_memory(out);
        group_table_close(&groups);
    }
    error_clear(&error);
}

/* ---- columns of values ---- */

/* Put the labels of COLUMN as cells; those of a row without a key, too, if the
   table has no column of kinds for COLUMN. */
static void
put_pivot_label(struct writer *out, const struct table_style *table,
                const struct column *column, bool *is_first)
{
    put_separator(out, table, is_first);
    if (column_has_keys(column) && column->has_key)
        put_key(out, table, column, &column->lo);
    else
        writer_put_short(out, column->lo.text, column->lo.size);
    if (column->has_edges) {
        writer_put_char(out, table->separator);
        writer_put_short(out, column->hi.text, column->hi.size);
    }
}

static void
put_pivot_header(struct writer *out, const struct table_style *table,
                 struct pivot *pivot)
{
    const struct rows *rows = &pivot->rows;
    bool is_first = true;

    for (size_t i = 0; i < rows->group_columns; i++) {
        put_name(out, table, &is_first, rows_first_name(rows, i));
        if (rows->column[i].has_edges)
            put_name(out, table, &is_first, rows_names(rows, i)->hi);
    }
    for (uint64_t c = 0; c < pivot_columns(pivot); c++)
        put_pivot_label(out, table, pivot_name(pivot, c), &is_first);
    writer_put_char(out, '\n');
}

static void
put_pivot(struct writer *out, const struct table_style *table,
          struct pivot *pivot)
{
    put_pivot_header(out, table, pivot);
    while (!writer_has_failed(out) && pivot_next(pivot)) {
        bool is_first = true;
        pivot_set_labels(pivot);
        for (size_t i = 0; i < pivot->rows.group_columns; i++)
            put_pivot_label(out, table, &pivot->rows.column[i], &is_first);
        for (uint64_t c = 0; c < pivot_columns(pivot); c++) {
            struct amount amount = pivot_amount(pivot, c);
            writer_put_char(out, table->separator);
            put_amount(out, pivot->report, &amount);
        }
        writer_put_char(out, '\n');
    }
}

/* ---- profiles ---- */

/* Put the lines of PROFILE, of REPORT. */
static void
put_profile(struct writer *out, const struct table_style *table,
            const struct report *report, bool has_header)
{
    const struct profile *profile = report->profile;
    bool is_first_name = true;

    if (has_header && report->file != NULL)
        put_name(out, table, &is_first_name, "file");
    for (size_t c = 0; c < PROFILE_COLUMNS && has_header; c++)
        put_name(out, table, &is_first_name,
                 profile_name((enum profile_column)c));
    if (has_header)
        writer_put_char(out, '\n');
    for (size_t i = 0; i < profile->count && !writer_has_failed(out); i++) {
        bool is_first = true;
        if (report->file != NULL) {
            put_separator(out, table, &is_first);
            table->put_name(out, (const unsigned char *)report->file,
                            strlen(report->file));
        }
        for (size_t c = 0; c < PROFILE_COLUMNS; c++) {
            const struct profile_cell *cell = &profile->line[i].cell[c];
            put_separator(out, table, &is_first);
            table->put_name(out, profile_bytes(cell), cell->size);
        }
        writer_put_char(out, '\n');
    }
}

/* ---- tables ---- */

void
format_put_mark(struct writer *out, const struct report *report)
{
    if (report->incomplete == NULL)
        return;
    writer_put_text(out, "# incomplete: ");
    writer_put_text(out, report->incomplete);
    writer_put_char(out, '\n');
}

static void
put_table(struct writer *out, const struct table_style *table,
          const struct report *report)
{
    struct kmer_lines kmers;
    bool is_of_rows = report->options->figures.count == 0 &&
                      report->pivot == NULL && report->profile == NULL;

    for (size_t i = 0; is_of_rows && i < spec_histograms(report->spec); i++) {
        struct table_lines lines = {table, i, NULL};
        struct rows rows;
        rows_open(&rows, report, i);
        rows.shows_other &= table->has_other;
        const char between[] = {table->separator, '\0'};
        if (kmer_lines_open(&kmers, &rows, between))
            lines.kmers = &kmers;
        slices_print(out, &rows, report->threads,
                     lines.kmers != NULL ? put_kmers : put_lines, &lines);
    }
    format_put_mark(out, report);
}

/* Put a table; with a header, if HAS_HEADER and the table does not continue
   another table. */
static void
put_all(struct writer *out, const struct table_style *table,
        const struct report *report, bool has_header)
{
    has_header &= !report->is_continued;
    if (report->pivot != NULL)
        put_pivot(out, table, report->pivot);
    else if (report->profile != NULL)
        put_profile(out, table, report, !report->is_continued);
    else if (report->options->figures.count > 0)
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
    char end = report->spec->kind == SPEC_SAMPLES
                   ? '\n'
                   : (char)report->spec->text.end;

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

/* The text between two columns: in tuples of fields, the text between fields
   that cut and awk print. */
static char
uniq_separator(const struct spec *spec)
{
    return spec->is_sparse ? (char)spec->text.delimiter : '\t';
}

void
format_uniq(struct writer *out, const struct report *report)
{
    const struct table_style table = {uniq_separator(report->spec), false, true,
                                      key_text_put_raw, key_text_put_raw};

    for (size_t i = 0; i < spec_histograms(report->spec); i++) {
        const struct table_lines lines = {&table, i, NULL};
        struct rows rows;

        rows_open(&rows, report, i);
        rows.nonzero = true;
        /* uniq -c has only lines of the input. */
        rows.shows_other = false;
        if (rows_have_keys(report->spec, i))
            rows.flow = FLOW_HIDE;
        slices_print(out, &rows, report->threads, put_uniq_lines, &lines);
    }
    format_put_mark(out, report);
}
