/* SPDX-License-Identifier: MIT */
/*
 * test_byte_count.c -- all forms of counting bytes against a simple loop
 *
 * The data lie between two pages that must not be touched, so that a read of
 * one byte too many, on either side, ends the test.  The functions may look
 * at a part of the data and then bet on what follows: much here is about data
 * that are not what they seemed to be.
 */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../arena.h"
#include "../noise.h"
#include "../tap.h"
#include "engine/cpu/bytes/byte_count.h"
#include "engine/cpu/bytes/byte_count_avx2.h"
#include "engine/cpu/bytes/byte_count_avx512.h"
#include "engine/cpu/bytes/byte_count_neon.h"

#define WATCHDOG_SECONDS 300
#define ARENA_BYTES ((size_t)9 << 20)
#define BLOCK 64

/* Sizes in byte_count_avx512.c at which its loops and counters end. */
#define SAMPLE ((size_t)2048)
#define SMALL ((size_t)16384)
#define PIECE ((size_t)8192)
#define PART ((size_t)4 << 20)

static unsigned char *arena; /* ARENA_BYTES between two guard pages */

static const struct {
    const char *name;
    void (*count)(const unsigned char *, size_t, uint64_t *);
    bool (*is_possible)(void); /* NULL: anywhere */
} functions[] = {
    {"byte_count_portable", byte_count_portable, NULL},
    {"byte_count_tables", byte_count_tables, NULL},
#ifdef BYTE_COUNT_HAS_AVX2
    {"byte_count_avx2", byte_count_avx2, byte_count_avx2_is_possible},
#endif
#ifdef BYTE_COUNT_HAS_AVX512
    {"byte_count_avx512", byte_count_avx512, byte_count_avx512_is_possible},
#endif
#ifdef BYTE_COUNT_HAS_NEON
    {"byte_count_neon", byte_count_neon, NULL},
#endif
    {"byte_count_fast", byte_count_fast, NULL},
};
#define FUNCTIONS (sizeof functions / sizeof *functions)

/* ---- what the data look like ---- */

static void
fill_zeros(unsigned char *data, size_t size)
{
    memset(data, 0, size);
}

static void
fill_ones(unsigned char *data, size_t size)
{
    memset(data, 255, size);
}

static void
fill_random(unsigned char *data, size_t size)
{
    for (size_t i = 0; i < size; i++)
        data[i] = (unsigned char)noise();
}

static void
fill_text(unsigned char *data, size_t size)
{
    static const char text[] = "It was the best of times, it was the worst "
                               "of times,\nit was the age of wisdom ...\n";

    for (size_t i = 0; i < size; i++)
        data[i] = (unsigned char)text[i % (sizeof text - 1)];
}

static void
fill_acgt(unsigned char *data, size_t size)
{
    for (size_t i = 0; i < size; i++)
        data[i] = (unsigned char)"ACGT"[noise() % 4];
}

static void
fill_sorted(unsigned char *data, size_t size)
{
    for (size_t i = 0; i < size; i++)
        data[i] = (unsigned char)(i * 256 / size);
}

static void
fill_runs(unsigned char *data, size_t size)
{
    size_t i = 0;

    while (i < size) {
        size_t run = 1 + noise() % 300;
        unsigned char value = (unsigned char)noise();
        while (run-- > 0 && i < size)
            data[i++] = value;
    }
}

/* Equal words of unequal bytes: a block of them is not constant. */
static void
fill_words(unsigned char *data, size_t size)
{
    for (size_t i = 0; i < size; i++)
        data[i] = (unsigned char)(i % 8);
}

/* Any of COUNT values, the first of which is FIRST. */
static void
fill_values(unsigned char *data, size_t size, unsigned int first,
            unsigned int count)
{
    for (size_t i = 0; i < size; i++)
        data[i] = (unsigned char)(first + noise() % count);
}

static void
fill_two(unsigned char *data, size_t size)
{
    fill_values(data, size, 0x7f, 2);
}

