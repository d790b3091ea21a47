/* SPDX-License-Identifier: MIT */
/* test_key_table.c -- a table of keys beside a plain tree */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../naive_keys.h"
#include "../noise.h"
#include "../tap.h"
#include "hist/key_table.h"
#include "kernels/text/hash.h"

#define KEYS (IS_INSTRUMENTED ? 3000 : 20000)
#define KEY_MAX 300
#define COUNT(table) (sizeof(table) / sizeof *(table))

static const struct hash_key hash_key = {
    {UINT64_C(0x243f6a8885a308d3), UINT64_C(0x13198a2e03707344)}};

/* ---- hashes ---- */

static uint64_t
hash_good(const unsigned char *key, uint32_t size)
{
    return hash_bytes(&hash_key, key, size);
}

static uint64_t
hash_none(const unsigned char *key, uint32_t size)
{
    (void)key;
    (void)size;
    return 0;
}

/* All in the last bucket. */
static uint64_t
hash_last(const unsigned char *key, uint32_t size)
{
    (void)key;
    (void)size;
    return UINT64_MAX;
}

/* Few tags, at both ends. */
static uint64_t
hash_few(const unsigned char *key, uint32_t size)
{
    return hash_good(key, size) % 7 * UINT32_MAX / 6;
}

/* The high half is the same, as in one partition. */
static uint64_t
hash_low(const unsigned char *key, uint32_t size)
{
    return hash_good(key, size) & UINT32_MAX;
}

/* The high half of a tag is the same: nearly all in one place. */
static uint64_t
hash_dense(const unsigned char *key, uint32_t size)
{
    return (hash_good(key, size) & 0xffff) | 0x70000000;
}

static const struct {
    const char *name;
    uint64_t (*hash)(const unsigned char *key, uint32_t size);
    size_t keys;
} hashes[] = {
    {"good", hash_good, SIZE_MAX}, {"none", hash_none, 400},
    {"last", hash_last, 400},      {"few", hash_few, 1000},
    {"low", hash_low, SIZE_MAX},   {"dense", hash_dense, 3000},
};

/* ---- keys ---- */

/* Empty, one byte each, NUL bytes, and keys that start others. */
static uint32_t
make_special(unsigned char *key, size_t i)
{
    static const unsigned char bytes[] = {0, 'a', 255, '\n'};
    uint32_t size = (uint32_t)(i / COUNT(bytes) % KEY_MAX);

    memset(key, bytes[i % COUNT(bytes)], size);
    if (i % 256 >= 128) {
        key[0] = (unsigned char)(i >> 4);
        return 1;
    }
    return size;
}

static uint32_t
make_random(unsigned char *key, size_t i)
{
    uint32_t size = (uint32_t)(noise() % 41);

    (void)i;
    for (uint32_t b = 0; b < size; b++)
        key[b] = (unsigned char)noise();
    return size;
}

/* Few letters: many equal keys. */
static uint32_t
make_letters(unsigned char *key, size_t i)
{
    uint32_t size = (uint32_t)(noise() % 8);

    (void)i;
    for (uint32_t b = 0; b < size; b++)
        key[b] = (unsigned char)(noise() % 3);
    return size;
}

static const struct {
    const char *name;
    uint32_t (*make)(unsigned char *key, size_t i);
} kinds[] = {
    {"special", make_special},
    {"random", make_random},
    {"letters", make_letters},
};

/* ---- comparison ---- */

/* Whether the entries are those of WANTED, each once. */
static bool
is_same(const struct key_table *table, struct naive_keys *wanted)
{
    struct key_cursor cursor = {0};
    const unsigned char *next;
    size_t found = 0;

    while ((next = key_table_next(table, &cursor)) != NULL) {
        struct key_entry entry = key_entry_read(next);
        struct naive_key *key = *naive_find(wanted, entry.key, entry.size);
        if (key == NULL || key->count != entry.count)
            return false;
        found++;
    }
    /* No entry occurs twice: then its count would be split. */
    return found == wanted->keys && table->keys == found;
}

