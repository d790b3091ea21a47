/* SPDX-License-Identifier: MIT */
/*
 * test_key_top.c -- the keys with the greatest counts, before all others
 *
 * All keys are sorted with qsort(), by what key_top.h says of their order.
 */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../naive_keys.h"
#include "../noise.h"
#include "../tap.h"
#include "hist/key_top.h"
#include "kernels/text/hash.h"

#define WATCHDOG_SECONDS 300
#define TABLES 5
#define KEYS (IS_EMULATED ? 5000 : 20000)

static const struct hash_key hash_key = {
    {UINT64_C(0x243f6a8885a308d3), UINT64_C(0x13198a2e03707344)}};

static struct key_memory memory;
static struct key_table table[TABLES];
static struct key_table *const tables[TABLES] = {
    &table[0], &table[1], &table[2], &table[3], &table[4]};
static bool has_sums;

/* COUNTS: how many different ones there are about; 1: all keys have the same.
   The first FILLED tables have keys. */
static void
fill(size_t keys, uint64_t counts, size_t filled)
{
    key_memory_open(&memory, SIZE_MAX);
    for (size_t t = 0; t < TABLES; t++)
        key_table_open(&table[t], &memory, has_sums);
    for (size_t i = 0; i < keys; i++) {
        char key[40];
        uint32_t size = (uint32_t)snprintf(key, sizeof key, "key %zu", i * 7);
        const unsigned char *bytes = (const unsigned char *)key;
        struct key_item item = {
            .hash = hash_bytes(&hash_key, bytes, size),
            .key = bytes,
            .size = size,
            .count = (uint32_t)(noise() % counts + 1),
        };
        int64_t weight = (int64_t)(noise() % counts) - (int64_t)counts / 2;
        const struct key_weights weights = {.weight = &weight};
        size_t added;
        if (key_table_add_items(&table[(item.hash >> 32) % filled], &item, 1,
                                has_sums ? &weights : NULL, &added) != KEY_OK)
            abort();
    }
}

static int
compare(const void *a, const void *b)
{
    const unsigned char *left = *(unsigned char *const *)a;
    const unsigned char *right = *(unsigned char *const *)b;
    struct key_entry x = key_entry_read(left);
    struct key_entry y = key_entry_read(right);

    if (has_sums) {
        struct decimal_sum sum = key_entry_sum(left);
        struct decimal_sum other = key_entry_sum(right);
        int order = decimal_sum_compare(&sum, &other);
        if (order != 0)
            return -order;
    } else if (x.count != y.count) {
        return x.count > y.count ? -1 : 1;
    }
    return naive_compare(x.key, x.size, y.key, y.size);
}

static int
compare_pointers(const void *a, const void *b)
{
    const unsigned char *left = *(unsigned char *const *)a;
    const unsigned char *right = *(unsigned char *const *)b;

    return (left > right) - (left < right);
}

/* Whether ORDER has the first TOP of all entries in order, and then the others,
   once each. */
static bool
is_right(const struct key_order *order, size_t top)
{
    const unsigned char **wanted = malloc((order->keys + 1) * sizeof *wanted);
    const unsigned char **found = malloc((order->keys + 1) * sizeof *found);
    size_t keys = 0;
    bool result = wanted != NULL && found != NULL;

    for (size_t t = 0; t < TABLES && result; t++) {
        struct key_cursor cursor = {0};
        const unsigned char *entry;
        while ((entry = key_table_next(&table[t], &cursor)) != NULL)
            wanted[keys++] = entry;
    }
    result = result && keys == order->keys;
    if (result) {
        qsort(wanted, keys, sizeof *wanted, compare);
        for (size_t i = 0; i < keys; i++)
            found[i] = order->place[i].entry;
        for (size_t i = 0; i < top && i < keys; i++)
            result &= found[i] == wanted[i];
        qsort(wanted, keys, sizeof *wanted, compare_pointers);
        qsort(found, keys, sizeof *found, compare_pointers);
        result &= memcmp(wanted, found, keys * sizeof *found) == 0;
    }
    free(wanted);
    free(found);
    return result;
}

static void
test_top(size_t keys, uint64_t counts, size_t filled, size_t top,
         unsigned int threads)
{
    struct key_order order;

    fill(keys, counts, filled);
    ok(key_top_open(&order, tables, TABLES, top, threads, &memory) == KEY_OK &&
           is_right(&order, top),
       "%zu of %zu keys, %s from %u, %u threads", top, keys,
       has_sums ? "sums" : "counts", (unsigned int)counts, threads);
    key_order_close(&order);
    for (size_t t = 0; t < TABLES; t++)
        key_table_close(&table[t]);
    ok(atomic_load(&memory.used) == 0, "... all memory is given back");
}

/* If there is no memory for the heaps, nothing is lost. */
static void
test_limit(void)
{
    struct key_order order;

    fill(1000, 10, 2);
    memory.limit =
        atomic_load(&memory.used) + 1001 * sizeof(struct key_place) + 100;
    ok(key_top_open(&order, tables, TABLES, 100, 2, &memory) == KEY_LIMIT,
       "no memory for heaps");
    key_order_close(&order);
    ok(key_order_open(&order, tables, TABLES, 2, &memory) == KEY_OK &&
           order.keys == 1000,
       "... but for the order by key");
    key_order_close(&order);
    for (size_t t = 0; t < TABLES; t++)
        key_table_close(&table[t]);
}

int
main(void)
{
    alarm(WATCHDOG_SECONDS);
    for (int sums = 0; sums < 2; sums++) {
        has_sums = sums;
        for (unsigned int threads = 1; threads <= 4; threads += 3) {
            test_top(0, 1, TABLES, 3, threads);
            test_top(1, 1, TABLES, 3, threads);
            test_top(20, 3, TABLES, 19, threads);
            test_top(20, 3, TABLES, 20, threads);
            test_top(20, 3, TABLES, 21, threads);
            test_top(KEYS, 1, TABLES, 10, threads);
            test_top(KEYS, 3, 1, 1, threads);
            test_top(KEYS, 3, TABLES - 1, 1000, threads);
            test_top(KEYS, 1000000000, TABLES, 100, threads);
        }
    }
    test_limit();
    ok(key_top_is_useful(10, 100000, 16) && !key_top_is_useful(0, 100000, 16) &&
           !key_top_is_useful(1000, 100000, 16) &&
           !key_top_is_useful(SIZE_MAX, SIZE_MAX, 1),
       "few of many keys");
    return done_testing();
}
