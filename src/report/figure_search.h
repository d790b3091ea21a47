/* SPDX-License-Identifier: MIT */
/* figure_search.h -- figures that need all values of a group */

#ifndef GPUHIST_FIGURE_SEARCH_H
#define GPUHIST_FIGURE_SEARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "report/figure.h"
#include "report/group_figures.h"

#define FIGURE_QUARTILES 3

/*
 * A quartile between two values.  With N values in order, quartile K of 4 is at
 * (N - 1) K / 4, counted from 0, and the fraction is the share of the next
 * value: the default of numpy's quantile().  FOUR has four values: PART times
 * the next one and else the one before, so the quartile is the mean.
 */
struct figure_quartile {
    uint64_t low; /* the count that is enough for the value before; 0: the
                     quartile is known */
    uint64_t high;
    unsigned int part; /* 0 to 3 */
    struct group_figures four;
};

/*
 * A search for figures in all values of a group.  The caller adds the values,
 * ascending.  Most figures are found at the first value where the count, or the
 * sum, of the values so far is large enough.
 */
struct figure_search {
    const struct figure *figure;
    size_t figures;
    size_t left;       /* figures that more values may change */
    bool reads_values; /* else only counts */
    uint64_t count;    /* of values so far */
    uint64_t least;    /* the lowest of WANTED but 0, or less */

    /* Of FIGURE_NEEDS_MOST: the figures, a bit each, with a value that the
       caller has not asked for yet. */
    uint64_t modes;
    uint64_t new_modes;
    uint64_t most; /* the greatest count of a value */

    bool has_quartiles;
    struct figure_quartile quartile[FIGURE_QUARTILES];

    /* Of FIGURE_NEEDS_ABOVE; 0: a sum is not wanted. */
    uint64_t above;        /* the figures, a bit each */
    uint64_t all_count;    /* of all values */
    struct figure_sum sum; /* of the values so far */

    /* Of each figure. */
    uint64_t wanted[FIGURES_MAX]; /* the count that is enough for a figure;
                                     0: not wanted, or found */
    uint64_t whole[FIGURES_MAX];  /* of FIGURE_L, if found; else 0 */
    struct figure_sum wanted_sum[FIGURES_MAX]; /* of FIGURE_NEEDS_ABOVE */
};

/* Start a search in a group with the facts ALL.  Of the COUNT figures at
   FIGURE, which must outlive SEARCH, only figures that need all values are
   searched for. */
void figure_search_open(struct figure_search *search,
                        const struct figure *figure, size_t count,
                        const struct group_figures *all);

/* Add the value of COLUMN, COUNT times.  Only a search with READS_VALUES set
   reads COLUMN. */
void figure_search_add(struct figure_search *search,
                       const struct column *column, uint64_t count);

/* Set *I to the next figure that is the value added last.  A mode comes again
   when a value is more frequent.  Returns false after the last figure. */
bool figure_search_next(struct figure_search *search, size_t *i);

/* Set *VALUE to figure I if the figure is computed of values, after all
   values; else to FIGURE_NONE. */
void figure_search_value(const struct figure_search *search, size_t i,
                         struct figure_value *value);

#endif
