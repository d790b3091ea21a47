/* SPDX-License-Identifier: MIT */
/*
 * test_hash.c -- the hash of keys
 *
 * The hashes that are expected come from a program in Python with integers of
 * any size, so all processors have the same.
 */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../arena.h"
#include "../noise.h"
#include "../tap.h"
#include "kernels/text/hash.h"

#define SIZE_MAX_TESTED 100
#define TRIALS (IS_INSTRUMENTED ? 500 : 4000)
#define NUMBERS (IS_INSTRUMENTED ? 100000u : 1000000u)
#define PARTITIONS 512

static const struct hash_key fixed = {
    {UINT64_C(0x0123456789abcdef), UINT64_C(0xfedcba9876543210)}};

/* Byte i of a key of SIZE is (37 * i + SIZE) % 256. */
static const struct {
    uint32_t size;
    uint64_t hash;
} known[] = {
    {0, UINT64_C(0x3bacf62f2173c6f7)},  {1, UINT64_C(0xcbed4eb799936686)},
    {7, UINT64_C(0x2feb7c2fb731a5c7)},  {8, UINT64_C(0xd56f47212c31637a)},
    {15, UINT64_C(0x5c5bbde90a50f715)}, {16, UINT64_C(0x0d1d6424d250bc40)},
    {23, UINT64_C(0x8f3ec63d5a11a314)}, {24, UINT64_C(0x48765ceb583e1433)},
    {25, UINT64_C(0x2ab3f6b57813335f)}, {40, UINT64_C(0x8147ab675c4a3638)},
    {41, UINT64_C(0x26bbe0edb404e729)}, {100, UINT64_C(0x998b350af18fbf13)},
};
#define COUNT(table) (sizeof(table) / sizeof *(table))

static void
fill(unsigned char *key, size_t size)
{
    for (size_t i = 0; i < size; i++)
        key[i] = (unsigned char)noise();
}

/* ---- the definition ---- */

static void
test_known(void)
{
    unsigned char key[SIZE_MAX_TESTED];

    for (size_t k = 0; k < COUNT(known); k++) {
        for (uint32_t i = 0; i < known[k].size; i++)
            key[i] = (unsigned char)(37 * i + known[k].size);
        uint64_t hash = hash_bytes(&fixed, key, known[k].size);
        ok(hash == known[k].hash, "%u bytes: %016llx", known[k].size,
           (unsigned long long)hash);
    }
}

/* The words of a short key are its bytes, after zeros and the size. */
static void
test_words(void)
{
    bool is_right = true, is_hash = true;

    for (uint32_t size = 0; size <= HASH_SHORT_MAX; size++) {
        unsigned char key[HASH_SHORT_MAX], all[8 * HASH_WORDS] = {0};
        uint64_t word[HASH_WORDS];
        fill(key, size);
        memcpy(all + sizeof all - size, key, size);
        all[0] = (unsigned char)(size + 1);
        hash_short_words(key, size, word);
        for (size_t w = 0; w < HASH_WORDS; w++)
            is_right &= word[w] == hash_load(all + 8 * w);
        is_hash &= hash_short(&fixed, word) == hash_bytes(&fixed, key, size);
    }
    ok(is_right, "the words of short keys");
    ok(is_hash, "their hash is that of the bytes");
}

/* A key at the end or the start of readable memory. */
static void
test_bounds(void)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    unsigned char *arena = arena_open(page);
    bool is_same = true;

    for (uint32_t size = 0; size <= SIZE_MAX_TESTED; size++) {
        fill(arena, size);
        uint64_t hash = hash_bytes(&fixed, arena, size);
        unsigned char *end = arena + page - size;
        memcpy(end, arena, size);
        is_same &= hash_bytes(&fixed, end, size) == hash;
    }
    ok(is_same, "no byte outside of a key is read, at any alignment");
}

/* ---- how good it is ---- */

/* How far, of TRIALS, the least equal bit of the hash is from a half. */
static double
worst_of(const uint32_t flipped[64])
{
    double worst = 0;

    for (int b = 0; b < 64; b++) {
        double away = (double)flipped[b] / TRIALS - 0.5;
        away = away < 0 ? -away : away;
        worst = away > worst ? away : worst;
    }
    return worst;
}

static void
count_flips(uint32_t flipped[64], uint64_t difference)
{
    for (int b = 0; b < 64; b++)
        flipped[b] += (uint32_t)(difference >> b & 1);
}

