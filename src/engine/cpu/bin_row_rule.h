/* bin_row_rule.h -- what bin_row.c needs of an axis, found once for all rows */

#ifndef GPUHIST_BIN_ROW_RULE_H
#define GPUHIST_BIN_ROW_RULE_H

#include <stdbool.h>
#include <stddef.h>

#include "binning.h"
#include "floats.h"

/*
 * Where numbers go that are in no bin: one is in a bin if UNDER <= it < OVER;
 * the zero of a logarithmic axis is ZERO, what is below that is negative.
 */
struct bin_row_flow {
    double under;
    double over;
    double zero;
    double cell[BINNING_FLOWS];
};

/* What an axis needs beside its own fields; see bin_row_rule_make(). */
struct bin_row_rule {
    const struct binning_axis *axis;
    const struct binning_tables *tables;
    size_t record_bytes;
    bool is_wide;     /* integers that may have no double of their own */
    bool is_possible; /* false: each element by binning_cell() */
    bool is_single;   /* positions can be computed in float ... */
    struct floats_rule single; /* ... by this one */
    struct bin_row_flow flow;
    /* An axis that finds its range looks at LEAST <= numbers < END. */
    double least;
    double end;
};

/*
 * Make the RULE for the elements of AXIS in records of RECORD_BYTES.  It points
 * to AXIS and TABLES, which must not change.
 */
void bin_row_rule_make(struct bin_row_rule *rule,
                       const struct binning_axis *axis,
                       const struct binning_tables *tables,
                       size_t record_bytes);

#endif
