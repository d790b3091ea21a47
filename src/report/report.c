/* SPDX-License-Identifier: MIT */
/* report.c -- print a histogram in one of the formats */

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "report/column_names.h"
#include "report/figure_fields.h"
#include "report/format.h"
#include "report/group_table.h"
#include "report/pivot.h"
#include "report/points.h"
#include "report/profile.h"
#include "report/report.h"
#include "report/rows.h"
#include "report/slices.h"

/* The features that data points have no place for. */
#define POINTS_UNSUPPORTED                                           \
    (REPORT_LINES | REPORT_NONZERO | REPORT_WEIGHTS | REPORT_JOINT | \
     REPORT_MARK | REPORT_FILES | REPORT_GROUPS | REPORT_PROFILE |   \
     REPORT_CLAMP)

/* The features that the table of seqkit has no place for. */
#define SEQKIT_UNSUPPORTED                                        \
    (REPORT_LINES | REPORT_NONZERO | REPORT_FLOW | REPORT_CLAMP | \
     REPORT_MARK | REPORT_GROUPS | REPORT_PROFILE)

/* The features of a report that another tool defines. */
#define TOOLS_UNSUPPORTED                                             \
    (REPORT_LINES | REPORT_NONZERO | REPORT_FLOW | REPORT_FLOW_ROWS | \
     REPORT_MARK | REPORT_FILES | REPORT_GROUPS | REPORT_PROFILE)

