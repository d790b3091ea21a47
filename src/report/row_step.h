/* SPDX-License-Identifier: MIT */
/*
 * row_step.h -- the rows of a histogram, shown or not, one after the other
 *
 * rows.h and row_group.h choose the lines among the rows.
 */

#ifndef GPUHIST_ROW_STEP_H
#define GPUHIST_ROW_STEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/ranking.h"
#include "hist/amount.h"
#include "hist/count_limits.h"
#include "report/column.h"
#include "report/request.h"

/* An optional column after the count or sum. */
enum rows_extra {
    ROWS_LUT, /* the equalised value; flow cells get the first or last bin's */
    ROWS_CUMULATIVE,
    ROWS_DENSITY,
    ROWS_PERCENT,
    ROWS_EXTRAS
};

/*
 * The groups of a histogram, to rank them by their totals.  Rows of a group
 * follow each other.  Groups without any field are not ranked, and left out
 * here.
 */
struct group_list {
    uint64_t count;
    uint64_t *first;        /* the first shown row of each group */
    uint64_t *rows;         /* number of rows from FIRST to the last row */
    struct histogram total; /* a cell for each group */
};

/* The current group, for --top-each and --percent=group: row_group.c. */
struct row_group {
    uint64_t next;  /* in the order of rows: the first row of the next group */
    uint64_t first; /* rows FIRST up to END ... */
    uint64_t end;   /* ... 0: no group yet */
    uint64_t last;  /* the first row without a value, or RANKING_NONE */
    struct ranking ranking;    /* items are numbers of rows */
    uint64_t rank;             /* index of the next item */
    struct amount_total all;   /* of all rows, hidden ones too */
    struct amount_total other; /* of the values left out */
    double all_double;         /* ALL, rounded */
    bool has_ended;            /* the line for others has been printed */
};

struct rows {
    const struct report *report;
    size_t histogram;
    struct column column[SPEC_AXES_MAX]; /* several if joint */
    size_t columns;
    enum rows_extra extra[ROWS_EXTRAS]; /* EXTRAS columns, in order */
    size_t extras;
    size_t key_axes;      /* of all histograms: spec_key_axes() */
    uint64_t most;        /* number of rows, shown or not */
    bool is_ranked;       /* rows_are_ranked() */
    bool is_by_group;     /* report_is_by_group() */
    size_t group_columns; /* rows_group_columns() */

    const struct key_list *tuples;   /* a row for each, if sparse; else NULL */
    const struct group_list *groups; /* if groups are ranked, not rows */

    /* LEFT rows follow, from row NEXT on. */
    uint64_t next;
    uint64_t left;
    uint64_t outer_cell; /* share of all columns but the last in the cell; if
                            sparse, the first cell of the histogram */
    bool outer_is_flow;  /* a column but the last is at a flow cell */

    /* Set from the options; may be changed before the first rows_next(). */
    enum flow flow;
    bool nonzero;
    bool hides_zeros;           /* hides keys that do not occur */
    struct count_limits limits; /* other rows go to the line for others */
    bool shows_other;           /* a line for others, if not empty */

    /* For --top, limits of counts and --sort=count. */
    bool is_sorted;            /* RANKING is sorted */
    struct ranking ranking;    /* items are numbers of rows, or of GROUPS */
    uint64_t rank;             /* index of the next item */
    uint64_t last;             /* the next special row, or RANKING_NONE */
    bool has_other;            /* OTHER is known */
    struct amount_total other; /* the amount of the line for others */

    struct row_group group_lines; /* if IS_BY_GROUP */

    /* Set by rows_sum_up(). */
    struct amount_total all;
    struct amount_total in_bins;
    double all_double; /* ALL, rounded */
    double in_bins_double;

    /* The current line. */
    bool is_flow;   /* on at least one axis */
    size_t special; /* if sparse: how many of the first columns have no key */
    const unsigned char *group; /* the code of the group, GROUP_SIZE bytes */
    size_t group_size;
    bool is_other;     /* a line for others, without a cell ... */
    size_t other_from; /* ... of the group in the columns before; 0: of all */
    uint64_t cell;
    struct amount amount;
    struct amount_total cumulative; /* for --cumulative */
    double density;
    double percent;
};

/* For a list in files: the rows in memory at a time. */
#define ROWS_AT_A_TIME 16384

/* COUNT rows follow, from FIRST on. */
void row_step_set(struct rows *rows, uint64_t first, uint64_t count);

/* Go to row NUMBER, without a change of the rows that follow. */
void row_step_to(struct rows *rows, uint64_t number);

/* Go to the next row, shown or not.  Returns false if no row is left. */
bool row_step(struct rows *rows);

/* As row_step(), but may leave out bins without counts. */
bool row_step_counted(struct rows *rows);

/* Go to the next tuple that is shown.  There are tuples, and no limits of
   counts. */
bool row_step_tuple(struct rows *rows);

/* The rows before the next row have been used. */
void row_step_forget(const struct rows *rows);

/* Whether the rows start with the bins, and the cells of the bins follow each
   other. */
bool row_step_is_bins(const struct rows *rows);

/* Returns the cell of row NUMBER. */
uint64_t row_step_cell(const struct rows *rows, uint64_t number);

/* Whether the current row is printed. */
bool row_step_is_shown(const struct rows *rows);

/* Whether the limits add the current row to a line for others. */
bool row_step_is_beyond(const struct rows *rows);

/* Whether no column of the group of the current row, or no column of a row
   without a group, has a key.  Such rows follow all others, with any count. */
bool row_step_is_keyless(const struct rows *rows);

#endif
