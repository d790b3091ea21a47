/* SPDX-License-Identifier: MIT */
/*
 * test_key_order.c -- the keys of several tables, in the order of their bytes
 *
 * The order is checked by `LC_ALL=C sort -c -u`, whose records end with NUL or
 * with a newline, and for keys with both by a plain comparison.
 */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../naive_keys.h"
#include "../noise.h"
#include "../tap.h"
#include "hist/key_order.h"
#include "kernels/text/hash.h"

#define WATCHDOG_SECONDS 300
#define TABLES 5
#define KEY_MAX 4000
#define KEYS_MANY (IS_EMULATED ? 40000 : IS_INSTRUMENTED ? 100000 : 300000)
#define KEYS_FEW 3000
#define COUNT(table) (sizeof(table) / sizeof *(table))

static const struct hash_key hash_key = {
    {UINT64_C(0x243f6a8885a308d3), UINT64_C(0x13198a2e03707344)}};

static struct key_memory memory;
static struct key_table table[TABLES];
static struct key_table *const tables[TABLES] = {
    &table[0], &table[1], &table[2], &table[3], &table[4]};

/* ---- keys ---- */

/* All bytes, but no NUL. */
static uint32_t
make_bytes(unsigned char *key, size_t i)
{
    uint32_t size = (uint32_t)(noise() % 24);

    (void)i;
    for (uint32_t b = 0; b < size; b++)
        key[b] = (unsigned char)(noise() % 255 + 1);
    return size;
}

static uint32_t
make_numbers(unsigned char *key, size_t i)
{
    return (uint32_t)snprintf((char *)key, KEY_MAX, "%zu", i * 7919 % 1000003);
}

/* Keys that start each other, of two letters. */
static uint32_t
make_letters(unsigned char *key, size_t i)
{
    uint32_t size = (uint32_t)(noise() % 20);

    (void)i;
    for (uint32_t b = 0; b < size; b++)
        key[b] = (unsigned char)('a' + noise() % 2);
    return size;
}

/* A long start in common, and sizes around each 8 bytes. */
static uint32_t
make_paths(unsigned char *key, size_t i)
{
    uint32_t size = (uint32_t)(KEY_MAX - 40 + noise() % 30);

    memset(key, '/', size);
    return size + (uint32_t)snprintf((char *)key + size, 10, "%zu", i % 5000);
}

/* NUL bytes, which look as the end of a key does. */
static uint32_t
make_zeros(unsigned char *key, size_t i)
{
    uint32_t size = (uint32_t)(noise() % 40);

    (void)i;
    memset(key, 0, size);
    if (size > 0 && noise() % 2 == 0)
        key[noise() % size] = 1;
    return size;
}

/* Already in order. */
static uint32_t
make_sorted(unsigned char *key, size_t i)
{
    return (uint32_t)snprintf((char *)key, KEY_MAX, "%09zu", i);
}

static uint32_t
make_reversed(unsigned char *key, size_t i)
{
    return (uint32_t)snprintf((char *)key, KEY_MAX, "%09zu", 999999999 - i);
}

/* More bytes in common than a prefix has. */
static uint32_t
make_addresses(unsigned char *key, size_t i)
{
    return (uint32_t)snprintf((char *)key, KEY_MAX,
                              "https://www.example.com/item/%zu", i * 7919);
}

/* Some have bytes in common, of others before and behind them. */
static uint32_t
make_mixture(unsigned char *key, size_t i)
{
    return i % 3 == 0 ? make_bytes(key, i) : make_addresses(key, i);
}

/* Zeros only, but for one byte: no prefix tells the most of them apart. */
static uint32_t
make_long_zeros(unsigned char *key, size_t i)
{
    uint32_t size = (uint32_t)(noise() % 400);

    (void)i;
    memset(key, 0, size);
    if (size > 0)
        key[noise() % size] = (unsigned char)(noise() % 3);
    return size;
}

static const struct {
    const char *name;
    uint32_t (*make)(unsigned char *key, size_t i);
    size_t keys;
    bool has_zeros;
} kinds[] = {
    {"bytes", make_bytes, KEYS_MANY, false},
    {"numbers", make_numbers, KEYS_MANY, false},
    {"letters", make_letters, KEYS_MANY, false},
    {"paths", make_paths, KEYS_FEW, false},
    {"zeros", make_zeros, KEYS_FEW, true},
    {"sorted", make_sorted, KEYS_MANY, false},
    {"reversed", make_reversed, KEYS_MANY, false},
    {"addresses", make_addresses, KEYS_MANY, false},
    {"mixed", make_mixture, KEYS_MANY, false},
    {"long zeros", make_long_zeros, KEYS_MANY, true},
};

/* Fill the first FILLED tables with COUNT keys or fewer. */
static void
fill(size_t kind, size_t count, size_t filled)
{
    unsigned char key[KEY_MAX];

    key_memory_open(&memory, SIZE_MAX);
    for (size_t t = 0; t < TABLES; t++)
        key_table_open(&table[t], &memory, false);
    for (size_t i = 0; i < count; i++) {
        uint32_t size = kinds[kind].make(key, i);
        uint64_t hash = hash_bytes(&hash_key, key, size);
        if (key_table_add(&table[(hash >> 32) % filled], hash, key, size, 1) !=
            KEY_OK)
            abort();
    }
}

static void
empty(void)
{
    for (size_t t = 0; t < TABLES; t++)
        key_table_close(&table[t]);
}

/* ---- the order ---- */

