/* SPDX-License-Identifier: MIT */
/*
 * format_prom.c -- metrics for Prometheus
 *
 * Keys are the labels of a counter or a gauge, with a sample for each line.
 * Each figure of --columns is a gauge, with a sample for each group.  Bins are
 * the buckets of a classic histogram, with the keys of the group as labels.  A
 * bucket counts all values up to and including "le".  So bins must be closed on
 * the right or have one value.
 */

#include <stdlib.h>
#include <string.h>

#include "report/format.h"
#include "report/group_table.h"
#include "report/prom_labels.h"
#include "report/rows.h"
#include "report/slices.h"

/* ---- samples ---- */

/*
 * Put the labels of the current line of ROWS, which are the first KEYS columns
 * and, if HAS_FIELD, the field; then LE, unless NULL; and a blank.
 */
static void
put_labels(struct writer *out, struct rows *rows, size_t keys, const char *le,
           bool has_field)
{
    const struct spec *spec = rows->report->spec;
    char room[SPEC_HISTOGRAM_BYTES];
    char before = '{';

    if (has_field) {
        writer_put_char(out, before);
        char name[PROM_NAME_BYTES];
        (void)prom_labels_map(rows->report->names->field, name);
        prom_labels_put_text(out, name,
                             spec_histogram_text(spec, rows->histogram, room));
        before = ',';
    }
    if (keys > 0)
        rows_set_labels(rows);
    for (size_t d = 0; d < keys; d++, before = ',') {
        writer_put_char(out, before);
        prom_labels_put(out, rows_names(rows, d)->name, &rows->column[d]);
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
        put_labels(out, rows, rows->columns, NULL,
                   rows_have_field(rows->report));
        put_count(out, rows->amount.count);
    }
}

/* ---- figures ---- */

/* Put the comments before the samples of METRIC and SUFFIX, of TYPE. */
static void
put_type(struct writer *out, const char *metric, const char *suffix,
         const char *type)
{
    writer_put_text(out, "# HELP ");
    writer_put_text(out, metric);
    writer_put_text(out, suffix);
    writer_put_text(out, " Values, counted by gpuhist.\n# TYPE ");
    writer_put_text(out, metric);
    writer_put_text(out, suffix);
    writer_put_char(out, ' ');
    writer_put_text(out, type);
    writer_put_char(out, '\n');
}

/* Put the SIZE bytes at TEXT, a figure, as Prometheus writes numbers. */
static void
put_figure(struct writer *out, const char *text, size_t size)
{
    bool is_negative = size > 0 && *text == '-';
    const char *digits = text + is_negative;
    size_t left = size - is_negative;

    if (left == 3 && memcmp(digits, "nan", 3) == 0)
        writer_put_text(out, "NaN");
    else if (left == 3 && memcmp(digits, "inf", 3) == 0)
        writer_put_text(out, is_negative ? "-Inf" : "+Inf");
    else
        writer_put_bytes(out, text, size);
    writer_put_char(out, '\n');
}

/* Put the samples of text T of column C of TABLE, one for each group. */
static void
put_figures(struct writer *out, struct group_table *table, const char *suffix,
            size_t c, size_t t)
{
    const struct label *text = &table->cell[c].text[t];

    group_table_restart(table);
    while (!writer_has_failed(out) && group_table_next(table)) {
        writer_put_text(out, format_metric(table->report));
        writer_put_text(out, suffix);
        put_labels(out, &table->walk.keys, table->walk.groups, NULL,
                   rows_have_field(table->report));
        put_figure(out, text->text, text->size);
    }
}

/* Set SUFFIX to the name of text T of column C at the end of a metric's name:
   "_p99_9". */
static void
make_suffix(const struct group_table *table, size_t c, size_t t,
            char suffix[1 + PROM_NAME_BYTES])
{
    suffix[0] = '_';
    (void)prom_labels_map(group_table_name(table, c, t), suffix + 1);
}

/* Put the metric of text T of column C of the COUNT tables at TABLE. */
static void
put_metric(struct writer *out, struct group_table *table, size_t count,
           size_t c, size_t t)
{
    const char *metric = format_metric(table->report);
    char suffix[1 + PROM_NAME_BYTES];

    make_suffix(table, c, t, suffix);
    put_type(out, metric, suffix, "gauge");
    for (size_t i = 0; i < count; i++)
        put_figures(out, &table[i], suffix, c, t);
}

/* Put a metric for each figure of --columns: Prometheus wants all samples of a
   metric together. */
