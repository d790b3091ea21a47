/* SPDX-License-Identifier: MIT */
/* group_rows.c -- the groups of a scene: a row of numbers for each */

#include <stdlib.h>
#include <string.h>

#include "base/ranking.h"
#include "hist/amount.h"
#include "hist/number_bins.h"
#include "plot/group_rows.h"
#include "plot/key_time.h"
#include "plot/tuple.h"

#define ROW_NONE UINT32_MAX

/* ---- tuples ---- */

/* An iterator over the tuples that are shown. */
struct tuple_walk {
    const struct scene_subject *subject;
    size_t histogram;
    uint64_t base; /* the cell of the first tuple */
    uint64_t next;

    /* The current tuple. */
    struct drawn_tuple tuple;
    struct amount amount;
    uint64_t key;
    bool is_beyond; /* belongs to the other groups */
    uint64_t group; /* the number of the group ... */
    bool is_first;  /* ... and whether the tuple is the first of the group */

    /* The group of the tuple before; NULL: none. */
    const unsigned char *code;
    size_t code_size;
};

static struct tuple_walk
walk_start(const struct scene_subject *subject, size_t i)
{
    return (struct tuple_walk){
        .subject = subject,
        .histogram = i,
        .base = spec_first_cell(subject->spec, i),
        .group = UINT64_MAX, /* the first group is 0 */
    };
}

/* Set the group of the tuple.  Tuples of a group follow each other. */
static void
set_group(struct tuple_walk *walk)
{
    const struct drawn_tuple *tuple = &walk->tuple;

    walk->is_first = walk->code == NULL ||
                     walk->code_size != tuple->group_size ||
                     memcmp(walk->code, tuple->group, walk->code_size) != 0;
    walk->group += walk->is_first;
    walk->code = tuple->group;
    walk->code_size = tuple->group_size;
}

static bool
walk_next(struct tuple_walk *walk)
{
    const struct scene_subject *subject = walk->subject;
    const struct spec *spec = subject->spec;
    bool hides = subject->flow == FLOW_HIDE;

    while (walk->next < spec->keys[walk->histogram].count) {
        walk->key = walk->next++;
        walk->amount =
            amount_of_cell(subject->histogram, walk->base + walk->key);
        if (walk->amount.count == 0)
            continue;
        tuple_read(&walk->tuple, spec, walk->histogram, walk->key);
        if (hides && walk->tuple.is_outside)
            continue;
        /* As in tables. */
        walk->is_beyond =
            !count_limits_include(&subject->limits, walk->amount.count) &&
            (hides || !walk->tuple.lacks_all);
        set_group(walk);
        return true;
    }
    return false;
}

/* ---- totals of all groups ---- */

struct totals {
    const struct scene_subject *subject;
    size_t histogram;
    uint64_t groups;
    bool has_beyond; /* tuples */

    struct histogram all;    /* of each group, for the ranking */
    struct histogram within; /* for the drawing; tuples beyond last */
    uint64_t *tuple;         /* the first tuple of each group */
    bool *is_keyless;
    uint64_t *item; /* the groups with a row, ranked */
};

/* Whether group A has a higher amount than B, or the same and comes first. */
static bool
has_more(const void *context, uint64_t a, uint64_t b)
{
    const struct totals *totals = context;

    return scene_is_greater(totals->subject->spec, &totals->all, a, b);
}

/* Whether a tuple of GROUP is drawn. */
static bool
is_drawn(const struct totals *totals, uint64_t group)
{
    return histogram_count(&totals->within, group) > 0;
}

static void
add_up(struct totals *totals)
{
    const struct spec *spec = totals->subject->spec;

    for (struct tuple_walk walk =
             walk_start(totals->subject, totals->histogram);
         walk_next(&walk);) {
        uint64_t cell = walk.is_beyond ? totals->groups : walk.group;
        if (walk.is_first) {
            totals->tuple[walk.group] = walk.key;
            totals->is_keyless[walk.group] = walk.tuple.lacks_group;
        }
        amount_add_to_cell(&totals->all, walk.group, spec, &walk.amount);
        amount_add_to_cell(&totals->within, cell, spec, &walk.amount);
    }
}

/* Returns 0, or -1: out of memory.  The caller calls totals_close() in both
   cases. */
