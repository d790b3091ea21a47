/* report.h -- print a histogram */

#ifndef GPUHIST_REPORT_H
#define GPUHIST_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "histogram.h"

/*
 * Print one line for each value, ascending: value, tab, count.  HEADER: a
 * line with the columns' names first.  NONZERO: leave out counts of 0.  The
 * caller checks OUT for errors.
 */
void report_tsv(FILE *out, const struct histogram *histogram, bool header,
                bool nonzero);

#endif