static void
put_groups(struct writer *out, const struct report *report)
{
    struct error error = ERROR_NONE;
    size_t count = figure_fields_tables(report->options, report->spec);
    struct group_table *table = calloc(count, sizeof *table);
    int result = table == NULL ? -1 : 0;
    size_t opened = 0;

    while (result == 0 && opened < count) {
        result = group_table_open(&table[opened], report, opened, &error);
        opened++;
    }
    for (size_t c = 0; result == 0 && c < table->columns->count; c++) {
        for (size_t t = 0; t < group_table_texts(table, c); t++)
            put_metric(out, table, count, c, t);
    }
    if (result < 0)
        writer_fail_memory(out);
    while (opened > 0)
        group_table_close(&table[--opened]);
    free(table);
    error_clear(&error);
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
    const struct report *report = series->labels.report;
    put_labels(out, &series->labels, report->spec->group_count, le,
               rows_have_field(report));
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

/* Whether axis D of histogram I has keys; numbers of a group are keys, too. */
static bool
is_key(const struct spec *spec, size_t i, size_t d)
{
    const struct binning_axis *axis = &spec->shown[spec_axis_of(spec, i, d)];
    bool is_group = spec->are_groups || d < spec->group_count;

    return axis_has_names(axis) ||
           (is_group && axis_bins(axis) == AXIS_NUMBERS);
}

/* Whether histogram I has keys alone, and no bins. */
static bool
has_keys(const struct spec *spec, size_t i)
{
    size_t axes = spec_dimensions(spec, i);

    for (size_t d = 0; d < axes; d++) {
        if (!is_key(spec, i, d))
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

    if (report->options->figures.count > 0) {
        put_groups(out, report);
        writer_put_text(out, "# EOF\n");
        return;
    }
    put_type(out, metric, "", is_of_keys ? type_of(report) : "histogram");
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
    if (axis_bins(axis) == AXIS_NUMBERS)
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

/* Returns why the lines of bins cannot be as OPTIONS want; NULL: they can. */
static const char *
find_wrong_lines(const struct spec *spec, const struct report_options *options)
{
    if (options->metric_type != METRIC_OF_NAME)
        return "--metric-type is for keys: the metric of bins is a histogram";
    if (options->top != 0 || count_limits_are_set(&options->limits) ||
        options->top_each != 0 || options->sort != SORT_VALUE)
        return "--format=prom has all bins of a histogram, in their order: "
               "--top, --top-each, --min-count, --max-count and --sort are for "
               "keys";
    return spec->is_joint && spec->group_count == 0
               ? "--format=prom has keys as labels and bins as buckets: give "
                 "the keys by --group-by, and one field with bins by --fields"
               : NULL;
}

/* Returns why SPEC has no figures that are metrics; NULL: it has. */
static const char *
find_wrong_figures(const struct spec *spec,
                   const struct report_options *options)
{
    if (options->metric_type != METRIC_OF_NAME)
        return "--metric-type is for counts of keys: each figure of --columns "
               "is a gauge";
    for (size_t i = 0; !spec->are_groups && i < spec_histograms(spec); i++) {
        struct figure_choice choice;
        if (!axis_has_names(&spec->shown[spec_own_axis(spec, i)]))
            continue;
        figure_fields_choose(&choice, options, spec, i);
        for (size_t c = 0; c < choice.figures.count; c++) {
            if (!figure_is_count(&choice.figures.figure[c]))
                return "--format=prom has numbers, and the mode of a field "
                       "with keys is a key";
        }
    }
    return NULL;
}

/* Check the names of the labels of histogram I. */
static int
check_labels(const struct spec *spec, const struct report_options *options,
             size_t i, struct error *error)
{
    const struct report report = {.spec = spec, .options = options};
    bool has_labels = has_keys(spec, i) || spec->are_groups;

    return prom_labels_check(
        &report, "prom", i,
        has_labels ? spec_dimensions(spec, i) : spec->group_count, error);
}

/* Check that --rename gives the figures of OPTIONS ends of metrics that differ.
   Returns 0, or -1 with *ERROR set. */
static int
check_suffixes(const struct spec *spec, const struct report_options *options,
               struct error *error)
{
    const struct report report = {.spec = spec, .options = options};
    struct column_names names;
    char suffix[FIGURES_MAX][PROM_NAME_BYTES];
    int result = column_names_make(&names, &report, error);

    for (size_t c = 0; c < options->figures.count && result == 0; c++) {
        bool is_wrong = prom_labels_map(names.figure[c], suffix[c]) < 0;
        for (size_t d = 0; d < c && !is_wrong; d++)
            is_wrong = strcmp(suffix[c], suffix[d]) == 0;
        if (!is_wrong)
            continue;
        error_set(error, EXIT_USAGE,
                  "--format=prom: --rename gives a figure a name that is too "
                  "long, or that is another figure's");
        result = -1;
    }
    column_names_close(&names);
    return result;
}

int
format_prom_check(const struct spec *spec, const struct report_options *options,
                  struct error *error)
{
    const char *wrong = NULL;
    bool has_figures = options->figures.count > 0;

    if (spec->is_spectrum)
        wrong = "--format=prom has no place for a spectrum; tsv, csv, md, "
                "table, json, jsonl and histo have";
    else if (has_figures)
        wrong = find_wrong_figures(spec, options);
    for (size_t i = 0;
         !has_figures && wrong == NULL && i < spec_histograms(spec); i++)
        wrong = find_wrong(spec, i);
    if (wrong == NULL && !has_figures && !has_keys(spec, 0))
        wrong = find_wrong_lines(spec, options);
    if (wrong != NULL) {
        error_set(error, EXIT_USAGE, "%s", wrong);
        return -1;
    }
    if (options->rename != NULL && check_suffixes(spec, options, error) < 0)
        return -1;
    for (size_t i = 0; i < spec_histograms(spec); i++) {
        if (check_labels(spec, options, i, error) < 0)
            return -1;
    }
    return 0;
}