/* Below, around and beyond 127 and 128. */
static void
fill_middle(unsigned char *data, size_t size)
{
    fill_values(data, size, 120, 15);
}

static void
fill_high(unsigned char *data, size_t size)
{
    fill_values(data, size, 200, 50);
}

/* As many values as have ranks, and some more. */
static void
fill_many(unsigned char *data, size_t size)
{
    fill_values(data, size, 33, 56);
}

static void
fill_too_many(unsigned char *data, size_t size)
{
    fill_values(data, size, 33, 66);
}

static void
fill_lines(unsigned char *data, size_t size)
{
    fill_acgt(data, size);
    for (size_t i = 70; i < size; i += 71)
        data[i] = '\n';
}

/* Few values nearly everywhere, but all of them somewhere. */
static void
fill_skewed(unsigned char *data, size_t size)
{
    for (size_t i = 0; i < size; i++)
        data[i] = (unsigned char)((noise() & noise() & noise() & noise()) >> 7);
}

/* Each place of a vector has its own values for ever. */
static void
fill_places(unsigned char *data, size_t size)
{
    for (size_t i = 0; i < size; i++)
        data[i] = (unsigned char)i;
}

/* All places of a vector have one value, the next has another. */
static void
fill_vectors(unsigned char *data, size_t size)
{
    for (size_t i = 0; i < size; i++)
        data[i] = (unsigned char)(i / BLOCK);
}

static const struct {
    const char *name;
    void (*fill)(unsigned char *, size_t);
} kinds[] = {
    {"zeros", fill_zeros},
    {"ones", fill_ones},
    {"random", fill_random},
    {"text", fill_text},
    {"ACGT", fill_acgt},
    {"sorted", fill_sorted},
    {"runs", fill_runs},
    {"words", fill_words},
    {"two values", fill_two},
    {"ACGT in lines", fill_lines},
    {"15 values", fill_middle},
    {"50 high values", fill_high},
    {"56 values", fill_many},
    {"66 values", fill_too_many},
    {"skewed values", fill_skewed},
    {"places", fill_places},
    {"vectors", fill_vectors},
};
#define KINDS (sizeof kinds / sizeof *kinds)

/* ---- the comparison ---- */

/* How often each function was wrong since the last report(). */
static size_t wrong[FUNCTIONS];

static bool
is_possible(size_t f)
{
    return functions[f].is_possible == NULL || functions[f].is_possible();
}

/* Each function adds exactly the counts of a simple loop. */
static void
check(const unsigned char *data, size_t size)
{
    uint64_t start[BYTE_COUNT_BINS], wanted[BYTE_COUNT_BINS];

    for (unsigned int v = 0; v < BYTE_COUNT_BINS; v++)
        start[v] = wanted[v] = UINT64_C(0xfffffff0) + v;
    for (const unsigned char *p = data; p != data + size; p++)
        wanted[*p] += 1;
    for (size_t f = 0; f < FUNCTIONS; f++) {
        uint64_t got[BYTE_COUNT_BINS];
        if (!is_possible(f))
            continue;
        memcpy(got, start, sizeof got);
        functions[f].count(data, size, got);
        wrong[f] += memcmp(got, wanted, sizeof got) != 0;
    }
}

/* A test for each function: whether it was never wrong.  FORMAT: printf(). */
static void __attribute__((format(printf, 1, 2)))
report(const char *format, ...)
{
    char name[100];
    va_list args;

    va_start(args, format);
    vsnprintf(name, sizeof name, format, args);
    va_end(args);
    for (size_t f = 0; f < FUNCTIONS; f++) {
        ok(wrong[f] == 0, "%s: %s%s", functions[f].name, name,
           is_possible(f) ? "" : " # SKIP not on this processor");
        wrong[f] = 0;
    }
}

/* SIZE bytes that start, and SIZE bytes that end, where they may at most. */
static void
check_at_guards(void (*fill)(unsigned char *, size_t), size_t size)
{
    unsigned char *last = arena + ARENA_BYTES - size;

    fill(arena, size);
    check(arena, size);
    fill(last, size);
    check(last, size);
}

