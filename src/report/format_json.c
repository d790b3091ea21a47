/* SPDX-License-Identifier: MIT */
/* format_json.c -- an object for all lines (json), or for each line (jsonl) */

#include "base/json.h"
#include "hist/axis_rule.h"
#include "hist/text_axis.h"
#include "report/format.h"
#include "report/group_slices.h"
#include "report/group_table.h"
#include "report/key_text.h"
#include "report/pivot.h"
#include "report/profile.h"
#include "report/rows.h"
#include "report/slices.h"

/* ---- pieces ---- */

/* "NAME":, where NAME needs no escapes. */
static void
put_key(struct writer *out, const char *name)
{
    writer_put_char(out, '"');
    writer_put_text(out, name);
    writer_put_text(out, "\":");
}

/* "NAME":, where NAME is that of a column. */
static void
put_name(struct writer *out, const char *name)
{
    json_put_string(out, name);
    writer_put_char(out, ':');
}

/* "NAME":TEXT, or "NAME_hex": and digits. */
static void
put_text(struct writer *out, const char *name, const unsigned char *text,
         size_t size)
{
    writer_put_char(out, '"');
    json_put_inside(out, name);
    key_text_put_json(out, text, size);
}

static void
put_number(struct writer *out, const char *name, uint64_t number)
{
    put_key(out, name);
    writer_put_number(out, number);
}

/* VALUE needs no escapes. */
static void
put_word(struct writer *out, const char *name, const char *value)
{
    put_key(out, name);
    writer_put_char(out, '"');
    writer_put_text(out, value);
    writer_put_char(out, '"');
}

static void
put_amount(struct writer *out, const struct report *report, const char *name,
           const struct amount *amount)
{
    char text[SUM_TEXT_BYTES];
    char *end = amount_put(report->spec, amount, text);

    put_name(out, name);
    json_put_number(out, text, (size_t)(end - text));
}

/* ,"NAME":EXTRA */
static void
put_extra(struct writer *out, const struct rows *rows, enum rows_extra extra)
{
    char text[SUM_TEXT_BYTES];
    char *end = rows_put_extra(rows, extra, text);

    if (extra == ROWS_LUT && rows->is_other)
        return;
    writer_put_char(out, ',');
    put_name(out, rows->report->names->extra[extra]);
    json_put_number(out, text, (size_t)(end - text));
}

/* ---- lines ---- */

/* A selection of a histogram's lines. */
struct json_lines {
    size_t histogram;
    bool flow; /* only the lines of flow cells; else only all other lines */
};

/* "NAME":LABEL, where the label of a byte is a string, even a digit. */
static void
put_label(struct writer *out, const struct column *column, const char *name,
          const struct label *label)
{
    put_name(out, name);
    if (column->labels != LABELS_DEC)
        json_put_string(out, label->text);
    else
        json_put_number(out, label->text, label->size);
    writer_put_char(out, ',');
}

/* "NAME_flow":"missing",: the kind of the row, of a flow cell. */
static void
put_flow(struct writer *out, const struct column *column,
         const struct axis_names *names)
{
    put_name(out, names->is_single ? "flow" : names->flow);
    writer_put_char(out, '"');
    writer_put_text(out, column_flow_name(column));
    writer_put_text(out, "\",");
}

/* The key of the row, if any. */
static void
put_key_of(struct writer *out, const struct column *column, const char *name)
{
    struct key_text text;

    key_text_open(&text, &column->key, out);
    put_text(out, name, text.byte, text.size);
    key_text_close(&text);
}

/* The same, and a comma; on the row of a key alone. */
static void
put_key_label(struct writer *out, const struct column *column, const char *name)
{
    if (!column->has_key)
        return;
    put_key_of(out, column, name);
    writer_put_char(out, ',');
}

/* The labels of COLUMN, with NAMES, each followed by a comma. */
static void
put_column(struct writer *out, const struct column *column,
           const struct axis_names *names)
{
    if (column_has_keys(column)) {
        put_key_label(out, column, names->name);
    } else if (!column_is_special(column) && column->has_edges) {
        put_label(out, column, names->is_single ? "lo" : names->lo,
                  &column->lo);
        put_label(out, column, names->is_single ? "hi" : names->hi,
                  &column->hi);
    } else if (!column_is_special(column)) {
        put_label(out, column, names->name, &column->lo);
    }
    if (column_is_flow(column))
        put_flow(out, column, names);
}

/* The labels of the line, each followed by a comma. */
static void
put_labels(struct writer *out, struct rows *rows)
{
    const size_t columns = rows->is_other ? rows->other_from : rows->columns;

    rows_set_labels(rows);
    for (size_t i = 0; i < columns; i++)
        put_column(out, &rows->column[i], rows_names(rows, i));
    if (rows->is_other)
        writer_put_text(out, "\"other\":true,");
}

