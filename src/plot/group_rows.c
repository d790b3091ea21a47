/* group_rows.c -- the groups that a scene shows: a row of numbers for each */

#include <stdlib.h>
#include <string.h>

#include "base/ranking.h"
#include "hist/amount.h"
#include "hist/number_bins.h"
#include "plot/band_text.h"
#include "plot/group_rows.h"
#include "plot/key_bars.h"
#include "plot/key_time.h"
#include "plot/tuple.h"

#define ROW_NONE UINT32_MAX

bool
group_rows_are_for(const struct spec *spec, size_t i)
{
    return spec->group_count > 0 && spec->histogram[i].rows == ROWS_TUPLES &&
           spec_own_axes(spec, i) == 1 &&
           spec_key_kind(spec, spec_own_axis(spec, i)) != KEY_TEXT;
}

/* ---- tuples ---- */

/* An iterator over the tuples that are shown. */
struct walk {
    const struct scene_subject *subject;
    size_t histogram;
    uint64_t base; /* the cell of the first tuple */
    uint64_t next;

    /* The current one. */
    struct tuple tuple;
    struct amount amount;
    uint64_t key;
    bool is_rare;   /* it belongs to the rest */
    uint64_t group; /* the number of its group ... */
    bool is_first;  /* ... of which it is the first tuple */

    /* The group of the last one; NULL: there is none. */
    const unsigned char *code;
    size_t code_size;
};

static struct walk
walk_begin(const struct scene_subject *subject, size_t i)
{
    return (struct walk){
        .subject = subject,
        .histogram = i,
        .base = spec_first_cell(subject->spec, i),
        .group = UINT64_MAX, /* the first one is group 0 */
    };
}

/* Note which group the tuple is of: those of a group follow each other. */
static void
set_group(struct walk *walk)
{
    const struct tuple *tuple = &walk->tuple;

    walk->is_first = walk->code == NULL ||
                     walk->code_size != tuple->group_size ||
                     memcmp(walk->code, tuple->group, walk->code_size) != 0;
    walk->group += walk->is_first;
    walk->code = tuple->group;
    walk->code_size = tuple->group_size;
}

static bool
walk_next(struct walk *walk)
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
        walk->is_rare = walk->amount.count < subject->min_count &&
                        (hides || !walk->tuple.lacks_all);
        set_group(walk);
        return true;
    }
    return false;
}

/* ---- what is known of all groups ---- */

struct totals {
    const struct scene_subject *subject;
    size_t histogram;
    uint64_t groups;
    bool has_rare; /* tuples */

    struct histogram all;      /* a cell for each group: these are ranked ... */
    struct histogram frequent; /* ... and these drawn, the rest behind them */
    uint64_t *tuple;           /* the first one of each */
    bool *is_keyless;
    uint64_t *item; /* the groups with a row, ranked */
};

/* Whether group A has a higher amount than B, or the same and comes first. */
static bool
has_more(const void *context, uint64_t a, uint64_t b)
{
    const struct totals *totals = context;
    struct amount amount_a = amount_of_cell(&totals->all, a);
    struct amount amount_b = amount_of_cell(&totals->all, b);
    int order = amount_compare(totals->subject->spec, &amount_a, &amount_b);

    return order > 0 || (order == 0 && a < b);
}

/* Whether GROUP has a tuple that is drawn. */
static bool
is_drawn(const struct totals *totals, uint64_t group)
{
    return histogram_count(&totals->frequent, group) > 0;
}

