/* band_text.h -- names of axes, labels of bands */

#ifndef GPUHIST_BAND_TEXT_H
#define GPUHIST_BAND_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hist/spec.h"
#include "plot/band.h"
#include "util/number.h"

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

#endif
