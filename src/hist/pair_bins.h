/*
 * pair_bins.h -- the pairs of two numbers that occur, in bins
 *
 * Two joint fields that are numbers are counted by the pairs that occur, if one
 * has no bins.  A heat map needs bins: this field gets those of number_bins.h.
 */

#ifndef GPUHIST_PAIR_BINS_H
#define GPUHIST_PAIR_BINS_H

#include "hist/histogram.h"
#include "hist/spec.h"

struct pair_bins {
    struct spec spec; /* shares all with that of the pairs but these: */
    struct counted_histogram shown;
    struct binning_axis axis[2];
    struct histogram histogram;
};

/* Whether the only histogram of SPEC is one of pairs of numbers. */
bool pair_bins_are_for(const struct spec *spec);

/*
 * Put the pairs of SPEC, which it is for and which outlives BINS, in HISTOGRAM
 * into BINS.  Returns 1, or 0: there would be too many bins, or -1: out of
 * memory.  The caller calls pair_bins_close() in all cases.
 */
int pair_bins_make(struct pair_bins *bins, const struct spec *spec,
                   const struct histogram *histogram);

void pair_bins_close(struct pair_bins *bins);

#endif
