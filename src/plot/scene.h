/* SPDX-License-Identifier: MIT */
/*
 * scene.h -- the drawable content of a histogram, for all backends
 *
 * A scene holds the common content of all pictures of a histogram: bands
 * (band.h), the exact amount of each bar or cell, scales, names and the title.
 * scene_make.h makes scenes.  A backend, canvas.h or svg.h, adds the geometry:
 * how many columns or pixels each thing takes.
 *
 * Each combination of bands has the exact sum of the joined cells, so joining
 * bins loses nothing.
 */

#ifndef GPUHIST_SCENE_H
#define GPUHIST_SCENE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/ranking.h"
#include "hist/count_limits.h"
#include "hist/histogram.h"
#include "hist/spec.h"
#include "hist/sum.h"
#include "plot/band.h"
#include "plot/scale.h"

#define SCENE_AXES_MAX 2
/* The most keys or groups that --top can ask for. */
#define SCENE_TOP_MAX 1000

#define SCENE_NAME_BYTES 64
#define SCENE_TITLE_BYTES 512

/* The source of scenes.  SPEC must outlive the scenes. */
struct scene_subject {
    const struct spec *spec;
    const struct histogram *histogram; /* of the shown axes: spec_fold() */
    const char *const *names; /* of the columns, for each axis of SPEC */
    enum flow flow;
    bool is_log;        /* amounts are drawn on a logarithmic scale */
    bool is_image;      /* fields are channels */
    bool is_incomplete; /* a part of the input is missing */

    /* The choice of keys with a bar, and their order. */
    uint64_t top; /* the most keys; 0: as many as fit */
    struct count_limits limits;
    bool no_other;  /* no bar for the other keys */
    enum sort sort; /* SORT_DEFAULT: by value if all keys have a bar or are
                       times, or of a spectrum without TOP */
};

enum scene_kind {
    SCENE_BARS,  /* a bar for each band of axis 0 */
    SCENE_KEYS,  /* a bar for each key, number or tuple of a list */
    SCENE_MAP,   /* a cell for each pair of bands */
    SCENE_PAIRS, /* a row for each group, axis 1, of a bar for each key */
    SCENE_GROUPS /* a row for each group, axis 1, of bars for the numbers */
};

struct scene {
    enum scene_kind kind;
    const struct scene_subject *subject; /* outlives the scene */
    const struct spec *spec;             /* the spec of SUBJECT */
    size_t histogram;
    enum counted_rows rows; /* of the histogram */
    size_t axes;
    struct band_axis axis[SCENE_AXES_MAX];
    struct histogram amounts; /* cell y * axis[0].bands + x has band x of axis 0
                                 and band y of axis 1; without axis 1, y is 0 */
    struct scale scale;       /* of AMOUNTS; of groups without lengths */
    bool has_negative;        /* a sum is below 0 */
    uint64_t values;          /* the number of values shown */

    /* Of keys and groups.  NULL: keys without a list. */
    const struct key_list *keys;
    uint64_t occurring; /* keys or groups with a count */
    uint64_t shown;     /* occurring, and with a bar or row */
    bool is_time;       /* bars of times without holes, each with its text */

    /* Of groups, also of pairs: a cell for each row, and of groups a scale. */
    struct histogram totals;
    struct scale *row_scale;
    uint32_t *row_of;                /* of each group, in their order */
    uint32_t other_row;              /* the row of all other groups */
    struct binning_axis number_axis; /* of numbers without bins */
};

enum scene_tone {
    SCENE_PLAIN,
    SCENE_FLOW,
    SCENE_NEGATIVE
};

/* Which kind of scene histogram I of SPEC has.  Keys may become pairs. */
enum scene_kind scene_kind_of(const struct spec *spec, size_t i);

/* Whether axis 1 of SCENE has groups. */
bool scene_has_groups(const struct scene *scene);

/* Whether SPEC has one joint histogram without a list: a heat map. */
bool scene_is_map(const struct spec *spec);

/*
 * Returns how many of WANTED keys or groups may have a bar or row of their own.
 * MOST bars fit, and FIXED of them are taken; a bar for the others is taken if
 * HAS_OTHERS or if not all WANTED keys fit.
 */
uint64_t scene_room(const struct scene_subject *subject, uint64_t most,
                    uint64_t fixed, uint64_t wanted, bool has_others);

/* Whether cell A of HISTOGRAM has a higher amount than cell B, or the same and
   comes first. */
bool scene_is_greater(const struct spec *spec,
                      const struct histogram *histogram, uint64_t a,
                      uint64_t b);

/*
 * Returns the scale of COUNT amounts from cell FIRST on, up to the greatest
 * magnitude.  Notes negative amounts in SCENE.
 */
struct scale scene_scale(struct scene *scene, uint64_t first, uint64_t count);

/* Returns the amount in CELL of scene->amounts, rounded to a double. */
double scene_amount(const struct scene *scene, uint64_t cell);

/* Returns the scale of the amount in CELL. */
const struct scale *scene_scale_of(const struct scene *scene, uint64_t cell);

/* Returns the colour of the amount in CELL. */
enum scene_tone scene_tone(const struct scene *scene, uint64_t cell);

/* Write the amount in CELL: a count exactly, a sum as the tables print it. */
void scene_amount_text(const struct scene *scene, uint64_t cell,
                       char text[SUM_TEXT_BYTES]);

/* Write the amount of bar I of keys, or the total of row I of groups. */
void scene_row_text(const struct scene *scene, size_t i,
                    char text[SUM_TEXT_BYTES]);

/* Write the name of the amounts: "count", "sum of field2". */
void scene_amounts_name(const struct scene *scene, char name[SCENE_NAME_BYTES]);

/*
 * Write the title: "value (u1): 48 counted, 16 joined, logarithmic".  Of two
 * axes, the title names the horizontal axis first.
 */
void scene_title(const struct scene *scene, char title[SCENE_TITLE_BYTES]);

#endif
