/* column.c -- the rows of one axis: which cell is in each, and what it says */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/column.h"

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

uint64_t
column_rows(const struct column *column)
{
    return column->axis->bins + column->flows;
}

bool
column_is_flow(const struct column *column)
{
    return column->cell >= column->axis->bins;
}

static enum binning_flow
flow_of(const struct column *column)
{
    return (enum binning_flow)(column->cell - column->axis->bins);
}

bool
column_is_impossible(const struct column *column)
{
    return !axis_can_flow(column->axis, flow_of(column));
}

const char *
column_flow_name(const struct column *column)
{
    switch (flow_of(column)) {
    case BINNING_UNDERFLOW:
        return "underflow";
    case BINNING_OVERFLOW:
        return "overflow";
    case BINNING_ZERO:
        return "zero";
    case BINNING_NEGATIVE:
        return "negative";
    default:
        return "nan";
    }
}

uint64_t
column_cell(const struct column *column, uint64_t row)
{
    unsigned int before = flows_before(column);
    uint64_t bins = column->axis->bins;

    if (row < before)
        return bins + first_flows[3 - before + row];
    row -= before;
    return row < bins ? row : row + BINNING_OVERFLOW;
}

void
column_go(struct column *column, uint64_t row)
{
    column->row = row;
    column->cell = column_cell(column, row);
}

/* ---- texts ---- */

/* As C writes the character, a space being no character to be seen. */
static void
char_text(unsigned char byte, char *text)
{
    static const char escaped[] = "\a\b\t\n\v\f\r\\";
    static const char letters[] = "abtnvfr\\";
    const char *at = byte != 0 ? strchr(escaped, byte) : NULL;

    if (at != NULL)
        sprintf(text, "\\%c", letters[at - escaped]);
    else if (byte > ' ' && byte <= '~')
        sprintf(text, "%c", byte);
    else
        sprintf(text, "\\x%02x", byte);
}

static void
set_bin_texts(struct column *column)
{
    const struct binning_axis *axis = column->axis;
    uint64_t bin = column->cell;

    if (!column->has_edges) {
        if (column->labels == LABELS_DEC)
            axis_value_text(axis, bin, column->lo);
        else if (column->labels == LABELS_HEX)
            sprintf(column->lo, "0x%02x", (unsigned int)(axis->first + bin));
        else
            char_text((unsigned char)(axis->first + bin), column->lo);
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

    switch (flow_of(column)) {
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

void
column_set_texts(struct column *column)
{
    if (column->text_cell == column->cell)
        return;
    if (column_is_flow(column))
        set_flow_texts(column);
    else
        set_bin_texts(column);
    column->text_cell = column->cell;
}

/* ---- numbers ---- */

/* Edge I as a number. */
static long double
edge_of(const struct column *column, uint64_t i)
{
    const struct binning_axis *axis = column->axis;

    if (axis->kind == BINNING_DIRECT)
        return (long double)axis_value(axis, i);
    return axis_edge(axis, &column->spec->edges, i);
}

static void
flow_limits(const struct column *column, long double *lo, long double *hi)
{
    const struct binning_axis *axis = column->axis;

    switch (flow_of(column)) {
    case BINNING_UNDERFLOW:
        *lo = axis->is_log ? 0 : -(long double)INFINITY;
        *hi = edge_of(column, 0);
        break;
    case BINNING_OVERFLOW:
        *lo = edge_of(column, axis->bins);
        *hi = (long double)INFINITY;
        break;
    case BINNING_ZERO:
        *lo = *hi = 0;
        break;
    case BINNING_NEGATIVE:
        *lo = -(long double)INFINITY;
        *hi = 0;
        break;
    default:
        *lo = *hi = (long double)NAN;
        break;
    }
}

void
column_limits(const struct column *column, long double *lo, long double *hi)
{
    if (column_is_flow(column)) {
        flow_limits(column, lo, hi);
        return;
    }
    *lo = edge_of(column, column->cell);
    *hi = column->axis->kind == BINNING_DIRECT
              ? *lo
              : edge_of(column, column->cell + 1);
}

double
column_width(const struct column *column)
{
    if (column_is_flow(column))
        return (double)NAN;
    if (column->axis->kind == BINNING_DIRECT)
        return 1;
    return (double)(edge_of(column, column->cell + 1)) -
           (double)(edge_of(column, column->cell));
}

void
column_open(struct column *column, const struct spec *spec, size_t i,
            bool has_edges, enum labels labels)
{
    *column = (struct column){
        .spec = spec,
        .axis = &spec->shown[i],
        .flows = axis_flows(&spec->shown[i]),
        .has_edges = has_edges,
        .labels = labels,
        .text_cell = UINT64_MAX,
    };
    column_go(column, 0);
}