static void
test_keys(size_t hash, size_t kind, bool is_by_items)
{
    struct key_memory memory;
    struct key_table table;
    struct naive_keys wanted = {0};
    size_t count = hashes[hash].keys < KEYS ? hashes[hash].keys : KEYS;
    bool is_added = true, are_set = true;
    size_t added;
    enum {
        ITEMS = 75
    };
    static unsigned char key[ITEMS][KEY_MAX];
    struct key_item item[ITEMS];

    key_memory_open(&memory, SIZE_MAX);
    key_table_open(&table, &memory, false);
    for (size_t i = 0; i < count;) {
        size_t some = is_by_items ? 1 + noise() % ITEMS : 1;
        for (size_t k = 0; k < some; k++) {
            uint32_t size = kinds[kind].make(key[k], i + k);
            item[k] = (struct key_item){.hash = hashes[hash].hash(key[k], size),
                                        .key = key[k],
                                        .size = size,
                                        .count = (uint32_t)noise() % 5,
                                        .entry = key[k]};
            naive_add(&wanted, key[k], size, item[k].count);
        }
        i += some;
        if (!is_by_items) {
            is_added &= key_table_add(&table, item->hash, item->key, item->size,
                                      item->count) == KEY_OK;
            continue;
        }
        is_added &=
            key_table_add_items(&table, item, some, NULL, &added) == KEY_OK &&
            added == some;
        /* Once more, by their entries. */
        for (size_t k = 0; k < some; k++) {
            struct key_entry entry = key_entry_read(item[k].entry);
            are_set &=
                naive_compare(entry.key, entry.size, key[k], item[k].size) == 0;
            naive_add(&wanted, key[k], item[k].size, item[k].count);
            item[k].key = NULL;
        }
        is_added &=
            key_table_add_items(&table, item, some, NULL, &added) == KEY_OK &&
            added == some;
    }
    ok(is_added && are_set && is_same(&table, &wanted),
       "%s keys, hash '%s'%s: %zu distinct", kinds[kind].name,
       hashes[hash].name, is_by_items ? ", as items" : "", wanted.keys);
    key_table_release_slots(&table);
    ok(is_same(&table, &wanted), "... and without slots");
    naive_close(&wanted);
    key_table_close(&table);
    ok(atomic_load(&memory.used) == 0, "... all memory is given back");
}

/* Sizes at which a size takes another byte, or an entry other memory. */
static void
test_sizes(void)
{
    static const uint32_t sizes[] = {
        0,     127,   128,   8100,   8175,   8176,    8177,    8183,     8184,
        8185,  8192,  16383, 16384,  65000,  65519,   65520,   65521,    65527,
        65528, 65536, 70000, 131064, 131072, 2097151, 2097152, 100000000};
    size_t most = IS_INSTRUMENTED ? 2097152 : 100000000;
    struct key_memory memory;
    struct key_table table;
    struct naive_keys wanted = {0};
    unsigned char *key = calloc(1, most);
    bool is_added = key != NULL;

    key_memory_open(&memory, SIZE_MAX);
    key_table_open(&table, &memory, false);
    for (int round = 0; round < 2; round++) {
        for (size_t s = 0; s < COUNT(sizes) && sizes[s] <= most; s++) {
            for (int last = 0; last < 2 && sizes[s] > 0; last++) {
                key[sizes[s] - 1] = (unsigned char)last;
                is_added &= key_table_add(&table, hash_good(key, sizes[s]), key,
                                          sizes[s], s + 1) == KEY_OK;
                naive_add(&wanted, key, sizes[s], s + 1);
                key[sizes[s] - 1] = 0;
            }
            /* Short ones between them. */
            is_added &= key_table_add(&table, hash_good((void *)&s, sizeof s),
                                      (void *)&s, sizeof s, 1) == KEY_OK;
            naive_add(&wanted, (void *)&s, sizeof s, 1);
        }
    }
    ok(is_added && is_same(&table, &wanted), "long keys of %zu sizes",
       COUNT(sizes));
    naive_close(&wanted);
    key_table_close(&table);
    ok(atomic_load(&memory.used) == 0, "... all memory is given back");
    free(key);
}

/*
 * Long keys with equal tags in one bucket.  Their references are far apart, so
 * that a mixture of them is a block that does not exist.
 */
