/* SPDX-License-Identifier: MIT */
/*
 * test_key_merge.c -- sorted runs, merged to a list in files
 *
 * Random runs, with keys in common and without, are merged with so little
 * memory that it takes passes, and with enough; by one thread, and in parts by
 * several.  The list is compared with the sums of a plain tree: by key, and by
 * count with equal counts by key.
 */

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../naive_keys.h"
#include "../noise.h"
#include "../table_run.h"
#include "../tap.h"
#include "hist/key_file.h"
#include "hist/key_merge.h"

#define WATCHDOG_SECONDS 300
#define KEY_MAX 400000
#define LATE 60000
#define PARTS_KEYS 100000
#define THREADS 5
#define COUNT(table) (sizeof(table) / sizeof *(table))

static struct key_memory memory;
static unsigned char key[KEY_MAX];

/* ---- keys ---- */

static uint32_t
make_numbers(void)
{
    return (uint32_t)snprintf((char *)key, KEY_MAX, "%u",
                              (unsigned int)(noise() % 3000));
}

/* Keys that start each other, the empty one, and bytes of 0. */
static uint32_t
make_zeros(void)
{
    uint32_t size = (uint32_t)(noise() % 12);

    for (uint32_t b = 0; b < size; b++)
        key[b] = (unsigned char)(noise() % 2);
    return size;
}

/* More than 8 bytes in common, and a size of two bytes. */
static uint32_t
make_paths(void)
{
    memset(key, '/', 200);
    return 200 + (uint32_t)snprintf((char *)key + 200, 100, "%x",
                                    (unsigned int)(noise() % 4000));
}

/* Now and then a key that is longer than a buffer. */
static uint32_t
make_long(void)
{
    uint32_t size = make_numbers();

    if (noise() % 200 != 0)
        return size;
    memset(key + size, 'x', KEY_MAX - 10 - size);
    return KEY_MAX - 10 - (uint32_t)(noise() % 3);
}

/* Some differ only behind 60,000 bytes. */
static uint32_t
make_late(void)
{
    uint32_t size = make_numbers();

    if (noise() % 200 != 0)
        return size;
    memmove(key + LATE, key, size);
    memset(key, 'x', LATE);
    return LATE + size;
}

/* Most differ, so that runs have marks. */
static uint32_t
make_many(void)
{
    return (uint32_t)snprintf((char *)key, KEY_MAX, "%u",
                              (unsigned int)(noise() % 1000000));
}

static const struct {
    const char *name;
    uint32_t (*make)(void);
} kinds[] = {
    {"numbers", make_numbers}, {"zeros", make_zeros}, {"paths", make_paths},
    {"long", make_long},       {"late", make_late},   {"many", make_many},
};

/* The last one takes longer. */
#define FEW_KINDS (COUNT(kinds) - 1)

/* ---- runs ---- */

/* Append a run of about KEYS keys. */
static void
add_run(struct key_runs *runs, size_t kind, size_t keys,
        struct naive_keys *wanted)
{
    struct key_table table;

    key_table_open(&table, &memory, false);
    for (size_t i = 0; i < keys; i++) {
        uint32_t size = kinds[kind].make();
        uint64_t count = noise() % 7 + 1;
        table_run_add(&table, key, size, count);
        naive_add(wanted, key, size, count);
    }
    table_run_put(runs, &table, &memory, 3);
}

/* Whether LIST has the keys of WANTED in ORDER. */
static bool
is_same(const struct key_list *list, struct naive_keys *wanted,
        enum key_run_order order)
{
    if (list->count != wanted->keys || !list->is_mapped ||
        list->is_by_count != (order == KEY_RUN_BY_COUNT))
        return false;
    for (size_t i = 0; i < list->count; i++) {
        struct key_entry entry = key_entry_read(key_list_at(list, i));
        struct naive_key *found = *naive_find(wanted, entry.key, entry.size);
        if (found == NULL || found->count != entry.count)
            return false;
        if (i == 0)
            continue;
        struct key_entry last = key_entry_read(key_list_at(list, i - 1));
        bool is_equal = order == KEY_RUN_BY_KEY || last.count == entry.count;
        if (is_equal
                ? naive_compare(last.key, last.size, entry.key, entry.size) >= 0
                : last.count < entry.count)
            return false;
    }
    return true;
}

static void
test_runs(size_t kind, size_t count, size_t keys, size_t bytes,
          enum key_run_order order)
{
    struct naive_keys wanted = {0};
    struct key_runs runs;
    struct key_file file = {0};
    struct key_list list = {0};
    struct error error = ERROR_NONE;
    bool is_right = true;

