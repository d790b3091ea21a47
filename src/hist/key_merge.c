/* SPDX-License-Identifier: MIT */
/* key_merge.c -- the entries of several runs, merged in order */

#include <assert.h>
#include <stdlib.h>

#include "hist/key_merge.h"

/* What a source has in memory: with less, each step costs more than reading. */
#define WINDOW_MIN ((size_t)1 << 16)
#define WINDOW_MAX ((size_t)1 << 20)

/* What is given back to the file system is a multiple of any block. */
#define BLOCK ((uint64_t)1 << 16)

/* If more runs than this are kept, they become one run.  Each snapshot adds a
   run and reads all runs: else the time would grow with the square of the
   number of runs. */
#define KEPT_MAX 4

/*
 * In the order of the keys, the rank of an entry says how its key differs from
 * the key of its base, an entry that does not come after it.  The rank is zero
 * if the keys are equal.  Else the rank is lower the later the keys differ, and
 * the lower the bytes there (offset-value codes, W. Conner, IBM Technical
 * Disclosure Bulletin 20, 1977).  The base of the next entry of a source is the
 * entry before; the base of a loser is the winner.  So all entries that meet
 * have the same base, and ranks alone order most pairs.  A loser with the rank
 * of the winner gets the winner as its base, and a new rank.
 *
 * Keys are compared in units of UNIT bytes.  The value of a unit holds its
 * bytes and their number, so a key comes before the longer keys that start with
 * it.  Differences after UNITS units give equal ranks.
 */
#define UNIT 6
#define VALUE_BITS (8 * UNIT + 3)
#define UNITS (((uint32_t)1 << (64 - VALUE_BITS)) - 2)
#define RANK_END UINT64_MAX /* the source has no entry */
#define RANK_LATER 1        /* the difference is not in the first UNITS */

/* ---- order ---- */

/* Returns the value of UNIT of ENTRY. */
static uint64_t
value_of(const struct key_entry *entry, uint32_t unit)
{
    uint32_t at = UNIT * unit;
    uint32_t bytes = at < entry->size ? entry->size - at : 0;
    uint64_t value = 0;

    bytes = bytes < UNIT ? bytes : UNIT;
    for (uint32_t i = 0; i < UNIT; i++)
        value = value << 8 | (i < bytes ? entry->key[at + i] : 0);
    return value << 3 | bytes;
}

/* Returns the rank of an entry that differs in UNIT, which has VALUE. */
static uint64_t
rank_of(uint32_t unit, uint64_t value)
{
    return unit < UNITS ? (uint64_t)(UNITS - unit) << VALUE_BITS | value
                        : RANK_LATER;
}

/* Returns the first unit that may differ in entries of RANK and one base. */
static uint32_t
unit_after(uint64_t rank)
{
    return rank == RANK_LATER ? UNITS
                              : UNITS - (uint32_t)(rank >> VALUE_BITS) + 1;
}

/* Returns the first unit, from UNIT on, in which A and B differ; UINT32_MAX: A
   and B are equal. */
static uint32_t
find_difference(const struct key_entry *a, const struct key_entry *b,
                uint32_t unit)
{
    uint32_t most = a->size < b->size ? a->size : b->size;
    uint32_t at = UNIT * unit;

    while (at + 8 <= most && memcmp(a->key + at, b->key + at, 8) == 0)
        at += 8;
    while (at < most && a->key[at] == b->key[at])
        at++;
    return at < most || a->size != b->size ? at / UNIT : UINT32_MAX;
}

/* Whether the greatest sum is first. */
static inline bool
is_by_sum(const struct key_runs *runs)
{
    return runs->order == KEY_RUN_BY_COUNT && runs->sum_bytes > 0;
}

static inline bool
is_by_key(const struct key_merge *merge)
{
    return merge->runs->order == KEY_RUN_BY_KEY;
}

/* Rank the entry of SOURCE; BEFORE is the one before, or NULL. */
static inline void
set_rank(const struct key_merge *merge, struct key_source *source,
         const unsigned char *before)
{
    if (source->entry == source->end) {
        source->rank = RANK_END;
        return;
    }
    struct key_entry entry = key_entry_read(source->entry);
    if (is_by_key(merge)) {
        uint32_t unit = 0;
        if (before != NULL) {
            struct key_entry base = key_entry_key(before);
            unit = find_difference(&base, &entry, 0);
        }
        source->rank =
            unit != UINT32_MAX ? rank_of(unit, value_of(&entry, unit)) : 0;
    } else {
        source->rank = is_by_sum(merge->runs) ? 0 : ~entry.count;
    }
}

