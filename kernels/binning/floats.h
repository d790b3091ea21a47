/* SPDX-License-Identifier: MIT */
/*
 * floats.h -- 32-bit floating-point samples in even bins, without doubles
 *
 * All engines share this file, like binning.h.  The position of a sample among
 * the bins is computed in float, with a bounded error.  If a position is
 * further than the bound from every edge, the position determines the bin.  For
 * all other samples one comparison decides: with the smallest float at or above
 * the edge, or above the edge if bins are closed on the right.  A float is at
 * or above the edge, a double, exactly if the float is not below this smallest
 * float.
 *
 * The comparison uses integers, because a device may treat subnormal floats as
 * 0.  floats_key() maps floats to integers of the same order.
 */

#ifndef GPUHIST_FLOATS_H
#define GPUHIST_FLOATS_H

#include "kernels/binning/binning.h"

#ifdef __CUDACC__
#    define floats_of_bits(bits) __uint_as_float(bits)
#    define floats_bits(x) __float_as_uint(x)
#    define floats_fma(a, b, c) __fmaf_rn(a, b, c)
#    define floats_min(a, b) fminf(a, b)
#    define floats_max(a, b) fmaxf(a, b)
#    define floats_abs(x) fabsf(x)
#elif defined __OPENCL_C_VERSION__
#    define floats_of_bits(bits) as_float(bits)
#    define floats_bits(x) as_uint(x)
#    ifdef FP_FAST_FMAF
#        define floats_fma(a, b, c) fma(a, b, c)
#    else
#        define floats_fma(a, b, c) ((a) * (b) + (c))
#    endif
#    define floats_min(a, b) fmin(a, b)
#    define floats_max(a, b) fmax(a, b)
#    define floats_abs(x) fabs(x)
#else
#    include <math.h>
#    define floats_of_bits(bits) binning_bits_float(bits)
#    define floats_fma(a, b, c) ((a) * (b) + (c))
#    define floats_min(a, b) fminf(a, b)
#    define floats_max(a, b) fmaxf(a, b)
#    define floats_abs(x) fabsf(x)

DEVICE_FN binning_u32
floats_bits(float x)
{
    binning_u32 bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}
#endif

/*
 * After adding this to a number below 2^22, the low bits of the sum are the
 * nearest integer.
 */
#define FLOATS_ROUNDER 12582912.0f /* 1.5 * 2^23 */

#define FLOATS_RULE_WORDS 4 /* of 32 bits, in struct floats_rule */

/* The parts of an axis for floats_find(). */
struct floats_rule {
    float lo;
    float scale;
    float bins;
    float certain; /* the bin is certain if a position is closer to the middle;
                      in bins */
};

/* Maps the bits of a float, not NaN, to an integer in the floats' order. */
DEVICE_FN binning_u32
floats_key(binning_u32 bits)
{
    return bits >> 31 != 0 ? ~bits : bits | (binning_u32)1 << 31;
}

/*
 * The inverse of floats_key(): a float for comparisons, on devices that do not
 * treat subnormals as 0.
 */
DEVICE_FN float
floats_of_key(binning_u32 key)
{
    return floats_of_bits(key >> 31 != 0 ? key & 0x7fffffff : ~key);
}

DEVICE_FN int
floats_is_nan(binning_u32 bits)
{
    return (bits & 0x7fffffff) > 0x7f800000;
}

/* Where a sample is. */
struct floats_place {
    float position;  /* in bins from the middle of bin 0; limited to -1, BINS */
    binning_i32 bin; /* -1: below the first edge; BINS: above the last one */
    int is_certain;
    binning_i32 edge; /* if not certain: the edge to compare with */
};

/*
 * Find the sample with the bits X.  If the bin is not certain, compare keys: if
 * the key of X is less than the key of `edge`, the bin is `edge` - 1, else
 * `edge`.  NaN is never certain.
 */
DEVICE_FN struct floats_place
floats_find(const struct floats_rule *rule, binning_u32 x)
{
    struct floats_place place;
    /* Minus one half: the nearest integer is the bin. */
    float raw = floats_fma(floats_of_bits(x) - rule->lo, rule->scale, -0.5f);
    /* Positions outside the bins become -1 or BINS. */
    float position = floats_min(floats_max(raw, -1.0f), rule->bins);
    float rounded = position + FLOATS_ROUNDER;
    float excess = position - (rounded - FLOATS_ROUNDER);

    place.position = position;
    place.bin =
        (binning_i32)(floats_bits(rounded) - floats_bits(FLOATS_ROUNDER));
    place.is_certain = floats_abs(excess) < rule->certain && raw == raw;
    place.edge = place.bin + (excess > 0 ? 1 : 0);
    return place;
}

