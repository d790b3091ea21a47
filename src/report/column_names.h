/* SPDX-License-Identifier: MIT */
/*
 * column_names.h -- the names of all columns of a report, for any format
 *
 * Columns of values are named after their fields.  No two columns of a table
 * have one name, and no column of values has the name of a column or a member
 * that reports have themselves, as "count": "_2" follows, or the next number
 * that makes the name unique.  Formats ask only this module, so that a column
 * has one name in all of them.
 */

#ifndef GPUHIST_COLUMN_NAMES_H
#define GPUHIST_COLUMN_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "report/figure.h"
#include "report/request.h"
#include "report/row_step.h"

/* The names of the columns of an axis; each is owned. */
struct axis_names {
    char *name; /* of the field */
    char *lo;   /* of the column of lower edges: NAME and "_lo" */
    char *hi;   /* of upper edges */
    char *flow; /* in JSON, of the kind of a special row: NAME and "_flow" */

    /* The axis is the only one of its histogram beside groups: in JSON, its
       members are "lo", "hi" and "flow". */
    bool is_single;
};

struct column_names {
    size_t axes;
    struct axis_names *axis;  /* of each axis of the spec, owned */
    struct axis_names common; /* of the values of all histograms, if they share
                                 a column */
    bool has_common;
    char *file;
    char *field;
    char *amount;
    char *extra[ROWS_EXTRAS];
    char *figure[FIGURES_MAX];       /* of the columns of --columns ... */
    char *figure_hi[FIGURES_MAX];    /* ... of their upper edges ... */
    char *figure_least[FIGURES_MAX]; /* ... and of their bounds */
    char *figure_most[FIGURES_MAX];
};

/*
 * Make the names of REPORT, of which the spec, the options, FILE and LUT
 * count.  Returns 0, or -1 with *ERROR set: --rename names no column, or calls
 * two columns equally, or memory is short.  The caller calls
 * column_names_close() in both cases.
 */
int column_names_make(struct column_names *names, const struct report *report,
                      struct error *error);

void column_names_close(struct column_names *names);

/* Check --rename, before counting.  REPORT as above.  Returns 0, or -1 with
   *ERROR set. */
int column_names_check(const struct report *report, struct error *error);

/* Returns the names of column C of histogram I of SPEC. */
const struct axis_names *column_names_of(const struct column_names *names,
                                         const struct spec *spec, size_t i,
                                         size_t c);

#endif
