/* SPDX-License-Identifier: MIT */
/* key_top.h -- the keys with the greatest counts, before all others */

#ifndef GPUHIST_KEY_TOP_H
#define GPUHIST_KEY_TOP_H

#include "hist/key_order.h"

/*
 * As key_order_open(), but only the first TOP keys have an order, at least 1:
 * the greatest count, or sum of weights, first; of equal ones, the first key.
 * The others follow in any order.  This reads each key instead of sorting it.
 */
enum key_result key_top_open(struct key_order *order,
                             struct key_table *const *table, size_t count,
                             size_t top, unsigned int threads,
                             struct key_memory *memory);

/* Whether finding the first TOP of KEYS keys is faster than sorting all
   keys. */
bool key_top_is_useful(size_t top, size_t keys, unsigned int threads);

#endif
