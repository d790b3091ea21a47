/*
 * stats.h -- statistics of one field, from its histogram
 *
 * A bin of one value gives the value exactly.  Any other bin gives two edges,
 * and some flow cells not even that.  Figures that the bins determine are
 * exact.  All others have bounds, which hold for any position of the values in
 * their bins.
 */

#ifndef GPUHIST_STATS_H
#define GPUHIST_STATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hist/histogram.h"
#include "hist/spec.h"

/* There is no row, because there are no values. */
#define STATS_NO_ROW UINT64_MAX

/*
 * An estimate: each value counts as the middle of its bin, or beyond the bins
 * as the nearest edge.
 */
struct stats_figure {
    double value;
    double least;  /* lower bound */
    double most;   /* upper bound */
    bool is_exact; /* not an estimate; only rounded */
};

struct stats {
    uint64_t values;  /* number of values counted */
    uint64_t outside; /* number of values in no bin */
    uint64_t numbers; /* number of values that are not NaN */

    /* Numbers of rows (column.h). */
    uint64_t min_row;
    uint64_t max_row;
    uint64_t mode_row; /* the first bin with the highest count */

    /* Of all numbers; the deviation is that of a population. */
    struct stats_figure mean;
    struct stats_figure deviation;

    double entropy;    /* of the distribution over the cells, in bits */
    double chi_square; /* of the bins, against equal probabilities */
    double p_value;    /* probability of a chi-square at least as great */

    /* Bounds of the number of different numbers. */
    uint64_t distinct_least;
    uint64_t distinct_most;
};

/*
 * Make the statistics of axis I of SPEC.  HISTOGRAM has the shown axes and is
 * not clamped.
 */
void stats_make(struct stats *stats, const struct spec *spec,
                const struct histogram *histogram, size_t i);

/*
 * Returns the row of the percentile NANO * 10^-9: the least number, such that
 * at least this percentage of all numbers, and at least one, is not above it;
 * STATS_NO_ROW if there are no numbers.
 */
uint64_t stats_percentile(const struct stats *stats, const struct spec *spec,
                          const struct histogram *histogram, size_t i,
                          uint64_t nano);

#endif
