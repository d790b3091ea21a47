/* picture.c -- what a picture of a histogram shows */

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
#include "plot/picture.h"

/* ---- the amounts of bands ---- */

/* An iterator over the cells of a histogram. */
struct walk {
    const struct picture *picture;
    uint64_t at[PICTURE_AXES_MAX]; /* the cell on each axis */
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
    for (size_t a = 0; a < walk->picture->axes; a++) {
        const struct binning_axis *axis = walk->picture->axis[a].axis;
        walk->cell += axis->base + axis->stride * walk->at[a];
    }
}

static struct walk
walk_begin(const struct picture *picture)
{
    struct walk walk = {.picture = picture};

    walk_set(&walk);
    return walk;
}

/* The last axis advances first: its cells are adjacent in memory. */
static void
walk_on(struct walk *walk)
{
    size_t a = walk->picture->axes;

    while (a > 0) {
        const struct binning_axis *axis = walk->picture->axis[--a].axis;
        if (++walk->at[a] < axis_cells(axis)) {
            walk_set(walk);
            return;
        }
        walk->at[a] = 0;
    }
    walk->is_over = true;
}

static void
add_cells(struct picture *picture, const struct picture_subject *subject)
{
    const struct histogram *histogram = subject->histogram;

    for (struct walk walk = walk_begin(picture); !walk.is_over;
         walk_on(&walk)) {
        struct amount amount = amount_of_cell(histogram, walk.cell);
        uint64_t cell = 0;
        bool is_outside = false;

        if (amount.count == 0)
            continue;
        for (size_t a = picture->axes; a-- > 0;) {
            size_t band = band_find(&picture->axis[a], walk.at[a]);
            is_outside |= band == SIZE_MAX;
            cell = cell * picture->axis[a].bands + band;
        }
        if (is_outside) /* hidden by FLOW_HIDE */
            continue;
        picture->values += amount.count;
        amount_add_to_cell(&picture->amounts, cell, picture->spec, &amount);
    }
}

/* Returns the scale of COUNT amounts from cell FIRST on. */
static struct scale
scale_of(struct picture *picture, uint64_t first, uint64_t count, bool is_log)
{
    struct scale scale = {
        .is_log = is_log,
        .is_whole = !picture->spec->has_weights,
    };
    double least = HUGE_VAL;

    for (uint64_t cell = first; cell < first + count; cell++) {
        double amount = picture_amount(picture, cell);
        double magnitude = fabs(amount);
        if (!isfinite(amount))
            continue;
        picture->has_negative |= amount < 0;
        if (magnitude > scale.most)
            scale.most = magnitude;
        if (magnitude > 0 && magnitude < least)
            least = magnitude;
    }
    /*
     * The smallest magnitude stays visible.  For counts the limit is fixed, so
     * that a count of 1 has a length above 0 in every picture.
     */
    scale.least =
        picture->spec->has_weights ? fmax(least / 2, DBL_TRUE_MIN) : 0.5;
    return scale;
}

static void
set_scale(struct picture *picture, bool is_log)
{
    picture->scale = scale_of(picture, 0, picture->amounts.cells, is_log);
}

/* ---- making a picture ---- */

int
picture_check(const struct spec *spec, const char *option, struct error *error)
{
    if (!picture_is_map(spec) || spec->axis_count <= PICTURE_AXES_MAX)
        return 0;
    error_set(error, EXIT_USAGE,
              "%s: at most %d joint fields can be drawn, not %zu", option,
              PICTURE_AXES_MAX, spec->axis_count);
    return -1;
}

bool
picture_is_map(const struct spec *spec)
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
    if (spec_is_sparse(spec, i))
        return "combinations";
    return axis_is_sparse(&spec->shown[spec_own_axis(spec, i)]) ? "values"
                                                                : "keys";
}

int
picture_make(struct picture *picture, const struct picture_subject *subject,
             size_t i, const size_t most[PICTURE_AXES_MAX], bool is_whole)
{
    const struct spec *spec = subject->spec;
    struct band_extent extent[PICTURE_AXES_MAX];
    size_t own = spec_own_axis(spec, i);
    uint64_t cells = 1;

    *picture = (struct picture){
        .spec = spec,
        .axes = picture_is_map(spec) ? spec->axis_count : 1,
        .histogram = i,
        .is_incomplete = subject->is_incomplete,
    };
    if (spec_has_names(spec, i)) {
        picture->axis[0].axis = &spec->shown[own];
        set_list_name(&picture->axis[0], spec, i, spec_dimensions(spec, i));
        picture->has_keys = true;
        picture->keys = spec_keys(spec, i);
        if (key_bars_make(&picture->axis[0], &picture->amounts,
                          &picture->key_bars, subject, i, most[0]) < 0)
            return -1;
        picture->values =
            histogram_total(&picture->amounts, 0, picture->amounts.cells);
        set_scale(picture, subject->is_log);
        return 0;
    }
    for (size_t a = 0; a < picture->axes; a++) {
        picture->axis[a].axis = &spec->shown[own + a];
        picture->axis[a].edges = &spec->edges;
        extent[a] = (struct band_extent){.first = UINT64_MAX};
    }
    for (struct walk walk = walk_begin(picture); !walk.is_over;
         walk_on(&walk)) {
        if (subject->histogram->value[walk.cell] == 0)
            continue;
        for (size_t a = 0; a < picture->axes; a++)
            band_extent_add(&extent[a], picture->axis[a].axis, walk.at[a]);
    }
    for (size_t a = 0; a < picture->axes; a++) {
        struct band_axis *axis = &picture->axis[a];
        band_text_set_name(axis, spec, own + a, subject->is_image);
        if (band_cut(axis, &extent[a], subject->flow, most[a], is_whole) < 0)
            return -1;
        band_text_set(axis, subject->is_image);
        cells *= axis->bands;
    }
    if (histogram_open(&picture->amounts, cells, subject->histogram->planes) <
        0)
        return -1;
    add_cells(picture, subject);
    set_scale(picture, subject->is_log);
    return 0;
}