/* The line without braces. */
static void
put_line(struct writer *out, struct rows *rows)
{
    put_labels(out, rows);
    put_amount(out, rows->report, rows->report->names->amount, &rows->amount);
    for (size_t i = 0; i < rows->extras; i++)
        put_extra(out, rows, rows->extra[i]);
}

/* ---- totals ---- */

/* The numbers and sums of values, in all and in bins. */
static void
put_totals(struct writer *out, struct rows *rows)
{
    const struct report *report = rows->report;

    rows_sum_up(rows);
    put_number(out, "values", rows->all.count);
    writer_put_char(out, ',');
    put_number(out, "in_bins", rows->in_bins.count);
    if (report->spec->has_weights) {
        struct amount all = amount_of_total(&rows->all);
        struct amount in_bins = amount_of_total(&rows->in_bins);
        writer_put_char(out, ',');
        put_amount(out, report, "sum", &all);
        writer_put_char(out, ',');
        put_amount(out, report, "sum_in_bins", &in_bins);
    }
}

static void
put_inputs(struct writer *out, const struct provenance *from)
{
    writer_put_text(out, "\"inputs\":[");
    for (size_t i = 0; i < from->path_count; i++) {
        if (i > 0)
            writer_put_char(out, ',');
        json_put_string(out, from->paths[i]);
    }
    if (from->paths == NULL)
        json_put_string(out, "-");
    writer_put_text(out, "],");
}

/* The name of the input, if REPORT is about a single input. */
static void
put_file(struct writer *out, const struct report *report)
{
    const char *file = report->file;

    if (file == NULL)
        return;
    put_text(out, report->names->file, (const unsigned char *)file,
             strlen(file));
    writer_put_char(out, ',');
}

static void
put_provenance(struct writer *out, const struct report *report)
{
    const struct provenance *from = report->provenance;

    put_word(out, "gpuhist", VERSION);
    writer_put_text(out, ",\"options\":[");
    for (size_t i = 0; i < from->argument_count; i++) {
        if (i > 0)
            writer_put_char(out, ',');
        json_put_string(out, from->arguments[i]);
    }
    writer_put_text(out, "],");
    if (report->file == NULL)
        put_inputs(out, from);
    else
        put_file(out, report);
    put_number(out, "bytes", report->bytes);
    writer_put_char(out, ',');
    put_number(out, "records", report->records);
    if (report->spec->kind != SPEC_SAMPLES && report->spec->has_weights) {
        writer_put_char(out, ',');
        put_number(out, "unweighted", report->unweighted);
    }
    if (report->spec->conditions.count > 0) {
        writer_put_char(out, ',');
        put_number(out, "left_out", report->left_out);
    }
    if (report->snapshot != 0) {
        writer_put_char(out, ',');
        put_number(out, "snapshot", report->snapshot);
    }
    if (report->incomplete != NULL) {
        writer_put_text(out, ",\"incomplete\":");
        json_put_string(out, report->incomplete);
    }
}

/* ---- axes ---- */

/* Edge NUMBER of axis I. */
static void
put_edge(struct writer *out, const char *name, const struct spec *spec,
         size_t i, uint64_t number)
{
    char text[NUMBER_TEXT_BYTES];
    char *end = axis_put_edge(&spec->shown[i], &spec->edges, number, text);

    writer_put_char(out, ',');
    put_key(out, name);
    json_put_number(out, text, (size_t)(end - text));
}

/* "NAME":N; or a string: the name of the field, or "NF". */
static void
put_field_of(struct writer *out, const char *name, const struct spec *spec,
             size_t i)
{
    char text[SPEC_FIELD_BYTES];
    const char *field = spec_field_text(spec, i, text);

    put_name(out, name);
    if (spec_field_is_named(spec, i) || *field == 'N')
        json_put_string(out, field);
    else
        writer_put_text(out, field);
}

/* Whether HISTOGRAM has a bin for each value that occurs, so that their number
   is that of its bins: neither tuples nor sums. */
static bool
has_bins_of_values(const struct counted_histogram *histogram)
{
    return histogram->rows != ROWS_TUPLES && histogram->kind != COUNTED_SUMS;
}

