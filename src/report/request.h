/* request.h -- what a report is to show, and how */

#ifndef GPUHIST_REQUEST_H
#define GPUHIST_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hist/histogram.h"
#include "hist/spec.h"
#include "report/column.h"
#include "report/ranking.h"

/* How the histogram is printed. */
enum format {
    FORMAT_TSV,
    FORMAT_CSV,
    FORMAT_MD,
    FORMAT_JSON,
    FORMAT_JSONL,
    FORMAT_PROM,
    FORMAT_UNIQ,
    FORMAT_NPY,
    FORMAT_COUNT,
};

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
    unsigned int threads;   /* that may print it, 1 or more */

    /* For report_print(). */
    uint64_t *order; /* room for the numbers of rows */
};

#endif
