/*
 * group_figures.h -- facts about the values of a group
 *
 * The rows of a group come in the order of their values.  The figures of
 * several groups add up, except the number of different values and figures that
 * need the order of values.
 */

#ifndef GPUHIST_GROUP_FIGURES_H
#define GPUHIST_GROUP_FIGURES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/natural.h"
#include "hist/axis.h"
#include "report/column.h"
#include "report/figure.h"

/* Returns the rank of the value in COLUMN, a number. */
struct figure_rank group_figures_rank(const struct column *column);

/* A number of the group. */
struct group_value {
    uint64_t row; /* of the histogram, from 0 on */
    struct figure_rank rank;
};

struct group_figures {
    unsigned int needs; /* enum figure_need; FIGURE_NEEDS_EXTREMES: the ranks
                           of MIN and MAX are wanted */

    uint64_t count;
    uint64_t nan;
    uint64_t special[AXIS_SPECIALS];
    uint64_t distinct;
    struct group_value min; /* if there are numbers: COUNT is not 0 */
    struct group_value max;

    struct decimal_sum sum; /* of the finite numbers */
    uint64_t infinite[2];   /* how many are positive, and negative */
    struct natural squares; /* the sum of squares, in units of 10^-76 */
};

/* Add the value of COLUMN, in ROW, COUNT times.  Returns false if the value has
   too many digits for an addend; the sums then lack the value. */
bool group_figures_add_row(struct group_figures *figures,
                           const struct column *column, uint64_t count,
                           uint64_t row);

/* Whether COLUMN is on a value: not on a special row, and not on NaN. */
bool group_figures_have(const struct column *column);

/* Add MORE, of another group, to FIGURES. */
void group_figures_add(struct group_figures *figures,
                       const struct group_figures *more);

/* Subtract LESS, a group added before, from FIGURES.  Afterwards the least, the
   greatest and the number of distinct values are undefined. */
void group_figures_subtract(struct group_figures *figures,
                            const struct group_figures *less);

/* Returns the number of records, with and without a value. */
uint64_t group_figures_records(const struct group_figures *figures);

/* Returns the mean, rounded once; NaN without numbers. */
double group_figures_mean(const struct group_figures *figures);

/* Returns the deviation of a population, or if IS_SAMPLE of a sample, rounded
   once; NaN with too few numbers or with an infinity. */
double group_figures_deviation(const struct group_figures *figures,
                               bool is_sample);

/* Whether infinities decide the sum; then set *SUM to the sum. */
bool group_figures_are_infinite(const struct group_figures *figures,
                                double *sum);

/*
 * A search for figures that need the order of the values of a group.  The
 * caller adds the values, ascending.  Each figure is found at the first value
 * where the count, or the sum, of the values so far is large enough.
 */
struct figure_search {
    size_t figures;
    size_t left;                  /* figures not found yet */
    uint64_t count;               /* of values so far */
    uint64_t least;               /* the lowest of WANTED */
    uint64_t wanted[FIGURES_MAX]; /* the count that is enough for a figure;
                                     UINT64_MAX: not wanted, or found */

    /* Of FIGURE_NEEDS_ABOVE; 0: a sum is not wanted. */
    uint64_t above;                /* the figures, a bit each */
    struct decimal_sum sum;        /* of the values so far */
    struct decimal_sum wanted_sum; /* just above half of the sum of all
                                      values */
};

/* Start a search in a group with the facts ALL.  Of the COUNT figures at
   FIGURE, only figures that need the order are searched for. */
void figure_search_open(struct figure_search *search,
                        const struct figure *figure, size_t count,
                        const struct group_figures *all);

/* Add the value of COLUMN, COUNT times.  Only a search with ABOVE set reads
   COLUMN. */
void figure_search_add(struct figure_search *search,
                       const struct column *column, uint64_t count);

/* Set *I to the next figure found at the value added last.  Returns false after
   the last figure. */
bool figure_search_next(struct figure_search *search, size_t *i);

#endif
