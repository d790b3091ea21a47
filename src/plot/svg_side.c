/* svg_side.c -- an axis of bands in pixels */

#include "plot/svg_side.h"

struct svg_side
svg_side_make(const struct band_axis *axis, double length, double flow,
              double bar)
{
    size_t behind = axis->bands - axis->last;

    return (struct svg_side){
        .axis = axis,
        .begin = (double)axis->first * flow,
        .length = length - (double)(axis->first + behind) * flow,
        .flow = flow,
        .bar = bar,
    };
}

double
svg_side_at(const struct svg_side *side, double position)
{
    const struct band_axis *axis = side->axis;

    return side->begin + (position - (double)axis->first) * side->length /
                             (double)(axis->last - axis->first);
}

void
svg_side_band(const struct svg_side *side, size_t i, double *from, double *to)
{
    const struct band_axis *axis = side->axis;

    if (i >= axis->first && i < axis->last) {
        *from = svg_side_at(side, (double)i);
        *to = svg_side_at(side, (double)(i + 1));
        return;
    }
    double slot = i < axis->first ? (double)i * side->flow
                                  : side->begin + side->length +
                                        (double)(i - axis->last) * side->flow;
    *from = slot + (side->flow - side->bar) / 2;
    *to = *from + side->bar;
}
