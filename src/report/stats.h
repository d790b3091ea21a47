/* SPDX-License-Identifier: MIT */
/*
 * stats.h -- figures of all values of one field, with bounds if they are in
 * bins
 *
 * A bin of one value gives the value exactly.  Any other bin gives two edges,
 * and some flow cells not even edges.  Figures determined by the bins are
 * exact.  All other figures have bounds, valid for any position of the values
 * in the bins.  In an estimate, each value counts as the middle of its bin, or
 * beyond the bins as the nearest edge.
 *
 * Figures that groups have, too, are found as for a group of all values.  A
 * spectrum has a value for each key: the count of the key.
 */

#ifndef GPUHIST_STATS_H
#define GPUHIST_STATS_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "report/figure.h"
#include "report/group_figures.h"
#include "report/request.h"

#define STATS_NO_ROW UINT64_MAX

struct stats {
    const struct spec *spec;
    const struct histogram *histogram;
    size_t i;
    struct group_figures facts; /* rows are those of column.h */
    uint64_t values;            /* number of values counted */
    uint64_t outside;           /* number of values in no bin */

    /* The row of a number with too many digits for an exact sum, which is
       wanted; STATS_NO_ROW: none. */
    uint64_t wrong_row;

    /* Figures that are not found of FACTS, and a bit for each. */
    uint64_t found;
    struct figure_value figure[FIGURE_KINDS];

    /* The figures that all values are searched for. */
    struct figures searched;
    struct figure_value value[FIGURES_MAX];
};

_Static_assert(FIGURE_KINDS <= 64, "a bit for each");

/*
 * Make the statistics of axis I of REPORT, whose histogram is not clamped, as
 * far as NEEDS (enum figure_need) says, and search for FIGURES in all values.
 * REPORT must outlive STATS.
 */
void stats_make(struct stats *stats, const struct report *report, size_t i,
                unsigned int needs, const struct figures *figures);

/* Check that STATS has all wanted figures.  Returns 0, or -1 with *ERROR
   set. */
int stats_check(const struct stats *stats, struct error *error);

/* The texts of a figure, as many as it has suffixes (figure.h).  With
   ARE_BOUNDS they are not all equal. */
struct stats_texts {
    struct label text[FIGURE_TEXTS_MAX];
    bool are_bounds;
};

/* Set TEXTS to FIGURE, whose needs were told, of STATS.  A figure that is a
   value is no key. */
void stats_put(const struct stats *stats, const struct figure *figure,
               struct stats_texts *texts);

#endif
