/* SPDX-License-Identifier: MIT */
/*
 * format_uhi.c -- the JSON of the Unified Histogram Interface (scikit-hep/uhi)
 *
 * A histogram is dense, or a list of the cells with values (--nonzero).  An
 * axis of categories is the only axis, or the first of two axes: then the lines
 * of each category follow each other.
 */

#include <string.h>

#include "base/json.h"
#include "report/format.h"
#include "report/key_text.h"
#include "report/uhi_axis.h"

/* Put a comma unless *COUNT, the number of items so far, is 0. */
static void
put_comma(struct writer *out, uint64_t *count)
{
    if ((*count)++ > 0)
        writer_put_char(out, ',');
}

/* ---- tables: all axes have bins of numbers ---- */

struct uhi_table {
    const struct spec *spec;
    const struct histogram *histogram;
    struct uhi_axis axis[SPEC_AXES_MAX];
    uint64_t place[SPEC_AXES_MAX]; /* the current place, on each axis */
    size_t axes;
};

static void
table_open(struct uhi_table *table, const struct report *report, size_t i)
{
    const struct spec *spec = report->spec;

    *table = (struct uhi_table){
        .spec = spec,
        .histogram = report->histogram,
        .axes = spec_dimensions(spec, i),
    };
    for (size_t d = 0; d < table->axes; d++)
        table->axis[d] = uhi_axis_of(&spec->shown[spec_axis_of(spec, i, d)],
                                     report->options->flow);
}

/* Add up the cells of the current place, from axis D on; CELL is the share of
   the axes before D. */
static void
table_add(const struct uhi_table *table, size_t d, uint64_t cell,
          struct amount_total *total)
{
    uint64_t cells[UHI_CELLS];

    if (d == table->axes) {
        struct amount amount = amount_of_cell(table->histogram, cell);
        amount_add(total, table->spec, &amount);
        return;
    }
    const struct binning_axis *axis = table->axis[d].axis;
    size_t count = uhi_axis_cells(&table->axis[d], table->place[d], cells);
    for (size_t i = 0; i < count; i++)
        table_add(table, d + 1, cell + axis->base + axis->stride * cells[i],
                  total);
}

/* Put the amounts from axis D on, an array in an array for each axis. */
static void
put_table(struct writer *out, struct uhi_table *table, size_t d)
{
    struct amount_total total = {0};

    if (d == table->axes) {
        table_add(table, 0, 0, &total);
        struct amount amount = amount_of_total(&total);
        uhi_put_amount(out, table->spec, &amount);
        return;
    }
    writer_put_char(out, '[');
    for (uint64_t p = 0; p < table->axis[d].places; p++) {
        if (p > 0)
            writer_put_char(out, ',');
        if (writer_has_failed(out))
            return;
        table->place[d] = p;
        put_table(out, table, d + 1);
    }
    writer_put_char(out, ']');
}

/* Put the place on axis WHAT of each cell with values, or if no axis is WHAT,
   the amount.  *COUNT: the number of cells so far. */
static void
put_table_cells(struct writer *out, struct uhi_table *table, size_t what,
                size_t d, uint64_t *count)
{
    struct amount_total total = {0};

    for (uint64_t p = 0; d < table->axes && p < table->axis[d].places; p++) {
        if (writer_has_failed(out))
            return;
        table->place[d] = p;
        put_table_cells(out, table, what, d + 1, count);
    }
    if (d < table->axes)
        return;
    table_add(table, 0, 0, &total);
    if (total.count == 0)
        return;
    put_comma(out, count);
    if (what < table->axes) {
        writer_put_number(out, table->place[what]);
    } else {
        struct amount amount = amount_of_total(&total);
        uhi_put_amount(out, table->spec, &amount);
    }
}

/* ---- lists: the first axis has categories ---- */

struct list {
    struct uhi_lines lines;
    struct uhi_axis axis; /* the second axis, if any */
    bool is_pair;         /* whether a second axis exists */
    bool has_line;        /* the next line has been read */

    /* The next lines with one category and place, added up. */
    uint64_t category; /* from 1 on */
    uint64_t place;    /* on the second axis, or UHI_NO_PLACE */
    struct amount_total total;
};

