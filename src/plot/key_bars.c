/* key_bars.c -- the keys that a scene shows: the greatest ones */

#include <stdio.h>
#include <stdlib.h>

#include "base/ranking.h"
#include "hist/amount.h"
#include "hist/spectrum.h"
#include "plot/key_bars.h"
#include "plot/key_time.h"
#include "plot/tuple.h"

/* What a scene has, beside the keys. */
static const char *const flow_names[AXIS_SPECIALS] = {
    [AXIS_KEY_MISSING] = "\\N",
    [AXIS_EMPTY] = "\\empty",
    [AXIS_INVALID] = "\\invalid",
};

/* Which bars there are. */
struct choice {
    const struct scene_subject *subject;
    size_t histogram;
    const struct key_list *list; /* spec_keys() */
    uint64_t base;     /* the cell of the first key; flow cells follow */
    uint64_t keys;     /* in the list, or bins */
    bool hides_tuples; /* those that are outside of all bins */
    unsigned int flow_count;
    uint64_t occurring;   /* keys with a count */
    uint64_t shown;       /* keys with a bar */
    size_t flows;         /* bars of flow cells */
    bool has_rest;        /* a bar for the others */
    bool is_by_count;     /* the order of the keys */
    struct key_time time; /* if all keys are times; else the unit is 0 */
    int64_t gap_most;     /* as many times between two keys have a bar each, and
                             more of them one together ... */
    size_t gaps;          /* ... which is this number of bars */
};

/* Whether a component of tuple KEY has no value, or one outside all bins. */
static bool
is_outside(const struct choice *choice, uint64_t key)
{
    struct tuple tuple;

    tuple_read(&tuple, choice->subject->spec, choice->histogram, key);
    return tuple.is_outside;
}

static uint64_t
count_of(const struct choice *choice, uint64_t cell)
{
    if (choice->hides_tuples && is_outside(choice, cell))
        return 0;
    return histogram_count(choice->subject->histogram, choice->base + cell);
}

/* Whether --min-count lets KEY have a bar. */
static bool
is_frequent(const struct choice *choice, uint64_t key)
{
    const struct scene_subject *subject = choice->subject;
    uint64_t count = count_of(choice, key);

    if (count != 0 && subject->spec->is_spectrum)
        count = spectrum_multiplicity(choice->list, key);
    return count != 0 && count >= subject->min_count;
}

/* ---- keys of time ---- */

/* Read KEY as a time to *NUMBER; the keys may be the first of tuples. */
static bool
read_time(const struct choice *choice, struct key_time *time, uint64_t key,
          int64_t *number)
{
    const struct spec *spec = choice->subject->spec;
    size_t i = choice->histogram;

    if (spec->histogram[i].rows == ROWS_TUPLES)
        return key_time_read_tuple(time, spec, i, key, number);
    if (spec->histogram[i].rows == ROWS_NUMBERS)
        return false;
    const struct key_entry entry = key_list_key(choice->list, key);
    return key_time_read(time, entry.key, entry.size, number);
}

/* Set the time of CHOICE, if all keys are times in their order. */
static void
find_time(struct choice *choice)
{
    struct key_time time = {0};
    int64_t before = INT64_MIN;
    int64_t number;

    if (choice->list == NULL || choice->subject->spec->is_spectrum)
        return;
    for (uint64_t key = 0; key < choice->keys; key++) {
        if (count_of(choice, key) == 0)
            continue;
        if (!read_time(choice, &time, key, &number) || number < before)
            return;
        before = number;
    }
    choice->time = time;
}

/* Returns the bars for the times between BEFORE and NUMBER. */
static uint64_t
bars_between(const struct choice *choice, int64_t before, int64_t number)
{
    int64_t gap = number - before - 1;

    return gap <= 0 ? 0 : gap <= choice->gap_most ? (uint64_t)gap : 1;
}

/* Returns the bars for all times without a key, of which at most ROOM count. */
static uint64_t
count_gaps(const struct choice *choice, uint64_t room)
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

