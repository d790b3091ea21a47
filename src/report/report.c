/* report.c -- print a histogram in one of the formats */

#include <stdlib.h>

#include "report/format.h"
#include "report/report.h"
#include "report/rows.h"

static const char *const format_words[FORMAT_COUNT] = {
    "tsv", "csv", "json", "jsonl", "prom", "uniq", "npy",
};

const char *
report_format_name(enum format format)
{
    return format_words[format];
}

static void (*const format_print[FORMAT_COUNT])(FILE *out,
                                                const struct report *report) = {
    [FORMAT_TSV] = format_tsv,   [FORMAT_CSV] = format_csv,
    [FORMAT_JSON] = format_json, [FORMAT_JSONL] = format_jsonl,
    [FORMAT_PROM] = format_prom, [FORMAT_UNIQ] = format_uniq,
    [FORMAT_NPY] = format_npy,
};

/* ---- what cannot be printed ---- */

static const char *
find_wrong(const struct spec *spec, const struct report_options *options)
{
    for (size_t i = 0; i < spec->axis_count; i++) {
        const struct binning_axis *axis = &spec->shown[i];
        bool is_direct = axis->kind == BINNING_DIRECT;

        if (options->labels != LABELS_DEC &&
            (!is_direct || axis->type != SAMPLE_U1))
            return "--labels is for bytes, u1, with a bin for each value";
        if (options->format == FORMAT_PROM && !is_direct &&
            axis->closed != BINNING_RIGHT)
            return "--format=prom: a bucket has the values up to its bound "
                   "and at it: it needs --closed=right";
        if (options->format == FORMAT_NPY && !spec->is_joint &&
            axis->bins != spec->shown[0].bins)
            return "--format=npy is one array: all fields need as many bins";
    }
    return NULL;
}

int
report_check(const struct spec *spec, const struct report_options *options,
             struct error *error)
{
    const char *wrong = find_wrong(spec, options);

    if (wrong == NULL)
        return 0;
    error_set(error, EXIT_USAGE, "%s", wrong);
    return -1;
}

/* ---- printing ---- */

uint64_t
report_bytes(const struct spec *spec, const struct report_options *options)
{
    uint64_t most = 0;

    if (options->top == 0 && options->sort == SORT_VALUE)
        return 0;
    for (size_t i = 0; i < spec_histograms(spec); i++) {
        uint64_t rows = rows_most(spec, i);
        if (most < rows)
            most = rows;
    }
    if (options->top != 0 && options->top < most)
        most = options->top;
    return most * sizeof(uint64_t);
}

uint64_t
report_hidden(const struct report *report)
{
    uint64_t values = 0;

    if (report->options->flow != FLOW_HIDE &&
        report->options->format != FORMAT_NPY)
        return 0;
    for (size_t i = 0; i < spec_histograms(report->spec); i++) {
        struct rows rows;
        rows_open(&rows, report, i);
        rows_sum_up(&rows);
        values += rows.all.count - rows.in_bins.count;
    }
    return values;
}

int
report_print(FILE *out, struct report *report, struct error *error)
{
    const struct report_options *options = report->options;
    uint64_t bytes = report_bytes(report->spec, options);

    if (bytes > 0) {
        report->order = malloc((size_t)bytes);
        if (report->order == NULL) {
            error_set(error, EXIT_DATA, "out of memory");
            return -1;
        }
    }
    format_print[options->format](out, report);
    free(report->order);
    report->order = NULL;
    return 0;
}
