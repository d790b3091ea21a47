/*
 * rows.h -- the lines of a histogram, one after the other, for any format
 *
 *     rows_open(&rows, report, i);
 *     while (rows_next(&rows))
 *         ... print the line ...
 *
 * This module decides which lines there are, their order and their figures, so
 * that all formats agree.  It allocates nothing and cannot fail.
 */

#ifndef GPUHIST_ROWS_H
#define GPUHIST_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hist/amount.h"
#include "report/column.h"
#include "report/request.h"
#include "util/ranking.h"

/* A column of figures behind the count or sum, if the options ask for it. */
enum rows_figure {
    ROWS_LUT, /* the equalised value; flow cells get the first or last bin's */
    ROWS_CUMULATIVE,
    ROWS_DENSITY,
    ROWS_PERCENT,
    ROWS_FIGURES
};

struct rows {
    const struct report *report;
    struct column column[SPEC_AXES_MAX]; /* more than one if joint */
    size_t columns;
    enum rows_figure figure[ROWS_FIGURES]; /* FIGURES of them, in order */
    size_t figures;
    size_t key_axes; /* of all histograms: spec_key_axes() */
    uint64_t most;   /* number of rows, shown or not */
    bool is_ranked;  /* sorted by count, or limited by --top */

    /* LEFT rows follow, from row NEXT on. */
    uint64_t next;
    uint64_t left;
    uint64_t outer_cell; /* share of all columns but the last in the cell */
    bool outer_is_flow;  /* one of these columns is at a flow cell */

    /* Set from the options; may be changed before the first rows_next(). */
    enum flow flow;
    bool nonzero;
    bool shows_other; /* a line for the rest, if there is any */

    /* For --top, --min-count and --sort=count. */
    bool is_sorted;           /* RANKING is sorted */
    struct ranking ranking;   /* items are numbers of rows */
    uint64_t rank;            /* index of the next item */
    uint64_t last;            /* the row that follows them, or RANKING_NONE */
    bool has_rest;            /* REST is known */
    struct amount_total rest; /* what no line but the last one has */

    /* Set by rows_sum_up(). */
    struct amount_total all;
    struct amount_total in_bins;
    double all_double; /* ALL, rounded */
    double in_bins_double;

    /* The current line. */
    bool is_flow;  /* on at least one axis */
    bool is_other; /* the line for the rest; it has no cell */
    uint64_t cell;
    struct amount amount;
    struct amount_total cumulative; /* if the options ask for it */
    double density;
    double percent;
};

/* Start the lines of histogram I of REPORT, 0 .. spec_histograms() - 1. */
void rows_open(struct rows *rows, const struct report *report, size_t i);

/* Go to the next line.  Returns false at the end. */
bool rows_next(struct rows *rows);

/* Set the labels of all columns for the current line. */
void rows_set_labels(struct rows *rows);

/*
 * Make PART a copy of ROWS that ends after COUNT rows; ROWS skips these rows.
 * ROWS is not ranked.
 */
void rows_split(struct rows *rows, struct rows *part, uint64_t count);

/*
 * Set ROWS->rest: the amount of the rows that --top and --min-count leave out.
 * ROWS, which are just open, are of no other use afterwards.
 */
void rows_find_rest(struct rows *rows);

/* Room for the name of a column. */
#define ROWS_NAME_BYTES 32

/*
 * Write the name of column I to NAME: "value", or "key" if all fields have
 * keys; or for edges "lo", or "hi" if IS_HI.  In a joint histogram the number
 * of the field follows.  Returns NAME.
 */
const char *rows_name(const struct rows *rows, size_t i, bool is_hi,
                      char name[ROWS_NAME_BYTES]);

/*
 * Returns why the current line is of no bin, "missing" or "other" for instance;
 * "" if it is of a bin.
 */
const char *rows_kind(const struct rows *rows);

/* Returns the name of the column of FIGURE: "density". */
const char *rows_figure_name(enum rows_figure figure);

/*
 * Write FIGURE of the line at AT, as number_put() does; "nan" if the line has
 * none.
 */
char *rows_put_figure(const struct rows *rows, enum rows_figure figure,
                      char *at);

/* Whether there are several histograms: then each line has its field. */
static inline bool
rows_have_field(const struct spec *spec)
{
    return !spec->is_joint && spec->axis_count > 1;
}

/* Returns the most lines that histogram I can have. */
uint64_t rows_most(const struct spec *spec, size_t i);

/*
 * Find the totals of all cells, and of the cells in a bin on each axis.  The
 * lines start again.
 */
void rows_sum_up(struct rows *rows);

#endif
