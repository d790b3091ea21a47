/* summary.h -- statistics as lines of text; gpuhist-format(5) defines them */

#ifndef GPUHIST_SUMMARY_H
#define GPUHIST_SUMMARY_H

#include <stdio.h>

#include "cli/options.h"
#include "hist/histogram.h"
#include "hist/spec.h"

/*
 * Print the statistics and percentiles that OPTIONS ask for, of each field.
 * HISTOGRAM is of the shown axes, not clamped.
 */
void summary_put(FILE *out, const struct spec *spec,
                 const struct histogram *histogram,
                 const struct options *options);

#endif