static bool
is_ordered(const struct key_order *order)
{
    for (size_t i = 1; i < order->keys; i++) {
        struct key_entry a = key_order_entry(order, i - 1);
        struct key_entry b = key_order_entry(order, i);
        if (naive_compare(a.key, a.size, b.key, b.size) >= 0)
            return false;
    }
    return true;
}

/* What coreutils say of it. */
static bool
sort_agrees(const struct key_order *order)
{
    FILE *sort = popen("LC_ALL=C sort -z -c -u", "w");
    bool is_written = sort != NULL;

    for (size_t i = 0; is_written && i < order->keys; i++) {
        struct key_entry entry = key_order_entry(order, i);
        is_written &= fwrite(entry.key, 1, entry.size, sort) == entry.size;
        is_written &= putc(0, sort) == 0;
    }
    return is_written && pclose(sort) == 0;
}

static void
test_order(size_t kind, size_t count, size_t filled, unsigned int threads)
{
    struct key_order order;
    size_t keys = 0;

    fill(kind, count, filled);
    for (size_t t = 0; t < TABLES; t++)
        keys += table[t].keys;
    bool is_open =
        key_order_open(&order, tables, TABLES, threads, &memory) == KEY_OK;
    ok(is_open && order.keys == keys && is_ordered(&order),
       "%zu %s keys in %zu tables, %u threads", keys, kinds[kind].name, filled,
       threads);
    if (!kinds[kind].has_zeros && !LOOKS_FOR_RACES)
        ok(sort_agrees(&order), "... sort finds no disorder");
    key_order_close(&order);
    empty();
    ok(atomic_load(&memory.used) == 0, "... all memory is given back");
}

static void
test_limit(void)
{
    struct key_order order;
    size_t failures = 0;

    fill(0, 1000, 1);
    memory.limit = atomic_load(&memory.used);
    while (key_order_open(&order, tables, TABLES, 2, &memory) == KEY_LIMIT) {
        key_order_close(&order);
        failures++;
        memory.limit += 64;
    }
    ok(failures > 1 && is_ordered(&order), "%zu limits are too low", failures);
    key_order_close(&order);
    empty();
}

/* The less memory there is beyond the places, the fewer buckets. */
static void
test_little_memory(void)
{
    fill(0, KEYS_MANY, TABLES);
    for (size_t room = 0; room < 65536; room = 2 * room + 100) {
        struct key_order order;
        size_t keys = 0;
        if (!has_turn(3))
            continue;
        for (size_t t = 0; t < TABLES; t++)
            keys += table[t].keys;
        memory.limit = atomic_load(&memory.used) + room +
                       (keys + 1) * sizeof(struct key_place);
        atomic_store(&memory.peak, 0);
        ok(key_order_open(&order, tables, TABLES, 3, &memory) == KEY_OK &&
               order.keys == keys && is_ordered(&order) &&
               atomic_load(&memory.peak) <= memory.limit,
           "%zu bytes beyond the places", room);
        key_order_close(&order);
    }
    empty();
}

/*
 * Of the keys of table 0, two thirds move to table 1, and two thirds are
 * appended, in order, to tables 2 and 3; so a third is in both.  Each key must
 * be in the joined order once, with the sum of its counts.
 */
static void
test_join(size_t kind, size_t count)
{
    struct key_table *const first = &table[0];
    struct key_table *const others = &table[1];
    struct key_order all, order;
    bool is_right = true;

    fill(kind, count, 1);
    if (key_order_open(&all, &first, 1, 1, &memory) != KEY_OK)
        abort();
    for (size_t i = 0; i < all.keys; i++) {
        const struct key_entry key = key_order_entry(&all, i);
        uint64_t hash = hash_bytes(&hash_key, key.key, key.size);
        if (i % 3 != 1 &&
            key_table_add(others, hash, key.key, key.size, 2) != KEY_OK)
            abort();
        if (i % 3 != 0 && key_table_append(&table[2 + (2 * i > all.keys)],
                                           key.key, key.size, 5) != KEY_OK)
            abort();
    }
    if (key_order_open(&order, &others, 1, 1, &memory) != KEY_OK ||
        key_order_join(&order, &table[2], 2) != KEY_OK)
        abort();
    for (size_t i = 0; i < all.keys && i < order.keys; i++) {
        static const uint64_t counts[] = {2, 5, 7};
        const struct key_entry key = key_order_entry(&order, i);
        const struct key_entry wanted = key_order_entry(&all, i);
        is_right &=
            key.count == counts[i % 3] && key_entry_compare(&key, &wanted) == 0;
    }
    ok(is_right && order.keys == all.keys, "%zu %s keys are joined", all.keys,
       kinds[kind].name);
    key_order_close(&order);
    key_order_close(&all);
    empty();
    ok(atomic_load(&memory.used) == 0, "... all memory is given back");
}

int
main(void)
{
    alarm(WATCHDOG_SECONDS);
    for (size_t k = 0; k < COUNT(kinds); k++) {
        static const size_t counts[] = {0, 1, 2, 16, 17, 600};
        for (size_t c = 0; c < COUNT(counts) && !LOOKS_FOR_RACES; c++)
            test_order(k, counts[c], TABLES - 1, 1);
        for (size_t c = 0; c < COUNT(counts) && !LOOKS_FOR_RACES; c++)
            test_join(k, counts[c]);
        if (has_turn(2) && !LOOKS_FOR_RACES)
            test_order(k, kinds[k].keys, TABLES - 1, 1);
        if (has_turn(2))
            test_order(k, kinds[k].keys, TABLES - 1, 4);
        if (has_turn(2))
            test_order(k, kinds[k].keys, 1, 3);
    }
    test_limit();
    test_little_memory();
    return done_testing();
}
