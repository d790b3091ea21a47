/* SPDX-License-Identifier: MIT */
/* group_longs.c -- the long numbers of a group: their figures */

#include "engine/cpu/keys/group_longs.h"

void
group_longs_add(struct group_longs *longs, const struct ordered_decimal *number)
{
    if (longs->count++ == 0)
        longs->least = longs->greatest = *number;
    else if (ordered_decimal_compare(number, &longs->least) < 0)
        longs->least = *number;
    else if (ordered_decimal_compare(number, &longs->greatest) > 0)
        longs->greatest = *number;
    if (!ordered_decimal_is_infinite(number))
        ordered_sums_add(&longs->sums, number);
}

/* Add COUNT numbers of more than 19 digits, with LEAST, GREATEST and SUM. */
static void
add_longer(struct group_longs *longs, uint64_t count,
           const struct decimal_sum *least, const struct decimal_sum *greatest,
           const struct decimal_sum *sum)
{
    if (longs->longer == 0 ||
        decimal_sum_compare(least, &longs->longer_least) < 0)
        longs->longer_least = *least;
    if (longs->longer == 0 ||
        decimal_sum_compare(greatest, &longs->longer_greatest) > 0)
        longs->longer_greatest = *greatest;
    decimal_sum_add(&longs->longer_sum, sum);
    longs->longer += count;
}

void
group_longs_add_longer(struct group_longs *longs,
                       const struct decimal_sum *number)
{
    add_longer(longs, 1, number, number, number);
}

void
group_longs_join(struct group_longs *longs, const struct group_longs *more)
{
    if (more->longer > 0)
        add_longer(longs, more->longer, &more->longer_least,
                   &more->longer_greatest, &more->longer_sum);
    if (more->count == 0)
        return;
    if (longs->count == 0 ||
        ordered_decimal_compare(&more->least, &longs->least) < 0)
        longs->least = more->least;
    if (longs->count == 0 ||
        ordered_decimal_compare(&more->greatest, &longs->greatest) > 0)
        longs->greatest = more->greatest;
    ordered_sums_join(&longs->sums, &more->sums);
    longs->count += more->count;
}