/* Axis I of HISTOGRAM, whose column has NAME. */
static void
put_axis(struct writer *out, const struct spec *spec, size_t histogram,
         size_t i, const char *name)
{
    static const char *const closed[] = {"left", "right", "numpy"};
    const struct binning_axis *axis = &spec->shown[i];

    writer_put_char(out, '{');
    put_field_of(out, "field", spec, i);
    writer_put_text(out, ",\"name\":");
    json_put_string(out, name);
    writer_put_char(out, ',');
    if (!axis_has_bins(axis)) {
        put_word(out, "type", axis_type_name(axis));
        if (has_bins_of_values(&spec->histogram[histogram])) {
            writer_put_char(out, ',');
            put_number(out, "bins", text_axis_bins(axis, spec->text.kmer));
        }
        writer_put_char(out, '}');
        return;
    }
    put_word(out, "type", axis_type_name(axis));
    writer_put_char(out, ',');
    put_word(out, "rule", axis_rule_of(axis)->name);
    writer_put_char(out, ',');
    put_number(out, "bins", axis->bins);
    put_edge(out, "lo", spec, i, 0);
    put_edge(out, "hi", spec, i, axis->bins);
    writer_put_char(out, ',');
    put_word(out, "closed", closed[axis->closed]);
    writer_put_char(out, '}');
}

/* The axes of histogram I, from axis FIRST on; at the start of the list, if
   IS_START. */
static void
put_axes_from(struct writer *out, const struct report *report, size_t i,
              size_t first, bool is_start)
{
    const struct spec *spec = report->spec;

    for (size_t d = first; d < spec_dimensions(spec, i); d++) {
        if (d > 0 || !is_start)
            writer_put_text(out, ",\n");
        put_axis(out, spec, i, spec_axis_of(spec, i, d),
                 column_names_of(report->names, spec, i, d)->name);
    }
}

/* The axes of table I. */
static void
put_axes(struct writer *out, const struct report *report, size_t i)
{
    const struct spec *spec = report->spec;
    bool has_all = figure_fields_are_named(report->options);

    writer_put_text(out, "\"axes\":[");
    put_axes_from(out, report, i, 0, true);
    for (size_t h = 1; has_all && h < spec_histograms(spec); h++)
        put_axes_from(out, report, h, spec->group_count, false);
    writer_put_char(out, ']');
}

/* ---- groups ---- */

/* The current line of GROUPS without braces. */
static void
put_group(struct writer *out, struct group_table *groups)
{
    const struct rows *keys = &groups->walk.keys;

    if (groups->is_other)
        writer_put_text(out, "\"other\":true,");
    for (size_t i = 0; !groups->is_other && i < groups->walk.groups; i++) {
        const struct column *column = &keys->column[i];
        if (column_is_special(column))
            put_flow(out, column, rows_names(keys, i));
        else
            put_column(out, column, rows_names(keys, i));
    }
    for (size_t c = 0; c < groups->columns->count; c++) {
        const struct group_cell *cell = &groups->cell[c];
        if (c > 0)
            writer_put_char(out, ',');
        if (cell->is_key) {
            put_key_of(out, group_table_key(groups, c),
                       group_table_name(groups, c, 0));
            continue;
        }
        for (size_t t = 0; t < group_table_texts(groups, c); t++) {
            if (t > 0)
                writer_put_char(out, ',');
            put_name(out, group_table_name(groups, c, t));
            if (cell->is_no_key)
                writer_put_text(out, "null");
            else
                json_put_number(out, cell->text[t].text, cell->text[t].size);
        }
    }
}

/* Put BEFORE and the next line of GROUPS.  Returns false at the end. */
static bool
put_next_group(struct writer *out, struct group_table *groups,
               const char *before)
{
    if (writer_has_failed(out) || !group_table_next(groups))
        return false;
    writer_put_text(out, before);
    put_group(out, groups);
    writer_put_char(out, '}');
    return true;
}

static void
put_more_groups(struct writer *out, struct group_table *groups,
                const void *context)
{
    (void)context;
    while (put_next_group(out, groups, ",\n{"))
        continue;
}

/* An array of the lines of histogram I. */
static void
put_groups(struct writer *out, const struct report *report, size_t i)
{
    struct error error = ERROR_NONE;
    struct group_table groups;

    writer_put_text(out, ",\n\"groups\":[");
    int result = group_table_open(&groups, report, i, &error);
    if (result == 0 && put_next_group(out, &groups, "\n{"))
        group_slices_print(out, &groups, put_more_groups, NULL);
    if (result < 0)
        writer_fail_memory(out);
    group_table_close(&groups);
    error_clear(&error);
    writer_put_text(out, "]}");
}

/* ---- columns of values ---- */

/* The current line of PIVOT without braces: the keys of the group, and an array
   of cells, each with the value and the count. */
