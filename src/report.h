/* report.h -- print a histogram */

#ifndef GPUHIST_REPORT_H
#define GPUHIST_REPORT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "histogram.h"
#include "options.h"
#include "spec.h"

struct report {
    const struct spec *spec;
    const struct histogram *histogram; /* of the shown axes: spec_fold() */
    enum flow flow;
    bool header;            /* a line with the columns' names first */
    bool nonzero;           /* leave out counts of 0 */
    const uint32_t *lut;    /* one more column, for each bin; NULL: none */
    const char *incomplete; /* why a part of the input is missing; NULL: none */
};

/*
 * Print a line for each bin, in ascending order, and for flow cells: what the
 * bin is on each axis, tab, count.  Where the input is incomplete a last line
 * says so: "# incomplete: WHY".  Ends at the first error of OUT, with errno set,
 * which the caller checks for.  Returns how many values were in flow cells that
 * FLOW_HIDE kept from being printed.
 */
uint64_t report_tsv(FILE *out, const struct report *report);

#endif