const struct report_format report_formats[FORMAT_COUNT] = {
    [FORMAT_TSV] =
        {
            .name = "tsv",
            .remark = "default",
            .print = format_tsv,
        },
    [FORMAT_CSV] =
        {
            .name = "csv",
            .print = format_csv,
        },
    [FORMAT_MD] =
        {
            .name = "md",
            .remark = "Markdown",
            .print = format_md,
        },
    [FORMAT_TABLE] =
        {
            .name = "table",
            .remark = "aligned, for people",
            .print = format_table,
        },
    [FORMAT_JSON] =
        {
            .name = "json",
            .unsupported = REPORT_HEADER,
            .is_repeatable = true,
            .print = format_json,
        },
    [FORMAT_JSONL] =
        {
            .name = "jsonl",
            .unsupported = REPORT_HEADER,
            .is_repeatable = true,
            .print = format_jsonl,
        },
    [FORMAT_PROM] =
        {
            .name = "prom",
            .remark = "for Prometheus",
            .keeps_bins = true,
            .unsupported =
                (REPORT_LINES & ~(unsigned int)(REPORT_ORDER | REPORT_LEAST)) |
                REPORT_WEIGHTS | REPORT_MARK | REPORT_FILES | REPORT_PROFILE,
            .check = format_prom_check,
            .print = format_prom,
        },
    [FORMAT_UNIQ] =
        {
            .name = "uniq",
            .remark = "as uniq -c",
            .unsupported = REPORT_HEADER | REPORT_COLUMNS | REPORT_SPECIAL |
                           REPORT_OTHER | REPORT_FILES | REPORT_GROUPS |
                           REPORT_PROFILE,
            .print = format_uniq,
        },
    [FORMAT_NPY] =
        {
            .name = "npy",
            .remark = "numpy",
            .unsupported = REPORT_LINES | REPORT_NONZERO | REPORT_FLOW_ROWS |
                           REPORT_MARK | REPORT_KEYS | REPORT_FILES |
                           REPORT_GROUPS | REPORT_PROFILE,
            .find_wrong = format_npy_wrong,
            .print = format_npy,
        },
    [FORMAT_UHI] =
        {
            .name = "uhi",
            .remark = "for boost-histogram and hist",
            .unsupported =
                REPORT_LINES | REPORT_FILES | REPORT_GROUPS | REPORT_PROFILE,
            .find_wrong = format_uhi_wrong,
            .print = format_uhi,
        },
    [FORMAT_FQCHK] =
        {
            .name = "fqchk",
            .remark = "as seqtk fqchk",
            .fields = (const char *const[]){"position,base,quality", NULL},
            .unsupported = TOOLS_UNSUPPORTED,
            .find_wrong = format_fqchk_wrong,
            .print = format_fqchk,
        },
    [FORMAT_SEQKIT] =
        {
            .name = "seqkit",
            .remark = "as seqkit stats -a",
            .fields = format_seqkit_fields,
            .unsupported = SEQKIT_UNSUPPORTED,
            .align = format_seqkit_align,
            .print = format_seqkit,
        },
    [FORMAT_SEQKIT_TSV] =
        {
            .name = "seqkit-tsv",
            .remark = "with -T",
            .fields = format_seqkit_fields,
            .unsupported = SEQKIT_UNSUPPORTED,
            .print = format_seqkit_tsv,
        },
    [FORMAT_FLAGSTAT] =
        {
            .name = "flagstat",
            .remark = "as samtools flagstat",
            .fields = (const char *const[]){"flag,mapq,mate-elsewhere", NULL},
            .counts_all = true,
            .unsupported = TOOLS_UNSUPPORTED,
            .check_counts = format_flagstat_check,
            .print = format_flagstat,
        },
    [FORMAT_IDXSTATS] =
        {
            .name = "idxstats",
            .remark = "as samtools idxstats",
            .fields =
                (const char *const[]){
                    "rname-number,rname,rname-length,unmapped", NULL},
            .counts_all = true,
            .counts_references = true,
            .unsupported = TOOLS_UNSUPPORTED,
            .check_counts = format_idxstats_check,
            .print = format_idxstats,
        },
    [FORMAT_SAMTOOLS_STATS] =
        {
            .name = "samtools-stats",
            .remark = "but COV, GCD, barcodes",
            .fields = samtools_stats_fields,
            .counts_all = true,
            .sums_checksums = true,
            /* Records without a value count, too. */
            .unsupported = TOOLS_UNSUPPORTED & ~(unsigned int)REPORT_FLOW_ROWS,
            .check_counts = format_samtools_stats_check,
            .print = format_samtools_stats,
        },
    [FORMAT_FASTQC] =
        {
            .name = "fastqc",
            .remark = "as FastQC, for MultiQC",
            .fields = fastqc_fields,
            /* The modules look at reads without a value, too. */
            .unsupported = TOOLS_UNSUPPORTED & ~(unsigned int)REPORT_FLOW_ROWS,
            .print = format_fastqc,
        },
    [FORMAT_HISTO] =
        {
            .name = "histo",
            .remark = "as jellyfish histo",
            .unsupported = (REPORT_LINES & ~(unsigned int)REPORT_LEAST) |
                           REPORT_NONZERO | REPORT_FLOW | REPORT_MARK |
                           REPORT_SPECIAL | REPORT_OTHER | REPORT_FILES |
                           REPORT_GROUPS | REPORT_PROFILE,
            .find_wrong = format_histo_wrong,
            .print = format_histo,
        },
    [FORMAT_OTLP] =
        {
            .name = "otlp",
            .remark = "for OpenTelemetry",
            .unsupported = POINTS_UNSUPPORTED,
            .bins = "scale",
            .needs = FORMAT_OTLP_NEEDS,
            .find_wrong = format_otlp_wrong,
            .check = points_check,
            .count_unplaced = points_unplaced,
            .print = format_otlp,
        },
    [FORMAT_PROM_NATIVE] =
        {
            .name = "prom-native",
            .unsupported = POINTS_UNSUPPORTED,
            .bins = "scale",
            .needs = FORMAT_PROM_NATIVE_NEEDS,
            .find_wrong = format_prom_native_wrong,
            .check = points_check,
            .count_unplaced = points_unplaced,
            .print = format_prom_native,
        },
    [FORMAT_HDR] =
        {
            .name = "hdr",
            .remark = "for HdrHistogram",
            .unsupported = POINTS_UNSUPPORTED,
            .bins = "log",
            .needs = FORMAT_HDR_NEEDS,
            .find_wrong = format_hdr_wrong,
            .count_unplaced = format_hdr_unplaced,
            .print = format_hdr,
        },
    /* results.c writes states, because this room may not include theirs. */
    [FORMAT_STATE] =
        {
            .name = "state",
            .remark = "for --merge",
            .unsupported = REPORT_LINES | REPORT_FLOW | REPORT_FLOW_ROWS |
                           REPORT_MARK | REPORT_FILES | REPORT_GROUPS,
        },
};

bool
report_format_is_joint(const struct report_format *format)
{
    bool is_joint = false;

    for (size_t i = 0; format->fields[i] != NULL; i++)
        is_joint |= strchr(format->fields[i], ',') != NULL;
    return is_joint;
}

/* ---- checks before counting ---- */

/* Whether a histogram of SPEC has bins for keys that do not occur. */
static bool
has_bins_of_keys(const struct spec *spec)
{
    for (size_t i = 0; i < spec_histograms(spec); i++) {
        if (spec->histogram[i].rows == ROWS_KMERS)
            return true;
    }
    return false;
}

