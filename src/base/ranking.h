/* SPDX-License-Identifier: MIT */
/*
 * ranking.h -- keep the first items of many, in an order of the caller
 *
 * Once the room is full, it is a heap with the last kept item at the top.  An
 * item that comes before the top replaces the top.  (Heapsort: Williams,
 * Algorithm 232, 1964.)
 */

#ifndef GPUHIST_RANKING_H
#define GPUHIST_RANKING_H

#include <stdbool.h>
#include <stdint.h>

/* Returns whether A comes before B; A and B differ. */
typedef bool ranking_order(const void *context, uint64_t a, uint64_t b);

/* The order of the items themselves; there is no CONTEXT. */
bool ranking_is_lower(const void *context, uint64_t a, uint64_t b);

/* The order of lines. */
enum sort {
    SORT_DEFAULT, /* by value; with a TOP, by count */
    SORT_VALUE,
    SORT_COUNT,
    SORT_FIGURE, /* by a figure of --columns */
};

struct ranking {
    uint64_t *item; /* owned by the caller; in order after ranking_sort() */
    uint64_t count;
    uint64_t most;
    ranking_order *is_before;
    const void *context; /* for IS_BEFORE */
};

#define RANKING_NONE UINT64_MAX

/* Keep the first MOST items, 1 or more, in ROOM, which has MOST entries. */
void ranking_open(struct ranking *ranking, uint64_t *room, uint64_t most,
                  ranking_order *is_before, const void *context);

/*
 * Add ITEM, not RANKING_NONE.  Returns the dropped item, which may be ITEM, or
 * RANKING_NONE if all items are kept.
 */
uint64_t ranking_add(struct ranking *ranking, uint64_t item);

/*
 * Sort the items in the order of IS_BEFORE.  No item can be added afterwards.
 */
void ranking_sort(struct ranking *ranking, ranking_order *is_before);

#endif
