/* SPDX-License-Identifier: MIT */
/*
 * nearest.h -- the bin of a sample on an even axis, by one comparison
 *
 * binning_even_bin() compares a sample with both edges of a guessed bin, and
 * moves on from there.  Here the sample is compared with the nearest edge only,
 * by the comparison of binning.h: the sample is in the bin above this edge, or
 * in the bin below.  Without a branch, all samples take the same time.
 *
 * The file is written in the common subset of C11 and CUDA C++.
 */

#ifndef GPUHIST_NEAREST_H
#define GPUHIST_NEAREST_H

#include "kernels/binning/binning.h"

/*
 * After adding this to a number below 2^51, the low bits of the sum are the
 * nearest integer.
 */
#define NEAREST_ROUNDER 0x1.8p52

DEVICE_FN double
nearest_magnitude(double x)
{
    return x < 0 ? -x : x;
}

/*
 * Whether the bin of each sample on AXIS is beside its nearest edge.
 *
 * Let P(x) be the computed position of x, in bins.  P does not decrease as x
 * increases.  So |P(edge(i)) - i| < 1/2 for each edge is enough: if x were not
 * above edge i - 1, the nearest edge would not be i.  The error of P(edge(i))
 * is at most
 *
 *     bins * 2^-39      scale is not exactly 1 / width
 *     4 * 2^-53 * max(|lo|, |hi|) / width
 *                       the edge, and its distance from lo, are rounded
 *
 * which is less than 2^-8 + 2^-3.  A growing axis must also lie between the
 * values counted as infinite.
 */
DEVICE_FN int
nearest_is_enough(const struct binning_axis *axis)
{
    double lo = nearest_magnitude(axis->lo);
    double hi = nearest_magnitude(axis->hi);
    double most = lo > hi ? lo : hi;
    double bins = (double)axis->bins;
    double width = axis->scale * axis->width;           /* in bins: 1 */
    double range = axis->scale * (axis->hi - axis->lo); /* BINS */

    return axis->kind == BINNING_EVEN && !axis->is_log &&
           axis->bins <= 0x7fffffff && most <= BINNING_AUTO_MAX &&
           axis->width > 1e-290 && axis->width < 1e290 &&
           axis->scale > 1e-290 && axis->scale < 1e290 &&
           nearest_magnitude(width - 1) < 0x1p-40 &&
           nearest_magnitude(range - bins) < bins * 0x1p-40 &&
           axis->width > most * 0x1p-48;
}

struct nearest {
    binning_u32 edge; /* 0 to BINS */
    double value;     /* of this edge */
    int right;        /* a sample at this edge is in the bin below */
};

/* The edge of AXIS nearest to X; some edge if X is NaN. */
DEVICE_FN struct nearest
nearest_find(const struct binning_axis *axis, double x)
{
    struct nearest nearest;
    double bins = (double)axis->bins;
    double position = (x - axis->lo) * axis->scale;

    position = position > 0 ? position : 0;
    position = position < bins ? position : bins;
    double rounded = position + NEAREST_ROUNDER;
    nearest.edge = (binning_u32)binning_double_bits(rounded);

    /* As in binning_even_edge(), without converting the index. */
    int is_last = nearest.edge == (binning_u32)axis->bins;
    double edge = axis->lo + (rounded - NEAREST_ROUNDER) * axis->width;
    nearest.value = is_last ? axis->hi : edge;
    nearest.right = axis->closed == BINNING_RIGHT ||
                    (axis->closed == BINNING_NUMPY && is_last);
    return nearest;
}

/* The cell of a sample above the edge NEAREST, or not. */
DEVICE_FN binning_u32
nearest_cell(const struct binning_axis *axis, const struct nearest *nearest,
             int is_above)
{
    binning_u32 bins = (binning_u32)axis->bins;
    binning_u32 bin = nearest->edge - (is_above ? 0 : 1);

    if (bin < bins)
        return bin;
    return bins + (bin == bins ? BINNING_OVERFLOW : BINNING_UNDERFLOW);
}

/* The cell of the number X on AXIS, for which nearest_is_enough(). */
DEVICE_FN binning_u32
nearest_number_cell(const struct binning_axis *axis, double x)
{
    struct nearest nearest = nearest_find(axis, x);
    binning_u32 cell = nearest_cell(
        axis, &nearest, binning_is_above(x, nearest.value, nearest.right));

    return x != x ? (binning_u32)axis->bins + BINNING_NAN : cell;
}

/*
 * The cell of an integer, as nearest_number_cell().  VALUE is in 64-bit two's
 * complement, and is rounded for the comparison by the rule of binning.h.
 */
DEVICE_FN binning_u32
nearest_integer_cell(const struct binning_axis *axis, binning_u64 value,
                     int is_signed)
{
    double x = is_signed ? (double)(binning_i64)value : (double)value;
    struct nearest nearest = nearest_find(axis, x);

    x = binning_ordered(value, is_signed, nearest.right);
    return nearest_cell(axis, &nearest,
                        binning_is_above(x, nearest.value, nearest.right));
}

#endif
