/* SPDX-License-Identifier: MIT */
/*
 * stats.h -- the figures of --stats and --percentiles, of one field
 *
 * A bin of one value gives the value exactly.  Any other bin gives two edges,
 * and some flow cells not even edges.  Figures determined by the bins are
 * exact.  All other figures have bounds, valid for any position of the values
 * in the bins.  In an estimate, each value counts as the middle of its bin, or
 * beyond the bins as the nearest edge.
 *
 * A spectrum has a value for each key: the count of the key.
 */

#ifndef GPUHIST_STATS_H
#define GPUHIST_STATS_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "hist/histogram.h"
#include "hist/spec.h"
#include "report/figure.h"

#define STATS_NO_ROW UINT64_MAX

struct stats {
    const struct spec *spec;
    const struct histogram *histogram;
    size_t i;
    uint64_t values;  /* number of values counted */
    uint64_t outside; /* number of values in no bin */
    uint64_t numbers; /* number of values without NaN; of keys */

    /* Rows (column.h) of the least and the greatest number. */
    uint64_t min_row;
    uint64_t max_row;

    /* The row of a number with too many digits for an exact sum, which is
       wanted; STATS_NO_ROW: none. */
    uint64_t wrong_row;

    struct figure_value figure[FIGURE_KINDS]; /* the figures of --stats */
};

/*
 * Make the statistics of axis I of SPEC, as far as NEEDS (enum figure_need)
 * says.  HISTOGRAM has the shown axes and is not clamped.  Both must outlive
 * STATS.
 */
void stats_make(struct stats *stats, const struct spec *spec,
                const struct histogram *histogram, size_t i,
                unsigned int needs);

/* Check that STATS has all wanted figures.  Returns 0, or -1 with *ERROR
   set. */
int stats_check(const struct stats *stats, struct error *error);

/*
 * Set *VALUE to FIGURE of STATS.  Rows are those of axis I.  A percentile is
 * the least number N such that at least the percentage of all numbers, and at
 * least one number, is at most N.
 */
void stats_find(const struct stats *stats, const struct figure *figure,
                struct figure_value *value);

#endif
