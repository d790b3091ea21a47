/* SPDX-License-Identifier: MIT */
/* table_run.h -- sorted runs, as tables of keys become them */

#ifndef GPUHIST_TABLE_RUN_H
#define GPUHIST_TABLE_RUN_H

#include <stdint.h>
#include <stdlib.h>

#include "hist/key_order.h"
#include "hist/key_run.h"
#include "hist/key_table.h"
#include "kernels/text/hash.h"

/* Add COUNT of KEY. */
static inline void
table_run_add(struct key_table *table, const unsigned char *key, uint32_t size,
              uint64_t count)
{
    static const struct hash_key hash_key = {
        {UINT64_C(0x243f6a8885a308d3), UINT64_C(0x13198a2e03707344)}};

    if (key_table_add(table, hash_bytes(&hash_key, key, size), key, size,
                      count) != KEY_OK)
        abort();
}

/* Append TABLE, which is closed then, to RUNS; THREADS threads write. */
static inline void
table_run_put(struct key_runs *runs, struct key_table *table,
              struct key_memory *memory, unsigned int threads)
{
    struct key_order order;
    struct error error = ERROR_NONE;

    key_table_release_slots(table);
    if (key_order_open(&order, &table, 1, 1, memory) != KEY_OK ||
        key_runs_put_order(runs, &order, threads, &error) < 0)
        abort();
    key_order_close(&order);
    key_table_close(table);
}

#endif