static int
totals_open(struct totals *totals, const struct scene_subject *subject,
            size_t i)
{
    unsigned int planes = subject->histogram->planes;

    *totals = (struct totals){.subject = subject, .histogram = i};
    for (struct tuple_walk walk = walk_start(subject, i); walk_next(&walk);) {
        totals->groups += walk.is_first;
        totals->has_beyond |= walk.is_beyond;
    }
    /* One more: an allocation of 0 bytes may fail. */
    size_t room = (size_t)totals->groups + 1;
    totals->tuple = calloc(room, sizeof *totals->tuple);
    totals->is_keyless = calloc(room, sizeof *totals->is_keyless);
    totals->item = calloc(room, sizeof *totals->item);
    if (totals->tuple == NULL || totals->is_keyless == NULL ||
        totals->item == NULL ||
        histogram_open(&totals->all, room, planes) < 0 ||
        histogram_open(&totals->within, room, planes) < 0)
        return -1;
    add_up(totals);
    return 0;
}

static void
totals_close(struct totals *totals)
{
    histogram_close(&totals->all);
    histogram_close(&totals->within);
    free(totals->tuple);
    free(totals->is_keyless);
    free(totals->item);
}

/* ---- which groups have a row ---- */

/* Groups with a tuple to draw. */
struct row_choice {
    uint64_t keyed;   /* with a key */
    uint64_t keyless; /* without a key */
    uint64_t shown;   /* with a key, and chosen: the first items of TOTALS */
    bool has_other;
};

/* Whether all keys of groups are times. */
static bool
are_times(const struct totals *totals)
{
    const struct spec *spec = totals->subject->spec;
    struct key_time time = {0};
    int64_t number;

    if (spec->group_count != 1)
        return false;
    for (uint64_t g = 0; g < totals->groups; g++) {
        if (!totals->is_keyless[g] &&
            !key_time_read_tuple(&time, spec, totals->histogram,
                                 totals->tuple[g], &number))
            return false;
    }
    return time.unit > 0;
}

/*
 * Rank the groups with a key.  --top chooses among all groups, with a tuple to
 * draw or without.
 */
static void
rank(struct totals *totals, struct row_choice *choice, uint64_t room)
{
    const struct scene_subject *subject = totals->subject;
    struct ranking ranking;
    uint64_t left_out = 0;

    ranking_open(&ranking, totals->item, room, has_more, totals);
    for (uint64_t g = 0; g < totals->groups; g++) {
        if (totals->is_keyless[g] ||
            (subject->top == 0 && !is_drawn(totals, g)))
            continue;
        left_out += ranking_add(&ranking, g) != RANKING_NONE;
    }
    choice->has_other =
        !subject->no_other && (totals->has_beyond || left_out > 0);
    for (uint64_t k = 0; k < ranking.count; k++) {
        uint64_t group = totals->item[k];
        if (is_drawn(totals, group))
            totals->item[choice->shown++] = group;
    }
    ranking.count = choice->shown;
    bool is_by_count = subject->sort == SORT_COUNT ||
                       (subject->sort == SORT_DEFAULT &&
                        choice->shown < choice->keyed && !are_times(totals));
    if (choice->shown > 0)
        ranking_sort(&ranking, is_by_count ? has_more : ranking_is_lower);
}

static struct row_choice
choose(struct totals *totals, size_t most)
{
    struct row_choice choice = {0};

    for (uint64_t g = 0; g < totals->groups; g++) {
        bool is_keyless = totals->is_keyless[g];
        choice.keyless += is_keyless && is_drawn(totals, g);
        choice.keyed += !is_keyless && is_drawn(totals, g);
    }
    uint64_t room = scene_room(totals->subject, most, choice.keyless,
                               choice.keyed, totals->has_beyond);
    if (room > totals->groups)
        room = totals->groups;
    if (room > 0)
        rank(totals, &choice, room);
    return choice;
}

/* Append a row for GROUP. */
static void
append(struct scene *scene, const struct totals *totals, uint64_t group)
{
    struct band_axis *axis = &scene->axis[1];
    struct amount amount = amount_of_cell(&totals->within, group);

    axis->band[axis->bands] = (struct band){
        .first = totals->tuple[group],
        .cells = 1,
        .is_flow = totals->is_keyless[group],
    };
    scene->row_of[group] = (uint32_t)axis->bands;
    amount_add_to_cell(&scene->totals, axis->bands++, scene->spec, &amount);
}

/* Append the row for the tuples of no other row. */
static void
append_other(struct scene *scene, const struct totals *totals)
{
    struct band_axis *axis = &scene->axis[1];

    /* After the groups come the tuples beyond the limits. */
    for (uint64_t g = 0; g <= totals->groups; g++) {
        struct amount amount = amount_of_cell(&totals->within, g);
        if (g == totals->groups || scene->row_of[g] == scene->other_row)
            amount_add_to_cell(&scene->totals, scene->other_row, scene->spec,
                               &amount);
    }
    axis->band[axis->bands++] =
        (struct band){.is_flow = true, .word = "\\other"};
}

