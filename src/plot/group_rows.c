/* group_rows.c -- the groups that a picture shows: a row of numbers for each */

#include <stdlib.h>
#include <string.h>

#include "hist/amount.h"
#include "hist/number_bins.h"
#include "plot/band_text.h"
#include "plot/group_rows.h"
#include "plot/key_bars.h"
#include "plot/tuple.h"
#include "util/ranking.h"

#define ROW_NONE UINT32_MAX

bool
group_rows_are_for(const struct spec *spec, size_t i)
{
    return spec->group_count > 0 && spec_is_sparse(spec, i) &&
           spec_own_axes(spec, i) == 1 &&
           spec_key_kind(spec, spec_own_axis(spec, i)) != KEY_TEXT;
}

/* ---- tuples ---- */

/* An iterator over the tuples that are shown. */
struct walk {
    const struct picture_subject *subject;
    size_t histogram;
    uint64_t base; /* the cell of the first tuple */
    uint64_t next;

    /* The current one. */
    struct tuple tuple;
    struct amount amount;
    uint64_t key;
    bool is_rare;   /* it belongs to the rest */
    uint64_t group; /* else: the number of its group */
    bool is_first;  /* ... of which it is the first tuple */

    /* The group of the last one that is not rare; NULL: there is none. */
    const unsigned char *code;
    size_t code_size;
};

static struct walk
walk_begin(const struct picture_subject *subject, size_t i)
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
    const struct picture_subject *subject = walk->subject;
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
        if (!walk->is_rare)
            set_group(walk);
        return true;
    }
    return false;
}

/* ---- which groups have a row ---- */

struct choice {
    uint64_t groups;
    uint64_t keyless; /* of them: without a key */
    uint64_t shown;   /* of the others */
    bool has_rest;
    bool is_by_count; /* the order of the groups */
};

static struct choice
choose(const struct picture_subject *subject, size_t i, size_t most)
{
    struct choice choice = {0};
    bool may_have_rest = !subject->no_other;
    bool has_rare = false;

    for (struct walk walk = walk_begin(subject, i); walk_next(&walk);) {
        has_rare |= walk.is_rare;
        choice.groups += !walk.is_rare && walk.is_first;
        choice.keyless +=
            !walk.is_rare && walk.is_first && walk.tuple.lacks_group;
    }
    uint64_t keyed = choice.groups - choice.keyless;
    uint64_t room = most > choice.keyless ? most - choice.keyless : 1;
    if (subject->top != 0)
        room = subject->top < KEY_BARS_MAX ? subject->top : KEY_BARS_MAX;
    else if (may_have_rest && room > 1 && (keyed > room || has_rare))
        room--;
    choice.shown = keyed < room ? keyed : room;
    choice.has_rest = may_have_rest && (has_rare || choice.shown < keyed);
    choice.is_by_count =
        subject->sort == SORT_COUNT ||
        (subject->sort == SORT_DEFAULT && choice.shown < keyed);
    return choice;
}

static size_t
row_count(const struct choice *choice)
{
    return (size_t)(choice->shown + choice->keyless) + choice->has_rest;
}

size_t
group_rows_count(const struct picture_subject *subject, size_t i, size_t most)
{
    const struct choice choice = choose(subject, i, most);

    return row_count(&choice);
}

/* What is known of all groups before they have rows. */
struct totals {
    const struct spec *spec;
    struct histogram amount; /* a cell for each group */
    uint64_t *tuple;         /* the first one of each */
    bool *is_keyless;
    uint64_t *item; /* the groups with a row, ranked */
};

/* Whether group A has a higher amount than B, or the same and comes first. */
static bool
has_more(const void *context, uint64_t a, uint64_t b)
{
    const struct totals *totals = context;
    struct amount amount_a = amount_of_cell(&totals->amount, a);
    struct amount amount_b = amount_of_cell(&totals->amount, b);
    int order = amount_compare(totals->spec, &amount_a, &amount_b);

    return order > 0 || (order == 0 && a < b);
}

