/* report.h -- print a histogram in one of the formats */

#ifndef GPUHIST_REPORT_H
#define GPUHIST_REPORT_H

#include <stdint.h>
#include <stdio.h>

#include "cli/options.h"
#include "hist/histogram.h"
#include "hist/spec.h"
#include "util/error.h"

struct report {
    const struct spec *spec;
    const struct histogram *histogram; /* of the shown axes: spec_fold() */
    const struct options *options;
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
int report_check(const struct spec *spec, const struct options *options,
                 struct error *error);

/* How much memory report_print() takes. */
uint64_t report_bytes(const struct spec *spec, const struct options *options);

/*
 * Print the histogram, or each of several, and where the input is incomplete
 * that it is.  Ends at the first error of OUT, with errno set, which the caller
 * checks for.  Returns 0, or -1 with *ERROR set and nothing printed.
 */
int report_print(FILE *out, struct report *report, struct error *error);

/* How many values are in flow cells that are not shown. */
uint64_t report_hidden(const struct report *report);

#endif