/*
 * Whether the key of A comes before the key of B; the ranks of A and B are
 * equal and have the same base.  The entry that comes second gets the other
 * entry as its base.
 */
static bool
is_key_before(struct key_source *a, struct key_source *b)
{
    struct key_entry left = key_entry_key(a->entry);
    struct key_entry right = key_entry_key(b->entry);

    uint32_t unit = find_difference(&left, &right, unit_after(a->rank));
    if (unit == UINT32_MAX) {
        a->rank = 0;
        return false;
    }
    uint64_t value = value_of(&left, unit);
    uint64_t other = value_of(&right, unit);
    if (value < other)
        b->rank = rank_of(unit, other);
    else
        a->rank = rank_of(unit, value);
    return value < other;
}

/* Whether A is before B, if the counts are the same, or the sums are not
   compared yet. */
static bool
is_ranked_before(const struct key_runs *runs, const struct key_source *a,
                 const struct key_source *b)
{
    if (is_by_sum(runs)) {
        struct decimal_sum sum = key_entry_sum(a->entry);
        struct decimal_sum other = key_entry_sum(b->entry);
        int order = decimal_sum_compare(&other, &sum);
        if (order != 0)
            return order < 0;
    }
    struct key_entry left = key_entry_read(a->entry);
    struct key_entry right = key_entry_read(b->entry);
    return key_entry_compare(&left, &right) < 0;
}

/* Whether the entry of source A comes before the entry of source B; false also
   if both are equal.  In the order of the keys, the entry that comes first
   becomes the base of the other entry. */
static inline bool
is_before(const struct key_merge *merge, size_t a, size_t b)
{
    struct key_source *left = &merge->source[a];
    struct key_source *right = &merge->source[b];

    if (left->rank != right->rank)
        return left->rank < right->rank;
    if (left->rank == RANK_END)
        return false;
    if (!is_by_key(merge))
        return is_ranked_before(merge->runs, left, right);
    return left->rank != 0 && is_key_before(left, right);
}

/* ---- the tree: node n has the children 2n and 2n + 1; source s is node
   SOURCES + s ---- */

/* Find the winner at NODE, and all losers below. */
static size_t
build(struct key_merge *merge, size_t node)
{
    if (node >= merge->sources)
        return node - merge->sources;
    size_t winner = build(merge, 2 * node);
    size_t loser = build(merge, 2 * node + 1);
    if (is_before(merge, loser, winner)) {
        merge->loser[node] = winner;
        return loser;
    }
    merge->loser[node] = loser;
    return winner;
}

/* The entry of source WINNER has changed. */
static void
replay(struct key_merge *merge, size_t winner)
{
    for (size_t node = (winner + merge->sources) / 2; node > 0; node /= 2) {
        size_t loser = merge->loser[node];
        if (is_before(merge, loser, winner)) {
            merge->loser[node] = winner;
            winner = loser;
        }
    }
    merge->loser[0] = winner;
}

/* ---- sources ---- */

/* The bytes before the entry of SOURCE have been read. */
static void
forget(const struct key_merge *merge, struct key_source *source)
{
    const struct scratch_file *file = &merge->runs->file;
    uint64_t from = (uint64_t)(source->kept - merge->mapping);
    /* The sum of the next entry is before it. */
    uint64_t at =
        (uint64_t)(source->entry - merge->mapping) - merge->runs->sum_bytes;

    scratch_file_forget(merge->mapping, source->kept, at - from);
    if (merge->discards) {
        /* Another run may end or start in the same block. */
        uint64_t first = (from + BLOCK - 1) / BLOCK * BLOCK;
        uint64_t end = at / BLOCK * BLOCK;
        if (first < end)
            scratch_file_discard(file, first, end - first);
        at = end > from ? end : from;
    }
    source->kept = merge->mapping + at;
    if (source->entry < source->end)
        scratch_file_expect(file, at, 2 * merge->window);
}

static void
advance(struct key_merge *merge, size_t s)
{
    struct key_source *source = &merge->source[s];

    const unsigned char *before = source->entry;

    source->entry += key_entry_bytes(before) + merge->runs->sum_bytes;
    assert(source->entry <= source->end);
    set_rank(merge, source, before);
    replay(merge, s);
}