/* The cell of the sample with the bits X; KEYS has the keys of all edges. */
DEVICE_FN binning_u32
floats_cell(const struct floats_rule *rule,
            DEVICE_GLOBAL const binning_u32 *keys, binning_u32 bins,
            binning_u32 x)
{
    struct floats_place place = floats_find(rule, x);
    binning_i32 bin = place.bin;

    if (!place.is_certain) {
        if (floats_is_nan(x))
            return bins + BINNING_NAN;
        bin = floats_key(x) < keys[place.edge] ? place.edge - 1 : place.edge;
    }
    if ((binning_u32)bin < bins)
        return (binning_u32)bin;
    return bins + (bin < 0 ? BINNING_UNDERFLOW : BINNING_OVERFLOW);
}

/* For kernels without doubles, the host does the following. */
#ifndef BINNING_NO_DOUBLES

/*
 * The margin: a bound of the error of a position, in bins.
 *
 * The position of a float x is (x - lo) * scale - 1/2.  Each operation is
 * rounded in float, or the last two operations together.  The position does not
 * decrease as x increases.  So a certain bin is right if, at each edge, the
 * position differs from the true (x - lo) / width - 1/2 by at most the margin.
 *
 * The unit of this estimate is 2^-24, the largest error of rounding 1.  The
 * position is off by at most
 *
 *     4 * bins + |lo| / width
 *
 * because an edge is at most bins * width from lo, and because x - lo, scale,
 * the product, the difference and lo itself are rounded.  In the margin, the
 * last term is 2 * (|lo| + |hi|) / width: at least bins more, so at least one
 * unit more, which covers
 *
 * - the rounding of `certain`: 1/4;
 * - subnormal numbers that a device treats as 0: up to 2^-126 * scale, less
 *   than 1/5, for each of x, lo and x - lo;
 * - rounding of the edges and products of errors, which are negligible.
 */
DEVICE_FN double
floats_margin(const struct binning_axis *axis)
{
    double lo = axis->lo < 0 ? -axis->lo : axis->lo;
    double hi = axis->hi < 0 ? -axis->hi : axis->hi;

    return ((double)axis->bins * 4 + (lo + hi) / axis->width * 2) / 16777216;
}

/*
 * Whether floats are accurate enough for AXIS: at most the nearest edge is in
 * doubt, no value in the range overflows, and subnormal numbers are as small as
 * floats_margin() assumes.
 */
DEVICE_FN int
floats_are_enough(const struct binning_axis *axis)
{
    return floats_margin(axis) < 0.125 && axis->lo > -1e30 && axis->hi < 1e30 &&
           axis->scale > 1e-30 && axis->scale < 1e30;
}

DEVICE_FN struct floats_rule
floats_make_rule(const struct binning_axis *axis)
{
    struct floats_rule rule;

    rule.lo = (float)axis->lo;
    rule.scale = (float)axis->scale;
    rule.bins = (float)axis->bins;
    rule.certain = (float)(0.5 - floats_margin(axis));
    return rule;
}

/*
 * The key of the smallest float at or above EDGE, or above EDGE if IS_EXCLUDED.
 */
DEVICE_FN binning_u32
floats_least_key(double edge, int is_excluded)
{
    const binning_u32 zero = floats_key(0);
    float nearest = (float)edge;
    int is_below =
        is_excluded ? (double)nearest <= edge : (double)nearest < edge;

    /* -0 and 0 are equal but have two keys. */
    if (nearest == 0)
        return is_below ? zero + 1 : zero - 1;
    return floats_key(floats_bits(nearest)) + (is_below ? 1 : 0);
}

/* The key of edge I for comparisons with samples. */
DEVICE_FN binning_u32
floats_edge_key(const struct binning_axis *axis, binning_u64 i)
{
    return floats_least_key(binning_even_edge(axis, i),
                            binning_is_excluded(axis, i));
}

#endif

#endif
