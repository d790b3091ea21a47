/* SPDX-License-Identifier: MIT */
/* decimal_edges.h -- even edges between decimals: exact, then rounded once */

#ifndef GPUHIST_DECIMAL_EDGES_H
#define GPUHIST_DECIMAL_EDGES_H

#include <stdint.h>

#include "base/natural.h"

/*
 * Edge I is (FIRST + I * STEP) / DIVISOR, where FIRST is negative if
 * IS_NEGATIVE.  The numbers are integers of any size, so all decimals of the
 * command line have such edges, and so have bins that divide a range.
 */
struct decimal_edges {
    struct natural first;
    bool is_negative;
    struct natural step;
    struct natural divisor;
};

/*
 * Make the edges of BINS bins between the decimals LO and HI; or, if STEP is
 * not NULL, of bins of the width STEP from LO on.  The texts are numbers that
 * axis_parse_number() takes.
 */
void decimal_edges_make(struct decimal_edges *edges, const char *lo,
                        const char *hi, const char *step, uint64_t bins);

/* Returns edge I, up to 2^31, rounded to the nearest double. */
double decimal_edges_read(const struct decimal_edges *edges, uint64_t i);

#endif