/* Refuse options and formats without a place for the keys of SPEC. */
static int
check_keys(const struct spec *spec, const struct report_options *options,
           struct error *error)
{
    const struct report_format *format = &report_formats[options->format];

    if (spec_key_axes(spec) == 0)
        return 0;
    if (options->density) {
        error_set(error, EXIT_USAGE,
                  "--density needs bins that have a width; keys have "
                  "--percent and --cumulative");
        return -1;
    }
    if (options->flow == FLOW_CLAMP) {
        error_set(error, EXIT_USAGE,
                  "--flow=clamp is for bins of numbers; keys have "
                  "--flow=auto, show and hide");
        return -1;
    }
    if ((format->unsupported & REPORT_KEYS) == 0)
        return 0;
    if (spec_lacks_bins(spec))
        error_set(error, EXIT_USAGE,
                  "--format=%s has bins, so each field needs --bins, --range, "
                  "--edges, --log or --scale",
                  format->name);
    else
        error_set(error, EXIT_USAGE,
                  "--format=%s has no place for keys; tsv, csv, md, "
                  "table, json, jsonl, prom and uniq have",
                  format->name);
    return -1;
}

/* Whether groups have FIGURE also without a field. */
static bool
is_of_records(const struct figure *figure)
{
    return (figure_row(figure)->needs & FIGURE_NEEDS_FIELD) == 0;
}

int
report_check_records(const struct report_options *options, struct error *error)
{
    bool is_right =
        options->sort != SORT_FIGURE || is_of_records(&options->sort_figure);

    for (size_t c = 0; c < options->figures.count; c++)
        is_right &= is_of_records(&options->figures.figure[c]);
    if (is_right)
        return 0;
    error_set(error, EXIT_USAGE,
              "--columns needs --fields: the field in each group that the "
              "figures are of; without it there are only count and records");
    return -1;
}

/* Refuse options for the lines of each group if SPEC has no groups of several
   values. */
static int
check_by_group(const struct spec *spec, const struct report_options *options,
               struct error *error)
{
    const char *name =
        options->top_each != 0 ? "--top-each" : "--percent=group";

    if (!report_is_by_group(options))
        return 0;
    for (size_t i = 0; i < spec_histograms(spec); i++) {
        if (rows_group_columns(spec, options, i) > 0)
            continue;
        error_set(error, EXIT_USAGE,
                  "%s needs groups and their values: --group-by with two or "
                  "more keys, or with --fields",
                  name);
        return -1;
    }
    return 0;
}

/* Refuse --pivot unless SPEC has a value of its own for each column. */
static int
check_pivot(const struct spec *spec, const struct report_options *options,
            struct error *error)
{
    const char *wrong = NULL;

    if (!options->pivot)
        return 0;
    size_t keys = spec_dimensions(spec, 0);
    if (spec_histograms(spec) > 1)
        wrong = "--pivot is one table: give one field beside --group-by";
    else if (keys < 2)
        wrong = "--pivot needs rows and columns: --group-by with two or more "
                "keys or with --fields, or --joint";
    else if (spec->histogram[0].rows != ROWS_TUPLES ||
             axis_bins(&spec->shown[spec_axis_of(spec, 0, keys - 1)]) ==
                 AXIS_INTERVALS)
        wrong = "--pivot has a column for each value: no bins for the last "
                "field";
    if (wrong == NULL)
        return 0;
    error_set(error, EXIT_USAGE, "%s", wrong);
    return -1;
}

/* Check that histogram I of SPEC has the figures of OPTIONS. */
static int
check_histogram(const struct spec *spec, size_t i,
                const struct report_options *options, struct error *error)
{
    size_t axis = spec_own_axis(spec, i);
    bool has_order = !figure_fields_are_named(options) ||
                     figure_fields_lead(options, spec) == i;
    struct figure_choice choice;
    char text[SPEC_FIELD_BYTES];

    if (spec_own_axes(spec, i) > 1) {
        error_set(error, EXIT_USAGE,
                  "--columns is of one field in each group: give it by "
                  "--fields, beside --group-by");
        return -1;
    }
    figure_fields_choose(&choice, options, spec, i);
    for (size_t c = 0; c < choice.figures.count; c++) {
        if (figure_check(&choice.figures.figure[c], "columns", spec, axis,
                         error) < 0)
            return -1;
    }
    if (options->sort != SORT_FIGURE || !has_order)
        return 0;
    if (options->sort_figure.kind == FIGURE_MODE &&
        axis_has_names(&spec->shown[axis])) {
        error_set(error, EXIT_USAGE,
                  "--sort=mode is of numbers, and the field %s has keys",
                  spec_field_text(spec, axis, text));
        return -1;
    }
    return figure_check(&options->sort_figure, "sort", spec, axis, error);
}

