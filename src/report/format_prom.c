/*
 * format_prom.c -- metrics for Prometheus
 *
 * Keys are the labels of a counter or a gauge, with a sample for each line.
 * Bins are the buckets of a classic histogram, with the keys of the group as
 * labels.  A bucket counts all values up to and including "le".  So bins must
 * be closed on the right or have one value.
 */

#include <string.h>

#include "report/format.h"
#include "report/prom_labels.h"
#include "report/rows.h"
#include "report/slices.h"

/* ---- samples ---- */

/*
 * Put the labels of the current line of ROWS, which are the first KEYS columns
 * and, if there are several histograms, the field; then LE, unless NULL; and a
 * blank.
 */
static void
put_labels(struct writer *out, struct rows *rows, size_t keys, const char *le)
{
    const struct spec *spec = rows->report->spec;
    char room[SPEC_HISTOGRAM_BYTES];
    char before = '{';

    if (rows_have_field(spec)) {
        writer_put_char(out, before);
        prom_labels_put_text(out, "field",
                             spec_histogram_text(spec, rows->histogram, room));
        before = ',';
    }
    if (keys > 0)
        rows_set_labels(rows);
    for (size_t d = 0; d < keys; d++, before = ',') {
        writer_put_char(out, before);
        prom_labels_put(out, spec, spec_axis_of(spec, rows->histogram, d),
                        &rows->column[d]);
    }
    if (le != NULL) {
        writer_put_char(out, before);
        prom_labels_put_text(out, "le", le);
        before = ',';
    }
    writer_put_text(out, before == ',' ? "} " : " ");
}

static void
put_count(struct writer *out, uint64_t count)
{
    writer_put_number(out, count);
    writer_put_char(out, '\n');
}

/* ---- keys ---- */

/* CONTEXT is the name of the metric. */
static void
put_samples(struct writer *out, struct rows *rows, const void *context)
{
    const char *metric = context;

    while (!writer_has_failed(out) && rows_next(rows)) {
        writer_put_text(out, metric);
        put_labels(out, rows, rows->columns, NULL);
        put_count(out, rows->amount.count);
    }
}

/* ---- bins ---- */

/* A histogram that is printed. */
struct prom_series {
    const char *metric;
    struct rows labels; /* on a row of the group */
    uint64_t so_far;    /* of all rows so far */
    struct wide sum;
    bool is_exact; /* SUM is the sum */
};

/* Room for any label of an edge or a sum, with ".0". */
#define FLOAT_TEXT_BYTES (DECIMAL_SUM_TEXT_BYTES + 2)

/* Copy TEXT, a number, to FLOAT_TEXT in OpenMetrics form: 1.0, not 1. */
static const char *
float_of(const char *text, char float_text[FLOAT_TEXT_BYTES])
{
    bool is_whole = text[strspn(text, "-0123456789")] == '\0';
    size_t length = strlen(text);

    memcpy(float_text, text, length);
    strcpy(float_text + length, is_whole ? ".0" : "");
    return float_text;
}

static void
put_name(struct writer *out, struct prom_series *series, const char *suffix,
         const char *le)
{
    writer_put_text(out, series->metric);
    writer_put_text(out, suffix);
    put_labels(out, &series->labels, series->labels.report->spec->group_count,
               le);
}

/*
 * Returns the text of the greatest number in the row of COLUMN; NULL: no
 * number.
 */