static void
add_up(struct totals *totals)
{
    const struct spec *spec = totals->subject->spec;

    for (struct walk walk = walk_begin(totals->subject, totals->histogram);
         walk_next(&walk);) {
        uint64_t cell = walk.is_rare ? totals->groups : walk.group;
        if (walk.is_first) {
            totals->tuple[walk.group] = walk.key;
            totals->is_keyless[walk.group] = walk.tuple.lacks_group;
        }
        amount_add_to_cell(&totals->all, walk.group, spec, &walk.amount);
        amount_add_to_cell(&totals->frequent, cell, spec, &walk.amount);
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
    for (struct walk walk = walk_begin(subject, i); walk_next(&walk);) {
        totals->groups += walk.is_first;
        totals->has_rare |= walk.is_rare;
    }
    /* One more, because none at all may not be allocated. */
    size_t room = (size_t)totals->groups + 1;
    totals->tuple = calloc(room, sizeof *totals->tuple);
    totals->is_keyless = calloc(room, sizeof *totals->is_keyless);
    totals->item = calloc(room, sizeof *totals->item);
    if (totals->tuple == NULL || totals->is_keyless == NULL ||
        totals->item == NULL ||
        histogram_open(&totals->all, room, planes) < 0 ||
        histogram_open(&totals->frequent, room, planes) < 0)
        return -1;
    add_up(totals);
    return 0;
}

static void
totals_close(struct totals *totals)
{
    histogram_close(&totals->all);
    histogram_close(&totals->frequent);
    free(totals->tuple);
    free(totals->is_keyless);
    free(totals->item);
}

/* ---- which groups have a row ---- */

/* Of groups that have a tuple to draw. */
struct choice {
    uint64_t keyed;   /* with a key */
    uint64_t keyless; /* without one */
    uint64_t shown;   /* with a key, and chosen: the first items of TOTALS */
    bool has_rest;
};

/* Whether the keys of all groups with one are times. */
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
 * Rank the groups with a key.  --top chooses among all of them, also of those
 * that have no tuple to draw.
 */
static void
rank(struct totals *totals, struct choice *choice, uint64_t room)
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
    choice->has_rest = !subject->no_other && (totals->has_rare || left_out > 0);
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

static struct choice
choose(struct totals *totals, size_t most)
{
    const struct scene_subject *subject = totals->subject;
    bool may_have_rest = !subject->no_other;
    struct choice choice = {0};

    for (uint64_t g = 0; g < totals->groups; g++) {
        bool is_keyless = totals->is_keyless[g];
        choice.keyless += is_keyless && is_drawn(totals, g);
        choice.keyed += !is_keyless && is_drawn(totals, g);
    }
    uint64_t room = most > choice.keyless ? most - choice.keyless : 1;
    if (subject->top != 0)
        room = subject->top < KEY_BARS_MAX ? subject->top : KEY_BARS_MAX;
    else if (may_have_rest && room > 1 &&
             (choice.keyed > room || totals->has_rare))
        room--;
    if (room > totals->groups)
        room = totals->groups;
    if (room > 0)
        rank(totals, &choice, room);
    return choice;
}

static size_t
row_count(const struct choice *choice)
{
    return (size_t)(choice->shown + choice->keyless) + choice->has_rest;
}

size_t
group_rows_count(const struct scene_subject *subject, size_t i, size_t most)
{
    struct totals totals;
    struct choice choice = {0};

    if (totals_open(&totals, subject, i) == 0)
        choice = choose(&totals, most);
    totals_close(&totals);
    return row_count(&choice);
}

/* Append a row for GROUP. */
static void
append(struct group_rows *rows, struct band_axis *axis,
       const struct totals *totals, uint64_t group)
{
    struct amount amount = amount_of_cell(&totals->frequent, group);

    axis->band[axis->bands] = (struct band){
        .first = totals->tuple[group],
        .cells = 1,
        .is_flow = totals->is_keyless[group],
    };
    rows->row[group] = (uint32_t)axis->bands;
    amount_add_to_cell(&rows->total, axis->bands++, totals->subject->spec,
                       &amount);
}

/* Append the row for what no other row has. */
static void
append_rest(struct group_rows *rows, struct band_axis *axis,
            const struct totals *totals)
{
    /* Behind the groups are the rare tuples. */
    for (uint64_t g = 0; g <= totals->groups; g++) {
        struct amount amount = amount_of_cell(&totals->frequent, g);
        if (g == totals->groups || rows->row[g] == rows->rest)
            amount_add_to_cell(&rows->total, rows->rest, totals->subject->spec,
                               &amount);
    }
    axis->band[axis->bands++] =
        (struct band){.is_flow = true, .word = "\\other"};
}

/* Append the rows of CHOICE. */
static void
append_all(struct group_rows *rows, struct band_axis *axis,
           const struct totals *totals, const struct choice *choice)
{
    for (uint64_t g = 0; g < totals->groups; g++)
        rows->row[g] = rows->rest;
    for (uint64_t k = 0; k < choice->shown; k++)
        append(rows, axis, totals, totals->item[k]);
    for (uint64_t g = 0; g < totals->groups; g++) {
        if (totals->is_keyless[g] && is_drawn(totals, g))
            append(rows, axis, totals, g);
    }
    axis->last = axis->bands;
    if (choice->has_rest)
        append_rest(rows, axis, totals);
}

int
group_rows_open(struct group_rows *rows, struct band_axis *axis,
                const struct scene_subject *subject, size_t i, size_t most)
{
    struct choice choice = {0};
    struct totals totals;
    int result = totals_open(&totals, subject, i);

    if (result == 0)
        choice = choose(&totals, most);
    /* One more, because none at all may not be allocated. */
    size_t bands = row_count(&choice) + 1;
    *rows = (struct group_rows){
        .subject = subject,
        .histogram = i,
        .occurring = choice.keyed,
        .shown = choice.shown,
        .row = calloc((size_t)totals.groups + 1, sizeof *rows->row),
        .rest = choice.has_rest ? (uint32_t)(choice.shown + choice.keyless)
                                : ROW_NONE,
    };
    axis->joined = 1;
    axis->band = calloc(bands, sizeof *axis->band);
    if (rows->row == NULL || axis->band == NULL ||
        histogram_open(&rows->total, bands, subject->histogram->planes) < 0)
        result = -1;
    if (result == 0)
        append_all(rows, axis, &totals, &choice);
    totals_close(&totals);
    return result;
}

void
group_rows_close(struct group_rows *rows)
{
    histogram_close(&rows->total);
    free(rows->row);
}

/* ---- their numbers ---- */

/* Go to the next tuple with a row, and set *ROW to that. */
static bool
next_in_row(const struct group_rows *rows, struct walk *walk, uint32_t *row)
{
    while (walk_next(walk)) {
        *row = walk->is_rare ? rows->rest : rows->row[walk->group];
        if (*row != ROW_NONE)
            return true;
    }
    return false;
}

/* Make bins for the numbers in ROWS. */
static void
make_bins(const struct group_rows *rows, struct binning_axis *made)
{
    struct number_span span = {0};
    struct walk walk = walk_begin(rows->subject, rows->histogram);

    for (uint32_t row; next_in_row(rows, &walk, &row);)
        number_bins_add(&span, walk.tuple.kind, &walk.tuple.last);
    number_bins_set(made, &span);
}

int
group_rows_cut(const struct group_rows *rows, struct band_axis *axis,
               struct binning_axis *made, struct histogram *amounts,
               size_t most)
{
    const struct scene_subject *subject = rows->subject;
    struct band_extent extent = {.first = UINT64_MAX};
    enum flow flow = subject->flow;
    uint32_t row;

    if (axis_is_sparse(axis->axis)) {
        *made = *axis->axis;
        make_bins(rows, made);
        axis->axis = made;
        /* What FLOW_HIDE hides of these has no row; NaN is a number. */
        flow = flow == FLOW_HIDE ? FLOW_AUTO : flow;
    }
    struct walk walk = walk_begin(subject, rows->histogram);
    while (next_in_row(rows, &walk, &row))
        band_extent_add(
            &extent, axis->axis,
            number_bins_cell(axis->axis, walk.tuple.kind, &walk.tuple.last));
    if (band_cut(axis, &extent, flow, most, false) < 0)
        return -1;
    band_text_set(axis, false);
    if (histogram_open(amounts, rows->total.cells * axis->bands,
                       subject->histogram->planes) < 0)
        return -1;
    walk = walk_begin(subject, rows->histogram);
    while (next_in_row(rows, &walk, &row)) {
        uint64_t cell =
            number_bins_cell(axis->axis, walk.tuple.kind, &walk.tuple.last);
        amount_add_to_cell(amounts,
                           (uint64_t)row * axis->bands + band_find(axis, cell),
                           subject->spec, &walk.amount);
    }
    return 0;
}
