/* report.h -- print a histogram in one of the formats */

#ifndef GPUHIST_REPORT_H
#define GPUHIST_REPORT_H

#include <stdint.h>

#include "base/error.h"
#include "base/writer.h"
#include "hist/spec.h"
#include "report/request.h"

/* What a report may show.  Not every format supports all of it. */
enum report_feature {
    REPORT_ROWS = 1 << 0,      /* a row for each bin */
    REPORT_HEADER = 1 << 1,    /* a header that can be omitted */
    REPORT_NONZERO = 1 << 2,   /* empty rows can be omitted */
    REPORT_COLUMNS = 1 << 3,   /* columns in addition to the count */
    REPORT_ORDER = 1 << 4,     /* other orders, and the first lines alone */
    REPORT_LABELS = 1 << 5,    /* bytes as characters */
    REPORT_WEIGHTS = 1 << 6,   /* sums */
    REPORT_JOINT = 1 << 7,     /* several columns of edges */
    REPORT_FLOW = 1 << 8,      /* the choice between flow rows and none */
    REPORT_FLOW_ROWS = 1 << 9, /* rows of flow cells, even empty ones */
    REPORT_MARK = 1 << 10,     /* a mark if the input is incomplete */
    REPORT_KEYS = 1 << 11,     /* keys instead of values */
    REPORT_SPECIAL = 1 << 12,  /* rows for what has no key */
    REPORT_FILES = 1 << 13,    /* several inputs, each with its name */
    REPORT_CLAMP = 1 << 14,    /* values in bins that are not theirs */
    REPORT_GROUPS = 1 << 15,   /* a row of figures for each group */
    REPORT_LEAST = 1 << 16,    /* lines of low counts left out */

    /* What the user may choose of lines. */
    REPORT_LINES = REPORT_HEADER | REPORT_COLUMNS | REPORT_ORDER |
                   REPORT_LABELS | REPORT_LEAST,
};

/* A way to print a report; gpuhist-format(5) defines them. */
struct report_format {
    const char *name;         /* "tsv" */
    const char *remark;       /* for the list of formats; NULL: none */
    unsigned int unsupported; /* enum report_feature, or'ed */
    bool is_repeatable;       /* a reader finds the start of the next report */
    bool keeps_bins; /* readers compare reports: no bin comes or goes */

    /* The option whose bins the format has, and what it needs; NULL: any. */
    const char *bins;
    const char *needs;

    /*
     * Returns what cannot be printed of SPEC; NULL: nothing.  If the pointer
     * itself is NULL, all specs can be printed.
     */
    const char *(*find_wrong)(const struct spec *spec);

    /*
     * Returns how many values and records of histogram I have no place: an
     * error, unless --flow=hide leaves them out.  NULL: what has none has a row
     * instead, or is left out.
     */
    uint64_t (*count_unplaced)(const struct report *report, size_t i);

    /* Print all of REPORT to OUT.  The caller checks OUT. */
    void (*print)(struct writer *out, const struct report *report);
};

extern const struct report_format report_formats[FORMAT_COUNT];

/*
 * Check, before anything is counted, that SPEC can be printed with OPTIONS.
 * Returns 0, or -1 with *ERROR set.
 */
int report_check(const struct spec *spec, const struct report_options *options,
                 struct error *error);

/*
 * Check that OPTIONS ask for no figure of values: groups without a field have
 * records alone.  Returns 0, or -1 with *ERROR set.
 */
int report_check_records(const struct report_options *options,
                         struct error *error);

/* Returns the most memory that report_print() takes, in bytes. */
uint64_t report_bytes(const struct spec *spec,
                      const struct report_options *options);

/*
 * Print all histograms, and a mark if the input is incomplete.  If OUT fails,
 * printing may end early; the caller checks OUT.  Returns 0, or -1 with *ERROR
 * set and nothing printed.
 */
int report_print(struct writer *out, struct report *report,
                 struct error *error);

/*
 * Set *HIDDEN to what report_print() does not show.  Returns 0, or -1 with
 * *ERROR set.
 */
int report_hidden(struct report *report, struct report_hidden *hidden,
                  struct error *error);

/* Release what report_hidden() keeps for report_print(). */
void report_close(struct report *report);

#endif