    key_runs_open(&runs, KEY_RUN_BY_KEY, false);
    for (size_t r = 0; r < count; r++)
        add_run(&runs, kind, keys - noise() % keys, &wanted);
    /* A snapshot keeps the runs; the next one has another run. */
    for (int turn = 0; turn < 3; turn++) {
        bool is_last = turn == 2;
        is_right &= key_file_open(&file, &runs, order, THREADS, bytes, is_last,
                                  &list, &error) == 0 &&
                    is_same(&list, &wanted, order);
        key_list_forget(&list, 0, list.count);
        is_right &= is_same(&list, &wanted, order);
        key_file_close(&file);
        if (!is_last)
            add_run(&runs, kind, 1, &wanted);
    }
    ok(is_right, "%zu runs of %s keys, %zu distinct, %zu bytes, by %s", count,
       kinds[kind].name, wanted.keys, bytes,
       order == KEY_RUN_BY_KEY ? "key" : "count");
    key_runs_close(&runs);
    naive_close(&wanted);
}

/* Threads write parts of a long run as far as there is memory for them. */
static void
test_parts(void)
{
    struct key_table table;
    struct key_table *const tables[] = {&table};
    struct key_order order;
    struct key_runs runs;
    struct key_file file = {0};
    struct key_list list = {0};
    struct error error = ERROR_NONE;
    bool is_right = true;

    key_runs_open(&runs, KEY_RUN_BY_KEY, false);
    key_table_open(&table, &memory, false);
    for (uint32_t i = 0; i < PARTS_KEYS; i++) {
        uint32_t size =
            (uint32_t)snprintf((char *)key, KEY_MAX, "%06u", (unsigned int)i);
        table_run_add(&table, key, size, i);
    }
    key_table_release_slots(&table);
    if (key_order_open(&order, tables, 1, 1, &memory) != KEY_OK)
        abort();
    size_t used = memory.used;
    for (size_t room = 0; room <= 300000; room += 100000) {
        memory.limit = used + room;
        memory.peak = used;
        is_right &= key_runs_put_order(&runs, &order, 3, &error) == 0;
        is_right &= memory.used == used && memory.peak <= used + room &&
                    (memory.peak > used) == (room > 100000);
    }
    memory.limit = SIZE_MAX;
    key_order_close(&order);
    key_table_close(&table);
    is_right &= key_file_open(&file, &runs, KEY_RUN_BY_KEY, THREADS, 500000,
                              true, &list, &error) == 0 &&
                list.count == PARTS_KEYS;
    for (size_t i = 0; is_right && i < list.count; i++) {
        struct key_entry entry = key_entry_read(key_list_at(&list, i));
        snprintf((char *)key, KEY_MAX, "%06zu", i);
        is_right = entry.count == 4 * i && memcmp(entry.key, key, 6) == 0;
    }
    ok(is_right, "%d keys in parts, with memory for them or without",
       PARTS_KEYS);
    key_file_close(&file);
    key_runs_close(&runs);
}

/* The last merge of passes is as wide as it may be, and all others. */
static void
test_fan_in(void)
{
    struct naive_keys wanted = {0};
    bool is_right = key_merge_fan_in(0) == 2;

    for (size_t most = 2; most < 8; most++) {
        size_t bytes = 0;
        while (key_merge_fan_in(bytes) < most)
            bytes += 4096;
        for (size_t count = 1; count < 40; count++) {
            struct key_runs runs;
            struct error error = ERROR_NONE;
            key_runs_open(&runs, KEY_RUN_BY_KEY, false);
            for (size_t r = 0; r < count; r++)
                add_run(&runs, 0, 2, &wanted);
            is_right &= key_merge_reduce(&runs, bytes, &error) == 0;
            is_right &= runs.count == (count < most ? count : most);
            key_runs_close(&runs);
        }
    }
    ok(is_right, "passes leave as many runs as one merge can read");
    naive_close(&wanted);
}

int
main(void)
{
    static const size_t counts[] = {1, 2, 7, 40};
    /* As many keys in all are enough. */
    static const size_t keys[] = {900, 900, 600, 120};
    static const size_t bytes[] = {0, 500000};

    alarm(WATCHDOG_SECONDS);
    key_memory_open(&memory, SIZE_MAX);
    for (size_t k = 0; k < FEW_KINDS; k++) {
        for (size_t c = 0; c < COUNT(counts); c++) {
            for (size_t b = 0; b < COUNT(bytes); b++) {
                if (has_turn(7))
                    test_runs(k, counts[c], keys[c], bytes[b], KEY_RUN_BY_KEY);
                if (has_turn(7))
                    test_runs(k, counts[c], keys[c], bytes[b],
                              KEY_RUN_BY_COUNT);
            }
        }
    }
    test_runs(FEW_KINDS, 3, 40000, (size_t)1 << 24, KEY_RUN_BY_KEY);
    test_runs(FEW_KINDS, 3, 40000, (size_t)1 << 24, KEY_RUN_BY_COUNT);
    test_fan_in();
    test_parts();
    ok(memory.used == 0, "all memory is given back");
    return done_testing();
}
