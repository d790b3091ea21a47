/*
 * ranking.h -- the first ones of many, in an order of the caller's
 *
 * Once there is no more room, a heap with the last of those kept at its top:
 * whatever comes before that one takes its place.  (Heapsort: Williams, Algorithm 232, 1964.)
 */

#ifndef GPUHIST_RANKING_H
#define GPUHIST_RANKING_H

#include <stdbool.h>
#include <stdint.h>

/* Whether A comes before B, a different one. */
typedef bool ranking_order(const void *context, uint64_t a, uint64_t b);

/* The order of lines. */
enum sort {
    SORT_DEFAULT, /* by value; with a TOP, by count */
    SORT_VALUE,
    SORT_COUNT,
};

struct ranking {
    uint64_t *item; /* the caller's; in order after ranking_sort() */
    uint64_t count;
    uint64_t most;
    ranking_order *is_before;
    const void *context; /* for IS_BEFORE */
};

#define RANKING_NONE UINT64_MAX

/* Keep the first MOST, 1 or more, in ROOM, which is for so many. */
void ranking_open(struct ranking *ranking, uint64_t *room, uint64_t most,
                  ranking_order *is_before, const void *context);

/*
 * Add ITEM, which is not RANKING_NONE.  Returns the one for which there is no
 * room, ITEM itself or another, or RANKING_NONE.
 */
uint64_t ranking_add(struct ranking *ranking, uint64_t item);

/* Put the items into this order; none can be added then. */
void ranking_sort(struct ranking *ranking, ranking_order *is_before);

#endif
