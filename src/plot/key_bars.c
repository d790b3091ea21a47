/* SPDX-License-Identifier: MIT */
/* key_bars.c -- the greatest keys of a scene */

#include <stdio.h>
#include <stdlib.h>

#include "base/ranking.h"
#include "hist/amount.h"
#include "hist/spectrum.h"
#include "plot/key_bars.h"
#include "plot/key_time.h"
#include "plot/tuple.h"

/* Times share bars if at least 1 / OCCUPIED_PART of the bars have a key. */
#define OCCUPIED_PART 4

/* The chosen bars. */
struct bar_choice {
    struct scene *scene;
    const struct scene_subject *subject;
    uint64_t base;     /* the cell of the first key; flow cells follow */
    uint64_t keys;     /* in the list, or bins */
    bool hides_tuples; /* tuples outside of all bins */
    unsigned int flow_count;
    size_t flows;         /* bars of flow cells */
    bool has_other;       /* a bar for the other keys */
    bool is_by_count;     /* the order of the keys */
    struct key_time time; /* if all keys are times; else the unit is 0 */
    int64_t gap_most;     /* up to this number of times between two keys have a
                             bar each; more times share a bar */
    size_t gaps;          /* bars of times without a key */
    int64_t interval;     /* from a time that may be a key to the next one */
    int64_t step;         /* times that share a bar; 0: each has its own */
    int64_t first_bar;    /* of the times that share bars ... */
    size_t bars;          /* ... and their number */
};

/* Whether a component of tuple KEY has no value or is outside of all bins. */
static bool
is_outside(const struct bar_choice *choice, uint64_t key)
{
    struct drawn_tuple tuple;

    tuple_read(&tuple, choice->subject->spec, choice->scene->histogram, key);
    return tuple.is_outside;
}

static uint64_t
count_of(const struct bar_choice *choice, uint64_t cell)
{
    if (choice->hides_tuples && is_outside(choice, cell))
        return 0;
    return histogram_count(choice->subject->histogram, choice->base + cell);
}

/* Whether the limits let KEY have a bar. */
static bool
is_within(const struct bar_choice *choice, uint64_t key)
{
    const struct scene_subject *subject = choice->subject;
    uint64_t count = count_of(choice, key);

    if (count != 0 && subject->spec->is_spectrum)
        count = spectrum_multiplicity(choice->scene->keys, key);
    return count != 0 && count_limits_include(&subject->limits, count);
}

/* ---- keys of time ---- */

/* Read KEY as a time to *NUMBER; the keys may be the first of tuples. */
static bool
read_time(const struct bar_choice *choice, struct key_time *time, uint64_t key,
          int64_t *number)
{
    const struct spec *spec = choice->subject->spec;
    size_t i = choice->scene->histogram;

    if (choice->scene->rows == ROWS_TUPLES)
        return key_time_read_tuple(time, spec, i, key, number);
    if (choice->scene->rows == ROWS_NUMBERS)
        return false;
    const struct key_entry entry = key_list_key(choice->scene->keys, key);
    return key_time_read(time, entry.key, entry.size, number);
}

