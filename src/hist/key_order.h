/* SPDX-License-Identifier: MIT */
/* key_order.h -- the keys of several tables in the order of their bytes */

#ifndef GPUHIST_KEY_ORDER_H
#define GPUHIST_KEY_ORDER_H

#include "hist/key_sort.h"

struct key_order {
    struct key_memory *memory;
    struct key_place *place; /* of each key, in their order */
    size_t keys;
    size_t spare; /* places after them */
};

/*
 * Sort the keys of COUNT tables, in which no key occurs twice, as memcmp()
 * does, a key before the longer keys that start with it: the order of `LC_ALL=C
 * sort`.  At most THREADS threads sort.  Entries stay in the tables, which must
 * outlive ORDER.
 *
 * ORDER takes key_order_bytes() from MEMORY, and KEY_PLACE_BYTES for each key.
 * The last time, release the slots of the tables before: they keep that for
 * each key.  The caller calls key_order_close() in any case.
 */
enum key_result key_order_open(struct key_order *order,
                               struct key_table *const *table, size_t count,
                               unsigned int threads, struct key_memory *memory);

/*
 * Add the keys of COUNT tables, which ascend from the first key of the first
 * table to the last key of the last one; the tables are as in
 * key_order_open().  The count of a key that ORDER has already is added to that
 * of the table.  This takes KEY_PLACE_BYTES for each key of both, and one more.
 * After a failure ORDER is as it was.
 */
enum key_result key_order_join(struct key_order *order, struct key_table *table,
                               size_t count);

/* Returns what an order takes beside KEY_PLACE_BYTES for each key. */
size_t key_order_bytes(void);

void key_order_close(struct key_order *order);

/* What the entry of key I says. */
static inline struct key_entry
key_order_entry(const struct key_order *order, size_t i)
{
    return key_entry_read(order->place[i].entry);
}

#endif
