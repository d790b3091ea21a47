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
    uint64_t cell;      /* of that row */
    uint64_t text_cell; /* the one that LO and HI are about */
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

/*
 * Whether the row is that of a flow cell in which no value of the type can be.
 */
static bool
is_impossible(const struct column *column)
{
    const struct binning_axis *axis = column->axis;

    if (binning_is_float(axis->type))
        return false;
    return column->cell == axis->bins + BINNING_NAN ||
           (column->cell == axis->bins + BINNING_NEGATIVE &&
            !binning_is_signed(axis->type));
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
set_bin_texts(struct column *column)
{
    const struct binning_axis *axis = column->axis;
    uint64_t bin = column->cell;

    if (!column->has_edges) {
        axis_value_text(axis, bin, column->lo);
        return;
    }
    if (column->text_cell < bin && column->text_cell + 1 == bin)
        strcpy(column->lo, column->hi);
    else
        axis_edge_text(axis, &column->spec->edges, bin, column->lo);
    axis_edge_text(axis, &column->spec->edges, bin + 1, column->hi);
}

/* Values in no bin: the edges are infinite, or say what is there. */
static void
set_flow_texts(struct column *column)
{
    const struct binning_axis *axis = column->axis;

    switch ((enum binning_flow)(column->cell - axis->bins)) {
    case BINNING_UNDERFLOW:
        strcpy(column->lo, axis->is_log ? "0" : "-inf");
        axis_edge_text(axis, &column->spec->edges, 0, column->hi);
        break;
    case BINNING_OVERFLOW:
        axis_edge_text(axis, &column->spec->edges, axis->bins, column->lo);
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
    column->row = row;
    column->cell = row_cell(column, row);
}

/* Set the texts for the row, unless they are still right. */
static void
set_texts(struct column *column)
{
    if (column->text_cell == column->cell)
        return;
    if (is_flow(column))
        set_flow_texts(column);
    else
        set_bin_texts(column);
    column->text_cell = column->cell;
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
        .text_cell = UINT64_MAX,
    };
    column_go(column, 0);
}

/* ---- lines ---- */

static void
put_columns(FILE *out, struct column *column, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        set_texts(&column[i]);
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
        bool is_possible = true;
        for (size_t i = 0; i < count; i++) {
            cell +=
                column[i].axis->base + column[i].axis->stride * column[i].cell;
            has_flow |= is_flow(&column[i]);
            is_possible &= !is_impossible(&column[i]);
        }

        uint64_t values = report->histogram->value[cell];
        bool is_shown = values != 0 || !report->nonzero;
        if (has_flow && report->flow == FLOW_HIDE) {
            hidden += values;
            is_shown = false;
        } else if (has_flow && report->flow != FLOW_SHOW) {
            is_shown = values != 0;
        }
        if (is_shown && is_possible) {
            fputs(prefix, out);
            put_columns(out, column, count);
            put_amount(out, report, cell);
            if (report->lut != NULL)
                put_lut(out, report, column);
            putc('\n', out);
            /* What follows a gap is worth nothing; errno says why. */
            if (ferror(out))
                return hidden;
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

    for (size_t i = 0; i < spec->axis_count && !ferror(out); i++) {
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
    uint64_t hidden = spec->is_joint ? put_joint(out, report)
                                     : put_separate(out, report, has_edges);
    if (report->incomplete != NULL)
        fprintf(out, "# incomplete: %s\n", report->incomplete);
    return hidden;
}
