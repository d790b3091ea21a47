/* summary.h -- statistics as lines of text; gpuhist-format(5) defines them */

#ifndef GPUHIST_SUMMARY_H
#define GPUHIST_SUMMARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/writer.h"
#include "hist/histogram.h"
#include "hist/spec.h"
#include "report/percentile.h"

#define SUMMARY_PERCENTILES_MAX 64

/* Which statistics to print. */
struct summary_options {
    bool has_figures; /* mean, deviation and others, not only percentiles */
    struct percentile percentile[SUMMARY_PERCENTILES_MAX];
    size_t percentile_count;
};

/*
 * Print the statistics and percentiles that OPTIONS ask for, of each field.
 * HISTOGRAM has the shown axes and is not clamped.
 */
void summary_put(FILE *out, const struct spec *spec,
                 const struct histogram *histogram,
                 const struct summary_options *options);

/* Print how many records conditions have left out. */
void summary_put_left_out(FILE *out, uint64_t left_out);

/*
 * Print them as one row of a table for each field, which begins with the name
 * FILE, and ends with LEFT_OUT if SPEC has conditions; if HAS_HEADER, after the
 * names of the columns.
 */
void summary_put_rows(struct writer *out, const struct spec *spec,
                      const struct histogram *histogram,
                      const struct summary_options *options, const char *file,
                      uint64_t left_out, bool has_header);

#endif
