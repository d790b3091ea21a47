/* group_entries.c -- lists of groups, in an order */

#include <stdlib.h>

#include "report/group_entries.h"

static int
compare_places(const void *a, const void *b)
{
    const struct group_entry *left = a;
    const struct group_entry *right = b;

    return left->first < right->first ? -1 : left->first > right->first;
}

/* The greatest count comes first. */
static int
compare_counts(const void *a, const void *b)
{
    const struct group_entry *left = a;
    const struct group_entry *right = b;

    if (left->count != right->count)
        return left->count > right->count ? -1 : 1;
    return compare_places(a, b);
}

/* The greatest rank comes first. */
static int
compare_ranks(const void *a, const void *b)
{
    const struct group_entry *left = a;
    const struct group_entry *right = b;
    int order = group_rank_compare(&right->rank, &left->rank);

    return order != 0 ? order : compare_places(a, b);
}

int
group_entries_add(struct group_entries *entries,
                  const struct group_entry *entry)
{
    if (entries->count == entries->room) {
        size_t room = entries->room * 2 + GROUP_ENTRIES_MORE;
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
group_entries_sort(struct group_entries *entries, enum group_order order)
{
    static int (*const compare[])(const void *, const void *) = {
        [GROUP_ORDER_FIRST] = compare_places,
        [GROUP_ORDER_COUNT] = compare_counts,
        [GROUP_ORDER_RANK] = compare_ranks,
    };

    if (entries->count > 0)
        qsort(entries->entry, entries->count, sizeof *entries->entry,
              compare[order]);
}
