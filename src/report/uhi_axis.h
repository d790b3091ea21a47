/* SPDX-License-Identifier: MIT */
/*
 * uhi_axis.h -- the axes of a histogram in UHI's JSON
 *
 * In UHI, a bin includes its lower edge.  An axis of numbers has at most two
 * places beside the bins: for all values below and above the bins.  NaN and
 * records without a value have no place.
 */

#ifndef GPUHIST_UHI_AXIS_H
#define GPUHIST_UHI_AXIS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/writer.h"
#include "report/rows.h"

/* The places of the cells of an axis with bins of numbers. */
struct uhi_axis {
    const struct binning_axis *axis;
    bool has_flow; /* the first and the last place are not bins */
    uint64_t places;
};

/* Instead of a place: none. */
#define UHI_NO_PLACE UINT64_MAX

/* The most cells of a place. */
#define UHI_CELLS 3

struct uhi_axis uhi_axis_of(const struct binning_axis *axis, enum flow flow);

/* Returns the place of CELL, or UHI_NO_PLACE. */
uint64_t uhi_axis_place(const struct uhi_axis *axis, uint64_t cell);

/* Set CELL to the cells at PLACE.  Returns the number of cells. */
size_t uhi_axis_cells(const struct uhi_axis *axis, uint64_t place,
                      uint64_t cell[UHI_CELLS]);

/* Whether the bins of AXIS are categories: keys, or occurring numbers. */
bool uhi_axis_is_category(const struct binning_axis *axis);

/*
 * The lines of a histogram with categories on the first axis.  Each category is
 * a bin of the axis, and has several lines if the histogram has a second axis.
 */
struct uhi_lines {
    struct rows rows;
    bool is_first;             /* the current line is the first of a category */
    const unsigned char *text; /* with two axes: the category */
    size_t text_size;
};

/* Start the lines of histogram I of REPORT. */
void uhi_lines_open(struct uhi_lines *lines, const struct report *report,
                    size_t i);

/* Go to the next line of a category.  Returns false at the end. */
bool uhi_lines_next(struct uhi_lines *lines);

/* Put the object of axis D of histogram I of REPORT. */
void uhi_axis_put(struct writer *out, const struct report *report, size_t i,
                  size_t d);

/* Put AMOUNT; numbers unknown to JSON are NaN, Infinity and -Infinity. */
void uhi_put_amount(struct writer *out, const struct spec *spec,
                    const struct amount *amount);

/* Returns why UHI cannot describe AXIS; NULL: UHI can. */
const char *uhi_axis_wrong(const struct binning_axis *axis);

#endif
