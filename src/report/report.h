/* SPDX-License-Identifier: MIT */
/* report.h -- print a histogram in one of the formats */

#ifndef GPUHIST_REPORT_H
#define GPUHIST_REPORT_H

#include <stdint.h>

#include "base/error.h"
#include "base/writer.h"
#include "hist/spec.h"
#include "report/request.h"

/* Features of a report.  Not every format supports all features. */
enum report_feature {
    REPORT_ROWS = 1 << 0,      /* a row for each bin */
    REPORT_HEADER = 1 << 1,    /* an optional header */
    REPORT_NONZERO = 1 << 2,   /* --nonzero */
    REPORT_COLUMNS = 1 << 3,   /* columns in addition to the count */
    REPORT_ORDER = 1 << 4,     /* --sort and --top */
    REPORT_LABELS = 1 << 5,    /* bytes as characters */
    REPORT_WEIGHTS = 1 << 6,   /* sums */
    REPORT_JOINT = 1 << 7,     /* several columns of edges */
    REPORT_FLOW = 1 << 8,      /* the choice between flow rows and none */
    REPORT_FLOW_ROWS = 1 << 9, /* rows of flow cells, even empty ones */
    REPORT_MARK = 1 << 10,     /* a mark if the input is incomplete */
    REPORT_KEYS = 1 << 11,     /* keys instead of values */
    REPORT_SPECIAL = 1 << 12,  /* rows for records without a key */
    REPORT_FILES = 1 << 13,    /* several named inputs */
    REPORT_CLAMP = 1 << 14,    /* --flow=clamp: outer values in the first and
                                  last bin */
    REPORT_GROUPS = 1 << 15,   /* a row of figures for each group */
    REPORT_LEAST = 1 << 16,    /* lines left out by their counts */
    REPORT_PROFILE = 1 << 17,  /* a row of figures for each field */
    REPORT_OTHER = 1 << 18,    /* a row for all others */

    /* The user's choices for lines. */
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

    /* The option for the bins of the format, and a text about its needs; NULL:
       any bins. */
    const char *bins;
    const char *needs;

    /* The fields of sequences that the format prints: lists, each with a
       histogram, NULL after the last.  The format then decides what is
       counted.  NULL: the options decide. */
    const char *const *fields;
    bool counts_all; /* of BAM and SAM, also records that are not primary */
    bool counts_references; /* ... and each reference of the header */
    bool sums_checksums;    /* and adds their checksums up */

    /* Returns why SPEC cannot be printed; NULL: SPEC can be printed.  If the
       pointer itself is NULL, all specs can be printed. */
    const char *(*find_wrong)(const struct spec *spec);

    /* Check the same where the message depends on SPEC, and that SPEC can be
       printed with OPTIONS; NULL: as FIND_WRONG.  Returns 0, or -1 with *ERROR
       set. */
    int (*check)(const struct spec *spec, const struct report_options *options,
                 struct error *error);

    /* Check, after counting, that REPORT can be printed, which then hides
       nothing; NULL: it can, and other formats may hide values.  Returns 0, or
       -1 with *ERROR set. */
    int (*check_counts)(const struct report *report, struct error *error);

    /*
     * Returns the number of values and records of histogram I without a place
     * in the format: an error, unless --flow=hide leaves the values out.  NULL:
     * such values have rows, or are left out.
     */
    uint64_t (*count_unplaced)(const struct report *report, size_t i);

    /* Put to OUT what PRINT put of several files, SIZE bytes at LINES, with
       aligned columns; NULL: the lines stay as they are. */
    void (*align)(struct writer *out, const char *lines, size_t size);

    /* Print all of REPORT to OUT.  The caller checks OUT. */
    void (*print)(struct writer *out, const struct report *report);
};

extern const struct report_format report_formats[FORMAT_COUNT];

/* Whether FORMAT, which has fields, needs several fields jointly. */
bool report_format_is_joint(const struct report_format *format);

/* Check, before counting, that SPEC can be printed with OPTIONS.  Returns 0, or
   -1 with *ERROR set. */
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

/* Count in *HIDDEN the values that report_print() does not show.  Returns 0, or
   -1 with *ERROR set. */
int report_hidden(struct report *report, struct report_hidden *hidden,
                  struct error *error);

/* Release the memory kept by report_hidden() for report_print(). */
void report_close(struct report *report);

#endif