static void
test_equal_tags(void)
{
    enum {
        ITEMS = 7,
        SIZE = 9000
    };
    static unsigned char key[ITEMS][SIZE];
    struct key_memory memory;
    struct key_table table;
    struct naive_keys wanted = {0};
    struct key_item item[ITEMS];
    bool is_added = true;
    size_t added;

    key_memory_open(&memory, SIZE_MAX);
    key_table_open(&table, &memory, false);
    for (int round = 0; round < 3; round++) {
        for (size_t i = 0; i < ITEMS; i++) {
            key[i][SIZE - 1] = (unsigned char)i;
            item[i] = (struct key_item){
                .hash = 5, .key = key[i], .size = SIZE, .count = 1};
            naive_add(&wanted, key[i], SIZE, 1);
        }
        is_added &=
            key_table_add_items(&table, item, ITEMS, NULL, &added) == KEY_OK;
    }
    ok(is_added && is_same(&table, &wanted), "long keys with equal tags");
    naive_close(&wanted);
    key_table_close(&table);
}

/* After each key, an older one is added: slots are right at each size. */
static void
test_growth(size_t keys)
{
    struct key_memory memory;
    struct key_table table;
    bool is_added = true, is_right = true;
    struct key_cursor cursor = {0};
    const unsigned char *next;
    uint64_t sum = 0;

    key_memory_open(&memory, SIZE_MAX);
    key_table_open(&table, &memory, false);
    for (uint32_t i = 0; i < keys; i++) {
        uint32_t old = (uint32_t)noise() % (i + 1);
        is_added &= key_table_add(&table, hash_good((void *)&i, 4), (void *)&i,
                                  4, 1) == KEY_OK;
        is_added &= key_table_add(&table, hash_good((void *)&old, 4),
                                  (void *)&old, 4, 1) == KEY_OK;
        is_right &= table.keys == i + 1;
    }
    while ((next = key_table_next(&table, &cursor)) != NULL)
        sum += key_entry_read(next).count;
    ok(is_added && is_right && sum == 2 * keys,
       "%zu keys: no key is lost while the table grows", keys);
    key_table_close(&table);
}

/* At each allocation the limit is reached once: nothing changes then. */
static void
test_limit(void)
{
    struct key_memory memory;
    struct key_table table;
    struct naive_keys wanted = {0};
    size_t failures = 0;
    bool is_right = true;
    static unsigned char key[20000];

    key_memory_open(&memory, 0);
    key_table_open(&table, &memory, false);
    for (size_t i = 0; i < KEYS / 2; i++) {
        uint32_t size = i % 50 == 0 ? 8000 + (uint32_t)(noise() % 12000)
                                    : (uint32_t)(noise() % 30);
        enum key_result result;
        for (uint32_t b = 0; b < size; b++)
            key[b] = (unsigned char)(b < 30 ? noise() : 7);
        uint64_t hash = hash_good(key, size);
        while ((result = key_table_add(&table, hash, key, size, 3)) != KEY_OK) {
            is_right &= result == KEY_LIMIT;
            if (failures++ % 20 == 0)
                is_right &= is_same(&table, &wanted);
            /* The next of several allocations. */
            memory.limit =
                atomic_load(&memory.used) + ((size_t)500 << failures % 12);
        }
        is_right &= atomic_load(&memory.used) <= memory.limit;
        naive_add(&wanted, key, size, 3);
        memory.limit = atomic_load(&memory.used);
    }
    ok(failures > 100 && is_right && is_same(&table, &wanted),
       "a table at its limit stays as it was, %zu times", failures);
    naive_close(&wanted);
    key_table_close(&table);
    ok(atomic_load(&memory.used) == 0, "... all memory is given back");
}

