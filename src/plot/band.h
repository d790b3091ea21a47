/* SPDX-License-Identifier: MIT */
/*
 * band.h -- an axis cut into bands: the bars or cells of a scene
 *
 * A band is a bin, several adjacent bins joined, or a flow cell.  Bins are
 * joined if an axis has more bins than fit.
 */

#ifndef GPUHIST_BAND_H
#define GPUHIST_BAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/number.h"
#include "hist/axis.h"
#include "hist/spec.h"

#define BAND_NAME_BYTES 128
#define BAND_TEXT_BYTES (NUMBER_TEXT_BYTES * 3)

struct band {
    uint64_t first; /* cell of the axis */
    uint64_t cells; /* adjacent cells in the band; 1 for a flow cell */
    bool is_flow;
    bool is_gap; /* of several times without a key, which TEXT counts */
    char text[BAND_TEXT_BYTES]; /* "65", "64..79", "[0, 0.5)", "nan" */
    char glyphs[8];             /* printable byte values: "A", "@..O"; or "" */
    const char *word; /* of a flow cell: "below"; of times without a key: TEXT;
                         else NULL */
};

/*
 * An axis and its bands.  AXIS and EDGES must outlive the struct.  The caller
 * releases BAND with free().
 */
struct band_axis {
    const struct binning_axis *axis;
    const struct axis_edges *edges;
    char name[BAND_NAME_BYTES]; /* "city", "field2 (f4)", "red" */
    uint64_t joined; /* bins in each band; the last band may have fewer */
    size_t first;    /* index of the first band of bins */
    size_t last;     /* end of the bands of bins */
    struct band *band;
    size_t bands;
};

/*
 * The cells of an axis with values.  Start with FIRST at UINT64_MAX and all
 * else 0.
 */
struct band_extent {
    uint64_t first; /* bin; more than LAST if no bin holds values */
    uint64_t last;
    bool has_flow[BINNING_FLOWS + AXIS_SPECIALS];
};

/*
 * Set AXIS to axis I of SPEC, without bands.  Its name is that of NAMES, which
 * has the name of the column of each axis, and the type of its numbers:
 * "value (u2)", "field2 (f4)"; of keys: "line", "city"; of an image, the
 * channel: "red", "grey".
 */
void band_set_axis(struct band_axis *axis, const struct spec *spec, size_t i,
                   const char *const *names, bool is_image);

/* Set the name of AXIS to those of the first COUNT axes of histogram I. */
void band_set_list(struct band_axis *axis, const struct spec *spec, size_t i,
                   const char *const *names, size_t count);

/* Note in EXTENT: CELL of AXIS holds values. */
void band_extent_add(struct band_extent *extent,
                     const struct binning_axis *axis, uint64_t cell);

/*
 * Cut AXIS into at most MOST bands, flow cells included; but at least one band
 * of bins.  HOW decides which flow cells get a band.  Empty bins at both ends
 * are left out if the axis has too many bins or is logarithmic, unless
 * IS_WHOLE.  If too many bins remain, adjacent bins are joined: the smallest
 * number that fits, or a greater number, below twice the smallest, that divides
 * the bins into equal bands.
 *
 * Returns 0, or -1: out of memory.
 */
int band_cut(struct band_axis *axis, const struct band_extent *extent,
             enum flow how, size_t most, bool is_whole);

/* Returns the index of the band with CELL; SIZE_MAX: no band has CELL. */
size_t band_find(const struct band_axis *axis, uint64_t cell);

/*
 * Set the texts of all bands of AXIS.  Edges are rounded to the fewest digits
 * that keep the error below a hundredth of the band.  The bands of byte values
 * also get glyphs, except in an image.
 */
void band_set_texts(struct band_axis *axis, bool is_image);

/*
 * Write edge I of AXIS, 0 to the number of bins, rounded to DIGITS significant
 * digits; exactly, if the exact text is as short.
 */
void band_edge_text(const struct band_axis *axis, uint64_t i, int digits,
                    char text[NUMBER_TEXT_BYTES]);

/* Write the lower edge or value of all bands of bins in the same way; IS_LAST:
   the upper edge, or the last value. */
void band_end_text(const struct band_axis *axis, bool is_last, int digits,
                   char text[NUMBER_TEXT_BYTES]);

/* How the rows of an axis are named. */
struct band_labels {
    bool is_whole;  /* the texts of the bands; else the lower edges */
    int digits;     /* of lower edges */
    size_t columns; /* at most, of a label */
};

/*
 * Choose labels of at most MOST columns for the bands of AXIS.  The texts of
 * the bands are set.  A number is never cut: if two edges do not fit, the lower
 * edge remains, with fewer digits if need be.
 */
struct band_labels band_labels_choose(const struct band_axis *axis,
                                      size_t most);

/* Write the label of BAND of AXIS; "" if the label does not fit. */
void band_labels_text(const struct band_labels *labels,
                      const struct band_axis *axis, const struct band *band,
                      char text[BAND_TEXT_BYTES]);

#endif
