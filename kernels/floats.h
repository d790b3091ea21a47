/*
 * floats.h -- 32-bit floating-point samples in even bins, without doubles
 *
 * Shared as binning.h is.  The position of a sample among the bins is computed
 * in float.  Its error is bounded; where the position is further than that
 * bound from a whole number, so from every edge, the bin is certain.  For the
 * others one comparison decides: with the smallest float that is at or above
 * the edge (or above it, where that bin is closed on the right).  A float is
 * at or above the edge, a double, exactly when it is not below that float.
 *
 * The comparison is one of integers, since a device may take subnormal floats
 * for 0: floats_key() orders them.
 */

#ifndef GPUHIST_FLOATS_H
#define GPUHIST_FLOATS_H

#include "binning.h"

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

BINNING_FUNCTION binning_u32
floats_bits(float x)
{
    binning_u32 bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}
#endif

/* Added to a number below 2^22, it leaves the nearest integer in low bits. */
#define FLOATS_ROUNDER 12582912.0f /* 1.5 * 2^23 */

/* What is needed of an axis: so many words. */
#define FLOATS_RULE_WORDS 4
struct floats_rule {
    float lo;
    float scale;
    float bins;
    float certain; /* the bin is, if a position is so close to its middle */
};

/* The bits of a float that is a number, in the order of the numbers. */
BINNING_FUNCTION binning_u32
floats_key(binning_u32 bits)
{
    return bits >> 31 != 0 ? ~bits : bits | (binning_u32)1 << 31;
}

/* The inverse: a threshold to compare floats with, where subnormals count. */
BINNING_FUNCTION float
floats_of_key(binning_u32 key)
{
    return floats_of_bits(key >> 31 != 0 ? key & 0x7fffffff : ~key);
}

BINNING_FUNCTION int
floats_is_nan(binning_u32 bits)
{
    return (bits & 0x7fffffff) > 0x7f800000;
}

/* Where a sample is. */
struct floats_place {
    binning_i32 bin; /* -1: below the first edge; BINS: above the last one */
    int is_certain;
    binning_i32 edge; /* if it is not certain: this one decides */
};

/*
 * Find the sample X, given its bits.  If its bin is not certain, it is the one
 * before EDGE where the key of X is less than that edge's, and else the one of
 * the number EDGE.  What is no number is never certain.
 */
BINNING_FUNCTION struct floats_place
floats_find(const struct floats_rule *rule, binning_u32 x)
{
    struct floats_place place;
    /* So that the nearest integer is the bin: the position less one half. */
    float raw = floats_fma(floats_of_bits(x) - rule->lo, rule->scale, -0.5f);
    /* Far outside is -1 or BINS. */
    float position = floats_min(floats_max(raw, -1.0f), rule->bins);
    float rounded = position + FLOATS_ROUNDER;
    float excess = position - (rounded - FLOATS_ROUNDER);

    place.bin =
        (binning_i32)(floats_bits(rounded) - floats_bits(FLOATS_ROUNDER));
    place.is_certain = floats_abs(excess) < rule->certain && raw == raw;
    place.edge = place.bin + (excess > 0 ? 1 : 0);
    return place;
}

/* The cell of the sample X, given its bits and the KEYS of all edges. */
BINNING_FUNCTION binning_u32
floats_cell(const struct floats_rule *rule,
            BINNING_GLOBAL const binning_u32 *keys, binning_u32 bins,
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

/* What a kernel cannot do where there are no doubles: the host does. */
#ifndef BINNING_NO_DOUBLES

/*
 * The position of a float x is (x - lo) * scale - 1/2, each operation rounded
 * in float, or the last two together.  It never falls where x rises.  So a bin
 * that is certain is the right one if, at each edge, the position is not
 * further than the margin from the true (x - lo) / width - 1/2.  In units of
 * 2^-24, which is the most that a rounding adds to 1, it is off by at most
 *
 *     4 * bins + |lo| / width
 *
 * since an edge is up to bins widths from lo, and x - lo, scale, the product
 * and the difference are rounded, and lo itself.  The margin has twice the
 * latter, and the same for hi: at least bins more, and so one unit at least.
 * Of that, 1/4 is for `certain`, which is rounded; and where subnormal numbers
 * count as 0, up to 2^-126 * scale, which is less than 1/5, for each of x, lo
 * and x - lo.  Edges and products of errors need next to nothing.
 */
BINNING_FUNCTION double
floats_margin(const struct binning_axis *axis)
{
    double lo = axis->lo < 0 ? -axis->lo : axis->lo;
    double hi = axis->hi < 0 ? -axis->hi : axis->hi;

    return ((double)axis->bins * 4 + (lo + hi) / axis->width * 2) / 16777216;
}

/*
 * Whether the margin is so small that at most the nearest edge is in doubt,
 * nothing overflows that is in the range, and subnormal numbers are as small
 * as said above.
 */
BINNING_FUNCTION int
floats_are_enough(const struct binning_axis *axis)
{
    return floats_margin(axis) < 0.125 && axis->lo > -1e30 && axis->hi < 1e30 &&
           axis->scale > 1e-30 && axis->scale < 1e30;
}

BINNING_FUNCTION struct floats_rule
floats_make_rule(const struct binning_axis *axis)
{
    struct floats_rule rule;

    rule.lo = (float)axis->lo;
    rule.scale = (float)axis->scale;
    rule.bins = (float)axis->bins;
    rule.certain = (float)(0.5 - floats_margin(axis));
    return rule;
}

/* The key of edge I: that of the smallest float which is not below it. */
BINNING_FUNCTION binning_u32
floats_edge_key(const struct binning_axis *axis, binning_u64 i)
{
    const binning_u32 zero = floats_key(0);
    double edge = binning_even_edge(axis, i);
    int is_excluded = axis->closed == BINNING_RIGHT ||
                      (axis->closed == BINNING_NUMPY && i == axis->bins);
    float nearest = (float)edge;
    int is_below =
        is_excluded ? (double)nearest <= edge : (double)nearest < edge;

    /* There are two zeros. */
    if (nearest == 0)
        return is_below ? zero + 1 : zero - 1;
    return floats_key(floats_bits(nearest)) + (is_below ? 1 : 0);
}

#endif

#endif