/* Add up the groups; rare tuples are added to the rest of ROWS. */
static void
add_up(struct totals *totals, struct group_rows *rows)
{
    const struct spec *spec = totals->spec;

    for (struct walk walk = walk_begin(rows->subject, rows->histogram);
         walk_next(&walk);) {
        if (walk.is_rare) {
            if (rows->rest != ROW_NONE)
                amount_add_to_cell(&rows->total, rows->rest, spec,
                                   &walk.amount);
            continue;
        }
        if (walk.is_first) {
            totals->tuple[walk.group] = walk.key;
            totals->is_keyless[walk.group] = walk.tuple.lacks_group;
        }
        amount_add_to_cell(&totals->amount, walk.group, spec, &walk.amount);
    }
}

/* Append a row for GROUP. */
static void
append(struct group_rows *rows, struct band_axis *axis,
       const struct totals *totals, uint64_t group)
{
    struct amount amount = amount_of_cell(&totals->amount, group);

    axis->band[axis->bands] = (struct band){
        .first = totals->tuple[group],
        .cells = 1,
        .is_flow = totals->is_keyless[group],
    };
    rows->row[group] = (uint32_t)axis->bands;
    amount_add_to_cell(&rows->total, axis->bands++, totals->spec, &amount);
}

/* Rank the groups, and give the greatest of them a row. */
static void
rank(struct group_rows *rows, struct band_axis *axis, struct totals *totals,
     const struct choice *choice)
{
    struct ranking ranking;

    ranking_open(&ranking, totals->item, choice->shown, has_more, totals);
    for (uint64_t g = 0; g < choice->groups; g++) {
        rows->row[g] = rows->rest;
        if (totals->is_keyless[g] || choice->shown == 0)
            continue;
        uint64_t left_out = ranking_add(&ranking, g);
        if (left_out == RANKING_NONE || !choice->has_rest)
            continue;
        struct amount amount = amount_of_cell(&totals->amount, left_out);
        amount_add_to_cell(&rows->total, rows->rest, totals->spec, &amount);
    }
    if (choice->shown > 0)
        ranking_sort(&ranking,
                     choice->is_by_count ? has_more : ranking_is_lower);
    for (uint64_t k = 0; k < choice->shown; k++)
        append(rows, axis, totals, totals->item[k]);
    for (uint64_t g = 0; g < choice->groups; g++) {
        if (totals->is_keyless[g])
            append(rows, axis, totals, g);
    }
}

int
group_rows_open(struct group_rows *rows, struct band_axis *axis,
                const struct picture_subject *subject, size_t i, size_t most)
{
    const struct choice choice = choose(subject, i, most);
    unsigned int planes = subject->histogram->planes;
    /* One more, because none at all may not be allocated. */
    size_t room = (size_t)choice.groups + 1;
    size_t bands = row_count(&choice) + 1;
    struct totals totals = {
        .spec = subject->spec,
        .tuple = calloc(room, sizeof *totals.tuple),
        .is_keyless = calloc(room, sizeof *totals.is_keyless),
        .item = calloc(bands, sizeof *totals.item),
    };
    int result = -1;

    *rows = (struct group_rows){
        .subject = subject,
        .histogram = i,
        .occurring = choice.groups - choice.keyless,
        .shown = choice.shown,
        .row = calloc(room, sizeof *rows->row),
        .rest = choice.has_rest ? (uint32_t)(choice.shown + choice.keyless)
                                : ROW_NONE,
    };
    axis->joined = 1;
    axis->band = calloc(bands, sizeof *axis->band);
    if (totals.tuple != NULL && totals.is_keyless != NULL &&
        totals.item != NULL && rows->row != NULL && axis->band != NULL &&
        histogram_open(&totals.amount, room, planes) == 0 &&
        histogram_open(&rows->total, bands, planes) == 0) {
        add_up(&totals, rows);
        rank(rows, axis, &totals, &choice);
        axis->last = axis->bands;
        if (choice.has_rest)
            axis->band[axis->bands++] =
                (struct band){.is_flow = true, .word = "\\other"};
        result = 0;
    }
    histogram_close(&totals.amount);
    free(totals.tuple);
    free(totals.is_keyless);
    free(totals.item);
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
    const struct picture_subject *subject = rows->subject;
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
