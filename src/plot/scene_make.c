/* SPDX-License-Identifier: MIT */
/* scene_make.c -- from a histogram to a scene */

#include <stdlib.h>

#include "hist/amount.h"
#include "plot/group_rows.h"
#include "plot/key_bars.h"
#include "plot/scene_make.h"

int
scene_check(const struct spec *spec, const char *option, struct error *error)
{
    if (!scene_is_map(spec) || spec->axis_count <= SCENE_AXES_MAX)
        return 0;
    error_set(error, EXIT_USAGE,
              "%s: at most %d joint fields can be drawn, not %zu", option,
              SCENE_AXES_MAX, spec->axis_count);
    return -1;
}

/* ---- cells of bins ---- */

/* An iterator over the cells with values of a histogram. */
struct cell_walk {
    const struct scene *scene;
    uint64_t next[SCENE_AXES_MAX]; /* the next cell on each axis */
    uint64_t at[SCENE_AXES_MAX];   /* the current cell */
    struct amount amount;
};

/* Go to the next cell with values.  The last axis advances first, because the
   cells of the last axis are adjacent in memory. */
static bool
walk_next(struct cell_walk *walk)
{
    const struct scene *scene = walk->scene;
    const struct binning_axis *first = scene->axis[0].axis;

    while (walk->next[0] < first->bins + axis_flows(first)) {
        uint64_t cell = 0;
        size_t a = scene->axes;
        for (size_t b = 0; b < scene->axes; b++) {
            const struct binning_axis *axis = scene->axis[b].axis;
            walk->at[b] = walk->next[b];
            cell += axis->base + axis->stride * walk->at[b];
        }
        while (a-- > 0) {
            const struct binning_axis *axis = scene->axis[a].axis;
            if (++walk->next[a] < axis->bins + axis_flows(axis) || a == 0)
                break;
            walk->next[a] = 0;
        }
        walk->amount = amount_of_cell(scene->subject->histogram, cell);
        if (walk->amount.count != 0)
            return true;
    }
    return false;
}

/* Cut the axes of SCENE.  Returns 0, or -1: out of memory. */
static int
cut_axes(struct scene *scene, const size_t most[SCENE_AXES_MAX], bool is_whole)
{
    const struct scene_subject *subject = scene->subject;
    size_t own = spec_own_axis(scene->spec, scene->histogram);
    struct band_extent extent[SCENE_AXES_MAX];

    for (size_t a = 0; a < scene->axes; a++) {
        band_set_axis(&scene->axis[a], scene->spec, own + a, subject->names,
                      subject->is_image);
        extent[a] = (struct band_extent){.first = UINT64_MAX};
    }
    for (struct cell_walk walk = {.scene = scene}; walk_next(&walk);) {
        for (size_t a = 0; a < scene->axes; a++)
            band_extent_add(&extent[a], scene->axis[a].axis, walk.at[a]);
    }
    for (size_t a = 0; a < scene->axes; a++) {
        struct band_axis *axis = &scene->axis[a];
        if (band_cut(axis, &extent[a], subject->flow, most[a], is_whole) < 0)
            return -1;
        band_set_texts(axis, subject->is_image);
    }
    return 0;
}

/* Add up the cells of the bands. */
static void
add_cells(struct scene *scene)
{
    for (struct cell_walk walk = {.scene = scene}; walk_next(&walk);) {
        uint64_t cell = 0;
        bool is_outside = false;

        for (size_t a = scene->axes; a-- > 0;) {
            size_t band = band_find(&scene->axis[a], walk.at[a]);
            is_outside |= band == SIZE_MAX;
            cell = cell * scene->axis[a].bands + band;
        }
        if (is_outside) /* hidden by FLOW_HIDE */
            continue;
        scene->values += walk.amount.count;
        amount_add_to_cell(&scene->amounts, cell, scene->spec, &walk.amount);
    }
}

/* Make a scene of bins.  Returns 0, or -1: out of memory. */
static int
make_bins(struct scene *scene, const size_t most[SCENE_AXES_MAX], bool is_whole)
{
    uint64_t cells = 1;

    if (cut_axes(scene, most, is_whole) < 0)
        return -1;
    for (size_t a = 0; a < scene->axes; a++)
        cells *= scene->axis[a].bands;
    if (histogram_open(&scene->amounts, cells,
                       scene->subject->histogram->planes) < 0)
        return -1;
    add_cells(scene);
    return 0;
}

/* ---- all kinds ---- */

/* Whether the keys of SUBJECT may have a row for each group. */
static bool
may_be_pairs(const struct scene_subject *subject, size_t i)
{
    const struct spec *spec = subject->spec;

    /* --top, --sort and limits are about combinations. */
    return spec->group_count == 1 && spec->histogram[i].rows == ROWS_TUPLES &&
           spec_own_axes(spec, i) == 1 && subject->top == 0 &&
           subject->sort == SORT_DEFAULT && subject->limits.least <= 1 &&
           subject->limits.most == 0 && !subject->no_other;
}

int
scene_make(struct scene *scene, const struct scene_subject *subject, size_t i,
           const size_t most[SCENE_AXES_MAX], bool is_whole)
{
    enum scene_kind kind = scene_kind_of(subject->spec, i);
    int result;

    *scene = (struct scene){
        .kind = kind,
        .subject = subject,
        .spec = subject->spec,
        .histogram = i,
        .rows = subject->spec->histogram[i].rows,
        .axes = kind == SCENE_MAP || kind == SCENE_GROUPS ? 2 : 1,
        .keys = spec_keys(subject->spec, i),
    };
    if (kind == SCENE_GROUPS) {
        result = group_rows_choose(scene, most[1]);
        if (result == 0 && most[0] > 0)
            result = group_rows_cut(scene, most[0]);
        return result;
    }
    if (kind == SCENE_KEYS && may_be_pairs(subject, i)) {
        result = group_rows_make_pairs(scene, most);
        if (result != 0 || scene->kind == SCENE_PAIRS)
            return result;
    }
    result = kind == SCENE_KEYS ? key_bars_make(scene, most[0])
                                : make_bins(scene, most, is_whole);
    if (result == 0)
        scene->scale = scene_scale(scene, 0, scene->amounts.cells);
    return result;
}

void
scene_close(struct scene *scene)
{
    histogram_close(&scene->totals);
    histogram_close(&scene->amounts);
    free(scene->row_scale);
    free(scene->row_of);
    for (size_t a = 0; a < scene->axes; a++)
        free(scene->axis[a].band);
}
