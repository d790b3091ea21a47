/* bin_row_rule.h -- constants of an axis for bin_row.c, computed once */

#ifndef GPUHIST_BIN_ROW_RULE_H
#define GPUHIST_BIN_ROW_RULE_H

#include <stdbool.h>
#include <stddef.h>

#include "kernels/binning/binning.h"
#include "kernels/binning/floats.h"

/*
 * The flow cells.  A number x is in a bin if UNDER <= x < OVER.  On a
 * logarithmic axis, x == ZERO is zero and x < ZERO is negative.
 */
struct bin_row_flow {
    double under;
    double over;
    double zero;
    double cell[BINNING_FLOWS];
};

/* Constants in addition to the axis' own fields. */
struct bin_row_rule {
    const struct binning_axis *axis;
    const struct binning_tables *tables;
    size_t record_bytes;
    bool is_wide;              /* integers that may not fit into a double */
    bool is_possible;          /* false: use binning_cell() for each element */
    bool is_single;            /* positions can be computed in float ... */
    struct floats_rule single; /* ... by this rule */
    struct bin_row_flow flow;
    /* The extent of an axis with --range=auto includes LEAST <= x < END. */
    double least;
    double end;
};

/*
 * Make the RULE for the elements of AXIS in records of RECORD_BYTES.  RULE
 * points to AXIS and TABLES, which must not change.
 */
void bin_row_rule_make(struct bin_row_rule *rule,
                       const struct binning_axis *axis,
                       const struct binning_tables *tables,
                       size_t record_bytes);

#endif