static void
test_sizes(void)
{
    static const struct {
        size_t first, last;
    } ranges[] = {
        {0, 300},
        {4000, 4200},
        {SMALL - 70, SMALL + 70},
        {SAMPLE + 2 * PIECE - 66, SAMPLE + 2 * PIECE + 66},
        {SAMPLE + 2 * PIECE + 1024 - 3, SAMPLE + 2 * PIECE + 1024 + 3},
        {65536 - 1, 65536 + 1},
        {131072 - 1, 131072 + 1},
    };

    size_t step = IS_EMULATED ? 61 : IS_INSTRUMENTED ? 5 : 1;

    for (size_t k = 0; k < KINDS; k++) {
        for (size_t r = 0; r < sizeof ranges / sizeof *ranges; r++) {
            for (size_t n = ranges[r].first; n <= ranges[r].last; n += step)
                check_at_guards(kinds[k].fill, n);
        }
        report("%s of many sizes at guard pages", kinds[k].name);
    }
}

static void
test_alignment(void)
{
    static const size_t sizes[] = {0,    1,    15,    16,    17,   63,
                                   64,   65,   4095,  4096,  4097, 4159,
                                   4160, 4161, 65535, 65536, 65537};

    fill_random(arena, 65536 + 2 * BLOCK);
    for (size_t start = 0; start < BLOCK; start++) {
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            if (has_turn(5))
                check(arena + start, sizes[s]);
        }
    }
    report("every alignment");
}

/* Runs of one value that start and end anywhere in a block, in noise. */
static void
test_runs(void)
{
    size_t size = SMALL + 3 * BLOCK;

    for (size_t start = 0; start <= BLOCK; start++) {
        for (size_t end = 2 * BLOCK; end <= 3 * BLOCK; end++) {
            if (!has_turn(7))
                continue;
            fill_random(arena, 3 * BLOCK);
            fill_random(arena + SAMPLE, 3 * BLOCK);
            memset(arena + start, (int)(start ^ end), end - start);
            memset(arena + SAMPLE + start, (int)(start ^ end), end - start);
            check(arena, size);
        }
    }
    report("runs begin and end anywhere");
}

/* One byte, or one bit of it, breaks a run: at every place of a block. */
static void
test_odd_one(void)
{
    static const size_t firsts[] = {0, SAMPLE - BLOCK, SMALL - BLOCK};
    size_t size = SMALL + BLOCK;

    memset(arena, 0x5a, size);
    for (size_t i = 0; i < sizeof firsts / sizeof *firsts; i++) {
        for (size_t at = firsts[i]; at < firsts[i] + 2 * BLOCK; at++) {
            for (unsigned int bit = 0; bit < 8; bit++) {
                if (!has_turn(3))
                    continue;
                arena[at] ^= (unsigned char)(1u << bit);
                check(arena, size);
                arena[at] ^= (unsigned char)(1u << bit);
            }
        }
    }
    report("one bit breaks a run");
}

/* In a block of 64, two words differ from the others. */
static void
test_equal_words(void)
{
    for (size_t i = 0; i < 8; i++) {
        for (size_t j = 0; j < 8; j++) {
            fill_words(arena, 4096);
            fill_random(arena + 1024 + 8 * i, 8);
            memset(arena + 1024 + 8 * j, 7, 8);
            check(arena, 4096);
        }
    }
    report("blocks of equal words");
}

/* From one kind of data to another, and back: at the end, or all the time. */
static void
test_switches(void)
{
    static const size_t lengths[][2] = {
        {SAMPLE, PIECE}, {SAMPLE, SAMPLE}, {PIECE, PIECE},
        {1000, 333},     {SAMPLE, 100000}, {100000, 100000},
    };
    size_t size = 260000;

    for (size_t first = 0; first < KINDS; first++) {
        for (size_t second = 0; second < KINDS; second++) {
            size_t l = (first + second) % (sizeof lengths / sizeof *lengths);
            if (!has_turn(5))
                continue;
            for (size_t at = 0; at < size;) {
                size_t n = lengths[l][0] + lengths[l][1];
                if (at + n > size)
                    break;
                kinds[first].fill(arena + at, lengths[l][0]);
                kinds[second].fill(arena + at + lengths[l][0], lengths[l][1]);
                at += n;
            }
            check(arena, size);
        }
        report("from %s to all others", kinds[first].name);
    }
}

