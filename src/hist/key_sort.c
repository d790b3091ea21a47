/* SPDX-License-Identifier: MIT */
/*
 * key_sort.c -- sort keys by their bytes, in memory, with one thread
 *
 * Multikey quicksort (J. Bentley and R. Sedgewick, "Fast algorithms for sorting
 * and searching strings", SODA 1997), with 8 bytes of the key as its character.
 * These bytes are kept beside the reference (W. Ng and K. Kakehi, "Merging
 * string sequences by longest common prefixes", IPSJ 2008, and others before):
 * a span whose keys share DEPTH bytes is split by the 8 bytes from there on
 * into less, equal and greater places, without a look at the keys.
 * Only the equal ones load the next 8 bytes.
 *
 * The hash of a run is random, and so is the order in which keys come from
 * several tables: no input makes all pivots bad.
 */

#include <stdbool.h>

#include "hist/key_sort.h"

/* Ranges of fewer keys are sorted by insertion. */
#define INSERTION_MAX 16

/* Ranges of more keys have a pivot that is the median of nine. */
#define NINTHER_MIN 512

/* Places between the fetched entry and the entry that is read. */
#define AHEAD 16

/* Keys with DEPTH bytes in common, whose prefixes start there. */
struct key_span {
    struct key_place *place;
    size_t count;
    uint32_t depth;
};

/* Set the prefixes of a span to the bytes at its depth. */
static void
load_prefixes(const struct key_span *span)
{
    for (size_t i = 0; i < span->count; i++) {
        struct key_place *place = &span->place[i];
        if (i + AHEAD < span->count)
            __builtin_prefetch(place[AHEAD].entry);
        struct key_entry entry = key_entry_read(place->entry);
        place->prefix = key_prefix(&entry, span->depth);
    }
}

/* Whether A comes before B; both have DEPTH bytes in common. */
static bool
is_before(const struct key_place *a, const struct key_place *b, uint32_t depth)
{
    if (a->prefix != b->prefix)
        return a->prefix < b->prefix;
    struct key_entry left = key_entry_read(a->entry);
    struct key_entry right = key_entry_read(b->entry);
    uint32_t size = left.size < right.size ? left.size : right.size;
    int sign = 0;
    /* If a key ends within equal prefixes, the prefixes differ only in
       zeros. */
    if (size - depth > KEY_PREFIX_BYTES) {
        depth += KEY_PREFIX_BYTES;
        sign = memcmp(left.key + depth, right.key + depth, size - depth);
    }
    return sign != 0 ? sign < 0 : left.size < right.size;
}

/* ---- sorting ---- */

static inline void
swap(struct key_place *a, struct key_place *b)
{
    struct key_place old = *a;

    *a = *b;
    *b = old;
}

static void
sort_by_insertion(const struct key_span *span)
{
    struct key_place *place = span->place;

    for (size_t i = 1; i < span->count; i++) {
        struct key_place moved = place[i];
        size_t to = i;
        for (; to > 0 && is_before(&moved, &place[to - 1], span->depth); to--)
            place[to] = place[to - 1];
        place[to] = moved;
    }
}

static uint64_t
median_of_3(uint64_t a, uint64_t b, uint64_t c)
{
    uint64_t least = a < b ? a : b;
    uint64_t most = a < b ? b : a;

    return c < least ? least : c < most ? c : most;
}

/* The median of three prefixes, each STEP after the one before. */
static uint64_t
median_at(const struct key_place *place, size_t step)
{
    return median_of_3(place[0].prefix, place[step].prefix,
                       place[2 * step].prefix);
}

static uint64_t
choose_pivot(const struct key_span *span)
{
    size_t step = span->count / 9;

    if (span->count < NINTHER_MIN)
        return median_at(span->place + span->count / 6, span->count / 3);
    return median_of_3(median_at(span->place, step),
                       median_at(span->place + 3 * step, step),
                       median_at(span->place + 6 * step, step));
}

/*
 * Move the keys that end within the prefix, which is equal in all of SPAN, to
 * the start of SPAN.  Such keys differ in size only, so there are at most 9.
 * SPAN becomes the other keys, with the next prefixes.
 */
static void
descend(struct key_span *span)
{
    uint32_t depth = span->depth + KEY_PREFIX_BYTES;
    size_t ended = 0;

    for (size_t i = 0; i < span->count; i++) {
        if (i + AHEAD < span->count)
            __builtin_prefetch(span->place[i + AHEAD].entry);
        if (key_entry_read(span->place[i].entry).size <= depth)
            swap(&span->place[i], &span->place[ended++]);
    }
    struct key_span ends = *span;
    ends.count = ended;
    sort_by_insertion(&ends);
    span->place += ended;
    span->count -= ended;
    span->depth = depth;
    load_prefixes(span);
}

/* Split SPAN by a prefix into the spans of PART: less, equal, greater. */
static void
split(const struct key_span *span, struct key_span part[3])
{
    struct key_place *place = span->place;
    uint64_t pivot = choose_pivot(span);
    size_t less = 0;              /* below: less */
    size_t at = 0;                /* below: equal */
    size_t greater = span->count; /* from here on: greater */

    while (at < greater) {
        uint64_t prefix = place[at].prefix;
        if (prefix < pivot)
            swap(&place[at++], &place[less++]);
        else if (prefix == pivot)
            at++;
        else
            swap(&place[at], &place[--greater]);
    }
    part[0] = (struct key_span){place, less, span->depth};
    part[1] = (struct key_span){place + less, greater - less, span->depth};
    part[2] =
        (struct key_span){place + greater, span->count - greater, span->depth};
}

/* Recursion is for at most half of the keys each time. */
static void
sort_span(struct key_span span)
{
    while (span.count > INSERTION_MAX) {
        struct key_span part[3];
        size_t most = 0;
        split(&span, part);
        if (part[1].count > 1)
            descend(&part[1]);
        for (size_t p = 1; p < 3; p++) {
            if (part[p].count > part[most].count)
                most = p;
        }
        for (size_t p = 0; p < 3; p++) {
            if (p != most)
                sort_span(part[p]);
        }
        span = part[most];
    }
    sort_by_insertion(&span);
}

void
key_sort(struct key_place *place, size_t count, uint32_t depth)
{
    sort_span((struct key_span){place, count, depth});
}
