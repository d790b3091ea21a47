/* SPDX-License-Identifier: MIT */
/*
 * fuzz_count.c -- all forms of counting bytes agree
 *
 * The data are instructions to repeat pieces.  So a few bytes make the
 * long runs and the changes that the vector forms depend on.
 */

#include "../arena.h"
#include "engine/cpu/bytes/byte_count.h"
#include "engine/cpu/bytes/byte_count_avx2.h"
#include "engine/cpu/bytes/byte_count_avx512.h"
#include "fuzz.h"

/* The vector forms are for more than 16 KiB. */
#define ARENA_BYTES ((size_t)64 << 10)

static bool
is_always_possible(void)
{
    return true;
}

static const struct form {
    const char *name;
    bool (*is_possible)(void);
    void (*count)(const unsigned char *data, size_t size,
                  uint64_t bin[BYTE_COUNT_BINS]);
} forms[] = {
    {"byte_count_tables", is_always_possible, byte_count_tables},
#ifdef BYTE_COUNT_HAS_AVX2
    {"byte_count_avx2", byte_count_avx2_is_possible, byte_count_avx2},
#endif
#ifdef BYTE_COUNT_HAS_AVX512
    {"byte_count_avx512", byte_count_avx512_is_possible, byte_count_avx512},
#endif
    {"byte_count_fast", is_always_possible, byte_count_fast},
};

/* Fill BYTES, about CAPACITY of them; returns how many there are. */
static size_t
fill(struct fuzz *fuzz, unsigned char *bytes, size_t capacity)
{
    size_t used = 0;

    while (fuzz->size > 0) {
        unsigned char piece[16];
        size_t length = 1 + fuzz_take(fuzz, 1) % sizeof piece;
        size_t times = fuzz_take(fuzz, 1);
        /* Some of them differ from the one before, the more the higher. */
        unsigned char step = (unsigned char)fuzz_take(fuzz, 1);

        times = times < 128 ? times : (times - 127) * 64;
        for (size_t i = 0; i < length; i++)
            piece[i] = (unsigned char)fuzz_take(fuzz, 1);
        if (times > (capacity - used) / length)
            times = (capacity - used) / length;
        unsigned char *run = bytes + used;
        for (size_t done = 0; done < times * length;) {
            size_t left = times * length - done;
            size_t part = done == 0 ? length : done < left ? done : left;
            memcpy(run + done, done == 0 ? piece : run, part);
            done += part;
        }
        for (size_t t = 0; t < times; t += times / 32 + 1)
            run[t * length] = (unsigned char)(run[t * length] + t * step);
        used += times * length;
    }
    return used;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static unsigned char *arena;
    static unsigned char buffer[ARENA_BYTES];
    struct fuzz fuzz = {data, size};
    uint64_t wanted[BYTE_COUNT_BINS] = {0};

    if (arena == NULL)
        arena = arena_open(ARENA_BYTES);
    size_t most = (size_t)fuzz_take(&fuzz, 2);
    size_t used = fill(&fuzz, buffer, most);
    /* Against the guard page after it. */
    unsigned char *start = arena + ARENA_BYTES - used;
    memcpy(start, buffer, used);
    for (size_t i = 0; i < used; i++)
        wanted[start[i]]++;
    for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
        uint64_t bin[BYTE_COUNT_BINS] = {0};
        if (!forms[f].is_possible())
            continue;
        forms[f].count(start, used, bin);
        fuzz_must(memcmp(bin, wanted, sizeof bin) == 0, forms[f].name);
    }
    return 0;
}
