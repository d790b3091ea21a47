/* scene.c -- what a scene of a histogram shows */

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hist/amount.h"
#include "plot/band_text.h"
#include "plot/key_bars.h"
#include "plot/scene.h"

/* ---- the amounts of bands ---- */

/* An iterator over the cells of a histogram. */
struct walk {
    const struct scene *scene;
    uint64_t at[SCENE_AXES_MAX]; /* the cell on each axis */
    uint64_t cell;
    bool is_over;
};

static uint64_t
axis_cells(const struct binning_axis *axis)
{
    return axis->bins + axis_flows(axis);
}

static void
walk_set(struct walk *walk)
{
    walk->cell = 0;
    for (size_t a = 0; a < walk->scene->axes; a++) {
        const struct binning_axis *axis = walk->scene->axis[a].axis;
        walk->cell += axis->base + axis->stride * walk->at[a];
    }
}

static struct walk
walk_begin(const struct scene *scene)
{
    struct walk walk = {.scene = scene};

    walk_set(&walk);
    return walk;
}

/* The last axis advances first: its cells are adjacent in memory. */
static void
walk_on(struct walk *walk)
{
    size_t a = walk->scene->axes;

    while (a > 0) {
        const struct binning_axis *axis = walk->scene->axis[--a].axis;
        if (++walk->at[a] < axis_cells(axis)) {
            walk_set(walk);
            return;
        }
        walk->at[a] = 0;
    }
    walk->is_over = true;
}

static void
add_cells(struct scene *scene, const struct scene_subject *subject)
{
    const struct histogram *histogram = subject->histogram;

    for (struct walk walk = walk_begin(scene); !walk.is_over; walk_on(&walk)) {
        struct amount amount = amount_of_cell(histogram, walk.cell);
        uint64_t cell = 0;
        bool is_outside = false;

        if (amount.count == 0)
            continue;
        for (size_t a = scene->axes; a-- > 0;) {
            size_t band = band_find(&scene->axis[a], walk.at[a]);
            is_outside |= band == SIZE_MAX;
            cell = cell * scene->axis[a].bands + band;
        }
        if (is_outside) /* hidden by FLOW_HIDE */
            continue;
        scene->values += amount.count;
        amount_add_to_cell(&scene->amounts, cell, scene->spec, &amount);
    }
}

/* Returns the scale of COUNT amounts from cell FIRST on. */
static struct scale
scale_of(struct scene *scene, uint64_t first, uint64_t count, bool is_log)
{
    struct scale scale = {
        .is_log = is_log,
        .is_whole = !scene->spec->has_weights,
    };
    double least = HUGE_VAL;

    for (uint64_t cell = first; cell < first + count; cell++) {
        double amount = scene_amount(scene, cell);
        double magnitude = fabs(amount);
        if (!isfinite(amount))
            continue;
        scene->has_negative |= amount < 0;
        if (magnitude > scale.most)
            scale.most = magnitude;
        if (magnitude > 0 && magnitude < least)
            least = magnitude;
    }
    /*
     * The smallest magnitude stays visible.  For counts the limit is fixed, so
     * that a count of 1 has a length above 0 in every scene.
     */
    scale.least =
        scene->spec->has_weights ? fmax(least / 2, DBL_TRUE_MIN) : 0.5;
    return scale;
}

static void
set_scale(struct scene *scene, bool is_log)
{
    scene->scale = scale_of(scene, 0, scene->amounts.cells, is_log);
}

/* ---- making a scene ---- */

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

bool
scene_is_map(const struct spec *spec)
{
    return spec->is_joint && !spec->is_sparse && spec->axis_count > 1;
}

/* Set the name of AXIS: of the first COUNT axes of histogram I. */
static void
set_list_name(struct band_axis *axis, const struct spec *spec, size_t i,
              size_t count)
{
    size_t used = 0;

    for (size_t d = 0; d < count && used < BAND_NAME_BYTES; d++) {
        size_t a = spec_axis_of(spec, i, d);
        struct band_axis part = {.axis = &spec->shown[a]};
        band_text_set_name(&part, spec, a, false);
        used += (size_t)snprintf(axis->name + used, BAND_NAME_BYTES - used,
                                 "%s%s", d > 0 ? " by " : "", part.name);
    }
}

