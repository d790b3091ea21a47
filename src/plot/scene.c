/* SPDX-License-Identifier: MIT */
/* scene.c -- the drawable content of a histogram, for all backends */

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "hist/amount.h"
#include "plot/scene.h"

/* ---- kinds ---- */

bool
scene_is_map(const struct spec *spec)
{
    return spec->is_joint && !spec->is_sparse && spec->axis_count > 1;
}

bool
scene_has_groups(const struct scene *scene)
{
    return scene->kind == SCENE_GROUPS || scene->kind == SCENE_PAIRS;
}

enum scene_kind
scene_kind_of(const struct spec *spec, size_t i)
{
    if (spec->group_count > 0 && spec->histogram[i].rows == ROWS_TUPLES &&
        spec_own_axes(spec, i) == 1 &&
        spec_key_kind(spec, spec_own_axis(spec, i)) != KEY_TEXT)
        return SCENE_GROUPS;
    if (spec->histogram[i].rows != ROWS_BINS)
        return SCENE_KEYS;
    return scene_is_map(spec) ? SCENE_MAP : SCENE_BARS;
}

/* ---- the greatest keys and groups ---- */

uint64_t
scene_room(const struct scene_subject *subject, uint64_t most, uint64_t fixed,
           uint64_t wanted, bool has_others)
{
    uint64_t room = most > fixed ? most - fixed : 1;

    if (subject->top != 0)
        return subject->top < SCENE_TOP_MAX ? subject->top : SCENE_TOP_MAX;
    if (!subject->no_other && room > 1 && (wanted > room || has_others))
        room--;
    return room;
}

bool
scene_is_greater(const struct spec *spec, const struct histogram *histogram,
                 uint64_t a, uint64_t b)
{
    struct amount amount_a = amount_of_cell(histogram, a);
    struct amount amount_b = amount_of_cell(histogram, b);
    int order = amount_compare(spec, &amount_a, &amount_b);

    return order > 0 || (order == 0 && a < b);
}

/* ---- amounts ---- */

double
scene_amount(const struct scene *scene, uint64_t cell)
{
    struct amount amount = amount_of_cell(&scene->amounts, cell);

    return amount_double(scene->spec, &amount);
}

const struct scale *
scene_scale_of(const struct scene *scene, uint64_t cell)
{
    return scene->kind == SCENE_GROUPS
               ? &scene->row_scale[cell / scene->axis[0].bands]
               : &scene->scale;
}

enum scene_tone
scene_tone(const struct scene *scene, uint64_t cell)
{
    uint64_t bands = scene->axis[0].bands;
    bool is_flow = scene->axis[0].band[cell % bands].is_flow;

    if (scene_amount(scene, cell) < 0)
        return SCENE_NEGATIVE;
    if (scene_has_groups(scene))
        is_flow |= scene->axis[1].band[cell / bands].is_flow;
    return is_flow ? SCENE_FLOW : SCENE_PLAIN;
}

/* Write the amount in CELL of AMOUNTS. */
static void
put_amount(const struct scene *scene, const struct histogram *amounts,
           uint64_t cell, char text[SUM_TEXT_BYTES])
{
    struct amount amount = amount_of_cell(amounts, cell);

    amount_text(scene->spec, &amount, text);
}

void
scene_amount_text(const struct scene *scene, uint64_t cell,
                  char text[SUM_TEXT_BYTES])
{
    put_amount(scene, &scene->amounts, cell, text);
}

void
scene_row_text(const struct scene *scene, size_t i, char text[SUM_TEXT_BYTES])
{
    put_amount(scene,
               scene_has_groups(scene) ? &scene->totals : &scene->amounts, i,
               text);
}

struct scale
scene_scale(struct scene *scene, uint64_t first, uint64_t count)
{
    struct scale scale = {
        .is_log = scene->subject->is_log,
        .is_whole = !scene->spec->has_weights,
    };
    double least = HUGE_VAL;

    for (uint64_t cell = first; cell < first + count; cell++) {
        double amount = scene_amount(scene, cell);
        double magnitude = fabs(amount);
        if (!isfinite(amount))
            continue;
        scene->has_negative |= amount < 0;
        scale.below = fmax(scale.below, -amount);
        scale.above = fmax(scale.above, amount);
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
        scene->spec->has_weights ? fmax(least / 2, DBL_TRUE_MIN) : 0.5;
    return scale;
}

/* ---- names ---- */

void
scene_amounts_name(const struct scene *scene, char name[SCENE_NAME_BYTES])
{
    char field[SPEC_FIELD_BYTES];

    if (!scene->spec->has_weights)
        strcpy(name, "count");
    else
        snprintf(name, SCENE_NAME_BYTES, "sum of %s%s",
                 spec_weight_is_named(scene->spec) ? "" : "field",
                 spec_weight_text(scene->spec, field));
}

/* Returns the word for bars of keys, or rows of groups. */
static const char *
word_of_rows(const struct scene *scene)
{
    if (scene_has_groups(scene))
        return "groups";
    return scene->rows == ROWS_TUPLES    ? "combinations"
           : scene->rows == ROWS_NUMBERS ? "values"
                                         : "keys";
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
    bool has_groups = scene_has_groups(scene);
    size_t used = 0;

    if (scene->axes == 2)
        append(title, &used, "%s by %s", axis[has_groups].name,
               axis[!has_groups].name);
    else
        append(title, &used, "%s", axis[0].name);
    append(title, &used, ": %" PRIu64 " counted", scene->values);
    if (scene->shown < scene->occurring)
        append(title, &used, ", %" PRIu64 " of %" PRIu64 " %s", scene->shown,
               scene->occurring, word_of_rows(scene));
    if (scene->subject->is_incomplete)
        append(title, &used, ", incomplete");
    if (scene->kind != SCENE_MAP && axis[0].joined > 1)
        append(title, &used, ", %" PRIu64 " joined", axis[0].joined);
    if (scene->kind == SCENE_MAP && (axis[0].joined > 1 || axis[1].joined > 1))
        append(title, &used, ", %" PRIu64 " x %" PRIu64 " joined",
               axis[0].joined, axis[1].joined);
    if (scene->spec->has_weights) {
        char name[SCENE_NAME_BYTES];
        scene_amounts_name(scene, name);
        append(title, &used, ", %s", name);
    }
    if (scene->scale.is_log)
        append(title, &used, ", logarithmic");
    if (scene->kind == SCENE_GROUPS)
        append(title, &used, ", a scale for each group");
}
