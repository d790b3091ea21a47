/*
 * stats.h -- the figures of --stats and --percentiles, of one field
 *
 * A bin of one value gives the value exactly.  Any other bin gives two edges,
 * and some flow cells not even that.  Figures that the bins determine are
 * exact.  All others have bounds, which hold for any position of the values in
 * their bins.  In an estimate, each value counts as the middle of its bin, or
 * beyond the bins as the nearest edge.
 *
 * The values of a spectrum are the keys, and their numbers how often each key
 * occurs.
 */

#ifndef GPUHIST_STATS_H
#define GPUHIST_STATS_H

#include <stddef.h>
#include <stdint.h>

#include "hist/histogram.h"
#include "hist/spec.h"
#include "report/figure.h"

struct stats {
    const struct spec *spec;
    const struct histogram *histogram;
    size_t i;
    uint64_t values;  /* number of values counted */
    uint64_t outside; /* number of values in no bin */
    uint64_t numbers; /* number of values that are not NaN; of keys */

    /* Rows (column.h) of the least and the greatest number. */
    uint64_t min_row;
    uint64_t max_row;

    struct figure_value figure[FIGURE_KINDS]; /* those of --stats */
};

/*
 * Make the statistics of axis I of SPEC, as far as NEEDS (enum figure_need)
 * says.  HISTOGRAM has the shown axes and is not clamped.  Both must outlive
 * STATS.
 */
void stats_make(struct stats *stats, const struct spec *spec,
                const struct histogram *histogram, size_t i,
                unsigned int needs);

/*
 * Set *VALUE to FIGURE of STATS.  Rows are those of axis I.  A percentile is
 * the least number, such that at least this percentage of all numbers, and at
 * least one, is not above it.
 */
void stats_find(const struct stats *stats, const struct figure *figure,
                struct figure_value *value);

#endif
