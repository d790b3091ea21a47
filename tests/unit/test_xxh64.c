/* SPDX-License-Identifier: MIT */
/*
 * test_xxh64.c -- XXH64 beside xxHash, in pieces of any size, and its forms
 */

#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "../noise.h"
#include "../tap.h"
#include "base/xxh.h"

#define DATA_BYTES 20000
#define STRIPES_MAX 600

static uint64_t
hash_of(const unsigned char *data, size_t size)
{
    struct xxh64 hash;

    xxh64_start(&hash);
    xxh64_add(&hash, data, size);
    return xxh64_end(&hash);
}

static bool
always(void)
{
    return true;
}

static const struct {
    const char *name;
    xxh64_form *run;
    bool (*is_possible)(void);
} forms[] = {
    {"portable", xxh64_portable, always},
#ifdef XXH64_HAS_AVX2
    {"AVX2", xxh64_avx2, xxh64_avx2_is_possible},
#endif
};

/* Memory that ends with the data, so that a sanitizer sees what is read. */
static unsigned char *
copy(const unsigned char *data, size_t size)
{
    unsigned char *memory = malloc(size + (size == 0));

    if (memory == NULL)
        abort();
    if (size > 0)
        memcpy(memory, data, size);
    return memory;
}

/* Let LANE take COUNT stripes: a form may leave the last one. */
static void
take(size_t number, uint64_t *lane, const unsigned char *data, size_t count)
{
    size_t done = forms[number].run(lane, data, count);

    if (count - done > 1 ||
        xxh64_portable(lane, data + done * XXH64_STRIPE_BYTES, count - done) !=
            count - done)
        abort();
}

static void
test_form(size_t number, const unsigned char *data)
{
    size_t wrong = 0;

    if (!forms[number].is_possible()) {
        ok(true, "%s: not by this processor # SKIP", forms[number].name);
        return;
    }
    for (size_t count = 0; count <= STRIPES_MAX; count++) {
        const size_t bytes = count * XXH64_STRIPE_BYTES;
        unsigned char *exact = copy(data + count % 63, bytes);
        XXH64_state_t state;
        uint64_t lane[XXH64_LANES];
        for (unsigned int i = 0; i < XXH64_LANES; i++)
            lane[i] = xxh64_lane(i);
        (void)XXH64_reset(&state, 0);
        (void)XXH64_update(&state, exact, bytes);
        /* In two parts. */
        size_t first = count > 0 ? noise() % count : 0;
        take(number, lane, exact, first);
        take(number, lane, exact + first * XXH64_STRIPE_BYTES, count - first);
        wrong += xxh64_finish(xxh64_join(lane[0], lane[1], lane[2], lane[3]),
                              bytes, exact) != XXH64_digest(&state);
        free(exact);
    }
    ok(wrong == 0, "%s: %zu wrong", forms[number].name, wrong);
}

int
main(void)
{
    static unsigned char data[DATA_BYTES];
    size_t wrong = 0;

    ok(hash_of(data, 0) == UINT64_C(0xef46db3751d8e999), "the hash of nothing");
    ok(hash_of((const unsigned char *)"abc", 3) == UINT64_C(0x44bc2cf5ad770999),
       "the hash of \"abc\"");
    for (size_t i = 0; i < DATA_BYTES; i++)
        data[i] = (unsigned char)noise();
    for (size_t size = 0; size < 1000; size++) {
        unsigned char *exact = copy(data + size % 7, size);
        wrong += hash_of(exact, size) != XXH64(exact, size, 0);
        free(exact);
    }
    wrong += hash_of(data, DATA_BYTES) != XXH64(data, DATA_BYTES, 0);
    ok(wrong == 0, "sizes up to 1000, and a large one");
    wrong = 0;
    for (size_t size = 0; size < 300; size++) {
        unsigned char *exact = copy(data + size % 7, size);
        uint64_t seed = size % 3 == 0 ? size / 3 : noise();
        wrong += xxh64_of(exact, size, seed) != XXH64(exact, size, seed);
        free(exact);
    }
    ok(wrong == 0, "any seed");
    wrong = 0;
    for (int turn = 0; turn < 300; turn++) {
        struct xxh64 hash;
        xxh64_start(&hash);
        size_t most = 1 + noise() % 3000;
        for (size_t at = 0; at < DATA_BYTES;) {
            size_t size = noise() % (most + 1);
            if (size > DATA_BYTES - at)
                size = DATA_BYTES - at;
            xxh64_add(&hash, data + at, size);
            at += size;
            /* The hash of what there is so far changes nothing. */
            if (size % 16 == 0)
                wrong += xxh64_end(&hash) != XXH64(data, at, 0);
        }
        wrong += xxh64_end(&hash) != XXH64(data, DATA_BYTES, 0);
    }
    ok(wrong == 0, "pieces of any size");
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        test_form(i, data);
    return done_testing();
}