/* Refuse options that choose or order groups if SPEC has none: --columns then
   prints one line. */
static int
check_order(const struct spec *spec, const struct report_options *options,
            struct error *error)
{
    bool has_sort = options->sort != SORT_VALUE || options->each_by_value;
    const char *name = options->top != 0            ? "--top"
                       : options->limits.least != 0 ? "--min-count"
                       : options->limits.most != 0  ? "--max-count"
                       : has_sort                   ? "--sort"
                                                    : NULL;

    if (name == NULL ||
        (!spec->is_spectrum && (spec->are_groups || spec->group_count > 0)))
        return 0;
    error_set(error, EXIT_USAGE,
              "%s is for groups, and --columns without --group-by prints one "
              "line, of all records",
              name);
    return -1;
}

/* Check that each histogram of SPEC has the figures of OPTIONS, if any. */
static int
check_figures(const struct spec *spec, const struct report_options *options,
              struct error *error)
{
    int result = 0;

    if (options->figures.count == 0)
        return 0;
    if (check_order(spec, options, error) < 0)
        return -1;
    if (spec->are_groups && !spec->is_spectrum)
        return report_check_records(options, error);
    result = figure_fields_check(options, spec, error);
    for (size_t i = 0; i < spec_histograms(spec) && result == 0; i++)
        result = check_histogram(spec, i, options, error);
    return result;
}

int
report_check(const struct spec *spec, const struct report_options *options,
             struct error *error)
{
    const struct report_format *format = &report_formats[options->format];
    const char *wrong = NULL;

    if (check_keys(spec, options, error) < 0 ||
        check_by_group(spec, options, error) < 0 ||
        check_pivot(spec, options, error) < 0 ||
        check_figures(spec, options, error) < 0)
        return -1;
    if (format->find_wrong != NULL)
        wrong = format->find_wrong(spec);
    if (spec->lists > 0 &&
        (options->header_out || options->format == FORMAT_CSV))
        wrong = "several joint lists of fields have no header in common: no "
                "--header-out and no --format=csv; tsv, md, table, json and "
                "jsonl have a place for each";
    if (options->full && !has_bins_of_keys(spec))
        wrong = "--full is for k-mers of at most 13 bases, in a histogram of "
                "their own";
    for (size_t i = 0; i < spec->axis_count; i++) {
        const struct binning_axis *axis = &spec->shown[i];
        if (options->labels != LABELS_DEC &&
            (axis_bins(axis) != AXIS_INTEGERS || axis->type != SAMPLE_U1))
            wrong = "--labels is for bytes, u1, with a bin for each value; "
                    "pairs of bytes are --record=u1,u1 --joint";
    }
    if (wrong == NULL)
        return format->check == NULL ? 0 : format->check(spec, options, error);
    error_set(error, EXIT_USAGE, "%s", wrong);
    return -1;
}

/* ---- groups, to rank them ---- */

/* The group of the previous line. */
struct previous {
    const unsigned char *code; /* NULL: there is none */
    size_t size;
};

static bool
is_same_group(const struct rows *rows, const struct previous *previous)
{
    return previous->code != NULL && rows->group_size == previous->size &&
           memcmp(rows->group, previous->code, previous->size) == 0;
}

/* Count the groups.  If GROUPS is not NULL, add the lines of the groups. */
static uint64_t
visit_groups(const struct report *report, size_t i, bool hides_flow,
             struct group_list *groups)
{
    struct rows rows;
    struct previous previous = {NULL, 0};
    uint64_t count = 0;

    rows_open(&rows, report, i);
    /* All lines in order, including those beyond the limits, without the line
       for others. */
    rows.is_ranked = false;
    rows.is_by_group = false;
    rows.limits = (struct count_limits){0};
    rows.shows_other = false;
    if (hides_flow)
        rows.flow = FLOW_HIDE;
    while (rows_next(&rows)) {
        uint64_t row = rows.next - 1;
        if (rows.special >= rows.group_columns)
            continue;
        if (!is_same_group(&rows, &previous)) {
            previous = (struct previous){rows.group, rows.group_size};
            if (groups != NULL)
                groups->first[count] = row;
            count++;
        }
        if (groups == NULL)
            continue;
        groups->rows[count - 1] = row - groups->first[count - 1] + 1;
        amount_add_to_cell(&groups->total, count - 1, report->spec,
                           &rows.amount);
    }
    return count;
}