/* Returns what a list of histogram I has. */
static const char *
list_word(const struct spec *spec, size_t i)
{
    enum counted_rows rows = spec->histogram[i].rows;

    return rows == ROWS_TUPLES    ? "combinations"
           : rows == ROWS_NUMBERS ? "values"
                                  : "keys";
}

int
scene_make(struct scene *scene, const struct scene_subject *subject, size_t i,
           const size_t most[SCENE_AXES_MAX], bool is_whole)
{
    const struct spec *spec = subject->spec;
    struct band_extent extent[SCENE_AXES_MAX];
    size_t own = spec_own_axis(spec, i);
    uint64_t cells = 1;

    *scene = (struct scene){
        .spec = spec,
        .axes = scene_is_map(spec) ? spec->axis_count : 1,
        .histogram = i,
        .is_incomplete = subject->is_incomplete,
    };
    if (spec->histogram[i].rows != ROWS_BINS) {
        scene->axis[0].axis = &spec->shown[own];
        set_list_name(&scene->axis[0], spec, i, spec_dimensions(spec, i));
        scene->has_keys = true;
        scene->keys = spec_keys(spec, i);
        if (key_bars_make(&scene->axis[0], &scene->amounts, &scene->key_bars,
                          subject, i, most[0]) < 0)
            return -1;
        scene->values =
            histogram_total(&scene->amounts, 0, scene->amounts.cells);
        set_scale(scene, subject->is_log);
        return 0;
    }
    for (size_t a = 0; a < scene->axes; a++) {
        scene->axis[a].axis = &spec->shown[own + a];
        scene->axis[a].edges = &spec->edges;
        extent[a] = (struct band_extent){.first = UINT64_MAX};
    }
    for (struct walk walk = walk_begin(scene); !walk.is_over; walk_on(&walk)) {
        if (subject->histogram->value[walk.cell] == 0)
            continue;
        for (size_t a = 0; a < scene->axes; a++)
            band_extent_add(&extent[a], scene->axis[a].axis, walk.at[a]);
    }
    for (size_t a = 0; a < scene->axes; a++) {
        struct band_axis *axis = &scene->axis[a];
        band_text_set_name(axis, spec, own + a, subject->is_image);
        if (band_cut(axis, &extent[a], subject->flow, most[a], is_whole) < 0)
            return -1;
        band_text_set(axis, subject->is_image);
        cells *= axis->bands;
    }
    if (histogram_open(&scene->amounts, cells, subject->histogram->planes) < 0)
        return -1;
    add_cells(scene, subject);
    set_scale(scene, subject->is_log);
    return 0;
}

int
scene_choose_groups(struct scene *scene, const struct scene_subject *subject,
                    size_t i, size_t most)
{
    const struct spec *spec = subject->spec;
    size_t own = spec_own_axis(spec, i);

    *scene = (struct scene){
        .spec = spec,
        .axes = 2,
        .histogram = i,
        .is_incomplete = subject->is_incomplete,
        .has_groups = true,
        .keys = spec_keys(spec, i),
    };
    scene->axis[0].axis = &spec->shown[own];
    scene->axis[0].edges = &spec->edges;
    band_text_set_name(&scene->axis[0], spec, own, false);
    set_list_name(&scene->axis[1], spec, i, spec->group_count);
    if (group_rows_open(&scene->groups, &scene->axis[1], subject, i, most) < 0)
        return -1;
    scene->values =
        histogram_total(&scene->groups.total, 0, scene->groups.total.cells);
    return 0;
}

int
scene_cut_groups(struct scene *scene, size_t most)
{
    bool is_log = scene->groups.subject->is_log;
    size_t rows = scene->axis[1].bands;

    if (group_rows_cut(&scene->groups, &scene->axis[0], &scene->number_axis,
                       &scene->amounts, most) < 0)
        return -1;
    scene->row_scale = calloc(rows + 1, sizeof *scene->row_scale);
    if (scene->row_scale == NULL)
        return -1;
    uint64_t bands = scene->axis[0].bands;
    for (size_t y = 0; y < rows; y++)
        scene->row_scale[y] = scale_of(scene, y * bands, bands, is_log);
    scene->scale.is_log = is_log;
    return 0;
}

