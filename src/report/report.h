/* report.h -- print a histogram in one of the formats */

#ifndef GPUHIST_REPORT_H
#define GPUHIST_REPORT_H

#include <stdint.h>
#include <stdio.h>

#include "hist/histogram.h"
#include "hist/spec.h"
#include "report/column.h"
#include "report/ranking.h"
#include "util/error.h"

/* How the histogram is printed. */
enum format {
    FORMAT_TSV,
    FORMAT_CSV,
    FORMAT_JSON,
    FORMAT_JSONL,
    FORMAT_PROM,
    FORMAT_UNIQ,
    FORMAT_NPY,
    FORMAT_COUNT,
};

/* The word for FORMAT: "tsv". */
const char *report_format_name(enum format format);

/* What to print, and how. */
struct report_options {
    enum format format;
    bool header_out;
    bool nonzero;
    enum flow flow;
    bool cumulative;
    bool density;
    bool percent;
    uint64_t top; /* lines at most; 0: all */
    enum sort sort;
    enum labels labels;
    const char *metric; /* of FORMAT_PROM; NULL: not given */
};

/* Where a run's counts come from, for a record of it. */
struct provenance {
    char *const *arguments; /* the options as they were given, into argv */
    size_t argument_count;
    char *const *paths; /* into argv */
    size_t path_count;
};

struct report {
    const struct spec *spec;
    const struct histogram *histogram; /* of the shown axes: spec_fold() */
    const struct report_options *options;
    const struct provenance *provenance;
    const uint32_t *lut; /* one more column, for each bin; NULL: none */
    uint64_t bytes;      /* that were counted */
    uint64_t snapshot;   /* the number of it, from 1 on; 0: this is the end */
    const char *incomplete; /* why a part of the input is missing; NULL: none */

    /* For report_print(). */
    uint64_t *order; /* room for report_bytes() */
};

/*
 * Whether what OPTIONS ask for can be printed of a SPEC, before anything is
 * counted.  Returns 0, or -1 with *ERROR set.
 */
int report_check(const struct spec *spec, const struct report_options *options,
                 struct error *error);

/* How much memory report_print() takes. */
uint64_t report_bytes(const struct spec *spec,
                      const struct report_options *options);

/*
 * Print the histogram, or each of several, and where the input is incomplete
 * that it is.  Ends at the first error of OUT, with errno set, which the caller
 * checks for.  Returns 0, or -1 with *ERROR set and nothing printed.
 */
int report_print(FILE *out, struct report *report, struct error *error);

/* How many values are in flow cells that are not shown. */
uint64_t report_hidden(const struct report *report);

#endif