static void
test_no_memory(void)
{
    struct key_memory memory;
    enum key_result result = KEY_OK;

    key_memory_open(&memory, SIZE_MAX);
    if (!IS_INSTRUMENTED)
        ok(key_memory_take(&memory, SIZE_MAX / 4, &result) == NULL &&
               result == KEY_NO_MEMORY && atomic_load(&memory.used) == 0,
           "more than the system has");
    key_memory_open(&memory, 100);
    void *first = key_memory_take(&memory, 60, &result);
    ok(first != NULL && key_memory_take(&memory, 41, &result) == NULL &&
           result == KEY_LIMIT,
       "more than the limit");
    void *second = key_memory_take(&memory, 40, &result);
    ok(second != NULL && atomic_load(&memory.used) == 100, "just the limit");
    key_memory_give(&memory, first, 60);
    key_memory_give(&memory, second, 40);
    key_memory_give(&memory, NULL, 5);
    ok(atomic_load(&memory.used) == 0 && atomic_load(&memory.peak) == 100,
       "the peak stays");
}

/* One table of keys of 20 bytes, also while it grows. */
static void
test_bytes(void)
{
    struct key_memory memory;
    struct key_table table;
    size_t peak = 0;
    double most = 0;
    bool is_added = true;

    key_memory_open(&memory, SIZE_MAX);
    key_table_open(&table, &memory, false);
    for (size_t i = 0; i < (IS_INSTRUMENTED ? 200000 : 2000000); i++) {
        char key[21];
        snprintf(key, sizeof key, "%020zu", i);
        is_added &= key_table_add(&table, hash_good((void *)key, 20),
                                  (void *)key, 20, 1) == KEY_OK;
        if (i < 100000 || peak == atomic_load(&memory.peak))
            continue;
        peak = atomic_load(&memory.peak);
        double each = (double)peak / (double)table.keys;
        most = each > most ? each : most;
    }
    ok(is_added && most > 20 && most <= 64,
       "at most %.1f bytes for a key of 20, while growing", most);
    key_table_close(&table);
}

/* A table whose references point to blocks everywhere is full. */
static void
test_references(void)
{
    const size_t blocks = (size_t)1 << (32 + 3 - KEY_BLOCK_LOG);
    struct key_memory memory;
    struct key_table table;
    const unsigned char key[] = "key";

    key_memory_open(&memory, SIZE_MAX);
    key_table_open(&table, &memory, false);
    table.blocks = blocks;
    ok(key_table_add(&table, 1, key, 3, 1) == KEY_LIMIT && table.keys == 0,
       "no block beyond %zu", blocks);
    table.blocks = 0;
    key_table_close(&table);
}

/* Of one thread, a huge page has the blocks after the first MiB, unless it is
   much of the LIMIT. */
static void
test_slabs(size_t limit, bool serves_one, unsigned int most)
{
    enum {
        BLOCKS = 40
    };
    struct key_memory memory;
    enum key_result result;
    struct key_slab *slab[BLOCKS];
    void *block[BLOCKS];
    unsigned int before = 0; /* blocks before the first slab */

    key_memory_open(&memory, limit);
    if (serves_one)
        key_memory_serve_one(&memory);
    for (unsigned int b = 0; b < BLOCKS; b++) {
        block[b] = key_memory_take_block(&memory, &slab[b], &result);
        before += block[b] != NULL && slab[b] == NULL;
    }
    ok(before == most, "%u of %u blocks without a slab (%u)", most,
       (unsigned int)BLOCKS, before);
    for (unsigned int b = 0; b < BLOCKS; b++)
        key_memory_give_block(&memory, block[b], slab[b]);
    ok(atomic_load(&memory.used) == 0, "all blocks are given back");
    key_memory_close(&memory);
}

int
main(void)
{
    const unsigned int in_mib = ((unsigned int)1 << 20) >> KEY_BLOCK_LOG;

    test_slabs(SIZE_MAX, true, in_mib);
    test_slabs((size_t)64 << 20, true, 40);
    test_slabs(SIZE_MAX, false, 40);
    for (size_t h = 0; h < COUNT(hashes); h++) {
        for (size_t k = 0; k < COUNT(kinds); k++) {
            test_keys(h, k, false);
            test_keys(h, k, true);
        }
    }
    test_sizes();
    test_equal_tags();
    for (size_t keys = 0; keys < 300; keys += 13)
        test_growth(keys);
    test_growth(KEYS);
    test_limit();
    test_no_memory();
    test_references();
    test_bytes();
    return done_testing();
}
