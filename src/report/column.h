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

struct column {
    const struct spec *spec;
    const struct binning_axis *axis;
    unsigned int flows;
    bool has_edges; /* two texts: lo, hi; else one: value, in LO */
    enum labels labels;
    uint64_t row;
    uint64_t cell; /* of that row, on this axis */

    /* After column_set_texts(). */
    uint64_t text_cell; /* the one that LO and HI are about */
    char lo[NUMBER_TEXT_BYTES * 2];
    char hi[NUMBER_TEXT_BYTES * 2];
};

/* Make the column of shown axis I of SPEC, at row 0. */
void column_open(struct column *column, const struct spec *spec, size_t i,
                 bool has_edges, enum labels labels);

uint64_t column_rows(const struct column *column);

/* Which cell of the axis is in ROW. */
uint64_t column_cell(const struct column *column, uint64_t row);

void column_go(struct column *column, uint64_t row);

/* Whether the row is that of a flow cell. */
bool column_is_flow(const struct column *column);

/* Whether no value of the type can be in the row, which is a flow cell's. */
bool column_is_impossible(const struct column *column);

/* The word for the row's flow cell: "underflow". */
const char *column_flow_name(const struct column *column);

/* Set the texts for the row, unless they are still right. */
void column_set_texts(struct column *column);

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
