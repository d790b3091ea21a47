/* SPDX-License-Identifier: MIT */
/*
 * group_values.h -- the numbers of a group, where percentiles are wanted
 *
 * Most numbers are in units of 10^-9 (nanos).  The numbers of a group are in
 * pages, in the order of the records.  A full page is packed, if its numbers
 * are multiples of a power of ten in a range that 32 bits have room for: that
 * halves the memory, and what the search at the end looks at.
 *
 * Where numbers repeat, most of them are close to each other: when a counter
 * for each decimal of their range takes no more memory than the numbers, the
 * group gets such cells.  A full page is then counted at once, while the cells
 * of the group are in the nearest cache.  Numbers outside of the range stay in
 * pages.
 *
 * Numbers with more decimals, greater numbers and infinities are long numbers
 * (base/ordered_decimal.h).  A group has other pages for these.
 *
 * At the end the numbers with some ranks are found by counting in buckets, as
 * in a radix sort, but only the buckets with a wanted rank are looked at again
 * (radix selection; Alabi and others, "Fast k-selection algorithms for graphics
 * processing units", J. Exp. Algorithmics 17, 2012).
 */

#ifndef GPUHIST_GROUP_VALUES_H
#define GPUHIST_GROUP_VALUES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/ordered_decimal.h"
#include "engine/cpu/keys/value_pages.h"
#include "engine/cpu/keys/value_pool.h"
#include "hist/spec_ranks.h"

/* Make room for a number at PLACE.  Returns false if POOL has no room. */
bool group_values_grow(struct value_pool *pool, struct group_values *values,
                       struct value_place *place);

/* Add NANO to VALUES, whose next number goes to PLACE, all 0 at first.  Returns
   false, with nothing done, if POOL has no room. */
static inline bool
group_values_add(struct value_pool *pool, struct group_values *values,
                 struct value_place *place, int64_t nano)
{
    if (place->at == place->end && !group_values_grow(pool, values, place))
        return false;
    *place->at++ = nano;
    return true;
}

/*
 * No more numbers come to VALUES, whose next number would go to PLACE: to be
 * called before the functions below, but that for long numbers.  Sets FIGURES,
 * whose count is that of all numbers; the others have yet to be completed.
 */
void group_values_end(struct group_values *values,
                      const struct value_place *place,
                      struct value_figures *figures);

/* Complete FIGURES, the sum of those of all VALUES that were joined, but for
   the count.  Long numbers are not in them. */
void group_values_complete(const struct group_values *values,
                           struct value_figures *figures);

/* Make room for a long number.  Returns false if POOL has no room. */
bool group_values_grow_more(struct value_pool *pool,
                            struct group_values *values);

/* Add NUMBER, a long number, as group_values_add() does. */
static inline bool
group_values_add_long(struct value_pool *pool, struct group_values *values,
                      struct ordered_decimal number)
{
    if ((values->more == NULL || values->more->at == values->more->end) &&
        !group_values_grow_more(pool, values))
        return false;
    struct group_values *more = values->more;
    /* The LOWs of a page are after it, from the last one on. */
    ((uint8_t *)more->end)[more->end - more->at - 1] = (uint8_t)number.low;
    *more->at++ = number.high;
    return true;
}

/* Move the numbers of MORE to VALUES.  Both keep the memory of their pools. */
void group_values_join(struct group_values *values, struct group_values *more);

/* Add up the cells of VALUES that several threads have counted in.  Cells of
   numbers for which the longest ones have no cells, or no room, stay on their
   own. */
void group_values_unite(struct group_values *values);

/* Returns how many different numbers VALUES have at most. */
uint64_t group_values_most(const struct group_values *values);

/* Called for NANO, which occurs COUNT times more.  Returns false to stop. */
typedef bool value_visit(void *context, int64_t nano, uint64_t count);

/* Call VISIT for all nanos, in any order, some of them more than once.  Returns
   false if VISIT did. */
bool group_values_visit(const struct group_values *values, value_visit *visit,
                        void *context);

/* Called for a long number.  Returns false to stop. */
typedef bool long_visit(void *context, const struct ordered_decimal *number);

/* Call VISIT for all long numbers, in any order.  Returns false if VISIT did.
 */
bool group_values_visit_long(const struct group_values *values,
                             long_visit *visit, void *context);

/*
 * Buffers for searches, about 350 KiB; NULL: out of memory.  A search among
 * many numbers takes a thread for EACH numbers, MEMBERS of them at most, a list
 * of their pages meanwhile, and more buffers, some hundredths of the numbers.
 */
struct value_search *value_search_new(unsigned int members, uint64_t each);

void value_search_free(struct value_search *search);

/* The count and the extremes of the numbers of groups.  Of no numbers, LEAST is
   above GREATEST. */
struct value_extremes {
    uint64_t numbers;
    int64_t least;
    int64_t greatest;
};

/*
 * Set found[r], for each of the COUNT ranks, to number rank[r], from 1 on, of
 * all VALUES, of several GROUPS, in order.  Ranks ascend, and VALUES have so
 * many numbers, with EXTREMES, and no long numbers.
 */
void group_values_find(struct value_search *search,
                       const struct group_values *const *values, size_t groups,
                       const struct value_extremes *extremes,
                       const uint64_t *rank, size_t count, int64_t *found);

/* The same of numbers of which some are long.  Extremes are HIGHs. */
struct long_extremes {
    struct value_extremes highs;
    bool has_lows; /* the LOW of some number is not 0, perhaps */
};

/* Returns the extremes of no numbers.  The caller sets their number. */
struct long_extremes long_extremes_none(void);

/* Widen EXTREMES to the nanos of which NANOS are the extremes. */
void long_extremes_add_nanos(struct long_extremes *extremes,
                             const struct value_extremes *nanos);

/* Widen EXTREMES to the long numbers of VALUES. */
void long_extremes_add(struct long_extremes *extremes,
                       const struct group_values *values);

/* As group_values_find(), where VALUES may have long numbers. */
void group_values_find_long(struct value_search *search,
                            const struct group_values *const *values,
                            size_t groups, const struct long_extremes *extremes,
                            const uint64_t *rank, size_t count,
                            struct ordered_decimal *found);

#endif
