/* SPDX-License-Identifier: MIT */
/* summary.h -- statistics as text; gpuhist-format(5) defines the forms */

#ifndef GPUHIST_SUMMARY_H
#define GPUHIST_SUMMARY_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/writer.h"
#include "hist/histogram.h"
#include "hist/spec.h"
#include "report/figure.h"

/* The statistics to print. */
struct summary_options {
    bool has_stats; /* the figures of --stats, before the percentiles */
    struct figures percentiles;
};

/*
 * Print the figures of OPTIONS for each field, each figure on a line. HISTOGRAM
 * has the shown axes and is not clamped.  Returns 0, or -1 with *ERROR set: a
 * figure would not be exact.
 */
int summary_put(FILE *out, const struct spec *spec,
                const struct histogram *histogram,
                const struct summary_options *options, struct error *error);

/* Print how many records conditions have left out. */
void summary_put_left_out(FILE *out, uint64_t left_out);

/*
 * Print the figures of each field as a row of a table.  A row starts with the
 * name FILE, and ends with LEFT_OUT if SPEC has conditions.  If HAS_HEADER,
 * print the names of the columns first.  Returns as summary_put().
 */
int summary_put_rows(struct writer *out, const struct spec *spec,
                     const struct histogram *histogram,
                     const struct summary_options *options, const char *file,
                     uint64_t left_out, bool has_header, struct error *error);

#endif