/* Give times between the keys bars, of which there may be ROOM more.  Of tuples
   and of some of the keys they would say nothing. */
static void
choose_gaps(struct choice *choice, uint64_t room)
{
    if (choice->time.unit == 0 || choice->time.has_fraction ||
        choice->is_by_count || choice->shown < choice->occurring ||
        choice->subject->spec->histogram[choice->histogram].rows == ROWS_TUPLES)
        return;
    for (choice->gap_most = (int64_t)room; choice->gap_most > 0;
         choice->gap_most--) {
        choice->gaps = (size_t)count_gaps(choice, room);
        if (choice->gaps <= room)
            return;
    }
    choice->gaps = 0;
}

static bool
has_flow(const struct choice *choice, unsigned int flow)
{
    enum flow how = choice->subject->flow;

    return how != FLOW_HIDE &&
           (how == FLOW_SHOW || count_of(choice, choice->keys + flow));
}

static struct choice
choose(const struct scene_subject *subject, size_t i, size_t most)
{
    const struct spec *spec = subject->spec;
    const struct binning_axis *axis = &spec->shown[spec_own_axis(spec, i)];
    bool is_sparse = spec->histogram[i].rows == ROWS_TUPLES;
    struct choice choice = {
        .subject = subject,
        .histogram = i,
        .list = spec_keys(spec, i),
        .hides_tuples = is_sparse && subject->flow == FLOW_HIDE,
        .base = spec_first_cell(spec, i),
        .keys = spec_keys(spec, i) != NULL ? spec->keys[i].count : axis->bins,
        .flow_count = is_sparse ? 0 : axis_flows(axis),
    };
    uint64_t frequent = 0;
    bool may_have_rest = !subject->no_other;

    for (uint64_t key = 0; key < choice.keys; key++) {
        choice.occurring += count_of(&choice, key) != 0;
        frequent += is_frequent(&choice, key);
    }
    for (unsigned int f = 0; f < choice.flow_count; f++)
        choice.flows += has_flow(&choice, f);

    uint64_t room = most > choice.flows ? most - choice.flows : 1;
    if (subject->top != 0)
        room = subject->top < KEY_BARS_MAX ? subject->top : KEY_BARS_MAX;
    else if (may_have_rest && room > 1 &&
             (frequent > room || frequent < choice.occurring))
        room--;
    choice.shown = frequent < room ? frequent : room;
    choice.has_rest = may_have_rest && choice.shown < choice.occurring;
    choice.is_by_count =
        subject->sort == SORT_COUNT ||
        (subject->sort == SORT_DEFAULT && choice.shown < frequent &&
         (!spec->is_spectrum || subject->top != 0));
    find_time(&choice);
    if (choice.time.unit > 0 && subject->sort == SORT_DEFAULT)
        choice.is_by_count = false;
    if (subject->top != 0)
        most = KEY_BARS_MAX;
    if (most > choice.shown + choice.flows)
        choose_gaps(&choice, most - choice.shown - choice.flows);
    return choice;
}

/* ---- the greatest keys ---- */

/* Whether key A has a higher amount than key B, or the same and comes first. */
static bool
has_more(const void *context, uint64_t a, uint64_t b)
{
    const struct choice *choice = context;
    const struct histogram *histogram = choice->subject->histogram;
    uint64_t base = choice->base;
    struct amount amount_a = amount_of_cell(histogram, base + a);
    struct amount amount_b = amount_of_cell(histogram, base + b);
    int order = amount_compare(choice->subject->spec, &amount_a, &amount_b);

    return order > 0 || (order == 0 && a < b);
}

/*
 * Set ITEM to the keys with a bar, in their order, and add the others to the
 * cell REST of AMOUNTS.
 */
