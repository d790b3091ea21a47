/* SPDX-License-Identifier: MIT */
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

#include "base/exact_sums.h"
#include "base/natural.h"
#include "base/real_sum.h"
#include "hist/axis.h"
#include "hist/series.h"
#include "report/column.h"
#include "report/figure.h"
#include "report/figure_sum.h"

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
    uint64_t infinite[2];              /* how many are positive, and negative */
    const struct series_total *series; /* of all bytes; NULL: not needed */

    struct group_value min; /* if there are numbers: COUNT is not 0 */
    struct group_value max;
    struct figure_sum sum; /* of the finite numbers */

    /* With FIGURE_NEEDS_SQUARES the sum of their squares: in units of 10^-76,
       or of doubles. */
    union {
        struct natural decimal;
        struct real_squares real;
    } squares;
};

/* Returns facts about no values of AXIS; NEEDS is enum figure_need. */
struct group_figures group_figures_none(const struct binning_axis *axis,
                                        unsigned int needs);

/* Set *FIGURES to NONE, facts about no values.  MIN and MAX stay undefined
   until there is a value, and what NEEDS do not ask for stays so: these are
   many bytes. */
void group_figures_start(struct group_figures *figures,
                         const struct group_figures *none);

/* Add the value of COLUMN, in ROW, COUNT times.  Returns false if the value has
   too many digits for an addend; the sums then lack the value. */
bool group_figures_add_row(struct group_figures *figures,
                           const struct column *column, uint64_t count,
                           uint64_t row);

/* Set the sums of FIGURES, whose rows were added without the sums, to SUMS. */
void group_figures_set_sums(struct group_figures *figures,
                            const struct exact_sums *sums);

/* Whether the sums of FIGURES, if they are needed, can have the number of
   COLUMN, which is on a value. */
bool group_figures_can_add(const struct group_figures *figures,
                           const struct column *column);

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

#endif
