/* report.c -- print a histogram */

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "number.h"
#include "report.h"
#include "sum.h"

/* Where an axis is in its rows, and what they say there. */
struct column {
    const struct spec *spec;
    const struct binning_axis *axis;
    unsigned int flows;
    bool has_edges; /* two columns: lo, hi; else one: value */
    uint64_t row;
    uint64_t cell; /* of that row */
    char lo[NUMBER_TEXT_BYTES * 2];
    char hi[NUMBER_TEXT_BYTES * 2];
};

/* The rows of flow cells before the bins; the others come behind. */
static const enum binning_flow first_flows[] = {
    BINNING_NEGATIVE,
    BINNING_ZERO,
    BINNING_UNDERFLOW,
};

static unsigned int
flows_before(const struct column *column)
{
    return column->axis->is_log ? 3 : column->flows > 0 ? 1 : 0;
}

static uint64_t
column_rows(const struct column *column)
{
    return column->axis->bins + column->flows;
}

static bool
is_flow(const struct column *column)
{
    return column->cell >= column->axis->bins;
}

/* Which cell of its axis is in ROW. */
static uint64_t
row_cell(const struct column *column, uint64_t row)
{
    unsigned int before = flows_before(column);
    uint64_t bins = column->axis->bins;

    if (row < before)
        return bins + first_flows[3 - before + row];
    row -= before;
    return row < bins ? row : row + BINNING_OVERFLOW;
}

static void
integer_text(number_integer value, char text[NUMBER_TEXT_BYTES])
{
    /* At most one beyond 64 bits: 2^64 as an upper edge. */
    uint64_t magnitude = (uint64_t)(value < 0 ? -value : value);

    if (magnitude == 0 && value != 0)
        strcpy(text, "18446744073709551616");
    else
        snprintf(text, NUMBER_TEXT_BYTES, "%s%" PRIu64, value < 0 ? "-" : "",
                 magnitude);
}

/* The value of bin 0 of a direct axis. */
static number_integer
first_value(const struct binning_axis *axis)
{
    return binning_is_signed(axis->type) ? (number_integer)(int64_t)axis->first
                                         : (number_integer)axis->first;
}

/* Edge I of the axis as it is printed. */
static void
edge_text(const struct column *column, uint64_t i, char text[NUMBER_TEXT_BYTES])
{
    const struct binning_axis *axis = column->axis;

    if (axis->kind == BINNING_DIRECT)
        integer_text(first_value(axis) + (number_integer)i -
                         (axis->closed == BINNING_RIGHT),
                     text);
    else
        number_text(axis_edge(axis, &column->spec->edges, i), text);
}

static void
set_bin_texts(struct column *column, uint64_t previous)
{
    const struct binning_axis *axis = column->axis;
    uint64_t bin = column->cell;

    if (!column->has_edges) {
        integer_text(first_value(axis) + (number_integer)bin, column->lo);
        return;
    }
    if (bin == previous + 1 && previous < axis->bins)
        strcpy(column->lo, column->hi);
    else
        edge_text(column, bin, column->lo);
    edge_text(column, bin + 1, column->hi);
}

/* Values in no bin: the edges are infinite, or say what is there. */
static void
set_flow_texts(struct column *column)
{
    const struct binning_axis *axis = column->axis;

    switch ((enum binning_flow)(column->cell - axis->bins)) {
    case BINNING_UNDERFLOW:
        strcpy(column->lo, axis->is_log ? "0" : "-inf");
        edge_text(column, 0, column->hi);
        break;
    case BINNING_OVERFLOW:
        edge_text(column, axis->bins, column->lo);
        strcpy(column->hi, "inf");
        if (!column->has_edges)
            strcpy(column->lo, "inf");
        break;
    case BINNING_ZERO:
        strcpy(column->lo, "0");
        strcpy(column->hi, "0");
        break;
    case BINNING_NEGATIVE:
        strcpy(column->lo, "-inf");
        strcpy(column->hi, "0");
        break;
    default:
        strcpy(column->lo, "nan");
        strcpy(column->hi, "nan");
        break;
    }
}

static void
column_go(struct column *column, uint64_t row)
{
    uint64_t previous = column->cell;

    column->row = row;
    column->cell = row_cell(column, row);
    if (is_flow(column))
        set_flow_texts(column);
    else
        set_bin_texts(column, row == 0 ? UINT64_MAX - 1 : previous);
}

static void
column_open(struct column *column, const struct spec *spec, size_t i,
            bool has_edges)
{
    *column = (struct column){
        .spec = spec,
        .axis = &spec->shown[i],
        .flows = axis_flows(&spec->shown[i]),
        .has_edges = has_edges,
        .cell = UINT64_MAX - 1,
    };
    column_go(column, 0);
}

/* ---- lines ---- */