static void
rank(const struct choice *choice, uint64_t *item, struct histogram *amounts,
     uint64_t rest)
{
    const struct scene_subject *subject = choice->subject;
    struct ranking ranking;

    ranking_open(&ranking, item, choice->shown, has_more, choice);
    for (uint64_t key = 0; key < choice->keys; key++) {
        uint64_t left_out = key;
        if (count_of(choice, key) == 0)
            continue;
        if (choice->shown > 0 && is_frequent(choice, key))
            left_out = ranking_add(&ranking, key);
        if (left_out == RANKING_NONE || !choice->has_rest)
            continue;
        struct amount amount =
            amount_of_cell(subject->histogram, choice->base + left_out);
        amount_add_to_cell(amounts, rest, subject->spec, &amount);
    }
    if (choice->shown > 0)
        ranking_sort(&ranking,
                     choice->is_by_count ? has_more : ranking_is_lower);
}

/* ---- bars ---- */

size_t
key_bars_count(const struct scene_subject *subject, size_t i, size_t most)
{
    const struct choice choice = choose(subject, i, most);

    return (size_t)choice.shown + choice.gaps + choice.flows + choice.has_rest;
}

/* Append a band for CELL of the axis. */
static void
append(struct band_axis *axis, struct histogram *amounts,
       const struct choice *choice, uint64_t cell, const char *word)
{
    struct amount amount =
        amount_of_cell(choice->subject->histogram, choice->base + cell);

    axis->band[axis->bands] = (struct band){
        .first = cell, .cells = 1, .is_flow = word != NULL, .word = word};
    amount_add_to_cell(amounts, axis->bands++, choice->subject->spec, &amount);
}

/* Append bands for the times between BEFORE and NUMBER. */
static void
append_gap(struct band_axis *axis, const struct choice *choice, int64_t before,
           int64_t number)
{
    uint64_t bars = bars_between(choice, before, number);

    for (uint64_t i = 0; i < bars; i++) {
        struct band *band = &axis->band[axis->bands++];
        band->word = band->text;
        if (number - before - 1 > (int64_t)bars)
            snprintf(band->text, sizeof band->text, "(%lld %s)",
                     (long long)(number - before - 1),
                     key_time_units(&choice->time));
        else
            key_time_write(&choice->time, before + 1 + (int64_t)i, band->text);
    }
}

/* Append bands for the SHOWN keys at ITEM, and for the times between them. */
static void
append_keys(struct band_axis *axis, struct histogram *amounts,
            const struct choice *choice, const uint64_t *item)
{
    struct key_time time = choice->time;
    int64_t before = 0;
    int64_t number = 0;

    for (uint64_t k = 0; k < choice->shown; k++) {
        if (choice->gaps > 0) {
            (void)read_time(choice, &time, item[k], &number);
            if (k > 0)
                append_gap(axis, choice, before, number);
            before = number;
        }
        append(axis, amounts, choice, item[k], NULL);
    }
}

int
key_bars_make(struct band_axis *axis, struct histogram *amounts,
              struct key_bars *bars, const struct scene_subject *subject,
              size_t i, size_t most)
{
    const struct choice choice = choose(subject, i, most);
    size_t bands =
        (size_t)choice.shown + choice.gaps + choice.flows + choice.has_rest;
    uint64_t *item = malloc((size_t)(choice.shown + 1) * sizeof *item);

    *bars = (struct key_bars){choice.occurring, choice.shown};
    axis->joined = 1;
    axis->last = (size_t)choice.shown + choice.gaps;
    axis->band = calloc(bands + 1, sizeof *axis->band);
    if (item == NULL || axis->band == NULL ||
        histogram_open(amounts, bands + 1, subject->histogram->planes) < 0) {
        free(item);
        return -1;
    }
    /* The order of cells is that of bands, and the rest is the last one. */
    rank(&choice, item, amounts, bands - choice.has_rest);
    append_keys(axis, amounts, &choice, item);
    for (unsigned int f = 0; f < choice.flow_count; f++) {
        if (has_flow(&choice, f))
            append(axis, amounts, &choice, choice.keys + f, flow_names[f]);
    }
    if (choice.has_rest)
        axis->band[axis->bands++] =
            (struct band){.is_flow = true, .word = "\\other"};
    free(item);
    return 0;
}
