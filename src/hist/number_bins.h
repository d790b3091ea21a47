/*
 * number_bins.h -- bins for a picture of numbers that have none
 *
 * A field of numbers without bins is counted by the numbers that occur.  Its
 * bins are one for each integer or, if there are many and for other numbers,
 * even ones whose width is a power of two.
 */

#ifndef GPUHIST_NUMBER_BINS_H
#define GPUHIST_NUMBER_BINS_H

#include <stdbool.h>

#include "base/wide_integer.h"
#include "hist/key_code.h"
#include "kernels/binning/binning.h"

/*
 * The numbers of a field that are in bins: not NaN, nor beyond
 * BINNING_AUTO_MAX.  All 0: there are none.
 */
struct number_span {
    bool has_any;
    double least;
    double most;
    struct wide first; /* integers: LEAST and MOST, not rounded */
    struct wide last;
};

/* Widen SPAN to include PART, of KIND, if that is such a number. */
void number_bins_add(struct number_span *span, enum key_kind kind,
                     const struct key_part *part);

/* Give AXIS, which is sparse, bins for SPAN. */
void number_bins_set(struct binning_axis *axis, const struct number_span *span);

/*
 * Returns the cell of PART, of KIND, on AXIS, which has these bins; or its own,
 * if KIND is KEY_CELL.
 */
uint64_t number_bins_cell(const struct binning_axis *axis, enum key_kind kind,
                          const struct key_part *part);

#endif
