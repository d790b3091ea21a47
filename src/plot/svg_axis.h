/* SPDX-License-Identifier: MIT */
/* svg_axis.h -- axes of bands and of amounts, in pixels */

#ifndef GPUHIST_SVG_AXIS_H
#define GPUHIST_SVG_AXIS_H

#include <stdbool.h>
#include <stdio.h>

#include "plot/band.h"
#include "plot/scale.h"

/* ---- bands ---- */

/* An axis in pixels: flow cells, bins, flow cells. */
struct svg_side {
    const struct band_axis *axis;
    double start;  /* of the bins */
    double length; /* of all bins */
    double flow;   /* of a flow cell */
    double bar;    /* of the bar in the middle of the flow cell */
};

/* Place AXIS along LENGTH pixels.  Each flow cell takes FLOW pixels, and the
   bar inside BAR pixels. */
struct svg_side svg_side_of(const struct band_axis *axis, double length,
                            double flow, double bar);

/* From POSITION, in bands and among the bins, to pixels. */
double svg_side_at(const struct svg_side *side, double position);

/* Set the start and the end of band I, in pixels. */
void svg_side_band(const struct svg_side *side, size_t i, double *from,
                   double *to);

/* How a horizontal axis is drawn. */
struct svg_axis_style {
    double step;        /* pixels that a tick usually takes */
    int mark;           /* the length of a tick */
    double digit;       /* the width of a digit in most fonts */
    const char *font;   /* attributes of labels */
    double label;       /* from the axis down to labels ... */
    double flow;        /* ... to the words of flow cells ... */
    double name;        /* ... and to the name; 0: no name */
    const char *colour; /* attributes of the words */
    bool has_initials;  /* instead of words */
};

/* The axis of a picture, and the axis of a panel. */
extern const struct svg_axis_style svg_axis_page;
extern const struct svg_axis_style svg_axis_panel;

/* Draw a horizontal axis at BOTTOM, with labels if HAS_LABELS.  Labels that
   would overlap are left out. */
void svg_axis_put_horizontal(FILE *out, const struct svg_side *side,
                             double bottom, const struct svg_axis_style *style,
                             bool has_labels);

/* The same for bands with a text each, such as times, below every n-th band. */
void svg_axis_put_texts(FILE *out, const struct svg_side *side, double bottom,
                        const struct svg_axis_style *style);

/* Draw the vertical axis of a picture at the left, upwards from BOTTOM. */
void svg_axis_put_vertical(FILE *out, const struct svg_side *side,
                           double bottom);

/* Print NAME upwards, at the left of a picture, centred at Y. */
void svg_axis_put_upwards(FILE *out, double y, const char *name);

/* ---- amounts ---- */

/* Amounts from 0, or from the least below 0, at HEIGHT up to the most at 0. */
struct svg_amounts {
    const struct scale *scale;
    double height;
    struct tick tick[SCALE_PLACES_MAX]; /* COUNT of them */
    size_t count;
};

/* Find about MOST ticks. */
struct svg_amounts svg_amounts_of(const struct scale *scale, double height,
                                  size_t most);

/* Returns how far AMOUNT is from the top. */
double svg_amounts_at(const struct svg_amounts *amounts, double amount);

/* Draw a line across WIDTH for each tick, and one for 0 if amounts are below
   0. */
void svg_amounts_put_lines(FILE *out, const struct svg_amounts *amounts,
                           double width);

/* Print the labels of the ticks at X, and LOWER than their lines. */
void svg_amounts_put_labels(FILE *out, const struct svg_amounts *amounts,
                            double x, double lower);

#endif