/*
 * Find the groups of histogram I of REPORT, without the rows of flow cells if
 * HIDES_FLOW.  Returns 0, or -1: out of memory.  The caller calls
 * close_groups() in both cases.
 */
static int
find_groups(struct group_list *groups, const struct report *report, size_t i,
            bool hides_flow)
{
    *groups =
        (struct group_list){.count = visit_groups(report, i, hides_flow, NULL)};
    /* One more, so that the size is never 0. */
    size_t room = (size_t)groups->count + 1;
    groups->first = calloc(room, sizeof *groups->first);
    groups->rows = calloc(room, sizeof *groups->rows);
    if (groups->first == NULL || groups->rows == NULL ||
        histogram_open(&groups->total, room, report->spec->planes) < 0)
        return -1;
    (void)visit_groups(report, i, hides_flow, groups);
    return 0;
}

static void
close_groups(struct group_list *groups)
{
    free(groups->first);
    free(groups->rows);
    histogram_close(&groups->total);
}

/* ---- printing ---- */

/* Returns the most lines of a single histogram. */
static uint64_t
most_rows(const struct spec *spec)
{
    uint64_t most = 0;

    for (size_t i = 0; i < spec_histograms(spec); i++) {
        uint64_t rows = rows_most(spec, i);
        if (most < rows)
            most = rows;
    }
    return most;
}

/* Whether the rows of any histogram are ranked. */
static bool
ranks_any(const struct spec *spec, const struct report_options *options)
{
    for (size_t i = 0; i < spec_histograms(spec); i++) {
        if (rows_are_ranked(spec, options, i))
            return true;
    }
    return false;
}

/* Returns the memory for the order of rows, and of the values of a group; 0 if
   the rows keep their order. */
static uint64_t
order_bytes(const struct spec *spec, const struct report_options *options)
{
    const uint64_t most = most_rows(spec);
    uint64_t items = 0;

    if (options->figures.count > 0)
        return 0;
    if (ranks_any(spec, options))
        items = options->top != 0 && options->top < most ? options->top : most;
    if (options->top_each != 0)
        items += options->top_each < most ? options->top_each : most;
    return items * sizeof(uint64_t);
}

uint64_t
report_bytes(const struct spec *spec, const struct report_options *options)
{
    return order_bytes(spec, options) + slices_bytes(most_rows(spec));
}

/* Whether the flow cells of histogram I have no rows. */
static bool
hides_flow(const struct report *report, size_t i)
{
    unsigned int unsupported =
        report_formats[report->options->format].unsupported;

    if (rows_have_keys(report->spec, i) && (unsupported & REPORT_SPECIAL) != 0)
        return true;
    return report->options->flow == FLOW_HIDE ||
           (unsupported & REPORT_FLOW_ROWS) != 0;
}

/* Whether there is no line for others. */
static bool
hides_other(const struct report *report)
{
    return report->options->no_other ||
           (report_formats[report->options->format].unsupported &
            REPORT_OTHER) != 0;
}

/* Find the groups of all histograms.  Returns 0, or -1: out of memory. */
static int
open_groups(struct report *report)
{
    size_t histograms = spec_histograms(report->spec);
    int result = 0;

    report->groups = calloc(histograms, sizeof *report->groups);
    if (report->groups == NULL)
        return -1;
    for (size_t i = 0; i < histograms && result == 0; i++)
        result =
            find_groups(&report->groups[i], report, i, hides_flow(report, i));
    return result;
}

static void
close_order(struct report *report)
{
    for (size_t i = 0;
         report->groups != NULL && i < spec_histograms(report->spec); i++)
        close_groups(&report->groups[i]);
    free(report->groups);
    report->groups = NULL;
    free(report->order);
    report->order = NULL;
}

/* Allocate memory for the order of rows, and find the groups of grouped rows.
   Returns 0, or -1 with *ERROR set. */
