/* group_entries.h -- lists of groups, in an order */

#ifndef GPUHIST_GROUP_ENTRIES_H
#define GPUHIST_GROUP_ENTRIES_H

#include <stddef.h>
#include <stdint.h>

#include "report/group_figures.h"

/* A group that is ranked. */
struct group_entry {
    uint64_t first; /* its rows */
    uint64_t rows;
    uint64_t count;
    struct group_rank rank; /* in the wanted order */
};

/* Groups in an order. */
struct group_entries {
    struct group_entry *entry; /* owned: free() */
    size_t count;
    size_t room;
};

/* A list that is cut to its first groups has room for so many more. */
#define GROUP_ENTRIES_MORE 1024

/* Equal ones follow each other by their rows. */
enum group_order {
    GROUP_ORDER_FIRST, /* by rows */
    GROUP_ORDER_COUNT, /* the greatest count first */
    GROUP_ORDER_RANK,  /* the greatest rank first */
};

/* Returns 0, or -1: out of memory. */
int group_entries_add(struct group_entries *entries,
                      const struct group_entry *entry);

void group_entries_sort(struct group_entries *entries, enum group_order order);

#endif