/* Append the rows of CHOICE. */
static void
append_all(struct scene *scene, const struct totals *totals,
           const struct row_choice *choice)
{
    for (uint64_t g = 0; g < totals->groups; g++)
        scene->row_of[g] = scene->other_row;
    for (uint64_t k = 0; k < choice->shown; k++)
        append(scene, totals, totals->item[k]);
    for (uint64_t g = 0; g < totals->groups; g++) {
        if (totals->is_keyless[g] && is_drawn(totals, g))
            append(scene, totals, g);
    }
    scene->axis[1].last = scene->axis[1].bands;
    if (choice->has_other)
        append_other(scene, totals);
}

int
group_rows_choose(struct scene *scene, size_t most)
{
    const struct spec *spec = scene->spec;
    size_t i = scene->histogram;
    struct band_axis *axis = &scene->axis[1];
    struct row_choice choice = {0};
    struct totals totals;
    int result = totals_open(&totals, scene->subject, i);

    if (result == 0)
        choice = choose(&totals, most);
    /* One more: an allocation of 0 bytes may fail. */
    size_t bands =
        (size_t)(choice.shown + choice.keyless) + choice.has_other + 1;
    band_set_axis(&scene->axis[0], spec, spec_own_axis(spec, i),
                  scene->subject->names, false);
    band_set_list(axis, spec, i, scene->subject->names, spec->group_count);
    scene->scale.is_log = scene->subject->is_log;
    scene->occurring = choice.keyed;
    scene->shown = choice.shown;
    scene->row_of = calloc((size_t)totals.groups + 1, sizeof *scene->row_of);
    scene->other_row =
        choice.has_other ? (uint32_t)(choice.shown + choice.keyless) : ROW_NONE;
    axis->joined = 1;
    axis->band = calloc(bands, sizeof *axis->band);
    if (scene->row_of == NULL || axis->band == NULL ||
        histogram_open(&scene->totals, bands,
                       scene->subject->histogram->planes) < 0)
        result = -1;
    if (result == 0)
        append_all(scene, &totals, &choice);
    totals_close(&totals);
    if (result == 0)
        scene->values = histogram_total(&scene->totals, 0, scene->totals.cells);
    return result;
}

/* ---- the numbers of groups ---- */

/* Go to the next tuple with a row, and set *ROW to that row. */
static bool
next_in_row(const struct scene *scene, struct tuple_walk *walk, uint32_t *row)
{
    while (walk_next(walk)) {
        *row = walk->is_beyond ? scene->other_row : scene->row_of[walk->group];
        if (*row != ROW_NONE)
            return true;
    }
    return false;
}

/* Give the axis of the numbers bins that fit the numbers. */
static void
make_number_bins(struct scene *scene)
{
    struct number_span span = {0};
    struct tuple_walk walk = walk_start(scene->subject, scene->histogram);

    for (uint32_t row; next_in_row(scene, &walk, &row);)
        number_bins_add(&span, walk.tuple.kind, &walk.tuple.last);
    scene->number_axis = *scene->axis[0].axis;
    number_bins_set(&scene->number_axis, &span);
    scene->axis[0].axis = &scene->number_axis;
}

/* Cut the axis of the numbers.  Returns 0, or -1: out of memory. */
static int
cut_numbers(struct scene *scene, size_t most)
{
    struct band_axis *axis = &scene->axis[0];
    struct band_extent extent = {.first = UINT64_MAX};
    enum flow flow = scene->subject->flow;

    if (axis_bins(axis->axis) == AXIS_NUMBERS) {
        make_number_bins(scene);
        /* Hidden tuples have no row already; NaN is a number. */
        flow = flow == FLOW_HIDE ? FLOW_AUTO : flow;
    }
    struct tuple_walk walk = walk_start(scene->subject, scene->histogram);
    for (uint32_t row; next_in_row(scene, &walk, &row);)
        band_extent_add(
            &extent, axis->axis,
            number_bins_cell(axis->axis, walk.tuple.kind, &walk.tuple.last));
    if (band_cut(axis, &extent, flow, most, false) < 0)
        return -1;
    band_set_texts(axis, false);
    return 0;
}

int
group_rows_cut(struct scene *scene, size_t most)
{
    struct band_axis *axis = &scene->axis[0];
    size_t rows = scene->axis[1].bands;

    if (cut_numbers(scene, most) < 0 ||
        histogram_open(&scene->amounts, scene->totals.cells * axis->bands,
                       scene->subject->histogram->planes) < 0)
        return -1;
    struct tuple_walk walk = walk_start(scene->subject, scene->histogram);
    for (uint32_t row; next_in_row(scene, &walk, &row);) {
        uint64_t cell =
            number_bins_cell(axis->axis, walk.tuple.kind, &walk.tuple.last);
        amount_add_to_cell(&scene->amounts,
                           (uint64_t)row * axis->bands + band_find(axis, cell),
                           scene->spec, &walk.amount);
    }
    scene->row_scale = calloc(rows + 1, sizeof *scene->row_scale);
    if (scene->row_scale == NULL)
        return -1;
    for (size_t y = 0; y < rows; y++)
        scene->row_scale[y] = scene_scale(scene, y * axis->bands, axis->bands);
    return 0;
}