static const char *
upper_text(struct column *column)
{
    if (column->cell >= column->axis->bins + column->number_flows)
        return NULL;
    column_set_labels(column);
    if (column->cell < column->axis->bins)
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

/* Add COUNT values in the row of COLUMN, and put the bucket up to the row. */
static void
put_bucket(struct writer *out, struct prom_series *series,
           struct column *column, uint64_t count)
{
    const struct binning_axis *axis = column->axis;
    const char *le = upper_text(column);
    char text[FLOAT_TEXT_BYTES];

    series->so_far += count;
    if (le != NULL && strcmp(le, "inf") != 0) {
        put_name(out, series, "_bucket", float_of(le, text));
        put_count(out, series->so_far);
    }
    if (column->cell < axis->bins && axis_bins(axis) == AXIS_INTEGERS)
        series->sum = wide_add(
            series->sum, wide_multiply(axis_value(axis, column->cell), count));
    else if (count > 0)
        series->is_exact = false;
}

/* Put the lines after all buckets but the last. */
static void
put_totals(struct writer *out, struct prom_series *series)
{
    char text[NUMBER_TEXT_BYTES];
    char float_text[FLOAT_TEXT_BYTES];

    put_name(out, series, "_bucket", "+Inf");
    put_count(out, series->so_far);
    put_name(out, series, "_sum", NULL);
    number_text(wide_double(series->sum), text);
    writer_put_text(out, series->is_exact ? float_of(text, float_text) : "NaN");
    writer_put_char(out, '\n');
    put_name(out, series, "_count", NULL);
    put_count(out, series->so_far);
}

static struct prom_series
series_of(const struct report *report, const struct rows *rows)
{
    return (struct prom_series){
        .metric = format_metric(report),
        .labels = *rows,
        .sum = wide_of(0),
        .is_exact = true,
    };
}

static void
put_histogram(struct writer *out, const struct report *report,
              struct rows *rows)
{
    struct prom_series series = series_of(report, rows);

    while (!writer_has_failed(out) && rows_next(rows))
        put_bucket(out, &series, &rows->column[0], rows->amount.count);
    put_totals(out, &series);
}

/*
 * Put the histogram of the group that ROWS have the first row of, with a bucket
 * for each bin, unless --nonzero: the buckets of all groups can be added up.
 * Returns whether a row of another group follows.
 */
static bool
put_group(struct writer *out, const struct report *report, struct rows *rows)
{
    struct prom_series series = series_of(report, rows);
    size_t values = rows->columns - 1;
    struct column column = rows->column[values];
    bool has_row = true;

    for (uint64_t row = 0; row < column.rows; row++) {
        uint64_t count = 0;
        bool is_shown = !report->options->nonzero;
        column_go(&column, row);
        if (has_row && rows_are_in_one_group(rows, &series.labels) &&
            rows->column[values].cell == column.cell) {
            count = rows->amount.count;
            is_shown = true;
            has_row = rows_next(rows);
        }
        is_shown &= rows->flow != FLOW_HIDE || column.cell < column.axis->bins;
        if (is_shown)
            put_bucket(out, &series, &column, count);
    }
    put_totals(out, &series);
    return has_row;
}

static void
put_bins(struct writer *out, const struct report *report, struct rows *rows)
{
    bool has_row;

    /* Print equal buckets for all data. */
    if (rows->flow == FLOW_AUTO)
        rows->flow = FLOW_SHOW;
    if (report->spec->group_count == 0) {
        put_histogram(out, report, rows);
        return;
    }
    has_row = rows_next(rows);
    while (has_row && !writer_has_failed(out))
        has_row = put_group(out, report, rows);
}

/* ---- metrics ---- */

/* Whether histogram I has keys alone, and no bins. */
static bool
has_keys(const struct spec *spec, size_t i)
{
    size_t axes = spec_dimensions(spec, i);

    for (size_t d = 0; d < axes; d++) {
        if (!axis_has_names(&spec->shown[spec_axis_of(spec, i, d)]))
            return false;
    }
    return true;
}

/* Returns the word for the type of a metric of keys. */
static const char *
type_of(const struct report *report)
{
    static const char suffix[] = "_total";
    const char *metric = format_metric(report);
    size_t size = strlen(metric);
    bool is_total = size >= strlen(suffix) &&
                    strcmp(metric + size - strlen(suffix), suffix) == 0;

    switch (report->options->metric_type) {
    case METRIC_COUNTER:
        return "counter";
    case METRIC_GAUGE:
        return "gauge";
    default:
        return is_total ? "counter" : "gauge";
    }
}

void
format_prom(struct writer *out, const struct report *report)
{
    const struct spec *spec = report->spec;
    const char *metric = format_metric(report);
    bool is_of_keys = has_keys(spec, 0);

    writer_put_text(out, "# HELP ");
    writer_put_text(out, metric);
    writer_put_text(out, " Values, counted by gpuhist.\n# TYPE ");
    writer_put_text(out, metric);
    writer_put_char(out, ' ');
    writer_put_text(out, is_of_keys ? type_of(report) : "histogram");
    writer_put_char(out, '\n');
    for (size_t i = 0; i < spec_histograms(spec); i++) {
        struct rows rows;
        rows_open(&rows, report, i);
        if (is_of_keys)
            slices_print(out, &rows, report->threads, put_samples, metric);
        else
            put_bins(out, report, &rows);
    }
    writer_put_text(out, "# EOF\n");
}

/* ---- checks ---- */

/* Returns why histogram I has no metric beside histogram 0; NULL: it has. */
static const char *
find_wrong(const struct spec *spec, size_t i)
{
    const struct binning_axis *axis = &spec->shown[spec_own_axis(spec, i)];

    if (has_keys(spec, i) != has_keys(spec, 0))
        return "--format=prom prints one metric: fields with keys and fields "
               "with bins need a run each";
    if (has_keys(spec, i))
        return NULL;
    if (spec_lacks_bins(spec))
        return "--format=prom has keys as labels and bins as buckets, so each "
               "field of numbers needs --bins, --range, --edges, --log or "
               "--scale";
    if (spec_own_axes(spec, i) > 1)
        return "--format=prom has keys as labels and bins as buckets: give the "
               "keys by --group-by, and one field with bins by --fields";
    if (axis_bins(axis) != AXIS_INTEGERS && axis->closed != BINNING_RIGHT)
        return "--format=prom needs --closed=right: a bucket includes its "
               "bound";
    return NULL;
}

int
format_prom_check(const struct spec *spec, const struct report_options *options,
                  struct error *error)
{
    const char *wrong = NULL;

    if (spec->is_spectrum)
        wrong = "--format=prom has no place for a spectrum; tsv, csv, md, "
                "table, json, jsonl and histo have";
    for (size_t i = 0; wrong == NULL && i < spec_histograms(spec); i++)
        wrong = find_wrong(spec, i);
    if (wrong == NULL && !has_keys(spec, 0) &&
        options->metric_type != METRIC_OF_NAME)
        wrong = "--metric-type is for keys: the metric of bins is a histogram";
    if (wrong != NULL) {
        error_set(error, EXIT_USAGE, "%s", wrong);
        return -1;
    }
    for (size_t i = 0; i < spec_histograms(spec); i++) {
        size_t keys =
            has_keys(spec, i) ? spec_dimensions(spec, i) : spec->group_count;
        if (prom_labels_check(spec, i, keys, error) < 0)
            return -1;
    }
    return 0;
}
