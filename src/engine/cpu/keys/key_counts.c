/* SPDX-License-Identifier: MIT */
/* key_counts.c -- the counts of keys, which CPU threads share */

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/machine.h"
#include "engine/cpu/keys/key_cache.h"
#include "engine/cpu/keys/key_counts.h"
#include "hist/key_top.h"

/* A thread seldom finds a partition locked if there are many more of them. */
#define PARTITIONS_PER_THREAD 8
#define PARTITIONS_LOG_MIN 3
#define BLOCKS_SHARE 16 /* their first blocks take 1 / 16 of the memory */

/* With less, a table would not have room for a short key. */
#define TABLE_BYTES_MIN ((size_t)2 << KEY_BLOCK_LOG)

/* The counters of all threads take at most 1 / 4 of the memory. */
#define COUNTERS_SHARE 4

/* Growing caches take at most 1 / 8 of the memory. */
#define FREQUENT_SHARE 8

/* ---- opening and closing ---- */

/* Give up the memory that is kept for an order. */
static void
release_order(struct key_counts *counts)
{
    if (counts->keeps_order)
        key_memory_unreserve(&counts->memory, key_order_bytes());
    counts->keeps_order = false;
}

/*
 * Keep memory for a counter of each thread, so that it can start when the
 * tables are full; but most of the memory is for tables.  Returns false if
 * there is none for one.
 */
static bool
reserve_counters(struct key_counts *counts)
{
    size_t bytes = key_cache_bytes(counts->partitions_log,
                                   key_counts_have_weights(counts));
    size_t most = counts->memory.limit / COUNTERS_SHARE / bytes;

    counts->counters_left = most < counts->threads ? most : counts->threads;
    if (counts->counters_left == 0)
        counts->counters_left = 1;
    if (!key_memory_reserve(&counts->memory, counts->counters_left * bytes)) {
        counts->counters_left = 0;
        return false;
    }
    /* There is room for a block and for its slots. */
    return counts->memory.limit - counts->memory.used >= TABLE_BYTES_MIN;
}

enum key_result
key_counts_open(struct key_counts *counts, unsigned int threads,
                size_t memory_limit, enum key_bringing bringing)
{
    enum key_result result = KEY_OK;
    unsigned int log = PARTITIONS_LOG_MIN;

    while (log < PARTITIONS_LOG_MAX &&
           1u << log < PARTITIONS_PER_THREAD * threads &&
           (size_t)1 << (KEY_BLOCK_LOG + log) < memory_limit / BLOCKS_SHARE)
        log++;
    *counts = (struct key_counts){
        .partitions_log = log,
        .threads = threads,
        .frequent_bytes = memory_limit / FREQUENT_SHARE / threads,
        .bringing = bringing,
    };
    machine_random(counts->hash_key.word, 2);
    key_memory_open(&counts->memory, memory_limit);
    if (threads == 1)
        key_memory_serve_one(&counts->memory);
    key_runs_open(&counts->runs, KEY_RUN_BY_KEY, key_counts_have_sums(counts));
    safepoint_open(&counts->safepoint);
    thread_list_open(&counts->counters);
    if (!key_memory_reserve(&counts->memory, key_order_bytes()))
        return KEY_LIMIT;
    counts->keeps_order = true;
    if (!reserve_counters(counts))
        return KEY_LIMIT;
    counts->partition = key_memory_take(
        &counts->memory, sizeof *counts->partition << log, &result);
    if (counts->partition == NULL)
        return result;
    for (size_t p = 0; p < key_counts_partitions(counts); p++) {
        pthread_mutex_init(&counts->partition[p].lock, NULL);
        key_table_open(&counts->partition[p].table, &counts->memory,
                       key_counts_have_sums(counts));
        key_table_open(&counts->partition[p].retired, &counts->memory,
                       key_counts_have_sums(counts));
    }
    return KEY_OK;
}

void
key_counts_close(struct key_counts *counts)
{
    size_t partitions = key_counts_partitions(counts);

    key_counts_close_sorted(counts);
    for (size_t p = 0; counts->partition != NULL && p < partitions; p++) {
        key_table_close(&counts->partition[p].table);
        key_table_close(&counts->partition[p].retired);
        pthread_mutex_destroy(&counts->partition[p].lock);
    }
    key_memory_give(&counts->memory, counts->partition,
                    partitions * sizeof *counts->partition);
    release_order(counts);
    key_memory_unreserve(&counts->memory,
                         counts->counters_left *
                             key_cache_bytes(counts->partitions_log,
                                             key_counts_have_weights(counts)));
    key_runs_close(&counts->runs);
    error_clear(&counts->failure);
    key_memory_close(&counts->memory);
    safepoint_close(&counts->safepoint);
    thread_list_close(&counts->counters);
}

/* ---- sorted tables ---- */

/* Memory for the order and the run of so many keys is reserved at a time. */
#define SORTED_BATCH 1024
#define SORTED_BATCH_BYTES (SORTED_BATCH * (KEY_PLACE_BYTES + KEY_PUT_BYTES))

enum key_result
key_counts_open_sorted(struct key_counts *counts, size_t tables)
{
    size_t bytes = (key_counts_keys(counts) + 1) * KEY_PLACE_BYTES;

    assert(counts->sorted == NULL && !key_counts_have_sums(counts));
    if (!key_memory_reserve(&counts->memory, bytes))
        return KEY_LIMIT;
    counts->sorted = calloc(tables, sizeof *counts->sorted);
    if (counts->sorted == NULL) {
        key_memory_unreserve(&counts->memory, bytes);
        return KEY_NO_MEMORY;
    }
    counts->sorted_tables = tables;
    counts->sorted_reserved = bytes;
    for (size_t t = 0; t < tables; t++)
        key_table_open(&counts->sorted[t], &counts->memory, false);
    return KEY_OK;
}

