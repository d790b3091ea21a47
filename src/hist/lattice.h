/* SPDX-License-Identifier: MIT */
/*
 * lattice.h -- even bins for values whose range is not known beforehand
 *
 * The width of the bins is a power of two, and the edges are multiples of the
 * width.  The width is the smallest one for which the axis' bins hold the
 * least and the greatest value and all edges are exact doubles.  It is at least
 * 1 for integers and 2^-1022 for floating-point numbers; without values, or
 * with zeros alone, it has that minimum.  The first bin holds the least value.
 *
 * The edges of a wider lattice are a subset of the edges of a narrower lattice,
 * so counts move to the lattice of a wider range without loss.  The
 * result depends only on the least and the greatest value, not on the order of
 * the values.
 */

#ifndef GPUHIST_LATTICE_H
#define GPUHIST_LATTICE_H

#include <stdbool.h>
#include <stdint.h>

#include "kernels/binning/binning.h"

/*
 * The least and the greatest of some values; MIN > MAX: no values yet.  Values
 * beyond BINNING_AUTO_MAX are treated as infinite: they do not widen the extent
 * and are counted in the flow cells.
 */
struct extent {
    double min;
    double max;
};

/* Fewer bins may fail to hold values on both sides of 0, at any width. */
#define LATTICE_BINS_MIN 4

/* The extent of no values. */
extern const struct extent extent_none;

/* Widen EXTENT to include an element of AXIS with BITS. */
void extent_widen_bits(struct extent *extent, const struct binning_axis *axis,
                       uint64_t bits);

/* Widen EXTENT to include all values of MORE. */
static inline void
extent_join(struct extent *extent, const struct extent *more)
{
    extent->min = more->min < extent->min ? more->min : extent->min;
    extent->max = more->max > extent->max ? more->max : extent->max;
}

/* Set the lattice of AXIS, of LATTICE_BINS_MIN bins or more, for EXTENT. */
void lattice_set(struct binning_axis *axis, const struct extent *extent);

/* Whether A and B, two states of one axis, have the same edges. */
bool lattice_is_same(const struct binning_axis *a,
                     const struct binning_axis *b);

/*
 * Returns the bin of the lattice NEW that contains bin I of the lattice OLD.
 * The extent of NEW must contain the extent of OLD.
 */
uint64_t lattice_bin(const struct binning_axis *old, uint64_t i,
                     const struct binning_axis *new);

#endif