static void
put_cells(struct writer *out, struct pivot *pivot)
{
    const struct rows *rows = &pivot->rows;
    const struct report *report = pivot->report;
    const char *before = "{";

    pivot_set_labels(pivot);
    if (pivot->is_other)
        writer_put_text(out, "\"other\":true,");
    for (size_t i = 0; !pivot->is_other && i < rows->group_columns; i++)
        put_column(out, &rows->column[i], rows_names(rows, i));
    writer_put_text(out, "\"cells\":[");
    for (uint64_t c = 0; c < pivot_columns(pivot); c++) {
        struct amount amount = pivot_amount(pivot, c);
        writer_put_text(out, before);
        if (c < pivot->columns)
            put_column(out, pivot_name(pivot, c),
                       rows_names(rows, rows->group_columns));
        else
            writer_put_text(out, "\"other\":true,");
        put_amount(out, report, report->names->amount, &amount);
        writer_put_char(out, '}');
        before = ",{";
    }
    writer_put_char(out, ']');
}

/* An array of the lines of PIVOT. */
static void
put_pivot(struct writer *out, struct pivot *pivot)
{
    const char *before = "\n{";

    writer_put_text(out, ",\n\"rows\":[");
    while (!writer_has_failed(out) && pivot_next(pivot)) {
        writer_put_text(out, before);
        put_cells(out, pivot);
        writer_put_char(out, '}');
        before = ",\n{";
    }
    writer_put_char(out, ']');
}

/* An object for each line of PIVOT. */
static void
put_pivot_objects(struct writer *out, struct pivot *pivot)
{
    while (!writer_has_failed(out) && pivot_next(pivot)) {
        writer_put_char(out, '{');
        put_cells(out, pivot);
        writer_put_text(out, "}\n");
    }
}

/* ---- profiles ---- */

/* "NAME":CELL */
static void
put_profile_cell(struct writer *out, const char *name,
                 const struct profile_cell *cell)
{
    if (cell->kind == PROFILE_TEXT) {
        writer_put_char(out, '"');
        writer_put_text(out, name);
        key_text_put_json(out, profile_bytes(cell), cell->size);
        return;
    }
    put_key(out, name);
    if (cell->kind == PROFILE_NONE)
        writer_put_text(out, "null");
    else if (cell->kind == PROFILE_WORD)
        json_put_bytes(out, (const unsigned char *)cell->text, cell->size);
    else
        json_put_number(out, cell->text, cell->size);
}

/* The members of line I of the profile of REPORT. */
static void
put_profile_line(struct writer *out, const struct report *report, size_t i)
{
    for (size_t c = 0; c < PROFILE_COLUMNS; c++) {
        if (c > 0)
            writer_put_char(out, ',');
        put_profile_cell(out, profile_name((enum profile_column)c),
                         &report->profile->line[i].cell[c]);
    }
}

/* The object of a report with a profile, after the provenance. */
static void
put_profile(struct writer *out, const struct report *report)
{
    writer_put_text(out, ",\n\"profile\":[");
    for (size_t i = 0; i < report->profile->count; i++) {
        writer_put_text(out, i > 0 ? ",\n{" : "\n{");
        put_profile_line(out, report, i);
        writer_put_char(out, '}');
    }
    writer_put_text(out, "]}\n");
}

/* An object for each line of the profile, then one for the provenance. */
static void
put_profile_objects(struct writer *out, const struct report *report)
{
    for (size_t i = 0; i < report->profile->count; i++) {
        writer_put_char(out, '{');
        put_file(out, report);
        put_profile_line(out, report, i);
        writer_put_text(out, "}\n");
    }
    writer_put_char(out, '{');
    put_provenance(out, report);
    writer_put_text(out, "}\n");
}

/* ---- one object ---- */

/* Put BEFORE and the next of the wanted lines.  Returns false at the end. */
static bool
put_next(struct writer *out, struct rows *rows, const struct json_lines *lines,
         const char *before)
{
    do {
        if (writer_has_failed(out) || !rows_next(rows))
            return false;
    } while (rows->is_flow != lines->flow);
    writer_put_text(out, before);
    put_line(out, rows);
    writer_put_char(out, '}');
    return true;
}

static void
put_more(struct writer *out, struct rows *rows, const void *context)
{
    while (put_next(out, rows, context, ",\n{"))
        continue;
}

/* An array of the lines of bins, or of the lines of flow cells. */
static void
put_lines(struct writer *out, const struct report *report, size_t histogram,
          bool flow)
{
    const struct json_lines lines = {histogram, flow};
    struct rows rows;

    writer_put_text(out, flow ? ",\n\"flow\":[" : ",\n\"bins\":[");
    rows_open(&rows, report, histogram);
    if (put_next(out, &rows, &lines, "\n{"))
        slices_print(out, &rows, report->threads, put_more, &lines);
    writer_put_char(out, ']');
}

