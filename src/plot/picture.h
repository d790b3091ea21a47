/*
 * picture.h -- what a picture of a histogram shows, as text or as SVG
 *
 * Each axis is cut into bands (band.h).  Each combination of bands has the
 * exact amount of its cells, so joining bins loses nothing.
 */

#ifndef GPUHIST_PICTURE_H
#define GPUHIST_PICTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "hist/histogram.h"
#include "hist/spec.h"
#include "hist/sum.h"
#include "plot/band.h"
#include "plot/group_rows.h"
#include "plot/key_bars.h"
#include "plot/scale.h"
#include "plot/subject.h"

#define PICTURE_AXES_MAX 2
#define PICTURE_NAME_BYTES 64
#define PICTURE_TITLE_BYTES 512

struct picture {
    const struct spec *spec;
    size_t axes;
    struct band_axis axis[PICTURE_AXES_MAX];
    struct histogram amounts; /* of band x of axis 0 and band y of axis 1, if
                                 there is one: cell y * axis[0].bands + x */
    struct scale scale;       /* up to the greatest magnitude */
    bool has_negative;        /* a sum is below 0 */
    bool is_incomplete;       /* as in the subject */
    uint64_t values;          /* the number of values shown */

    size_t histogram;
    bool has_keys; /* the histogram has names: spec_has_names() ... */
    struct key_bars key_bars;    /* ... and what is shown of them */
    const struct key_list *keys; /* spec_keys() */

    /* A row for each group: axis 1.  All rows have axis 0, of numbers. */
    bool has_groups;
    struct group_rows groups;
    struct scale *row_scale;         /* of each row; SCALE has no lengths */
    struct binning_axis number_axis; /* of numbers without bins */
};

/*
 * Check that SPEC can be drawn: a joint histogram without a list has one or two
 * axes.  Returns 0, or -1 with *ERROR set; the message begins with OPTION.
 */
int picture_check(const struct spec *spec, const char *option,
                  struct error *error);

/*
 * Make the picture of histogram I, below spec_histograms().  Axis a has at most
 * most[a] bands, as band_cut() says, which also explains IS_WHOLE; or bars as
 * key_bars.h says.
 *
 * Returns 0, or -1: out of memory.  The caller calls picture_close() in both
 * cases.
 */
int picture_make(struct picture *picture, const struct picture_subject *subject,
                 size_t i, const size_t most[PICTURE_AXES_MAX], bool is_whole);

/*
 * Begin the picture of histogram I, which group_rows_are_for(): at most MOST
 * rows, as group_rows_count() says, with their totals.  Then cut the axis of
 * the numbers into at most MOST bands.  Each returns 0, or -1: out of memory.
 * The caller calls picture_close() in all cases, and does not move PICTURE.
 */
int picture_choose_groups(struct picture *picture,
                          const struct picture_subject *subject, size_t i,
                          size_t most);
int picture_cut_groups(struct picture *picture, size_t most);

/* Write the amount of all of ROW, of a group, as picture_amount_text() does. */
void picture_total_text(const struct picture *picture, size_t row,
                        char text[SUM_TEXT_BYTES]);

/* The amount in CELL of picture->amounts, rounded to a double. */
double picture_amount(const struct picture *picture, uint64_t cell);

/* Write the amount in CELL: a count exactly, a sum as the tables print it. */
void picture_amount_text(const struct picture *picture, uint64_t cell,
                         char text[SUM_TEXT_BYTES]);

/* Whether CELL has no values. */
bool picture_is_empty(const struct picture *picture, uint64_t cell);

/* Write what the amounts are: "count", "sum of field 2". */
void picture_amounts_name(const struct picture *picture,
                          char name[PICTURE_NAME_BYTES]);

/*
 * Write the title: "bytes: 48 counted, 16 joined, logarithmic".  If there are
 * two axes, the first one named is the horizontal one.
 */
void picture_title(const struct picture *picture,
                   char title[PICTURE_TITLE_BYTES]);

/* Whether SPEC has one histogram with several axes that is drawn as a map. */
bool picture_is_map(const struct spec *spec);

/* Release everything in PICTURE. */
void picture_close(struct picture *picture);

#endif
