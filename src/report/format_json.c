/* format_json.c -- one object, or one for each line: json, jsonl */

#include <inttypes.h>

#include "report/format.h"
#include "report/rows.h"
#include "util/json.h"

/* ---- lines ---- */

/* "NAME": TEXT; a byte's label is a string, even if it is a digit. */
static void
put_label(FILE *out, const struct rows *rows, const char *name,
          const char *text)
{
    fprintf(out, "\"%s\":", name);
    if (rows->report->options->labels != LABELS_DEC)
        json_put_string(out, text);
    else
        json_put_number(out, text);
    putc(',', out);
}

/* What the line is about, each followed by a comma. */
static void
put_labels(FILE *out, struct rows *rows)
{
    const struct spec *spec = rows->report->spec;

    if (rows->is_other) {
        fputs("\"other\":true,", out);
        return;
    }
    rows_set_texts(rows);
    for (size_t i = 0; i < rows->columns; i++) {
        const struct column *column = &rows->column[i];
        char name[ROWS_NAME_BYTES];

        put_label(out, rows, rows_name(rows, i, false, name), column->lo);
        if (column->has_edges)
            put_label(out, rows, rows_name(rows, i, true, name), column->hi);
        if (!column_is_flow(column))
            continue;
        if (spec->is_joint)
            fprintf(out, "\"flow%zu\":\"%s\",", spec->field[i] + 1,
                    column_flow_name(column));
        else
            fprintf(out, "\"flow\":\"%s\",", column_flow_name(column));
    }
}

static void
put_amount(FILE *out, const struct report *report, const char *name,
           const struct amount *amount)
{
    char text[SUM_TEXT_BYTES];

    amount_text(report->spec, amount, text);
    fprintf(out, "\"%s\":", name);
    json_put_number(out, text);
}

static void
put_double(FILE *out, const char *name, double number)
{
    char text[NUMBER_TEXT_BYTES];

    number_text(number, text);
    fprintf(out, ",\"%s\":", name);
    json_put_number(out, text);
}

/* All of a line but its braces. */
static void
put_line(FILE *out, struct rows *rows)
{
    const struct report *report = rows->report;
    const struct report_options *options = report->options;

    put_labels(out, rows);
    put_amount(out, report, report->spec->has_weights ? "sum" : "count",
               &rows->amount);
    if (report->lut != NULL && !rows->is_other)
        fprintf(out, ",\"lut\":%" PRIu32, rows_lut(rows));
    if (options->cumulative) {
        struct amount cumulative = amount_of_total(&rows->cumulative);
        putc(',', out);
        put_amount(out, report, "cumulative", &cumulative);
    }
    if (options->density)
        put_double(out, "density", rows->density);
    if (options->percent)
        put_double(out, "percent", rows->percent);
}

/* ---- totals ---- */

/* How many values there were, in all and in bins, and their sums. */
static void
put_totals(FILE *out, struct rows *rows)
{
    const struct report *report = rows->report;

    rows_sum_up(rows);
    fprintf(out, "\"values\":%" PRIu64 ",\"in_bins\":%" PRIu64, rows->all.count,
            rows->in_bins.count);
    if (report->spec->has_weights) {
        struct amount all = amount_of_total(&rows->all);
        struct amount in_bins = amount_of_total(&rows->in_bins);
        putc(',', out);
        put_amount(out, report, "sum", &all);
        putc(',', out);
        put_amount(out, report, "sum_in_bins", &in_bins);
    }
}

static void
put_provenance(FILE *out, const struct report *report)
{
    const struct provenance *from = report->provenance;

    fputs("\"gpuhist\":\"" VERSION "\",\"options\":[", out);
    for (size_t i = 0; i < from->argument_count; i++) {
        if (i > 0)
            putc(',', out);
        json_put_string(out, from->arguments[i]);
    }
    fputs("],\"inputs\":[", out);
    for (size_t i = 0; i < from->path_count; i++) {
        if (i > 0)
            putc(',', out);
        json_put_string(out, from->paths[i]);
    }
    if (from->path_count == 0)
        json_put_string(out, "-");
    fprintf(out, "],\"bytes\":%" PRIu64 ",\"records\":%" PRIu64, report->bytes,
            report->bytes / report->spec->record.bytes);
    if (report->snapshot != 0)
        fprintf(out, ",\"snapshot\":%" PRIu64, report->snapshot);
    if (report->incomplete != NULL) {
        fputs(",\"incomplete\":", out);
        json_put_string(out, report->incomplete);
    }
}

