/* SPDX-License-Identifier: MIT */
/* group_order.h -- lists of groups, and their order */

#ifndef GPUHIST_GROUP_ORDER_H
#define GPUHIST_GROUP_ORDER_H

#include <stdint.h>

#include "report/group_walk.h"

/* Orders of struct group_entry, as qsort() needs them.  No two groups of a
   table are equal in any of them. */
typedef int group_order(const void *a, const void *b);

/* By the rows, or by the numbers: both are the order of the keys. */
int group_order_rows(const void *a, const void *b);
int group_order_numbers(const void *a, const void *b);

/* The greatest count first, or the greatest rank; equal ones by their rows. */
int group_order_counts(const void *a, const void *b);
int group_order_ranks(const void *a, const void *b);

/* Add ENTRY to ENTRIES.  Returns 0, or -1: out of memory. */
int group_entries_add(struct group_entries *entries,
                      const struct group_entry *entry);

void group_entries_sort(struct group_entries *entries, group_order *order);

/* Groups of a part of the rows. */
struct group_entries_part {
    struct group_entries entries;
    uint64_t first; /* what the numbers of the groups lack */
};

/* Join the groups of PARTS parts, 1 to CREW_MAX, each of which is in ORDER, to
   TO, which has no groups.  Returns 0, or -1: out of memory. */
int group_entries_join(struct group_entries *to,
                       const struct group_entries_part *part,
                       unsigned int parts, group_order *order);

#endif
