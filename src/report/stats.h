/*
 * stats.h -- statistics of one field, from its histogram
 *
 * A bin with one value tells it exactly; of any other it is known only that
 * its values are between two edges, of a flow cell perhaps not even that.
 * What follows from the bins exactly is given as it is; of everything else
 * there are bounds that hold wherever in their bins the values are.
 */

#ifndef GPUHIST_STATS_H
#define GPUHIST_STATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hist/histogram.h"
#include "hist/spec.h"

/* There is no such row: no values. */
#define STATS_NO_ROW UINT64_MAX

/*
 * An estimate, every value being in the middle of its bin, or at the nearest
 * edge where it is beyond the bins.
 */
struct stats_figure {
    double value;
    double least;  /* the number itself is not below ... */
    double most;   /* ... nor above */
    bool is_exact; /* no estimate: only rounded */
};

struct stats {
    uint64_t values;  /* that were counted */
    uint64_t outside; /* of them in no bin */
    uint64_t numbers; /* that are not NaN */

    /* In which row (column.h) these are. */
    uint64_t min_row;
    uint64_t max_row;
    uint64_t mode_row; /* the bin with most values; the first of several */

    /* Of all numbers; the deviation is that of a population. */
    struct stats_figure mean;
    struct stats_figure deviation;

    double entropy;    /* bits per value, of which cell it is in */
    double chi_square; /* of the bins, if all were equally likely */
    double p_value;    /* how likely one as great or greater is, then */

    /* Different numbers: between these. */
    uint64_t distinct_least;
    uint64_t distinct_most;
};

/* Of axis I of SPEC; HISTOGRAM is of the shown axes, not clamped. */
void stats_make(struct stats *stats, const struct spec *spec,
                const struct histogram *histogram, size_t i);

/*
 * The row of the least number that NANO * 10^-9 percent of all numbers, more
 * than 0, do not exceed; STATS_NO_ROW if there is none.
 */
uint64_t stats_percentile(const struct stats *stats, const struct spec *spec,
                          const struct histogram *histogram, size_t i,
                          uint64_t nano);

#endif
