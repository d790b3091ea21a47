/* SPDX-License-Identifier: MIT */
/*
 * test_device_keys.c -- the keys that a device has counted, added to the tables
 *
 * Key I is the number I in decimal, so each says which count it must have.
 */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../tap.h"
#include "engine/cpu/fields/device_keys.h"
#include "hist/key_file.h"

#define KEYS_MAX 60000

/* What the device has counted of key I: nothing of some, and much of others. */
static uint64_t
counted(uint32_t i)
{
    return i % 5 == 0 ? 0 : ((uint64_t)i << 30) + 1;
}

/* What the CPU has. */
static uint64_t
before(uint32_t i)
{
    return i % 3 == 0 ? 7 : 0;
}

static uint32_t
put_key(unsigned char key[16], uint32_t i)
{
    return (uint32_t)snprintf((char *)key, 16, "%" PRIu32, i);
}

/* Learn KEYS keys; their cells are in the order of learning. */
static void
learn(struct text_dictionary *dictionary, uint32_t keys)
{
    const struct hash_key seed = {{0x0123456789abcdef, 0x456789abcdef0123}};
    uint32_t learned = 0;

    if (text_dictionary_open(dictionary, seed, KEYS_MAX, 16 * KEYS_MAX) < 0)
        abort();
    for (uint32_t i = 0; i < keys; i++) {
        unsigned char key[16];
        struct text_key one = {key, put_key(key, i)};
        learned += (uint32_t)text_dictionary_learn(dictionary, &one, 1);
    }
    if (learned != keys)
        abort();
}

/* Whether LIST has what COUNTS must have of KEYS keys. */
static bool
is_right(const struct key_list *list, uint32_t keys)
{
    size_t wanted = 0;
    struct key_entry last = {0};

    for (uint32_t i = 0; i < keys; i++)
        wanted += counted(i) + before(i) > 0;
    if (list->count != wanted)
        return false;
    for (size_t n = 0; n < list->count; n++) {
        struct key_entry entry = key_entry_read(key_list_at(list, n));
        char text[16] = {0};
        if (entry.size >= sizeof text ||
            (n > 0 && key_entry_compare(&last, &entry) >= 0))
            return false;
        memcpy(text, entry.key, entry.size);
        uint32_t i = (uint32_t)strtoul(text, NULL, 10);
        if (i >= keys || entry.count != counted(i) + before(i))
            return false;
        last = entry;
    }
    return true;
}

static void
test_add(uint32_t keys, unsigned int threads, size_t limit)
{
    struct text_dictionary dictionary;
    struct key_counts counts;
    struct key_order order = {0};
    struct key_file file = {0};
    struct key_list list;
    struct histogram histogram;
    struct error error = ERROR_NONE;
    bool is_ordered;

    learn(&dictionary, keys);
    if (key_counts_open(&counts, threads, limit, KEY_BRINGS_NOTHING) !=
            KEY_OK ||
        histogram_open(&histogram, TEXT_TOTALS + KEYS_MAX, 1) < 0)
        abort();
    for (uint32_t i = 0; i < keys; i++) {
        unsigned char key[16];
        const struct key_amount amount = {.count = before(i)};
        histogram.value[TEXT_TOTALS + i] = counted(i);
        if (before(i) > 0 &&
            key_counter_add_amount(&counts, key, put_key(key, i), &amount) !=
                KEY_OK)
            abort();
    }
    uint64_t spills = counts.spills;
    enum key_result result =
        device_keys_add(&counts, &histogram, &dictionary, threads);
    spills = counts.spills - spills;
    if (counts.spills > 0) {
        is_ordered =
            key_counter_spill(&counts) == KEY_OK &&
            key_file_open(&file, &counts.runs, KEY_RUN_BY_KEY, threads,
                          counts.memory.limit, true, &list, &error) == 0;
    } else {
        key_counts_release_slots(&counts);
        is_ordered = key_counts_order(&counts, threads, &order) == KEY_OK;
        list = key_list_of(&order);
    }
    ok(result == KEY_OK && is_ordered && is_right(&list, keys) &&
           (spills > 0) == (limit != SIZE_MAX && keys > 10000),
       "%" PRIu32 " keys, %u threads: each has its count, %" PRIu64 " runs",
       keys, threads, spills);
    key_file_close(&file);
    key_order_close(&order);
    histogram_close(&histogram);
    key_counts_close(&counts);
    text_dictionary_close(&dictionary);
}

int
main(void)
{
    static const uint32_t sizes[] = {0, 1, 4095, 4096, 4097, KEYS_MAX};

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        for (unsigned int threads = 1; threads <= 70; threads += 23)
            test_add(sizes[i], threads, SIZE_MAX);
    }
    for (unsigned int threads = 1; threads <= 4; threads++)
        test_add(KEYS_MAX, threads, (size_t)3 << 19);
    return done_testing();
}
