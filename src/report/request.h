/* SPDX-License-Identifier: MIT */
/* request.h -- the content and the form of a report */

#ifndef GPUHIST_REQUEST_H
#define GPUHIST_REQUEST_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/ranking.h"
#include "hist/count_limits.h"
#include "hist/histogram.h"
#include "hist/spec.h"
#include "report/column.h"
#include "report/figure.h"

/* The output formats. */
enum format {
    FORMAT_TSV,
    FORMAT_CSV,
    FORMAT_MD,
    FORMAT_TABLE,
    FORMAT_JSON,
    FORMAT_JSONL,
    FORMAT_PROM,
    FORMAT_UNIQ,
    FORMAT_NPY,
    FORMAT_UHI,
    FORMAT_FQCHK,
    FORMAT_SEQKIT,
    FORMAT_SEQKIT_TSV,
    FORMAT_FLAGSTAT,
    FORMAT_IDXSTATS,
    FORMAT_SAMTOOLS_STATS,
    FORMAT_FASTQC,
    FORMAT_HISTO,
    FORMAT_OTLP,
    FORMAT_PROM_NATIVE,
    FORMAT_HDR,
    FORMAT_STATE,
    FORMAT_COUNT,
};

/* The type of a metric of keys. */
enum metric_type {
    METRIC_OF_NAME, /* a counter if the name ends with "_total" */
    METRIC_COUNTER,
    METRIC_GAUGE,
};

/* Instead of a quality: not given. */
#define REPORT_LOW_DEFAULT UINT_MAX

/* Instead of a number of decimals: all digits. */
#define REPORT_DECIMALS_ALL UINT_MAX

/* Of which amount a line has its percentage. */
enum percent {
    PERCENT_NONE, /* no column */
    PERCENT_GROUP,
    PERCENT_ALL,
};

/* The content and the form of a report. */
struct report_options {
    enum format format;
    bool header_out;
    const char *rename; /* OLD=NEW,...: other names of columns; NULL: none */
    bool nonzero;
    bool full; /* print keys that do not occur, if keys have bins */
    enum flow flow;
    bool cumulative;
    bool density;
    enum percent percent;
    bool pivot;         /* a column for each value of the last key */
    bool profile;       /* a line of figures for each field */
    uint64_t top;       /* the most lines to print; 0: all */
    uint64_t top_each;  /* the most values to print of a group; 0: all */
    bool each_by_value; /* the values of TOP_EACH ascend */
    struct count_limits limits; /* other lines go to the line for others */
    bool no_other;              /* hide the line for others */
    enum sort sort;
    struct figure sort_figure; /* of SORT_FIGURE */
    struct figures figures;    /* the columns of a line for each group */
    enum labels labels;
    unsigned int low_quality; /* for FORMAT_FQCHK: lesser qualities are low */
    const char *metric;       /* the metric's name; NULL: not given */
    enum metric_type metric_type; /* of FORMAT_PROM */

    /* Of FORMAT_TABLE. */
    bool thousands;
    unsigned int decimals; /* of figures */
};

/* Returns the needs of the figures of OPTIONS, including the figure of the
   order. */
static inline unsigned int
report_needs(const struct report_options *options)
{
    unsigned int order = options->sort == SORT_FIGURE
                             ? figure_row(&options->sort_figure)->needs
                             : 0;

    return figures_needs(&options->figures) | order;
}

/* Whether OPTIONS print the lines of each group by themselves. */
static inline bool
report_is_by_group(const struct report_options *options)
{
    return options->top_each != 0 || options->percent == PERCENT_GROUP;
}

/* The origin of the counts; printed with the counts. */
struct provenance {
    char *const *arguments; /* the options as given, into argv */
    size_t argument_count;
    char *const *paths; /* PATH_COUNT of them; NULL: standard input */
    size_t path_count;
};

struct column_names;
struct group_choice;
struct group_list;
struct group_other;
struct pivot;
struct profile;

struct report {
    const struct spec *spec;
    const struct histogram *histogram; /* has the shown axes: spec_fold() */
    const struct report_options *options;
    const struct provenance *provenance;
    const uint32_t *lut;      /* an additional column, by bin; NULL: none */
    uint64_t bytes;           /* number of bytes counted */
    uint64_t records;         /* number of records counted */
    uint64_t unweighted;      /* number of records of text without a weight */
    uint64_t left_out;        /* number of records left out by conditions */
    const uint64_t *checksum; /* sums: enum alignment_checksum */
    uint64_t snapshot;        /* number of the snapshot, from 1 on; 0: the final
                               report */
    const char *file;         /* the name of a single input, or of the total;
                               NULL: no names ... */
    bool is_continued;        /* ... and whether a report was printed before */
    bool keeps_columns;       /* with --pivot: each value of the last key has a
                               column, and the columns ascend */
    const char *incomplete;   /* why input is missing; NULL: none is */
    unsigned int threads;     /* threads for printing, 1 or more */
    uint64_t memory;          /* about the most bytes for figures */

    /* Of the bytes in their order; NULL: not needed. */
    const struct series_total *series;

    const struct column_names *names; /* set by report_print() */

    /* Set by report_print() and report_hidden(). */
    uint64_t *order;           /* memory for the numbers of rows */
    struct group_list *groups; /* of each histogram, if groups are ranked */
    struct pivot *pivot;       /* with --pivot */
    struct profile *profile;   /* with --profile */

    /* Of each histogram, with --columns; owned: report_close().  Set by
       report_hidden(). */
    struct group_other *others;
    struct group_choice *choices; /* of each table with --columns */
};

/* Numbers of values not shown by any line. */
struct report_hidden {
    uint64_t flow;      /* in flow cells */
    uint64_t other;     /* left out by --top and --min-count */
    uint64_t valueless; /* records without a value for --columns */
};

#endif