static int
open_order(struct report *report, struct error *error)
{
    uint64_t bytes = order_bytes(report->spec, report->options);

    if (bytes == 0)
        return 0;
    report->order = malloc((size_t)bytes);
    if (report->order != NULL &&
        (rows_group_columns(report->spec, report->options, 0) == 0 ||
         !ranks_any(report->spec, report->options) || open_groups(report) == 0))
        return 0;
    close_order(report);
    return error_fail_memory(error);
}

/* Count the values and records of histogram I without a place in the format.
   Returns 0, or -1 with *ERROR set unless --flow=hide is given. */
static int
find_unplaced(const struct report *report, size_t i,
              struct report_hidden *hidden, struct error *error)
{
    const struct report_format *format =
        &report_formats[report->options->format];
    uint64_t count = format->count_unplaced(report, i);

    hidden->flow += count;
    if (count == 0 || report->options->flow == FLOW_HIDE)
        return 0;
    error_set(error, EXIT_DATA,
              "--format=%s has no place for what is negative, NaN, above all "
              "bins or no number, %" PRIu64
              " in all; --flow=hide leaves it out",
              format->name, count);
    return -1;
}

int
report_hidden(struct report *report, struct report_hidden *hidden,
              struct error *error)
{
    const struct report_format *format =
        &report_formats[report->options->format];

    *hidden = (struct report_hidden){0};
    if (format->check_counts != NULL)
        return format->check_counts(report, error);
    if (report->options->profile)
        return 0;
    if (report->options->figures.count > 0) {
        size_t histograms = spec_histograms(report->spec);
        struct group_other *others = calloc(histograms, sizeof *others);
        struct group_choice *choices = calloc(histograms, sizeof *choices);
        int result =
            others == NULL || choices == NULL
                ? error_fail_memory(error)
                : group_table_hidden(report, hidden, others, choices, error);
        report->others = others;
        report->choices = choices;
        return result;
    }
    if (open_order(report, error) < 0)
        return -1;
    for (size_t i = 0; i < spec_histograms(report->spec); i++) {
        struct rows rows;
        if (format->count_unplaced != NULL) {
            if (find_unplaced(report, i, hidden, error) < 0) {
                close_order(report);
                return -1;
            }
        } else if (hides_flow(report, i)) {
            rows_open(&rows, report, i);
            rows_sum_up(&rows);
            hidden->flow += rows.all.count - rows.in_bins.count;
        }
        if (hides_other(report) && !report->options->pivot) {
            rows_open(&rows, report, i);
            if (hides_flow(report, i))
                rows.flow = FLOW_HIDE;
            rows_find_other(&rows);
            hidden->other += rows.other.count;
        }
    }
    int result = report->options->pivot && report->options->no_other
                     ? pivot_hidden(report, &hidden->other, error)
                     : 0;
    close_order(report);
    return result;
}

void
report_close(struct report *report)
{
    size_t histograms = spec_histograms(report->spec);

    for (size_t i = 0; report->others != NULL && i < histograms; i++)
        group_other_close(&report->others[i]);
    for (size_t i = 0; report->choices != NULL && i < histograms; i++)
        group_choice_close(&report->choices[i]);
    free(report->others);
    free(report->choices);
    report->others = NULL;
    report->choices = NULL;
}

/* As report_print(), with --pivot; the order of rows is open. */
static int
print_pivot(struct writer *out, struct report *report, struct error *error)
{
    struct pivot pivot;
    int result = pivot_open(&pivot, report, error);

    if (result == 0) {
        report->pivot = &pivot;
        report_formats[report->options->format].print(out, report);
        report->pivot = NULL;
    }
    pivot_close(&pivot);
    return result;
}

/* As report_print(), with --profile. */
static int
print_profile(struct writer *out, struct report *report, struct error *error)
{
    struct profile profile;
    int result = profile_make(&profile, report, error);

    if (result == 0) {
        report->profile = &profile;
        report_formats[report->options->format].print(out, report);
        report->profile = NULL;
    }
    profile_close(&profile);
    return result;
}

int
report_print(struct writer *out, struct report *report, struct error *error)
{
    const struct report_options *options = report->options;
    bool has_order = options->figures.count == 0 && !options->profile;
    struct column_names names;
    int result = column_names_make(&names, report, error);

    if (result == 0 && has_order)
        result = open_order(report, error);
    report->names = &names;
    if (result == 0 && options->profile)
        result = print_profile(out, report, error);
    else if (result == 0 && options->pivot)
        result = print_pivot(out, report, error);
    else if (result == 0)
        report_formats[options->format].print(out, report);
    report->names = NULL;
    close_order(report);
    column_names_close(&names);
    return result;
}