/* ---- the keys of groups ---- */

/* The keys of all groups, in their order; those without a value come last. */
struct pair_keys {
    struct {
        uint64_t key; /* a tuple with the key */
        const unsigned char *code;
        size_t size;
        bool is_flow;
    } item[GROUP_PAIRS_MAX];
    size_t count;
    uint64_t groups;
};

/* Compare the key of TUPLE, whose code ends at END, with item I. */
static int
compare_key(const struct pair_keys *keys, size_t i,
            const struct drawn_tuple *tuple, const unsigned char *end)
{
    const unsigned char *code = tuple->group + tuple->group_size;
    size_t size = (size_t)(end - code);
    bool is_flow = tuple->last.tag != KEY_TAG_VALUE;

    if (is_flow != keys->item[i].is_flow)
        return is_flow ? 1 : -1;
    size_t common = size < keys->item[i].size ? size : keys->item[i].size;
    int order = memcmp(code, keys->item[i].code, common);
    return order != 0
               ? order
               : (size > keys->item[i].size) - (size < keys->item[i].size);
}

/* Returns the place of the key of the tuple of WALK among KEYS; *IS_IN: whether
   the key is there. */
static size_t
find_key(const struct pair_keys *keys, const struct tuple_walk *walk,
         bool *is_in)
{
    const struct key_entry entry =
        key_list_key(&walk->subject->spec->keys[walk->histogram], walk->key);
    size_t i = 0;
    int order = 1;

    for (; i < keys->count; i++) {
        order = compare_key(keys, i, &walk->tuple, entry.key + entry.size);
        if (order <= 0)
            break;
    }
    *is_in = order == 0;
    return i;
}

/* Find the keys of at most MOST bars.  Returns whether there are not more. */
static bool
find_keys(struct pair_keys *keys, const struct scene *scene, size_t most)
{
    struct tuple_walk walk = walk_start(scene->subject, scene->histogram);

    while (walk_next(&walk)) {
        bool is_in;
        size_t i = find_key(keys, &walk, &is_in);
        keys->groups += walk.is_first;
        if (is_in)
            continue;
        if (keys->count == most || keys->count == GROUP_PAIRS_MAX)
            return false;
        memmove(keys->item + i + 1, keys->item + i,
                (keys->count++ - i) * sizeof *keys->item);
        const struct key_entry entry =
            key_list_key(&scene->spec->keys[walk.histogram], walk.key);
        keys->item[i].key = walk.key;
        keys->item[i].code = entry.key + walk.tuple.group_size;
        keys->item[i].size = entry.size - walk.tuple.group_size;
        keys->item[i].is_flow = walk.tuple.last.tag != KEY_TAG_VALUE;
    }
    return true;
}

/* Make axis 0 of KEYS, and add up the amounts.  Returns 0, or -1. */
static int
add_pairs(struct scene *scene, const struct pair_keys *keys)
{
    struct band_axis *axis = &scene->axis[0];
    struct tuple_walk walk = walk_start(scene->subject, scene->histogram);

    axis->joined = 1;
    axis->band = calloc(keys->count + 1, sizeof *axis->band);
    if (axis->band == NULL ||
        histogram_open(&scene->amounts, scene->totals.cells * keys->count,
                       scene->subject->histogram->planes) < 0)
        return -1;
    for (size_t i = 0; i < keys->count; i++) {
        axis->band[axis->bands++] = (struct band){
            .first = keys->item[i].key,
            .cells = 1,
            .is_flow = keys->item[i].is_flow,
        };
        axis->last += !keys->item[i].is_flow;
    }
    for (uint32_t row; next_in_row(scene, &walk, &row);) {
        bool is_in;
        uint64_t cell =
            (uint64_t)row * keys->count + find_key(keys, &walk, &is_in);
        amount_add_to_cell(&scene->amounts, cell, scene->spec, &walk.amount);
    }
    scene->scale = scene_scale(scene, 0, scene->amounts.cells);
    return 0;
}

int
group_rows_make_pairs(struct scene *scene, const size_t most[SCENE_AXES_MAX])
{
    struct pair_keys keys = {.count = 0};

    if (!find_keys(&keys, scene, most[1]) || keys.count < 2 || keys.groups < 2)
        return 0;
    scene->kind = SCENE_PAIRS;
    scene->axes = 2;
    return group_rows_choose(scene, most[0]) < 0 ? -1 : add_pairs(scene, &keys);
}