/* ---- merging ---- */

size_t
key_merge_fan_in(size_t memory)
{
    size_t runs = memory / (2 * WINDOW_MIN);

    return runs > 2 ? runs : 2;
}

int
key_merge_open(struct key_merge *merge, const struct key_runs *runs,
               const struct key_run *run, size_t count, size_t memory,
               bool discards, struct error *error)
{
    uint64_t mapped = 0;

    assert(count > 0);
    *merge = (struct key_merge){
        .runs = runs, .sources = count, .discards = discards};
    merge->window = memory / count / 2;
    if (merge->window < WINDOW_MIN)
        merge->window = WINDOW_MIN;
    if (merge->window > WINDOW_MAX)
        merge->window = WINDOW_MAX;
    merge->source = calloc(count, sizeof *merge->source);
    merge->loser = calloc(count, sizeof *merge->loser);
    if (merge->source == NULL || merge->loser == NULL)
        return error_fail_memory(error);
    for (size_t s = 0; s < count; s++)
        mapped = run[s].end > mapped ? run[s].end : mapped;
    if (mapped > 0) {
        merge->mapping = scratch_file_map(&runs->file, mapped, error);
        if (merge->mapping == NULL)
            return -1;
        merge->mapped = mapped;
    }
    for (size_t s = 0; s < count; s++) {
        struct key_source *source = &merge->source[s];
        source->kept = merge->mapping + run[s].at;
        source->entry = source->kept + runs->sum_bytes;
        source->end = merge->mapping + run[s].end + runs->sum_bytes;
        set_rank(merge, source, NULL);
    }
    merge->loser[0] = build(merge, 1);
    return 0;
}

bool
key_merge_next(struct key_merge *merge)
{
    size_t s = merge->loser[0];
    struct key_source *source = &merge->source[s];

    /* The caller is done with the entry before. */
    if (merge->entry != NULL) {
        struct key_source *last = &merge->source[merge->last];
        if ((size_t)(last->entry - last->kept) >= merge->window)
            forget(merge, last);
    }
    if (source->entry == source->end)
        return false;
    merge->entry = source->entry;
    merge->last = s;
    const size_t sum_bytes = merge->runs->sum_bytes;
    merge->amount = key_entry_amount(source->entry, sum_bytes);
    advance(merge, s);
    while (is_by_key(merge)) {
        s = merge->loser[0];
        source = &merge->source[s];
        if (source->rank != 0)
            break;
        struct key_amount more = key_entry_amount(source->entry, sum_bytes);
        key_amount_add(&merge->amount, &more);
        advance(merge, s);
        if ((size_t)(source->entry - source->kept) >= merge->window)
            forget(merge, source);
    }
    return true;
}

void
key_merge_close(struct key_merge *merge)
{
    scratch_file_unmap(merge->mapping, merge->mapped);
    free(merge->source);
    free(merge->loser);
    *merge = (struct key_merge){0};
}

/* ---- passes ---- */

/* Replace the first COUNT runs by a merged run, which becomes the last. */
static int
merge_first(struct key_runs *runs, size_t count, size_t memory,
            struct error *error)
{
    struct key_merge merge;
    int result =
        key_merge_open(&merge, runs, runs->run, count, memory, true, error);

    if (result == 0)
        result = key_runs_start(runs, error);
    while (result == 0 && key_merge_next(&merge))
        result = key_runs_put(runs, &merge.amount, merge.entry, error);
    if (result == 0)
        result = key_runs_end(runs, error);
    key_merge_close(&merge);
    if (result == 0)
        key_runs_drop(runs, count);
    return result;
}

int
key_merge_reduce(struct key_runs *runs, size_t memory, struct error *error)
{
    size_t most = key_merge_fan_in(memory);

    while (runs->count > most) {
        /* The first merge is smaller, so that all later merges are full. */
        size_t count = (runs->count - 2) % (most - 1) + 2;
        if (merge_first(runs, count, memory, error) < 0)
            return -1;
    }
    return 0;
}

int
key_merge_compact(struct key_runs *runs, size_t memory, struct error *error)
{
    if (runs->count <= KEPT_MAX)
        return 0;
    if (key_merge_reduce(runs, memory, error) < 0)
        return -1;
    return merge_first(runs, runs->count, memory, error);
}