/* ---- axes ---- */

static const char *
rule_name(const struct binning_axis *axis)
{
    if (axis->is_log)
        return "log";
    switch ((enum binning_kind)axis->kind) {
    case BINNING_DIRECT:
        return "values";
    case BINNING_EVEN:
        return "even";
    default:
        return "edges";
    }
}

static void
put_axis(FILE *out, const struct spec *spec, size_t i)
{
    static const char *const closed[] = {"left", "right", "numpy"};
    const struct binning_axis *axis = &spec->shown[i];
    char text[NUMBER_TEXT_BYTES];

    fprintf(out,
            "{\"field\":%zu,\"type\":\"%s\",\"rule\":\"%s\",\"bins\":%" PRIu64,
            spec->field[i] + 1, record_type_name((enum sample_type)axis->type),
            rule_name(axis), axis->bins);
    axis_edge_text(axis, &spec->edges, 0, text);
    fputs(",\"lo\":", out);
    json_put_number(out, text);
    axis_edge_text(axis, &spec->edges, axis->bins, text);
    fputs(",\"hi\":", out);
    json_put_number(out, text);
    fprintf(out, ",\"closed\":\"%s\"}", closed[axis->closed]);
}

/* The axes of a histogram, I being the first. */
static void
put_axes(FILE *out, const struct spec *spec, size_t i, size_t count)
{
    fputs("\"axes\":[", out);
    for (size_t a = i; a < i + count; a++) {
        if (a > i)
            fputs(",\n", out);
        put_axis(out, spec, a);
    }
    putc(']', out);
}

/* ---- one object ---- */

/* The lines of bins, or those of flow cells, in an array. */
static void
put_lines(FILE *out, const struct report *report, size_t histogram, bool flow)
{
    struct rows rows;
    const char *before = "\n";

    fprintf(out, ",\n\"%s\":[", flow ? "flow" : "bins");
    rows_open(&rows, report, histogram);
    while (!ferror(out) && rows_next(&rows)) {
        if (rows.is_flow != flow)
            continue;
        fprintf(out, "%s{", before);
        put_line(out, &rows);
        putc('}', out);
        before = ",\n";
    }
    putc(']', out);
}

void
format_json(FILE *out, const struct report *report)
{
    const struct spec *spec = report->spec;

    putc('{', out);
    put_provenance(out, report);
    fprintf(out, ",\"joint\":%s,\n\"histograms\":[",
            spec->is_joint ? "true" : "false");
    for (size_t i = 0; i < spec_histograms(spec); i++) {
        struct rows rows;

        fputs(i > 0 ? ",\n{" : "\n{", out);
        rows_open(&rows, report, i);
        put_axes(out, spec, i, rows.columns);
        put_lines(out, report, i, false);
        put_lines(out, report, i, true);
        fputs(",\n\"totals\":{", out);
        put_totals(out, &rows);
        fputs("}}", out);
    }
    fputs("]}\n", out);
}

/* ---- an object for each line ---- */

/* Where there are several histograms: "field":N, */
static void
put_field(FILE *out, const struct spec *spec, size_t histogram)
{
    if (!spec->is_joint && spec->axis_count > 1)
        fprintf(out, "\"field\":%zu,", spec->field[histogram] + 1);
}

void
format_jsonl(FILE *out, const struct report *report)
{
    const struct spec *spec = report->spec;
    struct rows rows;

    for (size_t i = 0; i < spec_histograms(spec); i++) {
        rows_open(&rows, report, i);
        while (!ferror(out) && rows_next(&rows)) {
            putc('{', out);
            put_field(out, spec, i);
            put_line(out, &rows);
            fputs("}\n", out);
        }
    }
    fputs("{\"totals\":[", out);
    for (size_t i = 0; i < spec_histograms(spec); i++) {
        fputs(i > 0 ? ",{" : "{", out);
        put_field(out, spec, i);
        rows_open(&rows, report, i);
        put_totals(out, &rows);
        putc('}', out);
    }
    fputs("],", out);
    put_provenance(out, report);
    fputs("}\n", out);
}
