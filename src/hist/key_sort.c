/*
 * key_sort.c -- sort keys by their bytes, in memory, with one thread
 *
 * Multikey quicksort (J. Bentley and R. Sedgewick, "Fast algorithms for sorting
 * and searching strings", SODA 1997), with 8 bytes of the key as its character.
 * These bytes are kept beside the reference (W. Ng and K. Kakehi, "Merging
 * string sequences by longest common prefixes", IPSJ 2008, and others before):
 * a range whose keys share DEPTH bytes is split by the 8 bytes from there on
 * into those that are less, equal, and greater, without a look at the keys.
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

/* Places between an entry that is fetched and one that is read. */
#define AHEAD 16

/* Keys with DEPTH bytes in common, whose prefixes begin there. */
struct range {
    struct key_place *place;
    size_t count;
    uint32_t depth;
};

/* Set the prefixes of a range to those at its depth. */
static void
load_prefixes(const struct range *range)
{
    for (size_t i = 0; i < range->count; i++) {
        struct key_place *place = &range->place[i];
        if (i + AHEAD < range->count)
            __builtin_prefetch(place[AHEAD].entry);
        struct key_entry entry = key_entry_read(place->entry);
        place->prefix = key_prefix(&entry, range->depth);
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
    /* Equal prefixes of which one is the end differ only in zeros. */
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
sort_by_insertion(const struct range *range)
{
    struct key_place *place = range->place;

    for (size_t i = 1; i < range->count; i++) {
        struct key_place moved = place[i];
        size_t to = i;
        for (; to > 0 && is_before(&moved, &place[to - 1], range->depth); to--)
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
choose_pivot(const struct range *range)
{
    size_t step = range->count / 9;

    if (range->count < NINTHER_MIN)
        return median_at(range->place + range->count / 6, range->count / 3);
    return median_of_3(median_at(range->place, step),
                       median_at(range->place + 3 * step, step),
                       median_at(range->place + 6 * step, step));
}

/*
 * Move the keys that end within the prefix, which is the same for the whole
 * RANGE, to its start.  They differ in their size only, so they are at most 9.
 * RANGE is then the rest, with the next prefixes.
 */
static void
descend(struct range *range)
{
    uint32_t depth = range->depth + KEY_PREFIX_BYTES;
    size_t ended = 0;

    for (size_t i = 0; i < range->count; i++) {
        if (i + AHEAD < range->count)
            __builtin_prefetch(range->place[i + AHEAD].entry);
        if (key_entry_read(range->place[i].entry).size <= depth)
            swap(&range->place[i], &range->place[ended++]);
    }
    struct range ends = *range;
    ends.count = ended;
    sort_by_insertion(&ends);
    range->place += ended;
    range->count -= ended;
    range->depth = depth;
    load_prefixes(range);
}

/* Split RANGE by a prefix into those of PART: less, equal, greater. */
static void
split(const struct range *range, struct range part[3])
{
    struct key_place *place = range->place;
    uint64_t pivot = choose_pivot(range);
    size_t less = 0;               /* below: less */
    size_t at = 0;                 /* below: equal */
    size_t greater = range->count; /* from here on: greater */

    while (at < greater) {
        uint64_t prefix = place[at].prefix;
        if (prefix < pivot)
            swap(&place[at++], &place[less++]);
        else if (prefix == pivot)
            at++;
        else
            swap(&place[at], &place[--greater]);
    }
    part[0] = (struct range){place, less, range->depth};
    part[1] = (struct range){place + less, greater - less, range->depth};
    part[2] =
        (struct range){place + greater, range->count - greater, range->depth};
}

/* Recursion is for at most half of the keys each time. */
static void
sort_range(struct range range)
{
    while (range.count > INSERTION_MAX) {
        struct range part[3];
        size_t most = 0;
        split(&range, part);
        if (part[1].count > 1)
            descend(&part[1]);
        for (size_t p = 1; p < 3; p++) {
            if (part[p].count > part[most].count)
                most = p;
        }
        for (size_t p = 0; p < 3; p++) {
            if (p != most)
                sort_range(part[p]);
        }
        range = part[most];
    }
    sort_by_insertion(&range);
}

void
key_sort(struct key_place *place, size_t count, uint32_t depth)
{
    sort_range((struct range){place, count, depth});
}