static void
list_open(struct list *list, const struct report *report, size_t i)
{
    const struct spec *spec = report->spec;

    *list = (struct list){.is_pair = spec_dimensions(spec, i) > 1};
    if (list->is_pair)
        list->axis = uhi_axis_of(&spec->shown[spec_axis_of(spec, i, 1)],
                                 report->options->flow);
    uhi_lines_open(&list->lines, report, i);
    list->has_line = uhi_lines_next(&list->lines);
}

/* Returns the place of the line just read. */
static uint64_t
list_place(const struct list *list)
{
    return list->is_pair
               ? uhi_axis_place(&list->axis, list->lines.rows.column[1].cell)
               : 0;
}

/* Go to the next category and place.  Returns false at the end. */
static bool
list_next(struct list *list)
{
    if (!list->has_line)
        return false;
    list->category += list->lines.is_first;
    list->place = list_place(list);
    list->total = (struct amount_total){0};
    do {
        amount_add(&list->total, list->lines.rows.report->spec,
                   &list->lines.rows.amount);
        list->has_line = uhi_lines_next(&list->lines);
    } while (list->has_line && !list->lines.is_first &&
             list_place(list) == list->place);
    return true;
}

static void
put_total(struct writer *out, const struct report *report,
          const struct amount_total *total)
{
    struct amount amount = amount_of_total(total);

    uhi_put_amount(out, report->spec, &amount);
}

/* Put zeros for the places from *PLACE on, up to END. */
static void
put_zeros(struct writer *out, uint64_t *place, uint64_t end)
{
    while (*place < end && !writer_has_failed(out)) {
        put_comma(out, place);
        writer_put_char(out, '0');
    }
}

/* Put the amounts of each category, as an array if a second axis exists. */
static void
put_list(struct writer *out, const struct report *report, size_t i)
{
    struct list list;
    uint64_t category = 0;
    uint64_t place = 0;

    list_open(&list, report, i);
    writer_put_char(out, '[');
    while (!writer_has_failed(out) && list_next(&list)) {
        if (list.category > category && list.is_pair) {
            put_zeros(out, &place, category > 0 ? list.axis.places : 0);
            writer_put_text(out, category > 0 ? "],[" : "[");
            place = 0;
        }
        category = list.category;
        if (list.place == UHI_NO_PLACE)
            continue;
        if (list.is_pair)
            put_zeros(out, &place, list.place);
        put_comma(out, &place);
        put_total(out, report, &list.total);
    }
    if (list.is_pair && category > 0) {
        put_zeros(out, &place, list.axis.places);
        writer_put_char(out, ']');
    }
    writer_put_char(out, ']');
}

/* As put_table_cells(). */
static void
put_list_cells(struct writer *out, const struct report *report, size_t i,
               size_t what)
{
    struct list list;
    uint64_t count = 0;

    list_open(&list, report, i);
    while (!writer_has_failed(out) && list_next(&list)) {
        if (list.place == UHI_NO_PLACE || list.total.count == 0)
            continue;
        put_comma(out, &count);
        if (what == 0)
            writer_put_number(out, list.category - 1);
        else if (what == 1 && list.is_pair)
            writer_put_number(out, list.place);
        else
            put_total(out, report, &list.total);
    }
}

/* ---- storage ---- */

/* Whether the first axis of histogram I has categories. */
static bool
is_list(const struct spec *spec, size_t i)
{
    return uhi_axis_is_category(&spec->shown[spec_axis_of(spec, i, 0)]);
}

static void
put_values(struct writer *out, const struct report *report, size_t i)
{
    struct uhi_table table;

    if (is_list(report->spec, i)) {
        put_list(out, report, i);
        return;
    }
    table_open(&table, report, i);
    put_table(out, &table, 0);
}

/* Put the place on axis WHAT, or the amount, of each cell with values. */
static void
put_cells(struct writer *out, const struct report *report, size_t i,
          size_t what)
{
    struct uhi_table table;
    uint64_t count = 0;

    writer_put_char(out, '[');
    if (is_list(report->spec, i)) {
        put_list_cells(out, report, i, what);
    } else {
        table_open(&table, report, i);
        put_table_cells(out, &table, what, 0, &count);
    }
    writer_put_char(out, ']');
}

