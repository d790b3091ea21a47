/*
 * group_figures.h -- what is known of the values of a group
 *
 * The rows of a group come in the order of their values.  Figures of several
 * groups add up, but for the number of different values and percentiles.
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

/* A number that occurs. */
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
    struct natural squares; /* their sum, in units of 10^-76 */
};

/*
 * Add the value of COLUMN, which occurs COUNT times and is in ROW.  Returns
 * whether it is an addend; if not, it is left out of the sums.
 */
bool group_figures_add_row(struct group_figures *figures,
                           const struct column *column, uint64_t count,
                           uint64_t row);

/* Whether COLUMN has a value that figures count: no special row, nor NaN. */
bool group_figures_have(const struct column *column);

/* Add MORE, of another group, to FIGURES. */
void group_figures_add(struct group_figures *figures,
                       const struct group_figures *more);

/*
 * Take LESS, of a group that was added, from FIGURES.  What this cannot find is
 * of no use afterwards: the least, the greatest and the distinct numbers.
 */
void group_figures_subtract(struct group_figures *figures,
                            const struct group_figures *less);

/* Returns how many records there are, also those without a value. */
uint64_t group_figures_records(const struct group_figures *figures);

/* Returns the mean, rounded once; NaN if there are no numbers. */
double group_figures_mean(const struct group_figures *figures);

/* Returns the deviation of a population, or if IS_SAMPLE of a sample, rounded
   once; NaN if there are too few numbers, or an infinity. */
double group_figures_deviation(const struct group_figures *figures,
                               bool is_sample);

/* Whether infinities decide the sum; then set *SUM to the sum. */
bool group_figures_are_infinite(const struct group_figures *figures,
                                double *sum);

/*
 * A search for the figures of a group that need the order of its values.  The
 * values are added, ascending.  A figure is found at the first value where the
 * values so far are enough.
 */
struct figure_search {
    size_t figures;
    size_t left;                  /* figures that are not found */
    uint64_t count;               /* of values so far */
    uint64_t least;               /* the lowest of WANTED */
    uint64_t wanted[FIGURES_MAX]; /* the values that are enough for a figure;
                                     UINT64_MAX: none, or found */

    /* Of FIGURE_NEEDS_ABOVE; 0: a sum is not wanted. */
    uint64_t above;                /* the figures, a bit each */
    struct decimal_sum sum;        /* of the values so far */
    struct decimal_sum wanted_sum; /* that is enough: above half of all */
};

/* Start a search for those of the COUNT figures at FIGURE that need an order,
   of the values that ALL is known of. */
void figure_search_open(struct figure_search *search,
                        const struct figure *figure, size_t count,
                        const struct group_figures *all);

/* Add the value of COLUMN, which occurs COUNT times.  COLUMN may be on another
   value if no figure needs a sum. */
void figure_search_add(struct figure_search *search,
                       const struct column *column, uint64_t count);

/* Set *I to a figure that is found at the value added last, each once.  Returns
   false if there are no more. */
bool figure_search_next(struct figure_search *search, size_t *i);

#endif
