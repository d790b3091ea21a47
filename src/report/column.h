/*
 * column.h -- the rows of one axis: which cell is in each, and what it says
 *
 * Rows ascend: first the flow cells below the bins, then the bins, then the
 * flow cells behind them.
 */

#ifndef GPUHIST_COLUMN_H
#define GPUHIST_COLUMN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "binning.h"
#include "hist/spec.h"
#include "util/number.h"

/* How bytes are written. */
enum labels {
    LABELS_DEC,
    LABELS_HEX,
    LABELS_CHAR,
};

struct label {
    char text[NUMBER_TEXT_BYTES]; /* with a NUL behind it */
    size_t size;
};

struct column {
    const struct spec *spec;
    const struct binning_axis *axis;
    uint64_t rows;
    uint64_t flows_before; /* how many of them are below the bins */
    bool has_edges;        /* two labels: lo, hi; else one: value, in LO */
    enum labels labels;
    uint64_t row;
    uint64_t cell; /* of that row, on this axis */

    /* After column_set_labels(). */
    uint64_t label_cell; /* the one that LO and HI are about */
    struct label lo;
    struct label hi;
};

/* Make the column of shown axis I of SPEC, at row 0. */
void column_open(struct column *column, const struct spec *spec, size_t i,
                 bool has_edges, enum labels labels);

/* Which cell of the axis is in ROW, which is that of a flow cell. */
uint64_t column_flow_cell(const struct column *column, uint64_t row);

/* Which cell of the axis is in ROW. */
static inline uint64_t
column_cell(const struct column *column, uint64_t row)
{
    uint64_t bin = row - column->flows_before;

    return bin < column->axis->bins ? bin : column_flow_cell(column, row);
}

static inline void
column_go(struct column *column, uint64_t row)
{
    column->row = row;
    column->cell = column_cell(column, row);
}

/* Whether the row is that of a flow cell. */
static inline bool
column_is_flow(const struct column *column)
{
    return column->cell >= column->axis->bins;
}

/* Whether no value of the type can be in the row, which is a flow cell's. */
bool column_is_impossible(const struct column *column);

/* The word for the row's flow cell: "underflow". */
const char *column_flow_name(const struct column *column);

/* Set the labels for the row, unless they are still right. */
void column_set_labels(struct column *column);

/* Set the labels for all that has no row: "other". */
void column_set_other(struct column *column);

/*
 * Between which numbers, both included, the values of the row are; NaN for
 * those that are no number.  All integers of 64 bits are exact where a long
 * double has 64 bits of precision or more.
 */
void column_limits(const struct column *column, long double *lo,
                   long double *hi);

/* How wide the row's bin is, one value being 1; NaN for a flow cell. */
double column_width(const struct column *column);

#endif
