/*
 * lattice.h -- even bins for values whose range is not known beforehand
 *
 * The width of the bins is a power of two, their edges are multiples of it.
 * The width is the smallest for which the axis' number of bins holds the least
 * and the greatest value, and for which all edges are doubles; it is at least
 * 1 for integers, and 2^-1022 for floating-point numbers, as it is for no
 * value, and for zeros.  The first bin is that of the least.  Widths double
 * and edges nest, so counts on one lattice can be added up to those on that of
 * any wider range without loss: the outcome depends on the least and the
 * greatest value alone, not on the order in which they come.
 */

#ifndef GPUHIST_LATTICE_H
#define GPUHIST_LATTICE_H

#include <stdbool.h>
#include <stdint.h>

#include "binning.h"

/*
 * The least and the greatest of some values; none if MIN > MAX.  Values
 * beyond BINNING_AUTO_MAX count as infinite: they are left to the flow cells.
 */
struct extent {
    double min;
    double max;
};

/* Fewer bins might not hold values on both sides of 0, whatever the width. */
#define LATTICE_BINS_MIN 4

extern const struct extent extent_none;

/* Widen EXTENT by one element of AXIS, given its bits. */
void extent_widen_bits(struct extent *extent, const struct binning_axis *axis,
                       uint64_t bits);

/* Give AXIS, of LATTICE_BINS_MIN bins or more, the lattice for EXTENT. */
void lattice_set(struct binning_axis *axis, const struct extent *extent);

/* Whether A and B, of one axis, have the same edges. */
bool lattice_is_same(const struct binning_axis *a,
                     const struct binning_axis *b);

/*
 * The bin of the lattice NEW in which bin I of OLD lies; NEW is that of an
 * extent which contains the extent of OLD.
 */
uint64_t lattice_bin(const struct binning_axis *old, uint64_t i,
                     const struct binning_axis *new);

#endif
