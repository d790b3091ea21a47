/* SPDX-License-Identifier: MIT */
/*
 * key_top.c -- the keys with the greatest counts, before all others
 *
 * Each thread reads the entries of some tables, and keeps the first TOP entries
 * in a heap.  The first TOP of all heaps are the result.  Then each thread
 * appends its other entries, which all come after the last entry of the result.
 */

#include <stdlib.h>

#include "base/thread.h"
#include "hist/key_top.h"

/* The most keys that are found in this way, and the least number of other keys
   for each key in a heap. */
#define TOP_MAX 65536
#define OTHERS_MIN 8

/* The entries of some tables.  Their places are in the order of the members;
   first, a heap is at the start of them: the last entry is on top. */
struct share {
    size_t table; /* the first table; those of the next share follow */
    struct key_place *place; /* their prefixes are counts */
    size_t keys;
    size_t kept;              /* in the heap */
    struct key_place *others; /* where the others start */
};

struct top_search {
    struct key_table *const *table;
    size_t tables;
    size_t top;
    struct share share[CREW_MAX + 1];
    struct key_place last; /* of the first TOP keys */
    bool has_sums;
};

/* ---- the order ---- */

/* Returns less than 0 or more, as A comes before B or after it; 0: the same. */
static inline int
compare(const struct key_place *a, const struct key_place *b, bool has_sums)
{
    if (has_sums) {
        struct decimal_sum left = key_entry_sum(a->entry);
        struct decimal_sum right = key_entry_sum(b->entry);
        int order = decimal_sum_compare(&right, &left);
        if (order != 0)
            return order;
    } else if (a->prefix != b->prefix) {
        return a->prefix > b->prefix ? -1 : 1;
    }
    struct key_entry left = key_entry_key(a->entry);
    struct key_entry right = key_entry_key(b->entry);
    return key_entry_compare(&left, &right);
}

static int
compare_counts(const void *a, const void *b)
{
    return compare(a, b, false);
}

static int
compare_sums(const void *a, const void *b)
{
    return compare(a, b, true);
}

static struct key_place
place_of(const unsigned char *entry)
{
    return (struct key_place){key_entry_count_of(entry), entry};
}

/* ---- heaps ---- */

/* Move PLACE down from node I of a heap of COUNT places. */
static void
sink(const struct top_search *search, struct key_place *heap, size_t count,
     size_t i, struct key_place place)
{
    bool has_sums = search->has_sums;

    for (size_t child; (child = 2 * i + 1) < count; i = child) {
        if (child + 1 < count &&
            compare(&heap[child], &heap[child + 1], has_sums) < 0)
            child++;
        if (compare(&place, &heap[child], has_sums) > 0)
            break;
        heap[i] = heap[child];
    }
    heap[i] = place;
}

/* Keep PLACE in the heap of SHARE if it is one of the first. */
static inline void
keep(const struct top_search *search, struct share *share,
     struct key_place place)
{
    struct key_place *heap = share->place;

    if (share->kept < search->top) {
        heap[share->kept++] = place;
        for (size_t i = share->kept / 2; share->kept == search->top && i-- > 0;)
            sink(search, heap, share->kept, i, heap[i]);
    } else if (compare(&place, &heap[0], search->has_sums) < 0) {
        sink(search, heap, share->kept, 0, place);
    }
}

/* ---- the work of a member ---- */

static void
find_first(void *task, unsigned int member)
{
    struct top_search *search = task;
    struct share *share = &search->share[member];
    const unsigned char *entry;

    for (size_t t = share->table; t < share[1].table; t++) {
        struct key_cursor cursor = {0};
        while ((entry = key_table_next(search->table[t], &cursor)) != NULL)
            keep(search, share, place_of(entry));
    }
}

/* The heap has been read: empty it, and put the other keys. */
static void
put_others(void *task, unsigned int member)
{
    const struct top_search *search = task;
    const struct share *share = &search->share[member];
    struct key_place *to = share->others;
    const unsigned char *entry;

    for (size_t t = share->table; t < share[1].table; t++) {
        struct key_cursor cursor = {0};
        while ((entry = key_table_next(search->table[t], &cursor)) != NULL) {
            struct key_place place = place_of(entry);
            if (compare(&place, &search->last, search->has_sums) > 0)
                *to++ = place;
        }
    }
}

/* ---- all members ---- */

bool
key_top_is_useful(size_t top, size_t keys, unsigned int threads)
{
    return top > 0 && top <= TOP_MAX && top <= keys / OTHERS_MIN / threads;
}

/* Divide the tables, whose keys go to PLACE. */
static void
make_shares(struct top_search *search, unsigned int members,
            struct key_place *place)
{
    for (unsigned int m = 0; m <= members; m++) {
        struct share *share = &search->share[m];
        *share = (struct share){.table = search->tables * m / members,
                                .place = place};
        size_t end = search->tables * (m + 1) / members;
        for (size_t t = share->table; m < members && t < end; t++)
            share->keys += search->table[t]->keys;
        place += share->keys;
    }
}

/*
 * Set FIRST to the entries of all heaps, in their order, and LAST.  Find where
 * the others of each share go.
 */
static void
merge_heaps(struct top_search *search, unsigned int members,
            struct key_place *first, struct key_place *others)
{
    size_t count = 0;

    for (unsigned int m = 0; m < members; m++) {
        const struct share *share = &search->share[m];
        memcpy(first + count, share->place, share->kept * sizeof *first);
        count += share->kept;
    }
    qsort(first, count, sizeof *first,
          search->has_sums ? compare_sums : compare_counts);
    search->last = first[search->top - 1];
    for (unsigned int m = 0; m < members; m++) {
        struct share *share = &search->share[m];
        share->others = others;
        others += share->keys;
        for (size_t i = 0; i < share->kept; i++)
            others -=
                compare(&share->place[i], &search->last, search->has_sums) <= 0;
    }
}

enum key_result
key_top_open(struct key_order *order, struct key_table *const *table,
             size_t count, size_t top, unsigned int threads,
             struct key_memory *memory)
{
    unsigned int members = threads < CREW_MAX ? threads : CREW_MAX;
    enum key_result result = KEY_OK;
    struct top_search search = {
        .table = table, .tables = count, .has_sums = table[0]->sum_bytes > 0};

    *order = (struct key_order){.memory = memory};
    for (size_t t = 0; t < count; t++)
        order->keys += table[t]->keys;
    order->place = key_memory_take(
        memory, (order->keys + 1) * sizeof *order->place, &result);
    search.top = top < order->keys ? top : order->keys;
    if (order->place == NULL || search.top == 0)
        return result;
    size_t heap_bytes = members * search.top * sizeof(struct key_place);
    struct key_place *first = key_memory_take(memory, heap_bytes, &result);
    if (first == NULL)
        return result;
    make_shares(&search, members, order->place);
    crew_run(members, find_first, &search);
    merge_heaps(&search, members, first, order->place + search.top);
    crew_run(members, put_others, &search);
    memcpy(order->place, first, search.top * sizeof *first);
    key_memory_give(memory, first, heap_bytes);
    return KEY_OK;
}