static void
put_columns(FILE *out, const struct column *column, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        fputs(column[i].lo, out);
        putc('\t', out);
        if (column[i].has_edges) {
            fputs(column[i].hi, out);
            putc('\t', out);
        }
    }
}

static void
put_amount(FILE *out, const struct report *report, uint64_t cell)
{
    const struct histogram *histogram = report->histogram;
    char text[SUM_TEXT_BYTES];

    if (!report->spec->has_weights) {
        fprintf(out, "%" PRIu64, histogram->value[cell]);
        return;
    }
    sum_text(report->spec->weight.type,
             histogram->value + histogram->cells + cell,
             (size_t)histogram->cells, text);
    fputs(text, out);
}

/* What equalisation makes of the one column's value; flow cells are clamped. */
static void
put_lut(FILE *out, const struct report *report, const struct column *column)
{
    uint64_t last = column->axis->bins - 1;
    uint64_t bin = column->cell <= last                           ? column->cell
                   : column->cell == last + 1 + BINNING_UNDERFLOW ? 0
                                                                  : last;

    fprintf(out, "\t%" PRIu32, report->lut[bin]);
}

/*
 * Print all rows of the COUNT axes at COLUMN, the last of them the fastest;
 * PREFIX begins each line.  Returns how many values were kept back.
 */
static uint64_t
put_rows(FILE *out, const struct report *report, const char *prefix,
         struct column *column, size_t count)
{
    uint64_t hidden = 0;

    for (;;) {
        uint64_t cell = 0;
        bool has_flow = false;
        for (size_t i = 0; i < count; i++) {
            cell +=
                column[i].axis->base + column[i].axis->stride * column[i].cell;
            has_flow |= is_flow(&column[i]);
        }

        uint64_t values = report->histogram->value[cell];
        bool is_shown = values != 0 || !report->nonzero;
        if (has_flow && report->flow == FLOW_HIDE) {
            hidden += values;
            is_shown = false;
        } else if (has_flow && report->flow != FLOW_SHOW) {
            is_shown = values != 0;
        }
        if (is_shown) {
            fputs(prefix, out);
            put_columns(out, column, count);
            put_amount(out, report, cell);
            if (report->lut != NULL)
                put_lut(out, report, column);
            putc('\n', out);
        }

        size_t i = count;
        while (i > 0 && column[i - 1].row + 1 == column_rows(&column[i - 1]))
            column_go(&column[--i], 0);
        if (i == 0)
            return hidden;
        column_go(&column[i - 1], column[i - 1].row + 1);
    }
}

/* ---- headers ---- */

static void
put_header(FILE *out, const struct report *report, bool has_edges)
{
    const struct spec *spec = report->spec;
    const char *amount = spec->has_weights ? "sum" : "count";

    if (spec->is_joint) {
        for (size_t i = 0; i < spec->axis_count; i++) {
            size_t field = spec->field[i] + 1;
            if (spec->shown[i].kind == BINNING_DIRECT)
                fprintf(out, "value%zu\t", field);
            else
                fprintf(out, "lo%zu\thi%zu\t", field, field);
        }
    } else {
        if (spec->axis_count > 1)
            fputs("field\t", out);
        fputs(has_edges ? "lo\thi\t" : "value\t", out);
    }
    fprintf(out, "%s%s\n", amount, report->lut != NULL ? "\tlut" : "");
}

static uint64_t
put_joint(FILE *out, const struct report *report)
{
    const struct spec *spec = report->spec;
    struct column column[OPTIONS_AXES_MAX];

    for (size_t i = 0; i < spec->axis_count; i++)
        column_open(&column[i], spec, i, spec->shown[i].kind != BINNING_DIRECT);
    return put_rows(out, report, "", column, spec->axis_count);
}

static uint64_t
put_separate(FILE *out, const struct report *report, bool has_edges)
{
    const struct spec *spec = report->spec;
    uint64_t hidden = 0;

    for (size_t i = 0; i < spec->axis_count; i++) {
        struct column column;
        char prefix[NUMBER_TEXT_BYTES] = "";

        if (spec->axis_count > 1)
            snprintf(prefix, sizeof prefix, "%zu\t", spec->field[i] + 1);
        column_open(&column, spec, i, has_edges);
        hidden += put_rows(out, report, prefix, &column, 1);
    }
    return hidden;
}

uint64_t
report_tsv(FILE *out, const struct report *report)
{
    const struct spec *spec = report->spec;
    bool has_edges = false;

    /* One histogram below the other: all lines have the same columns. */
    for (size_t i = 0; i < spec->axis_count; i++)
        has_edges |= spec->shown[i].kind != BINNING_DIRECT;
    if (report->header)
        put_header(out, report, has_edges);
    return spec->is_joint ? put_joint(out, report)
                          : put_separate(out, report, has_edges);
}