/* Each bit of a key flips each bit of the hash in half of the trials. */
static void
test_avalanche(uint32_t size)
{
    double limit = IS_INSTRUMENTED ? 0.15 : 0.06; /* 6 standard deviations */
    double worst = 0;

    for (uint32_t bit = 0; bit < 8 * size; bit++) {
        uint32_t flipped[64] = {0};
        for (int t = 0; t < TRIALS; t++) {
            unsigned char key[SIZE_MAX_TESTED];
            struct hash_key seed = {{noise(), noise()}};
            fill(key, size);
            uint64_t before = hash_bytes(&seed, key, size);
            key[bit / 8] ^= (unsigned char)(1 << bit % 8);
            count_flips(flipped, before ^ hash_bytes(&seed, key, size));
        }
        double away = worst_of(flipped);
        worst = away > worst ? away : worst;
    }
    ok(worst < limit, "%u bytes: each bit changes half of the hash (%.3f)",
       size, worst);
}

static void
test_seed(uint32_t size)
{
    double worst = 0;

    for (unsigned int bit = 0; bit < 128; bit++) {
        uint32_t flipped[64] = {0};
        for (int t = 0; t < TRIALS; t++) {
            unsigned char key[SIZE_MAX_TESTED];
            struct hash_key seed = {{noise(), noise()}};
            fill(key, size);
            uint64_t before = hash_bytes(&seed, key, size);
            seed.word[bit / 64] ^= (uint64_t)1 << bit % 64;
            count_flips(flipped, before ^ hash_bytes(&seed, key, size));
        }
        double away = worst_of(flipped);
        worst = away > worst ? away : worst;
    }
    ok(worst < (IS_INSTRUMENTED ? 0.15 : 0.06),
       "%u bytes: each bit of the seed changes half of the hash (%.3f)", size,
       worst);
}

static int
compare(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left;
    uint64_t b = *(const uint64_t *)right;

    return (a > b) - (a < b);
}

/* Numbers as text, with PREFIX: what logs are full of. */
static void
test_numbers(const char *prefix)
{
    struct hash_key seed = {{noise(), noise()}};
    uint64_t *hash = malloc(NUMBERS * sizeof *hash);
    static uint32_t share[PARTITIONS];
    size_t equal = 0, equal_tags = 0;
    double chi = 0, mean = (double)NUMBERS / PARTITIONS;

    if (hash == NULL)
        abort();
    memset(share, 0, sizeof share);
    for (uint32_t i = 0; i < NUMBERS; i++) {
        char key[SIZE_MAX_TESTED];
        int size = snprintf(key, sizeof key, "%s%u", prefix, i);
        hash[i] = hash_bytes(&seed, (const unsigned char *)key, (size_t)size);
        share[hash[i] / (UINT64_MAX / PARTITIONS + 1)]++;
    }
    for (size_t p = 0; p < PARTITIONS; p++)
        chi += (share[p] - mean) * (share[p] - mean) / mean;
    qsort(hash, NUMBERS, sizeof *hash, compare);
    for (uint32_t i = 1; i < NUMBERS; i++)
        equal += hash[i] == hash[i - 1];
    for (uint32_t i = 0; i < NUMBERS; i++)
        hash[i] &= UINT32_MAX;
    qsort(hash, NUMBERS, sizeof *hash, compare);
    for (uint32_t i = 1; i < NUMBERS; i++)
        equal_tags += hash[i] == hash[i - 1];
    free(hash);
    /* Expected: 0; 116 (1.2 when instrumented); 511 with a deviation of 32. */
    ok(equal == 0 && equal_tags < 200 && chi < 511 + 7 * 32,
       "numbers after '%s': %zu and %zu are equal, chi square %.0f", prefix,
       equal, equal_tags, chi);
}

int
main(void)
{
    static const uint32_t sizes[] = {1, 3, 8, 16, 20, 23, 24, 33, 48};

    test_known();
    test_words();
    test_bounds();
    for (size_t s = 0; s < COUNT(sizes); s++) {
        test_avalanche(sizes[s]);
        test_seed(sizes[s]);
    }
    test_numbers("");
    test_numbers("GET /index.html?id=");
    test_numbers("http://www.example.org/a/long/path/of/more/bytes/");
    return done_testing();
}
