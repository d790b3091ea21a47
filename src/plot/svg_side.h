/* svg_side.h -- an axis of bands in pixels */

#ifndef GPUHIST_SVG_SIDE_H
#define GPUHIST_SVG_SIDE_H

#include "plot/band.h"

/* An axis in pixels: flow cells, bins, flow cells. */
struct svg_side {
    const struct band_axis *axis;
    double begin;  /* start of the bins */
    double length; /* of all bins */
    double flow;   /* of a flow cell */
    double bar;    /* of its bar, in the middle of that */
};

/*
 * Place AXIS along LENGTH pixels, of which each flow cell takes FLOW and its
 * bar BAR.
 */
struct svg_side svg_side_make(const struct band_axis *axis, double length,
                              double flow, double bar);

/* From POSITION, in bands and among the bins, to pixels. */
double svg_side_at(const struct svg_side *side, double position);

/* The start and the end of band I, in pixels. */
void svg_side_band(const struct svg_side *side, size_t i, double *from,
                   double *to);

#endif
