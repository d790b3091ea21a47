/* SPDX-License-Identifier: MIT */
/* lattice.c -- even bins for values whose range is not known beforehand */

#include <math.h>

#include "hist/lattice.h"

/* All whole numbers up to here are doubles. */
#define WHOLE_MAX 0x1p53

/* No bin of floats is narrower than the smallest normal double. */
#define EXPONENT_MIN (-1022)

const struct extent extent_none = {INFINITY, -INFINITY};

/* ---- extents ---- */

void
extent_widen_bits(struct extent *extent, const struct binning_axis *axis,
                  uint64_t bits)
{
    bool right = axis->closed == BINNING_RIGHT;
    double x = binning_is_float(axis->type)
                   ? binning_float(axis->type, bits)
                   : binning_ordered(binning_integer(axis, bits),
                                     binning_is_signed(axis->type), right);

    /* False for NaN. */
    if (fabs(x) <= BINNING_AUTO_MAX) {
        extent->min = x < extent->min ? x : extent->min;
        extent->max = x > extent->max ? x : extent->max;
    }
}

/* ---- lattices ---- */

/* X / 2^EXPONENT; if that underflows, a number with its floor and ceil. */
static double
quotient(double x, int exponent)
{
    double result = ldexp(x, -exponent);

    return x != 0 && fabs(result) < 0.25 ? copysign(0.25, x) : result;
}

/*
 * The number of the bin of X, if bins are 2^EXPONENT wide and bin 0 starts at
 * value 0.
 */
static double
bin_number(double x, int exponent, bool right)
{
    double position = quotient(x, exponent);

    return right ? ceil(position) - 1 : floor(position);
}

void
lattice_set(struct binning_axis *axis, const struct extent *extent)
{
    bool right = axis->closed == BINNING_RIGHT;
    bool is_empty = extent->min > extent->max;
    double min = is_empty ? 0 : extent->min;
    double max = is_empty ? 0 : extent->max;
    double magnitude = fmax(fabs(min), fabs(max));
    /* Bins of integers need not be narrower than 1. */
    int exponent = binning_is_float(axis->type) ? EXPONENT_MIN : 0;

    /* All edges must be doubles.  A first guess: the loop checks it exactly. */
    if (magnitude != 0 && exponent < ilogb(magnitude) - 53)
        exponent = ilogb(magnitude) - 53;
    while (quotient(magnitude, exponent) > WHOLE_MAX - (double)axis->bins)
        exponent++;
    while (bin_number(max, exponent, right) -
               bin_number(min, exponent, right) >=
           (double)axis->bins)
        exponent++;

    double first = bin_number(min, exponent, right);
    axis->width = ldexp(1, exponent);
    axis->lo = ldexp(first, exponent);
    axis->hi = ldexp(first + (double)axis->bins, exponent);
    axis->scale = ldexp(1, -exponent);
}

bool
lattice_is_same(const struct binning_axis *a, const struct binning_axis *b)
{
    return a->lo == b->lo && a->width == b->width;
}

uint64_t
lattice_bin(const struct binning_axis *old, uint64_t i,
            const struct binning_axis *new)
{
    /* Edges are whole multiples, below 2^53, of the width. */
    double number = old->lo / old->width + (double)i;
    int growth = ilogb(new->width) - ilogb(old->width);

    return (uint64_t)(floor(quotient(number, growth)) - new->lo / new->width);
}
