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

#include "base/decimal_sum.h"
#include "base/natural.h"
#include "hist/axis.h"
#include "report/column.h"

/* What orders numbers, and other figures, of one column: MAJOR first. */
struct group_rank {
    uint64_t major;
    struct decimal_sum minor;
};

/* Returns less than 0, 0, or more, as A is before B, equal, or after it. */
int group_rank_compare(const struct group_rank *a, const struct group_rank *b);

/* Returns the rank of VALUE; NaN is before all others. */
struct group_rank group_rank_of_double(double value);

/* Returns the rank of the value in COLUMN, a number. */
struct group_rank group_rank_of_column(const struct column *column);

/* A number that occurs. */
struct group_value {
    uint64_t row; /* of the histogram, from 0 on */
    struct group_rank rank;
};

struct group_figures {
    bool has_sums;    /* SUM and INFINITE are wanted ... */
    bool has_squares; /* ... and SQUARES */
    bool has_ranks;   /* the ranks of MIN and MAX are wanted */

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

/* Write the sum at AT, which has DECIMAL_SUM_TEXT_BYTES.  Returns its end. */
char *group_figures_put_sum(const struct group_figures *figures, char *at);

/* Returns the rank of the sum. */
struct group_rank group_figures_sum_rank(const struct group_figures *figures);

#endif