int
picture_choose_groups(struct picture *picture,
                      const struct picture_subject *subject, size_t i,
                      size_t most)
{
    const struct spec *spec = subject->spec;
    size_t own = spec_own_axis(spec, i);

    *picture = (struct picture){
        .spec = spec,
        .axes = 2,
        .histogram = i,
        .is_incomplete = subject->is_incomplete,
        .has_groups = true,
        .keys = spec_keys(spec, i),
    };
    picture->axis[0].axis = &spec->shown[own];
    picture->axis[0].edges = &spec->edges;
    band_text_set_name(&picture->axis[0], spec, own, false);
    set_list_name(&picture->axis[1], spec, i, spec->group_count);
    if (group_rows_open(&picture->groups, &picture->axis[1], subject, i, most) <
        0)
        return -1;
    picture->values =
        histogram_total(&picture->groups.total, 0, picture->groups.total.cells);
    return 0;
}

int
picture_cut_groups(struct picture *picture, size_t most)
{
    bool is_log = picture->groups.subject->is_log;
    size_t rows = picture->axis[1].bands;

    if (group_rows_cut(&picture->groups, &picture->axis[0],
                       &picture->number_axis, &picture->amounts, most) < 0)
        return -1;
    picture->row_scale = calloc(rows + 1, sizeof *picture->row_scale);
    if (picture->row_scale == NULL)
        return -1;
    uint64_t bands = picture->axis[0].bands;
    for (size_t y = 0; y < rows; y++)
        picture->row_scale[y] = scale_of(picture, y * bands, bands, is_log);
    picture->scale.is_log = is_log;
    return 0;
}

void
picture_close(struct picture *picture)
{
    group_rows_close(&picture->groups);
    free(picture->row_scale);
    histogram_close(&picture->amounts);
    for (size_t a = 0; a < picture->axes; a++)
        free(picture->axis[a].band);
}

/* ---- amounts and title ---- */

bool
picture_is_empty(const struct picture *picture, uint64_t cell)
{
    return picture->amounts.value[cell] == 0;
}

double
picture_amount(const struct picture *picture, uint64_t cell)
{
    struct amount amount = amount_of_cell(&picture->amounts, cell);

    return amount_double(picture->spec, &amount);
}

void
picture_total_text(const struct picture *picture, size_t row,
                   char text[SUM_TEXT_BYTES])
{
    struct amount amount = amount_of_cell(&picture->groups.total, row);

    amount_text(picture->spec, &amount, text);
}

void
picture_amount_text(const struct picture *picture, uint64_t cell,
                    char text[SUM_TEXT_BYTES])
{
    struct amount amount = amount_of_cell(&picture->amounts, cell);

    amount_text(picture->spec, &amount, text);
}

void
picture_amounts_name(const struct picture *picture,
                     char name[PICTURE_NAME_BYTES])
{
    char field[SPEC_FIELD_BYTES];

    if (!picture->spec->has_weights)
        strcpy(name, "count");
    else
        snprintf(name, PICTURE_NAME_BYTES, "sum of field %s",
                 spec_weight_text(picture->spec, field));
}

/* Append FORMAT to TITLE, of which *USED bytes are used. */
static void __attribute__((format(printf, 3, 4)))
append(char title[PICTURE_TITLE_BYTES], size_t *used, const char *format, ...)
{
    size_t room = PICTURE_TITLE_BYTES - *used;
    va_list arguments;

    va_start(arguments, format);
    int length = vsnprintf(title + *used, room, format, arguments);
    va_end(arguments);
    *used += (size_t)length < room ? (size_t)length : room - 1;
}

void
picture_title(const struct picture *picture, char title[PICTURE_TITLE_BYTES])
{
    const struct band_axis *axis = picture->axis;
    const struct group_rows *groups = &picture->groups;
    const struct key_bars *bars = &picture->key_bars;
    bool is_map = picture->axes == 2 && !picture->has_groups;
    size_t used = 0;

    if (picture->has_groups)
        append(title, &used, "%s by %s", axis[1].name, axis[0].name);
    else if (is_map)
        append(title, &used, "%s by %s", axis[0].name, axis[1].name);
    else
        append(title, &used, "%s", axis[0].name);
    append(title, &used, ": %" PRIu64 " counted", picture->values);
    if (picture->has_keys && bars->shown < bars->occurring)
        append(title, &used, ", %" PRIu64 " of %" PRIu64 " %s", bars->shown,
               bars->occurring, list_word(picture->spec, picture->histogram));
    if (picture->has_groups && groups->shown < groups->occurring)
        append(title, &used, ", %" PRIu64 " of %" PRIu64 " groups",
               groups->shown, groups->occurring);
    if (picture->is_incomplete)
        append(title, &used, ", incomplete");
    if (!is_map && axis[0].joined > 1)
        append(title, &used, ", %" PRIu64 " joined", axis[0].joined);
    if (is_map && (axis[0].joined > 1 || axis[1].joined > 1))
        append(title, &used, ", %" PRIu64 " x %" PRIu64 " joined",
               axis[0].joined, axis[1].joined);
    if (picture->spec->has_weights) {
        char name[PICTURE_NAME_BYTES];
        picture_amounts_name(picture, name);
        append(title, &used, ", %s", name);
    }
    if (picture->scale.is_log)
        append(title, &used, ", logarithmic");
    if (picture->has_groups)
        append(title, &used, ", a scale for each group");
}
