/*
 * format_prom.c -- a histogram for Prometheus, in the OpenMetrics format
 *
 * A bucket counts all values up to and including "le".  So bins must be closed
 * on the right or have one value.
 */

#include <stdio.h>
#include <string.h>

#include "report/format.h"
#include "report/rows.h"

/* The start of each line of a histogram. */
struct series {
    const char *metric;
    const char *field; /* NULL: the only field */
};

/* Put a number in OpenMetrics form: 1.0, not 1. */
static void
put_float(struct writer *out, const char *text)
{
    bool is_whole = text[strspn(text, "-0123456789")] == '\0';

    writer_put_text(out, text);
    if (is_whole)
        writer_put_text(out, ".0");
}

/* Put field="NAME", escaped as the format demands. */
static void
put_field(struct writer *out, const char *name)
{
    writer_put_text(out, "field=\"");
    for (; *name != '\0'; name++) {
        if (*name == '\\' || *name == '"' || *name == '\n')
            writer_put_char(out, '\\');
        writer_put_char(out, *name == '\n' ? 'n' : *name);
    }
    writer_put_char(out, '"');
}

/* Put "metric_SUFFIX{field="NAME",le="LE"} "; LE may be NULL. */
static void
put_name(struct writer *out, const struct series *series, const char *suffix,
         const char *le)
{
    bool has_labels = series->field != NULL || le != NULL;

    writer_put_text(out, series->metric);
    writer_put_char(out, '_');
    writer_put_text(out, suffix);
    if (has_labels)
        writer_put_char(out, '{');
    if (series->field != NULL)
        put_field(out, series->field);
    if (series->field != NULL && le != NULL)
        writer_put_char(out, ',');
    if (le != NULL) {
        writer_put_text(out, "le=\"");
        put_float(out, le);
        writer_put_char(out, '"');
    }
    writer_put_text(out, has_labels ? "} " : " ");
}

/*
 * Returns the text of the greatest number in the current line; NULL: no number.
 */
static const char *
upper_text(struct rows *rows)
{
    const struct column *column = &rows->column[0];

    rows_set_labels(rows);
    if (column_is_special(column))
        return NULL;
    if (!rows->is_flow)
        return column->has_edges ? column->hi.text : column->lo.text;
    switch ((enum binning_flow)(column->cell - column->axis->bins)) {
    case BINNING_ZERO:
        return column->hi.text;
    case BINNING_UNDERFLOW:
        return column->has_edges ? column->hi.text : NULL;
    default:
        return NULL;
    }
}

static void
put_count(struct writer *out, uint64_t count)
{
    writer_put_number(out, count);
    writer_put_char(out, '\n');
}

static void
put_series(struct writer *out, const struct report *report,
           const struct series *series, size_t histogram)
{
    struct rows rows;
    struct amount_total so_far = {0};
    struct wide sum = wide_of(0);
    bool is_exact = true;
    char text[NUMBER_TEXT_BYTES];

    rows_open(&rows, report, histogram);
    /* Print equal buckets for all data. */
    if (rows.flow == FLOW_AUTO)
        rows.flow = FLOW_SHOW;
    while (!writer_has_failed(out) && rows_next(&rows)) {
        const struct column *column = &rows.column[0];
        const char *le = upper_text(&rows);

        amount_add(&so_far, report->spec, &rows.amount);
        if (le != NULL && strcmp(le, "inf") != 0) {
            put_name(out, series, "bucket", le);
            put_count(out, so_far.count);
        }
        if (!rows.is_flow && axis_bins(column->axis) == AXIS_INTEGERS)
            sum = wide_add(sum,
                           wide_multiply(axis_value(column->axis, column->cell),
                                         rows.amount.count));
        else if (rows.amount.count > 0)
            is_exact = false;
    }
    put_name(out, series, "bucket", "+Inf");
    put_count(out, so_far.count);
    put_name(out, series, "sum", NULL);
    number_text(wide_double(sum), text);
    put_float(out, is_exact ? text : "NaN");
    writer_put_char(out, '\n');
    put_name(out, series, "count", NULL);
    put_count(out, so_far.count);
}

void
format_prom(struct writer *out, const struct report *report)
{
    const struct spec *spec = report->spec;
    char field[SPEC_FIELD_BYTES];
    struct series series = {.metric = format_metric(report)};

    writer_put_text(out, "# HELP ");
    writer_put_text(out, series.metric);
    writer_put_text(out, " Values, counted by gpuhist.\n# TYPE ");
    writer_put_text(out, series.metric);
    writer_put_text(out, " histogram\n");
    for (size_t i = 0; i < spec->axis_count; i++) {
        if (spec->axis_count > 1)
            series.field = spec_field_text(spec, i, field);
        put_series(out, report, &series, i);
    }
    writer_put_text(out, "# EOF\n");
}

const char *
format_prom_wrong(const struct spec *spec)
{
    for (size_t i = 0; i < spec->axis_count; i++) {
        const struct binning_axis *axis = &spec->shown[i];
        if (axis_bins(axis) != AXIS_INTEGERS && axis->closed != BINNING_RIGHT)
            return "--format=prom needs --closed=right: a bucket includes its "
                   "bound";
    }
    return NULL;
}
