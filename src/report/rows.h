/* SPDX-License-Identifier: MIT */
/*
 * rows.h -- the lines of a histogram, one after the other, for any format
 *
 *     rows_open(&rows, report, i);
 *     while (rows_next(&rows))
 *         ... print the line ...
 *
 * This module decides on the lines, their order and their amounts, so that all
 * formats agree.  The module allocates nothing and cannot fail.
 */

#ifndef GPUHIST_ROWS_H
#define GPUHIST_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "report/column_names.h"
#include "report/figure_fields.h"
#include "report/request.h"
#include "report/row_step.h"

/*
 * Returns how many columns of histogram I of SPEC name a group, the first ones;
 * 0: there are no groups.  If all keys are of --group-by, the last key is the
 * value as soon as OPTIONS need groups.
 */
size_t rows_group_columns(const struct spec *spec,
                          const struct report_options *options, size_t i);

/* Start the lines of histogram I of REPORT, 0 .. spec_histograms() - 1. */
void rows_open(struct rows *rows, const struct report *report, size_t i);

/* Go to the next line.  Returns false at the end. */
bool rows_next(struct rows *rows);

/* Set the labels of all columns for the current line. */
void rows_set_labels(struct rows *rows);

/* The same of the first COLUMNS. */
void rows_set_group_labels(struct rows *rows, size_t columns);

/*
 * Go to the next row of the current group of tuples, faster than rows_next().
 * The count of the row may be 0.  Sets only the last column, the cell and the
 * amount.  Returns false, without a move, at the end of the group.  ROWS are
 * not ranked.
 */
bool rows_next_in_group(struct rows *rows);

/* Let the last column of ROWS be that of tuple NUMBER, which is in the current
   group. */
void rows_read_in_group(struct rows *rows, uint64_t number);

/* Skip the other rows of the current group of tuples.  ROWS as above. */
void rows_leave_group(struct rows *rows);

/* Whether the current lines of A and B, tuples of one histogram, are of one
   group. */
static inline bool
rows_are_in_one_group(const struct rows *a, const struct rows *b)
{
    return a->group_size == b->group_size &&
           (a->group_size == 0 ||
            memcmp(a->group, b->group, a->group_size) == 0);
}

/* The COUNT rows from FIRST on follow.  ROWS are not ranked, and have no
   cumulative amounts. */
void rows_seek(struct rows *rows, uint64_t first, uint64_t count);

/* Skip the next COUNT rows, at most the rows left.  ROWS as above. */
static inline void
rows_skip(struct rows *rows, uint64_t count)
{
    rows_seek(rows, rows->next + count, rows->left - count);
}

/* Make PART a copy of ROWS for the next COUNT rows, and skip the rows in ROWS.
   ROWS is not ranked. */
void rows_split(struct rows *rows, struct rows *part, uint64_t count);

/* Set ROWS->other: the amount of the rows left out by --top and --min-count.
   ROWS must be just open, and have no other use afterwards. */
void rows_find_other(struct rows *rows);

/* Returns the names of column I.  The report has names. */
const struct axis_names *rows_names(const struct rows *rows, size_t i);

/* Returns the name for the first label of column I: of lower edges, if the
   column has two. */
static inline const char *
rows_first_name(const struct rows *rows, size_t i)
{
    const struct axis_names *names = rows_names(rows, i);

    return rows->column[i].has_edges ? names->lo : names->name;
}

/* Returns the density, or the percentage, of the current line, with the amount
   set. */
double rows_line_density(const struct rows *rows);
double rows_line_percent(const struct rows *rows);

/*
 * Write EXTRA of the line at AT, as sum_put() does; "nan" if the line has
 * none.
 */
char *rows_put_extra(const struct rows *rows, enum rows_extra extra, char *at);

/* Whether REPORT has several tables: then each line names the field. */
static inline bool
rows_have_field(const struct report *report)
{
    return figure_fields_tables(report->options, report->spec) > 1;
}

/* Whether the rows of histogram I are keys or numbers of text. */
static inline bool
rows_have_keys(const struct spec *spec, size_t i)
{
    enum counted_rows rows = spec->histogram[i].rows;

    return rows == ROWS_NUMBERS ? spec->shown[spec_own_axis(spec, i)].is_text
                                : rows != ROWS_BINS;
}

/* Whether the lines of histogram I are not in the order of cells: sorted by
   count, or limited by --top. */
bool rows_are_ranked(const struct spec *spec,
                     const struct report_options *options, size_t i);

/* Returns the most lines of histogram I. */
uint64_t rows_most(const struct spec *spec, size_t i);

/*
 * Find the totals of all cells, and of the cells in a bin on each axis.  The
 * lines start again.
 */
void rows_sum_up(struct rows *rows);

#endif
