/* SPDX-License-Identifier: MIT */
/*
 * number_bins.h -- bins for a picture of numbers without bins
 *
 * A field of numbers without bins is counted by the numbers that occur.  In a
 * picture, each integer has a bin, if there are few.  Many integers, and other
 * numbers, have even bins whose width is a power of two.
 */

#ifndef GPUHIST_NUMBER_BINS_H
#define GPUHIST_NUMBER_BINS_H

#include <stdbool.h>

#include "base/wide_integer.h"
#include "hist/histogram.h"
#include "hist/key_code.h"
#include "hist/spec.h"
#include "kernels/binning/binning.h"

/*
 * The numbers of a field that are in bins: not NaN, nor beyond
 * BINNING_AUTO_MAX.  All 0: no numbers yet.
 */
struct number_span {
    bool has_any;
    double least;
    double most;
    struct wide first; /* integers: LEAST and MOST, not rounded */
    struct wide last;
};

/* Widen SPAN to include COMPONENT, of KIND, if it is a number for bins. */
void number_bins_add(struct number_span *span, enum key_kind kind,
                     const struct key_component *component);

/* Give AXIS, which is sparse, bins for SPAN. */
void number_bins_set(struct binning_axis *axis, const struct number_span *span);

/*
 * Returns the cell of COMPONENT, of KIND, on AXIS, which has these bins; if
 * KIND is KEY_CELL, the cell of its row.
 */
uint64_t number_bins_cell(const struct binning_axis *axis, enum key_kind kind,
                          const struct key_component *component);

/* ---- pairs ---- */

/*
 * Pairs of numbers in bins.  Two joint fields of numbers are counted by the
 * pairs that occur, if a field has no bins.  A heat map needs bins for this
 * field.
 */
struct pair_bins {
    struct spec spec; /* a copy of the spec of the pairs, with its own: */
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