enum key_result
key_counts_append(struct key_counts *counts, struct key_table *table,
                  const unsigned char *key, uint32_t size, uint64_t count)
{
    bool is_first = table->keys % SORTED_BATCH == 0;

    if (is_first && !key_memory_reserve(&counts->memory, SORTED_BATCH_BYTES))
        return KEY_LIMIT;
    enum key_result result = key_table_append(table, key, size, count);
    if (result != KEY_OK && is_first)
        key_memory_unreserve(&counts->memory, SORTED_BATCH_BYTES);
    return result;
}

/* Give up the memory that is kept for the order of the sorted tables. */
static void
release_sorted(struct key_counts *counts)
{
    size_t bytes = counts->sorted_reserved;

    if (bytes == 0)
        return;
    for (size_t t = 0; t < counts->sorted_tables; t++)
        bytes += (counts->sorted[t].keys + SORTED_BATCH - 1) / SORTED_BATCH *
                 SORTED_BATCH_BYTES;
    key_memory_unreserve(&counts->memory, bytes);
    counts->sorted_reserved = 0;
}

void
key_counts_close_sorted(struct key_counts *counts)
{
    release_sorted(counts);
    for (size_t t = 0; t < counts->sorted_tables; t++)
        key_table_close(&counts->sorted[t]);
    free(counts->sorted);
    counts->sorted = NULL;
    counts->sorted_tables = 0;
}

/* ---- spilling ---- */

/*
 * Empty the tables.  Snapshots that were taken before the first run refer to
 * entries: the memory of these is used once more.
 */
static void
empty_tables(struct key_counts *counts)
{
    bool retires = counts->has_snapshots && !counts->has_retired;

    key_counts_close_sorted(counts);
    for (size_t p = 0; p < key_counts_partitions(counts); p++) {
        struct key_partition *partition = &counts->partition[p];
        if (!retires) {
            key_table_close(&partition->table);
            continue;
        }
        partition->retired = partition->table;
        key_table_open(&partition->table, &counts->memory,
                       key_counts_have_sums(counts));
    }
    /* All tables take at most the limit. */
    if (retires)
        counts->memory.limit += atomic_load(&counts->memory.used) -
                                atomic_load(&counts->memory.reserved);
    counts->has_retired |= retires;
}

enum key_result
key_counts_write(struct key_counts *counts)
{
    struct key_order order;

    key_counts_release_slots(counts);
    enum key_result result = key_counts_order(counts, counts->threads, &order);
    uint64_t before = counts->runs.file.size;
    if (result == KEY_OK && order.keys > 0) {
        if (key_runs_put_order(&counts->runs, &order, counts->threads,
                               &counts->failure) < 0)
            result = KEY_FAILED;
        counts->spills++;
        counts->spilled_bytes += counts->runs.file.size - before;
    }
    key_order_close(&order);
    /* After a failure the tables have no slots any more. */
    empty_tables(counts);
    counts->keeps_order =
        key_memory_reserve(&counts->memory, key_order_bytes());
    return result;
}

void
key_counts_restart(struct key_counts *counts)
{
    release_order(counts);
    key_counts_close_sorted(counts);
    for (size_t p = 0; p < key_counts_partitions(counts); p++)
        key_table_close(&counts->partition[p].table);
    counts->keeps_order =
        key_memory_reserve(&counts->memory, key_order_bytes());
    key_runs_close(&counts->runs);
    key_runs_open(&counts->runs, KEY_RUN_BY_KEY, key_counts_have_sums(counts));
}

size_t
key_counts_keys(const struct key_counts *counts)
{
    size_t keys = 0;

    for (size_t p = 0; p < key_counts_partitions(counts); p++)
        keys += counts->partition[p].table.keys;
    return keys;
}

size_t
key_counts_look(struct key_counts *counts)
{
    size_t keys = 0;

    /* A thread that is alone takes no locks. */
    safepoint_enter(&counts->safepoint);
    for (size_t p = 0; p < key_counts_partitions(counts); p++) {
        struct key_partition *partition = &counts->partition[p];
        pthread_mutex_lock(&partition->lock);
        keys += partition->table.keys;
        pthread_mutex_unlock(&partition->lock);
    }
    safepoint_leave(&counts->safepoint);
    return keys;
}

void
key_counts_release_slots(struct key_counts *counts)
{
    for (size_t p = 0; p < key_counts_partitions(counts); p++)
        key_table_release_slots(&counts->partition[p].table);
    release_sorted(counts);
    release_order(counts);
}

/* Set TABLE to the tables of all partitions.  Returns how many they are. */
static size_t
find_tables(struct key_counts *counts, struct key_table *table[PARTITIONS_MAX])
{
    size_t partitions = key_counts_partitions(counts);

    for (size_t p = 0; p < partitions; p++)
        table[p] = &counts->partition[p].table;
    return partitions;
}

enum key_result
key_counts_order(struct key_counts *counts, unsigned int threads,
                 struct key_order *order)
{
    struct key_table *table[PARTITIONS_MAX];
    size_t tables = find_tables(counts, table);
    enum key_result result =
        key_order_open(order, table, tables, threads, &counts->memory);

    if (result != KEY_OK || counts->sorted == NULL)
        return result;
    result = key_order_join(order, counts->sorted, counts->sorted_tables);
    if (result != KEY_OK)
        key_order_close(order);
    return result;
}

enum key_result
key_counts_top(struct key_counts *counts, size_t top, unsigned int threads,
               struct key_order *order)
{
    struct key_table *table[PARTITIONS_MAX];
    size_t tables = find_tables(counts, table);

    return key_top_open(order, table, tables, top, threads, &counts->memory);
}
