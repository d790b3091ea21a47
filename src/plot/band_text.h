/* band_text.h -- names of axes, labels of bands */

#ifndef GPUHIST_BAND_TEXT_H
#define GPUHIST_BAND_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/number.h"
#include "hist/spec.h"
#include "plot/band.h"

/*
 * Set the name of AXIS, axis I of SPEC: "bytes", "values (u2)", "field 2 (f4)";
 * of an image, the channel: "red", "grey"; of keys: "lines", "field 2".
 */
void band_text_set_name(struct band_axis *axis, const struct spec *spec,
                        size_t i, bool is_image);

/*
 * Set the labels of all bands of AXIS.  Edges are rounded to the fewest digits
 * that place them within a hundredth of their band.  The bands of byte values
 * also get glyphs, except in an image.
 */
void band_text_set(struct band_axis *axis, bool is_image);

/*
 * Write edge I of AXIS, 0 to the number of bins, rounded to DIGITS significant
 * digits; exactly, if that is no longer.
 */
void band_text_edge(const struct band_axis *axis, uint64_t i, int digits,
                    char text[NUMBER_TEXT_BYTES]);

/* The same for the lower edge of bin CELL, or for its value, exactly. */
void band_text_low(const struct band_axis *axis, uint64_t cell, int digits,
                   char text[NUMBER_TEXT_BYTES]);

/* The same for the lower edge or value of all bands of bins; IS_LAST: for the
   upper edge, or the last value. */
void band_text_end(const struct band_axis *axis, bool is_last, int digits,
                   char text[NUMBER_TEXT_BYTES]);

/* How the rows of an axis are named. */
struct band_labels {
    bool is_whole;  /* by the texts of the bands; else by their lower edges */
    int digits;     /* of these */
    size_t columns; /* at most, of a label */
};

/*
 * Choose labels of at most MOST columns for the bands of AXIS, whose texts are
 * set.  A number is never cut: of two edges that do not fit the lower one
 * remains, with fewer digits if need be.
 */
struct band_labels band_labels_choose(const struct band_axis *axis,
                                      size_t most);

/* Write the label of BAND, which is in AXIS; "" if it does not fit. */
void band_labels_text(const struct band_labels *labels,
                      const struct band_axis *axis, const struct band *band,
                      char text[BAND_TEXT_BYTES]);

#endif
