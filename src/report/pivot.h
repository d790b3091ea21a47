/* SPDX-License-Identifier: MIT */
/*
 * pivot.h -- the lines of --pivot: a column for each value of the last key
 *
 *     pivot_open(&pivot, report, error);
 *     while (pivot_next(&pivot))
 *         ... print the labels of the group, and each cell ...
 *     pivot_close(&pivot);
 *
 * A crosstab, as in datamash and pandas.  --top=N keeps the N groups and the N
 * values with the greatest totals, and --min-count leaves out groups and values
 * with lower totals.  Groups without any key, and values that are special,
 * follow with any total; then the line and the column for others.
 */

#ifndef GPUHIST_PIVOT_H
#define GPUHIST_PIVOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/ranking.h"
#include "report/rows.h"

#define PIVOT_NONE UINT64_MAX

/* A value of the last key that occurs. */
struct pivot_value {
    const unsigned char *code; /* the last component, in the list of tuples */
    size_t size;
    uint64_t row;    /* the first row with the value */
    uint64_t column; /* the printed column; PIVOT_NONE: the one for others */
};

struct pivot {
    const struct report *report;
    struct rows rows;  /* for the rows of the groups */
    struct rows names; /* for the names of the columns */

    struct pivot_value *value; /* VALUES of them, ascending */
    uint64_t values;
    uint64_t *slot;         /* a hash table: 1 + index into VALUE; 0: free */
    uint64_t slots;         /* a power of two */
    struct histogram total; /* a cell for each value */

    uint64_t *column;          /* of each printed column: index into VALUE */
    uint64_t columns;          /* without the column for others */
    bool has_other;            /* the column for others is printed */
    struct histogram cells;    /* of the current group: a cell for each column,
                               and a cell for others */
    struct histogram left_out; /* the same for the groups left out */

    struct ranking ranking; /* items are numbers of groups; if ranked */
    uint64_t rank;          /* index of the next item */
    uint64_t next;          /* in the order of rows: where groups go on */
    uint64_t first;         /* NEXT at the start */

    bool is_other; /* the current line is the line for others */
};

/*
 * Start the lines of REPORT, which has one histogram.  PIVOT must not move.
 * Returns 0, or -1 with *ERROR set: memory is short, or the values do not fit
 * into the memory of REPORT.  The caller calls pivot_close() in both cases.
 */
int pivot_open(struct pivot *pivot, const struct report *report,
               struct error *error);

/* Go to the next line.  Returns false at the end. */
bool pivot_next(struct pivot *pivot);

/* Go before the first line again. */
void pivot_restart(struct pivot *pivot);

void pivot_close(struct pivot *pivot);

/* Returns the number of printed columns, including the column for others. */
static inline uint64_t
pivot_columns(const struct pivot *pivot)
{
    return pivot->columns + pivot->has_other;
}

/* Returns the amount of the current line in column C. */
struct amount pivot_amount(const struct pivot *pivot, uint64_t c);

/* Returns a column with the labels of printed column C, until the next call. */
const struct column *pivot_name(struct pivot *pivot, uint64_t c);

/* Set the labels of the group of the current line in PIVOT->rows. */
void pivot_set_labels(struct pivot *pivot);

/* Count in *HIDDEN the values of REPORT that no cell shows.  Returns 0, or -1
   with *ERROR set. */
int pivot_hidden(const struct report *report, uint64_t *hidden,
                 struct error *error);

#endif