void
scene_close(struct scene *scene)
{
    group_rows_close(&scene->groups);
    free(scene->row_scale);
    histogram_close(&scene->amounts);
    for (size_t a = 0; a < scene->axes; a++)
        free(scene->axis[a].band);
}

/* ---- amounts and title ---- */

bool
scene_is_empty(const struct scene *scene, uint64_t cell)
{
    return scene->amounts.value[cell] == 0;
}

double
scene_amount(const struct scene *scene, uint64_t cell)
{
    struct amount amount = amount_of_cell(&scene->amounts, cell);

    return amount_double(scene->spec, &amount);
}

void
scene_total_text(const struct scene *scene, size_t row,
                 char text[SUM_TEXT_BYTES])
{
    struct amount amount = amount_of_cell(&scene->groups.total, row);

    amount_text(scene->spec, &amount, text);
}

void
scene_amount_text(const struct scene *scene, uint64_t cell,
                  char text[SUM_TEXT_BYTES])
{
    struct amount amount = amount_of_cell(&scene->amounts, cell);

    amount_text(scene->spec, &amount, text);
}

void
scene_amounts_name(const struct scene *scene, char name[SCENE_NAME_BYTES])
{
    char field[SPEC_FIELD_BYTES];

    if (!scene->spec->has_weights)
        strcpy(name, "count");
    else
        snprintf(name, SCENE_NAME_BYTES, "sum of field %s",
                 spec_weight_text(scene->spec, field));
}

/* Append FORMAT to TITLE, of which *USED bytes are used. */
static void __attribute__((format(printf, 3, 4)))
append(char title[SCENE_TITLE_BYTES], size_t *used, const char *format, ...)
{
    size_t room = SCENE_TITLE_BYTES - *used;
    va_list arguments;

    va_start(arguments, format);
    int length = vsnprintf(title + *used, room, format, arguments);
    va_end(arguments);
    *used += (size_t)length < room ? (size_t)length : room - 1;
}

void
scene_title(const struct scene *scene, char title[SCENE_TITLE_BYTES])
{
    const struct band_axis *axis = scene->axis;
    const struct group_rows *groups = &scene->groups;
    const struct key_bars *bars = &scene->key_bars;
    bool is_map = scene->axes == 2 && !scene->has_groups;
    size_t used = 0;

    if (scene->has_groups)
        append(title, &used, "%s by %s", axis[1].name, axis[0].name);
    else if (is_map)
        append(title, &used, "%s by %s", axis[0].name, axis[1].name);
    else
        append(title, &used, "%s", axis[0].name);
    append(title, &used, ": %" PRIu64 " counted", scene->values);
    if (scene->has_keys && bars->shown < bars->occurring)
        append(title, &used, ", %" PRIu64 " of %" PRIu64 " %s", bars->shown,
               bars->occurring, list_word(scene->spec, scene->histogram));
    if (scene->has_groups && groups->shown < groups->occurring)
        append(title, &used, ", %" PRIu64 " of %" PRIu64 " groups",
               groups->shown, groups->occurring);
    if (scene->is_incomplete)
        append(title, &used, ", incomplete");
    if (!is_map && axis[0].joined > 1)
        append(title, &used, ", %" PRIu64 " joined", axis[0].joined);
    if (is_map && (axis[0].joined > 1 || axis[1].joined > 1))
        append(title, &used, ", %" PRIu64 " x %" PRIu64 " joined",
               axis[0].joined, axis[1].joined);
    if (scene->spec->has_weights) {
        char name[SCENE_NAME_BYTES];
        scene_amounts_name(scene, name);
        append(title, &used, ", %s", name);
    }
    if (scene->scale.is_log)
        append(title, &used, ", logarithmic");
    if (scene->has_groups)
        append(title, &used, ", a scale for each group");
}
