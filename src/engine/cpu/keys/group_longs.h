/* SPDX-License-Identifier: MIT */
/*
 * group_longs.h -- the long numbers of a group: their figures
 *
 * Where no percentiles are wanted, long numbers are not kept: a group has their
 * count, their exact sum, the least and the greatest one.  Numbers of up to 19
 * digits are compared and added as integers (base/ordered_decimal.h), others as
 * sums (base/decimal_sum.h).
 */

#ifndef GPUHIST_GROUP_LONGS_H
#define GPUHIST_GROUP_LONGS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/ordered_decimal.h"

/* All 0: no numbers. */
struct group_longs {
    uint64_t count; /* of numbers of up to 19 digits, and infinities */
    struct ordered_decimal least;
    struct ordered_decimal greatest;
    struct ordered_sums sums; /* of the finite ones */
    uint64_t longer;          /* how many numbers have more digits */
    struct decimal_sum longer_least;
    struct decimal_sum longer_greatest;
    struct decimal_sum longer_sum;
};

static inline bool
group_longs_has_any(const struct group_longs *longs)
{
    return (longs->count | longs->longer) != 0;
}

/* Add NUMBER. */
void group_longs_add(struct group_longs *longs,
                     const struct ordered_decimal *number);

/* Add NUMBER, which has more than 19 digits. */
void group_longs_add_longer(struct group_longs *longs,
                            const struct decimal_sum *number);

/* Add the numbers of MORE to LONGS. */
void group_longs_join(struct group_longs *longs,
                      const struct group_longs *more);

#endif