static int64_t
common_divisor(int64_t a, int64_t b)
{
    while (b != 0) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Returns the units from a time that may be a key to the next one: 1, unless a
   modifier of the field says more. */
static int64_t
find_interval(const struct bar_choice *choice, const struct key_time *time)
{
    const struct spec *spec = choice->subject->spec;
    size_t axis = spec_own_axis(spec, choice->scene->histogram);
    int64_t seconds = spec_time_interval(spec, axis);

    return seconds > time->unit ? seconds / time->unit : 1;
}

/* Set the time and the interval of CHOICE, if all keys are times and ascend.
   The interval divides all differences, whatever made the keys. */
static void
find_time(struct bar_choice *choice)
{
    struct key_time time = {0};
    int64_t before = INT64_MIN;
    int64_t interval = 0;
    int64_t number;

    if (choice->scene->keys == NULL || choice->subject->spec->is_spectrum)
        return;
    for (uint64_t key = 0; key < choice->keys; key++) {
        if (count_of(choice, key) == 0)
            continue;
        if (!read_time(choice, &time, key, &number) || number < before)
            return;
        interval = before == INT64_MIN
                       ? find_interval(choice, &time)
                       : common_divisor(interval, number - before);
        before = number;
    }
    choice->time = time;
    choice->interval = interval;
}

/* Returns the bars for the times between BEFORE and NUMBER. */
static uint64_t
bars_between(const struct bar_choice *choice, int64_t before, int64_t number)
{
    int64_t gap = (number - before) / choice->interval - 1;

    return gap <= 0 ? 0 : gap <= choice->gap_most ? (uint64_t)gap : 1;
}

/* Returns the bars for all times without a key, or a number above ROOM. */
static uint64_t
count_gaps(const struct bar_choice *choice, uint64_t room)
{
    struct key_time time = choice->time;
    uint64_t gaps = 0;
    int64_t before = INT64_MAX;
    int64_t number = 0;

    for (uint64_t key = 0; key < choice->keys && gaps <= room; key++) {
        if (count_of(choice, key) == 0)
            continue;
        (void)read_time(choice, &time, key, &number);
        if (before != INT64_MAX)
            gaps += bars_between(choice, before, number);
        before = number;
    }
    return gaps;
}

/* Give times between the keys at most ROOM bars.  Between tuples, or if keys
   are left out, such bars would mean nothing. */
static void
choose_gaps(struct bar_choice *choice, uint64_t room)
{
    if (!choice->scene->is_time)
        return;
    for (choice->gap_most = (int64_t)room; choice->gap_most > 0;
         choice->gap_most--) {
        choice->gaps = (size_t)count_gaps(choice, room);
        if (choice->gaps <= room)
            return;
    }
    choice->gaps = 0;
}

/* ---- times that share bars ---- */

/* Set the bars of times of which STEP share one; *OCCUPIED: how many bars have
   a key. */
static void
divide_times(struct bar_choice *choice, int64_t step, size_t *occupied)
{
    struct key_time time = choice->time;
    int64_t last = 0;
    int64_t number = 0;

    *occupied = 0;
    choice->step = step;
    for (uint64_t key = 0; key < choice->keys; key++) {
        if (count_of(choice, key) == 0)
            continue;
        (void)read_time(choice, &time, key, &number);
        int64_t bar = key_time_bar(&time, step, number);
        if (*occupied == 0)
            choice->first_bar = bar;
        *occupied += *occupied == 0 || bar != last;
        last = bar;
    }
    choice->bars = (size_t)(last - choice->first_bar + 1);
}

/*
 * If not all times fit, let them share at most ROOM bars; bars without a key
 * are gaps.  Times with such long gaps that most bars would be empty have no
 * common bars: the greatest are drawn.
 */
static void
join_times(struct bar_choice *choice, uint64_t room)
{
    const struct scene *scene = choice->scene;
    const struct scene_subject *subject = choice->subject;
    size_t occupied = 0;
    int64_t step = 1;

    if (choice->time.unit == 0 || choice->is_by_count || subject->top != 0 ||
        scene->rows == ROWS_TUPLES || subject->limits.least > 1 ||
        subject->limits.most != 0 || scene->shown == scene->occurring)
        return;
    do {
        step = key_time_next_step(&choice->time, step);
        divide_times(choice, step, &occupied);
    } while (choice->bars > room);
    if (occupied < 2 || occupied * OCCUPIED_PART < choice->bars)
        choice->step = 0;
}

static bool
has_flow(const struct bar_choice *choice, unsigned int flow)
{
    enum flow how = choice->subject->flow;

    return how != FLOW_HIDE &&
           (how == FLOW_SHOW || count_of(choice, choice->keys + flow));
}

static struct bar_choice
choose(struct scene *scene, size_t most)
{
    const struct scene_subject *subject = scene->subject;
    const struct spec *spec = subject->spec;
    size_t i = scene->histogram;
    const struct binning_axis *axis = &spec->shown[spec_own_axis(spec, i)];
    bool is_sparse = scene->rows == ROWS_TUPLES;
    struct bar_choice choice = {
        .scene = scene,
        .subject = subject,
        .hides_tuples = is_sparse && subject->flow == FLOW_HIDE,
        .base = spec_first_cell(spec, i),
        .keys = scene->keys != NULL ? scene->keys->count : axis->bins,
        .flow_count = is_sparse ? 0 : axis_flows(axis),
    };
    uint64_t within = 0;

    for (uint64_t key = 0; key < choice.keys; key++) {
        scene->occurring += count_of(&choice, key) != 0;
        within += is_within(&choice, key);
    }
    for (unsigned int f = 0; f < choice.flow_count; f++)
        choice.flows += has_flow(&choice, f);

    uint64_t room = scene_room(subject, most, choice.flows, within,
                               within < scene->occurring);
    scene->shown = within < room ? within : room;
    choice.has_other = !subject->no_other && scene->shown < scene->occurring;
    choice.is_by_count =
        subject->sort == SORT_COUNT ||
        (subject->sort == SORT_DEFAULT && scene->shown < within &&
         (!spec->is_spectrum || subject->top != 0));
    find_time(&choice);
    if (choice.time.unit > 0 && subject->sort == SORT_DEFAULT)
        choice.is_by_count = false;
    if (subject->top != 0)
        most = SCENE_TOP_MAX;
    join_times(&choice, most > choice.flows ? most - choice.flows : 1);
    if (choice.step > 0) {
        scene->is_time = true;
        scene->shown = scene->occurring;
        choice.has_other = false;
        return choice;
    }
    scene->is_time = choice.time.unit > 0 && !choice.time.has_fraction &&
                     !choice.is_by_count && scene->shown == scene->occurring &&
                     !is_sparse;
    if (most > scene->shown + choice.flows)
        choose_gaps(&choice, most - scene->shown - choice.flows);
    return choice;
}

/* ---- the greatest keys ---- */

/* Whether key A has a higher amount than key B, or the same and comes first. */
static bool
has_more(const void *context, uint64_t a, uint64_t b)
{
    const struct bar_choice *choice = context;

    return scene_is_greater(choice->subject->spec, choice->subject->histogram,
                            choice->base + a, choice->base + b);
}

/* Add the amount of CELL of the axis to the cell of BAND. */
static void
add_amount(const struct bar_choice *choice, uint64_t cell, size_t band)
{
    struct amount amount =
        amount_of_cell(choice->subject->histogram, choice->base + cell);

    amount_add_to_cell(&choice->scene->amounts, band, choice->subject->spec,
                       &amount);
}

/*
 * Set ITEM to the keys with a bar, in their order, and add the others to the
 * cell of band OTHER.
 */
static void
rank(const struct bar_choice *choice, uint64_t *item, size_t other)
{
    uint64_t shown = choice->scene->shown;
    struct ranking ranking;

    ranking_open(&ranking, item, shown, has_more, choice);
    for (uint64_t key = 0; key < choice->keys; key++) {
        uint64_t left_out = key;
        if (count_of(choice, key) == 0)
            continue;
        if (shown > 0 && is_within(choice, key))
            left_out = ranking_add(&ranking, key);
        if (left_out != RANKING_NONE && choice->has_other)
            add_amount(choice, left_out, other);
    }
    if (shown > 0)
        ranking_sort(&ranking,
                     choice->is_by_count ? has_more : ranking_is_lower);
}

/* ---- bars ---- */

/* Append a band for CELL of the axis. */
static void
append(const struct bar_choice *choice, uint64_t cell, const char *word)
{
    struct band_axis *axis = &choice->scene->axis[0];

    axis->band[axis->bands] = (struct band){
        .first = cell, .cells = 1, .is_flow = word != NULL, .word = word};
    add_amount(choice, cell, axis->bands++);
}

/* Append bands for the times between BEFORE and NUMBER. */
static void
append_gap(const struct bar_choice *choice, int64_t before, int64_t number)
{
    struct band_axis *axis = &choice->scene->axis[0];
    uint64_t bars = bars_between(choice, before, number);
    int64_t interval = choice->interval;
    int64_t left_out = number - before - interval;

    for (uint64_t i = 0; i < bars; i++) {
        struct band *band = &axis->band[axis->bands++];
        band->word = band->text;
        band->is_gap = left_out > (int64_t)bars * interval;
        if (band->is_gap)
            snprintf(band->text, sizeof band->text, "(%lld %s)",
                     (long long)left_out, key_time_units(&choice->time));
        else
            key_time_write(&choice->time, before + interval * ((int64_t)i + 1),
                           band->text);
    }
}

/* Append bands for the keys at ITEM, and for the times between them. */
static void
append_keys(const struct bar_choice *choice, const uint64_t *item)
{
    struct band_axis *axis = &choice->scene->axis[0];
    struct key_time time = choice->time;
    int64_t before = 0;
    int64_t number = 0;

    for (uint64_t k = 0; k < choice->scene->shown; k++) {
        if (choice->scene->is_time) {
            (void)read_time(choice, &time, item[k], &number);
            if (k > 0 && choice->gaps > 0)
                append_gap(choice, before, number);
            before = number;
        }
        append(choice, item[k], NULL);
        if (choice->scene->is_time)
            key_time_write(&time, number, axis->band[axis->bands - 1].text);
    }
}

/* Append bands for the times that share bars. */
static void
append_times(const struct bar_choice *choice)
{
    struct band_axis *axis = &choice->scene->axis[0];
    struct key_time time = choice->time;
    int64_t number = 0;

    for (size_t i = 0; i < choice->bars; i++) {
        struct band *band = &axis->band[axis->bands++];
        band->word = band->text;
        key_time_write(&time,
                       key_time_bar_start(&time, choice->step,
                                          choice->first_bar + (int64_t)i),
                       band->text);
    }
    for (uint64_t key = 0; key < choice->keys; key++) {
        if (count_of(choice, key) == 0)
            continue;
        (void)read_time(choice, &time, key, &number);
        int64_t bar = key_time_bar(&time, choice->step, number);
        add_amount(choice, key, (size_t)(bar - choice->first_bar));
    }
}

int
key_bars_make(struct scene *scene, size_t most)
{
    const struct spec *spec = scene->spec;
    size_t i = scene->histogram;
    struct band_axis *axis = &scene->axis[0];
    const struct bar_choice choice = choose(scene, most);
    size_t bins =
        choice.step > 0 ? choice.bars : (size_t)scene->shown + choice.gaps;
    size_t bands = bins + choice.flows + choice.has_other;
    uint64_t *item = malloc((size_t)(scene->shown + 1) * sizeof *item);

    axis->axis = &spec->shown[spec_own_axis(spec, i)];
    band_set_list(axis, spec, i, scene->subject->names,
                  spec_dimensions(spec, i));
    axis->joined = choice.step > 0 ? (uint64_t)choice.step : 1;
    axis->last = bins;
    axis->band = calloc(bands + 1, sizeof *axis->band);
    if (item == NULL || axis->band == NULL ||
        histogram_open(&scene->amounts, bands + 1,
                       scene->subject->histogram->planes) < 0) {
        free(item);
        return -1;
    }
    /* Cells and bands have one order, and the other keys come last. */
    if (choice.step > 0) {
        append_times(&choice);
    } else {
        rank(&choice, item, bands - choice.has_other);
        append_keys(&choice, item);
    }
    for (unsigned int f = 0; f < choice.flow_count; f++) {
        if (has_flow(&choice, f))
            append(&choice, choice.keys + f, axis_special_words[f]);
    }
    if (choice.has_other)
        axis->band[axis->bands++] =
            (struct band){.is_flow = true, .word = "\\other"};
    free(item);
    scene->values = histogram_total(&scene->amounts, 0, scene->amounts.cells);
    return 0;
}
