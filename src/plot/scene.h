/*
 * scene.h -- what a scene of a histogram shows, as text or as SVG
 *
 * Each axis is cut into bands (band.h).  Each combination of bands has the
 * exact amount of its cells, so joining bins loses nothing.
 */

#ifndef GPUHIST_SCENE_H
#define GPUHIST_SCENE_H

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

#define SCENE_AXES_MAX 2
#define SCENE_NAME_BYTES 64
#define SCENE_TITLE_BYTES 512

struct scene {
    const struct spec *spec;
    size_t axes;
    struct band_axis axis[SCENE_AXES_MAX];
    struct histogram amounts; /* of band x of axis 0 and band y of axis 1, if
                                 there is one: cell y * axis[0].bands + x */
    struct scale scale;       /* up to the greatest magnitude */
    bool has_negative;        /* a sum is below 0 */
    bool is_incomplete;       /* as in the subject */
    uint64_t values;          /* the number of values shown */

    size_t histogram;
    bool has_keys;               /* the rows are no bins ... */
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
int scene_check(const struct spec *spec, const char *option,
                struct error *error);

/*
 * Make the scene of histogram I, below spec_histograms().  Axis a has at most
 * most[a] bands, as band_cut() says, which also explains IS_WHOLE; or bars as
 * key_bars.h says.
 *
 * Returns 0, or -1: out of memory.  The caller calls scene_close() in both
 * cases.
 */
int scene_make(struct scene *scene, const struct scene_subject *subject,
               size_t i, const size_t most[SCENE_AXES_MAX], bool is_whole);

/*
 * Begin the scene of histogram I, which group_rows_are_for(): at most MOST
 * rows, as group_rows_count() says, with their totals.  Then cut the axis of
 * the numbers into at most MOST bands.  Each returns 0, or -1: out of memory.
 * The caller calls scene_close() in all cases, and does not move SCENE.
 */
int scene_choose_groups(struct scene *scene,
                        const struct scene_subject *subject, size_t i,
                        size_t most);
int scene_cut_groups(struct scene *scene, size_t most);

/* Write the amount of all of ROW, of a group, as scene_amount_text() does. */
void scene_total_text(const struct scene *scene, size_t row,
                      char text[SUM_TEXT_BYTES]);

/* The amount in CELL of scene->amounts, rounded to a double. */
double scene_amount(const struct scene *scene, uint64_t cell);

/* Write the amount in CELL: a count exactly, a sum as the tables print it. */
void scene_amount_text(const struct scene *scene, uint64_t cell,
                       char text[SUM_TEXT_BYTES]);

/* Whether CELL has no values. */
bool scene_is_empty(const struct scene *scene, uint64_t cell);

/* Write what the amounts are: "count", "sum of field 2". */
void scene_amounts_name(const struct scene *scene, char name[SCENE_NAME_BYTES]);

/*
 * Write the title: "bytes: 48 counted, 16 joined, logarithmic".  If there are
 * two axes, the first one named is the horizontal one.
 */
void scene_title(const struct scene *scene, char title[SCENE_TITLE_BYTES]);

/* Whether SPEC has one histogram with several axes that is drawn as a map. */
bool scene_is_map(const struct spec *spec);

/* Release everything in SCENE. */
void scene_close(struct scene *scene);

#endif
