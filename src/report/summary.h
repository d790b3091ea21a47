/* SPDX-License-Identifier: MIT */
/* summary.h -- statistics as text; gpuhist-format(5) defines the forms */

#ifndef GPUHIST_SUMMARY_H
#define GPUHIST_SUMMARY_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/writer.h"
#include "report/figure.h"
#include "report/request.h"

/* The statistics to print. */
struct summary_options {
    bool has_stats; /* those of --stats without a name, before FIGURES */
    struct figures figures;
};

/*
 * Print the figures of OPTIONS for each field of REPORT, each figure on a line.
 * The histogram is not clamped.  Returns 0, or -1 with *ERROR set: a figure
 * would not be exact.
 */
int summary_put(FILE *out, const struct report *report,
                const struct summary_options *options, struct error *error);

/* Print how many records conditions have left out. */
void summary_put_left_out(FILE *out, uint64_t left_out);

/*
 * Print the figures of each field as a row of a table.  A row starts with the
 * name of the file of REPORT, and ends with the number of records left out if
 * there are conditions.  The names of the columns are before the rows of the
 * first report.  Returns as summary_put().
 */
int summary_put_rows(struct writer *out, const struct report *report,
                     const struct summary_options *options,
                     struct error *error);

#endif