static void
put_storage(struct writer *out, const struct report *report, size_t i)
{
    size_t axes = spec_dimensions(report->spec, i);

    writer_put_text(out, "\"storage\":{\"type\":");
    writer_put_text(out, report->spec->has_weights ? "\"double\"" : "\"int\"");
    if (!report->options->nonzero) {
        writer_put_text(out, ",\n\"values\":");
        put_values(out, report, i);
    } else {
        writer_put_text(out, ",\n\"index\":[");
        for (size_t d = 0; d < axes; d++) {
            if (d > 0)
                writer_put_text(out, ",\n");
            put_cells(out, report, i, d);
        }
        writer_put_text(out, "],\n\"values\":");
        put_cells(out, report, i, axes);
    }
    writer_put_char(out, '}');
}

/* ---- one histogram ---- */

/* Whether the current line of ROWS is in the storage. */
static bool
has_place(const struct rows *rows)
{
    for (size_t d = 0; d < rows->columns; d++) {
        const struct column *column = &rows->column[d];
        struct uhi_axis axis =
            uhi_axis_of(column->axis, rows->report->options->flow);

        if (!column_is_flow(column))
            continue;
        if (column_is_special(column) ||
            uhi_axis_place(&axis, column->cell) == UHI_NO_PLACE)
            return false;
    }
    return true;
}

/* Put the totals, and the part outside of the storage. */
static void
put_metadata(struct writer *out, const struct report *report, size_t i)
{
    struct amount_total total = {0};
    struct amount_total outside = {0};
    struct rows rows;

    rows_open(&rows, report, i);
    rows.flow = FLOW_SHOW;
    while (rows_next(&rows)) {
        amount_add(&total, report->spec, &rows.amount);
        if (rows.is_flow && !has_place(&rows))
            amount_add(&outside, report->spec, &rows.amount);
    }
    writer_put_text(out, ",\n\"metadata\":{\"total\":");
    put_total(out, report, &total);
    writer_put_text(out, ",\"outside\":");
    put_total(out, report, &outside);
    if (report->incomplete != NULL) {
        writer_put_text(out, ",\"incomplete\":");
        json_put_string(out, report->incomplete);
    }
    writer_put_char(out, '}');
}

static void
put_histogram(struct writer *out, const struct report *report, size_t i)
{
    writer_put_text(out, "{\"uhi_schema\":1,\n\"writer_info\":{\"gpuhist\":{"
                         "\"version\":\"" VERSION "\"}}");
    put_metadata(out, report, i);
    writer_put_text(out, ",\n\"axes\":[");
    for (size_t d = 0; d < spec_dimensions(report->spec, i); d++) {
        if (d > 0)
            writer_put_text(out, ",\n");
        uhi_axis_put(out, report, i, d);
    }
    writer_put_text(out, "],\n");
    put_storage(out, report, i);
    writer_put_char(out, '}');
}

void
format_uhi(struct writer *out, const struct report *report)
{
    const struct spec *spec = report->spec;
    size_t histograms = spec_histograms(spec);
    char room[SPEC_HISTOGRAM_BYTES];

    if (histograms == 1) {
        put_histogram(out, report, 0);
        writer_put_char(out, '\n');
        return;
    }
    for (size_t i = 0; i < histograms; i++) {
        const char *name = spec_histogram_text(spec, i, room);
        writer_put_text(out, i > 0 ? ",\n" : "{");
        key_text_put_uhi(out, (const unsigned char *)name, strlen(name));
        writer_put_char(out, ':');
        put_histogram(out, report, i);
    }
    writer_put_text(out, "}\n");
}

/* ---- limits of UHI ---- */

/* Whether histogram I has categories elsewhere than in the first of at most two
   axes. */
static bool
has_other_categories(const struct spec *spec, size_t i)
{
    size_t axes = spec_dimensions(spec, i);

    for (size_t d = 1; d < axes; d++) {
        if (uhi_axis_is_category(&spec->shown[spec_axis_of(spec, i, d)]))
            return true;
    }
    const struct binning_axis *first = &spec->shown[spec_axis_of(spec, i, 0)];
    return axes > 1 && uhi_axis_is_category(first) &&
           (axes > 2 || !axis_has_names(first));
}

const char *
format_uhi_wrong(const struct spec *spec)
{
    for (size_t i = 0; i < spec->axis_count; i++) {
        const char *wrong = uhi_axis_wrong(&spec->shown[i]);
        if (wrong != NULL)
            return wrong;
    }
    for (size_t i = 0; i < spec_histograms(spec); i++) {
        if (has_other_categories(spec, i))
            return "--format=uhi has keys alone, or before one field with "
                   "bins; json and jsonl have any combination";
    }
    return NULL;
}
