/*
 * rows.h -- the lines of a histogram, one after the other, for any format
 *
 *     rows_open(&rows, report, i);
 *     while (rows_next(&rows))
 *         ... what the line says ...
 *
 * Which lines there are, their order and their figures is decided here, so
 * that all formats agree.  Nothing is allocated and nothing can fail.
 */

#ifndef GPUHIST_ROWS_H
#define GPUHIST_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hist/amount.h"
#include "report/column.h"
#include "report/ranking.h"
#include "report/request.h"

struct rows {
    const struct report *report;
    struct column column[SPEC_AXES_MAX]; /* a joint one has several */
    size_t columns;
    uint64_t most;  /* rows that there are, all of them */
    bool is_ranked; /* by count, or only some of them */

    /* The rows to come: so many from this one on. */
    uint64_t next;
    uint64_t left;
    uint64_t outer_cell; /* of all columns but the last, in the row at hand */
    bool outer_is_flow;  /* on one of these axes */

    /* As the options say; may be changed before the first rows_next(). */
    enum flow flow;
    bool nonzero;

    /* --top, --sort=count */
    bool is_sorted;         /* the ranking is */
    struct ranking ranking; /* of the numbers of rows */
    uint64_t rank;          /* the next one of them */
    struct amount_total rest;

    /* After rows_sum_up(). */
    struct amount_total all;
    struct amount_total in_bins;
    double all_double; /* the same, rounded */
    double in_bins_double;

    /* The line at hand. */
    bool is_flow;  /* on any axis */
    bool is_other; /* it is about all that --top leaves out: no cell */
    uint64_t cell;
    struct amount amount;
    struct amount_total cumulative; /* where the option asks for it */
    double density;
    double percent;
};

/* The lines of histogram I of REPORT, of spec_histograms(). */
void rows_open(struct rows *rows, const struct report *report, size_t i);

/* Go on to the next line.  Returns whether there is one. */
bool rows_next(struct rows *rows);

/* Set the labels of all columns of the line. */
void rows_set_labels(struct rows *rows);

/*
 * Let PART, a copy of ROWS, end after COUNT rows, which ROWS skips; not of
 * ranked ones.
 */
void rows_split(struct rows *rows, struct rows *part, uint64_t count);

/* Room for the name of a column. */
#define ROWS_NAME_BYTES 32

/*
 * The name of column I: "value"; or of its edges: "lo", or "hi" where IS_HI.
 * In a joint histogram the field's number is behind it.  Returns NAME.
 */
const char *rows_name(const struct rows *rows, size_t i, bool is_hi,
                      char name[ROWS_NAME_BYTES]);

/* What equalisation makes of the line's value; flow cells are clamped. */
uint32_t rows_lut(const struct rows *rows);

/* How many lines there can be. */
uint64_t rows_most(const struct spec *spec, size_t i);

/*
 * Find the totals, of all cells and of those in bins on all axes.  The lines
 * begin again.
 */
void rows_sum_up(struct rows *rows);

#endif
