/* figure_search.h -- figures that need the order of values */

#ifndef GPUHIST_FIGURE_SEARCH_H
#define GPUHIST_FIGURE_SEARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "report/figure.h"
#include "report/group_figures.h"

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
