/* SPDX-License-Identifier: MIT */
/* group_order.c -- lists of groups, and their order */

#include <stdlib.h>

#include "base/thread.h"
#include "report/group_order.h"

/* The least room that a full list gets more. */
#define ENTRIES_MORE 1024

/* Fewer groups are not worth a thread. */
#define JOINED_MIN 4096

/* Groups of a sample for each thread; the sample tells where the groups of a
   thread start. */
#define SAMPLES 32

_Static_assert(JOINED_MIN / SAMPLES >= CREW_MAX, "a sample has a step");

/* ---- order ---- */

int
group_order_rows(const void *a, const void *b)
{
    const struct group_entry *left = a;
    const struct group_entry *right = b;

    return left->first < right->first ? -1 : left->first > right->first;
}

int
group_order_numbers(const void *a, const void *b)
{
    const struct group_entry *left = a;
    const struct group_entry *right = b;

    return left->number < right->number ? -1 : left->number > right->number;
}

int
group_order_counts(const void *a, const void *b)
{
    const struct group_entry *left = a;
    const struct group_entry *right = b;

    if (left->count != right->count)
        return left->count > right->count ? -1 : 1;
    return group_order_rows(a, b);
}

int
group_order_ranks(const void *a, const void *b)
{
    const struct group_entry *left = a;
    const struct group_entry *right = b;
    int order = figure_rank_compare(&right->rank, &left->rank);

    return order != 0 ? order : group_order_rows(a, b);
}

/* ---- lists ---- */

int
group_entries_add(struct group_entries *entries,
                  const struct group_entry *entry)
{
    if (entries->count == entries->room) {
        size_t room = entries->room * 2 + ENTRIES_MORE;
        void *grown = realloc(entries->entry, room * sizeof *entries->entry);
        if (grown == NULL)
            return -1;
        entries->entry = grown;
        entries->room = room;
    }
    entries->entry[entries->count++] = *entry;
    return 0;
}

void
group_entries_sort(struct group_entries *entries, group_order *order)
{
    if (entries->count > 0)
        qsort(entries->entry, entries->count, sizeof *entries->entry, order);
}

/* ---- parts ---- */

/* A join of parts.  A member has the groups from its first one on, and before
   that of the next member. */
struct join {
    const struct group_entries_part *part;
    unsigned int parts;
    group_order *order;
    unsigned int members;
    struct group_entry first[CREW_MAX]; /* not of member 0 */
    struct group_entry *to;
};

/* Returns where in ENTRIES the groups of MEMBER of JOIN start. */
static size_t
find_start(const struct join *join, const struct group_entries *entries,
           unsigned int member)
{
    size_t low = 0;
    size_t high = entries->count;

    if (member == 0 || member == join->members)
        return member == 0 ? 0 : high;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (join->order(&entries->entry[middle], &join->first[member]) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Join the groups of MEMBER. */
static void
join_share(void *task, unsigned int member)
{
    const struct join *join = task;
    const unsigned int parts = join->parts;
    const struct group_entry *next[CREW_MAX];
    const struct group_entry *end[CREW_MAX];
    struct group_entry *to = join->to;
    unsigned int least;

    for (unsigned int p = 0; p < parts; p++) {
        const struct group_entries *entries = &join->part[p].entries;
        size_t before = find_start(join, entries, member);
        size_t most = find_start(join, entries, member + 1);
        next[p] = before < most ? entries->entry + before : NULL;
        end[p] = before < most ? entries->entry + most : NULL;
        to += before;
    }
    do {
        least = parts;
        for (unsigned int p = 0; p < parts; p++) {
            if (next[p] < end[p] &&
                (least == parts || join->order(next[p], next[least]) < 0))
                least = p;
        }
        if (least < parts) {
            *to = *next[least]++;
            to++->number += join->part[least].first;
        }
    } while (least < parts);
}

/* Let the members of JOIN have about as many of COUNT groups each.  Returns 0,
   or -1: out of memory. */
static int
set_starts(struct join *join, size_t count)
{
    struct group_entries sample = {.count = 0};
    size_t step = count / (SAMPLES * join->members);
    int result = 0;

    for (unsigned int p = 0; p < join->parts; p++) {
        const struct group_entries *entries = &join->part[p].entries;
        for (size_t e = step / 2; e < entries->count && result == 0; e += step)
            result = group_entries_add(&sample, &entries->entry[e]);
    }
    group_entries_sort(&sample, join->order);
    for (unsigned int m = 1; m < join->members && result == 0; m++)
        join->first[m] = sample.entry[sample.count * m / join->members];
    free(sample.entry);
    return result;
}

int
group_entries_join(struct group_entries *to,
                   const struct group_entries_part *part, unsigned int parts,
                   group_order *order)
{
    struct join join = {
        .part = part, .parts = parts, .order = order, .members = 1};
    size_t count = 0;

    for (unsigned int p = 0; p < parts; p++)
        count += part[p].entries.count;
    if (count == 0)
        return 0;
    to->entry = malloc(count * sizeof *to->entry);
    if (to->entry == NULL)
        return -1;
    to->count = to->room = count;
    join.to = to->entry;
    if (count >= JOINED_MIN) {
        join.members = parts;
        if (set_starts(&join, count) < 0)
            join.members = 1;
    }
    crew_run(join.members, join_share, &join);
    return 0;
}
