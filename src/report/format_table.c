/* format_table.c -- lines of columns: tsv, csv, uniq */

#include <inttypes.h>
#include <string.h>

#include "report/format.h"
#include "report/rows.h"

static void
put_plain(FILE *out, const char *text)
{
    fputs(text, out);
}

/* As RFC 4180 has it: in quotes where that is needed. */
static void
put_quoted(FILE *out, const char *text)
{
    if (strpbrk(text, ",\"") == NULL) {
        fputs(text, out);
        return;
    }
    putc('"', out);
    for (; *text != '\0'; text++) {
        if (*text == '"')
            putc('"', out);
        putc(*text, out);
    }
    putc('"', out);
}

/* How the lines of a table are written. */
struct table {
    char separator;
    void (*put)(FILE *out, const char *text);
};

static const struct table tsv = {'\t', put_plain};
static const struct table csv = {',', put_quoted};

/* ---- lines ---- */

/* Where there are several histograms: which field the lines are about. */
static bool
has_field(const struct report *report)
{
    return !report->spec->is_joint && report->spec->axis_count > 1;
}

static void
put_labels(FILE *out, const struct table *table, struct rows *rows,
           size_t histogram)
{
    const struct report *report = rows->report;

    if (has_field(report))
        fprintf(out, "%zu%c", report->spec->field[histogram] + 1,
                table->separator);
    rows_set_texts(rows);
    for (size_t i = 0; i < rows->columns; i++) {
        const struct column *column = &rows->column[i];
        if (i > 0)
            putc(table->separator, out);
        table->put(out, column->lo);
        if (column->has_edges) {
            putc(table->separator, out);
            table->put(out, column->hi);
        }
    }
}

static void
put_number(FILE *out, const struct table *table, double number)
{
    char text[NUMBER_TEXT_BYTES];

    number_text(number, text);
    fprintf(out, "%c%s", table->separator, text);
}

static void
put_line(FILE *out, const struct table *table, struct rows *rows,
         size_t histogram)
{
    const struct report *report = rows->report;
    const struct report_options *options = report->options;
    char text[SUM_TEXT_BYTES];

    put_labels(out, table, rows, histogram);
    putc(table->separator, out);
    amount_text(report->spec, &rows->amount, text);
    fputs(text, out);
    if (report->lut != NULL && rows->is_other)
        fprintf(out, "%cnan", table->separator);
    else if (report->lut != NULL)
        fprintf(out, "%c%" PRIu32, table->separator, rows_lut(rows));
    if (options->cumulative) {
        struct amount cumulative = amount_of_total(&rows->cumulative);
        amount_text(report->spec, &cumulative, text);
        fprintf(out, "%c%s", table->separator, text);
    }
    if (options->density)
        put_number(out, table, rows->density);
    if (options->percent)
        put_number(out, table, rows->percent);
    putc('\n', out);
}

/* ---- headers ---- */

static void
put_header(FILE *out, const struct table *table, const struct report *report)
{
    const struct report_options *options = report->options;
    struct rows rows;
    char name[ROWS_NAME_BYTES];

    rows_open(&rows, report, 0);
    if (has_field(report))
        fprintf(out, "field%c", table->separator);
    for (size_t i = 0; i < rows.columns; i++) {
        const struct column *column = &rows.column[i];
        fprintf(out, "%s%c", rows_name(&rows, i, false, name),
                table->separator);
        if (column->has_edges)
            fprintf(out, "%s%c", rows_name(&rows, i, true, name),
                    table->separator);
    }
    fputs(report->spec->has_weights ? "sum" : "count", out);
    if (report->lut != NULL)
        fprintf(out, "%clut", table->separator);
    if (options->cumulative)
        fprintf(out, "%ccumulative", table->separator);
    if (options->density)
        fprintf(out, "%cdensity", table->separator);
    if (options->percent)
        fprintf(out, "%cpercent", table->separator);
    putc('\n', out);
}

/* ---- tables ---- */

/* The last line, where a part of the input is missing. */
static void
put_mark(FILE *out, const struct report *report)
{
    if (report->incomplete != NULL)
        fprintf(out, "# incomplete: %s\n", report->incomplete);
}

static void
put_table(FILE *out, const struct table *table, const struct report *report)
{
    for (size_t i = 0; i < spec_histograms(report->spec); i++) {
        struct rows rows;
        rows_open(&rows, report, i);
        while (!ferror(out) && rows_next(&rows))
            put_line(out, table, &rows, i);
    }
    put_mark(out, report);
}

void
format_tsv(FILE *out, const struct report *report)
{
    if (report->options->header_out)
        put_header(out, &tsv, report);
    put_table(out, &tsv, report);
}

void
format_csv(FILE *out, const struct report *report)
{
    put_header(out, &csv, report);
    put_table(out, &csv, report);
}

void
format_uniq(FILE *out, const struct report *report)
{
    for (size_t i = 0; i < spec_histograms(report->spec); i++) {
        struct rows rows;
        char text[SUM_TEXT_BYTES];

        rows_open(&rows, report, i);
        rows.nonzero = true;
        while (!ferror(out) && rows_next(&rows)) {
            amount_text(report->spec, &rows.amount, text);
            fprintf(out, "%7s ", text);
            put_labels(out, &tsv, &rows, i);
            putc('\n', out);
        }
    }
    put_mark(out, report);
}
