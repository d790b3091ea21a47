/* floats.h -- how far a position among even bins can be trusted in float */

#ifndef GPUHIST_FLOATS_H
#define GPUHIST_FLOATS_H

#include "binning.h"

/*
 * The position of a float x is (x - lo) * scale - 1/2, with x - lo rounded
 * and then the product and the difference rounded together, all in float.
 * The unit roundoff is 2^-24.  Against the true (x - lo) / width - 1/2, with
 * lo, scale and each edge rounded once as well, the error is below
 *
 *     bins * 4 * 2^-24 + (|lo| + |hi|) / width * 2 * 2^-24
 *
 * for every x in the range and less than a bin outside it: x - lo costs two
 * roundings of up to bins widths, and one of lo; scale and the product one
 * each; the rest is slack.
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
 * and nothing overflows or becomes denormal.
 */
BINNING_FUNCTION int
floats_are_enough(const struct binning_axis *axis)
{
    return floats_margin(axis) < 0.125 && axis->lo > -1e30 && axis->hi < 1e30 &&
           axis->scale > 1e-30 && axis->scale < 1e30;
}

#endif
