/* report.h -- print a histogram in one of the formats */

#ifndef GPUHIST_REPORT_H
#define GPUHIST_REPORT_H

#include <stdint.h>

#include "hist/spec.h"
#include "report/request.h"
#include "util/error.h"
#include "util/writer.h"

/* What a report may show; not every format has a place for all of it. */
enum report_feature {
    REPORT_ROWS = 1 << 0,      /* a row for each bin, in one of the formats */
    REPORT_HEADER = 1 << 1,    /* a header that can be left out */
    REPORT_NONZERO = 1 << 2,   /* rows without values can be left out */
    REPORT_COLUMNS = 1 << 3,   /* more columns than the count */
    REPORT_ORDER = 1 << 4,     /* other orders than by value */
    REPORT_LABELS = 1 << 5,    /* bytes as characters */
    REPORT_WEIGHTS = 1 << 6,   /* sums */
    REPORT_JOINT = 1 << 7,     /* several columns of edges */
    REPORT_FLOW = 1 << 8,      /* what becomes of values in no bin */
    REPORT_FLOW_ROWS = 1 << 9, /* rows for them, even if they are empty */
    REPORT_MARK = 1 << 10,     /* that the input is incomplete */
};

/* A way to print a report; gpuhist-format(5) defines them. */
struct report_format {
    const char *name;         /* the word for it: "tsv" */
    const char *remark;       /* on it, for a list of the names; NULL: none */
    unsigned int unsupported; /* features, or'ed */
    bool is_repeatable;       /* a reader can tell where the next one begins */

    /* What of SPEC cannot be printed; NULL: nothing.  NULL: all can be. */
    const char *(*find_wrong)(const struct spec *spec);

    /* Print all of REPORT to OUT, whose errors are for the caller to check. */
    void (*print)(struct writer *out, const struct report *report);
};

extern const struct report_format report_formats[FORMAT_COUNT];

/*
 * Whether what OPTIONS ask for can be printed of a SPEC, before anything is
 * counted.  Returns 0, or -1 with *ERROR set.
 */
int report_check(const struct spec *spec, const struct report_options *options,
                 struct error *error);

/* How much memory report_print() takes at most. */
uint64_t report_bytes(const struct spec *spec,
                      const struct report_options *options);

/*
 * Print the histogram, or each of several, and where the input is incomplete
 * that it is.  If OUT fails it may end early; the caller checks OUT.  Returns
 * 0, or -1 with *ERROR set and nothing printed.
 */
int report_print(struct writer *out, struct report *report,
                 struct error *error);

/* How many values are in flow cells that are not shown. */
uint64_t report_hidden(const struct report *report);

#endif