void
format_json(struct writer *out, const struct report *report)
{
    const struct spec *spec = report->spec;

    writer_put_char(out, '{');
    put_provenance(out, report);
    if (report->profile != NULL) {
        put_profile(out, report);
        return;
    }
    bool is_joint = spec->lists > 0 || spec_dimensions(spec, 0) > 1;
    writer_put_text(out, is_joint ? ",\"joint\":true" : ",\"joint\":false");
    if (spec->group_count > 0) {
        writer_put_char(out, ',');
        put_number(out, "groups", spec->group_count);
    }
    writer_put_text(out, ",\n\"histograms\":[");
    for (size_t i = 0; i < figure_fields_tables(report->options, spec); i++) {
        struct rows rows;

        writer_put_text(out, i > 0 ? ",\n{" : "\n{");
        put_axes(out, report, i);
        if (report->options->figures.count > 0) {
            put_groups(out, report, i);
            continue;
        }
        rows_open(&rows, report, i);
        if (report->pivot != NULL) {
            put_pivot(out, report->pivot);
        } else {
            put_lines(out, report, i, false);
            put_lines(out, report, i, true);
        }
        writer_put_text(out, ",\n\"totals\":{");
        put_totals(out, &rows);
        writer_put_text(out, "}}");
    }
    writer_put_text(out, "]}\n");
}

/* ---- an object for each line ---- */

/* If HAS_FIELD, "field":N, */
static void
put_field(struct writer *out, const struct report *report, size_t histogram,
          bool has_field)
{
    const struct spec *spec = report->spec;
    const char *name = report->names->field;

    if (!has_field)
        return;
    if (spec_own_axes(spec, histogram) > 1) {
        char text[SPEC_HISTOGRAM_BYTES];
        put_name(out, name);
        json_put_string(out, spec_histogram_text(spec, histogram, text));
    } else {
        put_field_of(out, name, spec,
                     spec_axis_of(spec, histogram, spec->group_count));
    }
    writer_put_char(out, ',');
}

static void
put_objects(struct writer *out, struct rows *rows, const void *context)
{
    const struct json_lines *lines = context;

    while (!writer_has_failed(out) && rows_next(rows)) {
        writer_put_char(out, '{');
        put_file(out, rows->report);
        put_field(out, rows->report, lines->histogram,
                  rows_have_field(rows->report));
        put_line(out, rows);
        writer_put_text(out, "}\n");
    }
}

static void
put_group_lines(struct writer *out, struct group_table *groups,
                const void *context)
{
    const struct report *report = groups->report;
    const size_t *histogram = context;

    while (!writer_has_failed(out) && group_table_next(groups)) {
        writer_put_char(out, '{');
        put_file(out, report);
        put_field(out, report, *histogram, rows_have_field(report));
        put_group(out, groups);
        writer_put_text(out, "}\n");
    }
}

/* An object for each line of --columns of histogram I. */
static void
put_group_objects(struct writer *out, const struct report *report, size_t i)
{
    struct error error = ERROR_NONE;
    struct group_table groups;
    int result = group_table_open(&groups, report, i, &error);

    if (result == 0)
        group_slices_print(out, &groups, put_group_lines, &i);
    if (result < 0)
        writer_fail_memory(out);
    group_table_close(&groups);
    error_clear(&error);
}

void
format_jsonl(struct writer *out, const struct report *report)
{
    const struct spec *spec = report->spec;
    struct rows rows;

    if (report->profile != NULL) {
        put_profile_objects(out, report);
        return;
    }
    for (size_t i = 0; i < figure_fields_tables(report->options, spec); i++) {
        const struct json_lines lines = {i, false};

        if (report->options->figures.count > 0) {
            put_group_objects(out, report, i);
            continue;
        }
        if (report->pivot != NULL) {
            put_pivot_objects(out, report->pivot);
            continue;
        }
        rows_open(&rows, report, i);
        slices_print(out, &rows, report->threads, put_objects, &lines);
    }
    writer_put_text(out, "{\"totals\":[");
    for (size_t i = 0; i < spec_histograms(spec); i++) {
        writer_put_text(out, i > 0 ? ",{" : "{");
        put_field(out, report, i, spec_histograms(spec) > 1);
        rows_open(&rows, report, i);
        put_totals(out, &rows);
        writer_put_char(out, '}');
    }
    writer_put_text(out, "],");
    put_provenance(out, report);
    writer_put_text(out, "}\n");
}