/* The data after the first sample are different. */
static void
test_misleading(void)
{
    size_t size = 300000;

    for (size_t k = 0; k < KINDS; k++) {
        for (size_t seen = SAMPLE - 1; seen <= SAMPLE + 1; seen++) {
            fill_random(arena, size);
            kinds[k].fill(arena, seen);
            check(arena, size);
            kinds[k].fill(arena, size);
            fill_random(arena, seen);
            check(arena, size);
        }
        report("%s at first, then noise, and vice versa", kinds[k].name);
    }
}

/* Enough of one value to wrap any counter of 8 or 16 bits in a lane. */
static void
test_small_counters(void)
{
    static const size_t sizes[] = {PART, 2 * PART + SMALL + 1};
    static const unsigned char values[] = {0, 63, 127, 255};

    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        for (size_t v = 0; v < sizeof values; v++) {
            if (IS_EMULATED && v % 2 != s)
                continue;
            memset(arena, values[v], sizes[s]);
            check(arena, sizes[s]);
            /* Another value first, so that it is not the only one. */
            for (size_t at = 0; at < sizes[s]; at += PART)
                arena[at] ^= 1;
            check(arena, sizes[s]);
        }
    }
    for (size_t k = 0; k < KINDS && !IS_EMULATED; k++) {
        kinds[k].fill(arena, PART + SMALL + 1);
        check(arena, PART + SMALL + 1);
    }
    report("small counters do not wrap");
}

static void
test_adding(size_t f)
{
    uint64_t once[BYTE_COUNT_BINS] = {0};
    uint64_t twice[BYTE_COUNT_BINS] = {0};
    bool is_double = true;

    fill_random(arena, 100000);
    functions[f].count(arena, 100000, once);
    functions[f].count(arena, 50001, twice);
    functions[f].count(arena + 50001, 49999, twice);
    functions[f].count(arena, 100000, twice);
    for (int v = 0; v < BYTE_COUNT_BINS; v++)
        is_double &= once[v] > 0 && twice[v] == 2 * once[v];
    ok(is_double, "%s: counts are added", functions[f].name);
}

/* More of one value than 32 bits count, from pages that take no memory. */
static void
test_beyond_32_bits(size_t f)
{
    uint64_t bin[BYTE_COUNT_BINS] = {0};
    uint64_t size = ((uint64_t)1 << 32) + 4097;
    void *zeros = MAP_FAILED;

    if (sizeof(size_t) > 4)
        zeros = mmap(NULL, (size_t)size, PROT_READ,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (zeros == MAP_FAILED) {
        ok(true, "%s: more than 4 GiB # SKIP no address space",
           functions[f].name);
        return;
    }
    madvise(zeros, (size_t)size, MADV_HUGEPAGE);
    functions[f].count(zeros, (size_t)size, bin);
    munmap(zeros, (size_t)size);
    ok(bin[0] == size, "%s: more than 4 GiB", functions[f].name);
}

int
main(void)
{
    alarm(WATCHDOG_SECONDS);
    arena = arena_open(ARENA_BYTES);
    test_sizes();
    test_alignment();
    test_runs();
    test_odd_one();
    test_equal_words();
    test_switches();
    test_misleading();
    test_small_counters();
    for (size_t f = 0; f < FUNCTIONS; f++) {
        if (!is_possible(f))
            continue;
        test_adding(f);
        /* The reference has no counters, and takes long; all take long under
           an emulator. */
        if (f > 0 && !IS_INSTRUMENTED)
            test_beyond_32_bits(f);
    }
    return done_testing();
}
