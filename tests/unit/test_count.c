/*
 * test_count.c -- both counting functions against a loop of our own
 *
 * The data lie between two pages that must not be touched, so that a read of
 * one byte too many, on either side, ends the test.
 */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../tap.h"
#include "count.h"

#define WATCHDOG_SECONDS 300
#define ARENA_BYTES ((size_t)256 << 10)
#define BLOCK 64

static unsigned char *arena; /* ARENA_BYTES between two guard pages */

static const struct {
    const char *name;
    void (*count)(const unsigned char *, size_t, uint64_t *);
} functions[] = {
    {"count_portable", count_portable},
    {"count_fast", count_fast},
};
#define FUNCTIONS (sizeof functions / sizeof *functions)

static void
open_arena(void)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    unsigned char *all = mmap(NULL, ARENA_BYTES + 2 * page, PROT_NONE,
                              MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (all == MAP_FAILED ||
        mprotect(all + page, ARENA_BYTES, PROT_READ | PROT_WRITE) < 0)
        abort();
    arena = all + page;
}

static uint32_t
noise(void)
{
    static uint64_t state = 88172645463325252u;

    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 32);
}

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

static const struct {
    const char *name;
    void (*fill)(unsigned char *, size_t);
} kinds[] = {
    {"zeros", fill_zeros}, {"ones", fill_ones},   {"random", fill_random},
    {"text", fill_text},   {"ACGT", fill_acgt},   {"sorted", fill_sorted},
    {"runs", fill_runs},   {"words", fill_words},
};
#define KINDS (sizeof kinds / sizeof *kinds)

/* ---- the comparison ---- */

/* Whether function F adds what a loop of our own finds, no more, no less. */
static bool
agrees(size_t f, const unsigned char *data, size_t size)
{
    uint64_t got[COUNT_BINS], wanted[COUNT_BINS];

    for (unsigned int v = 0; v < COUNT_BINS; v++)
        got[v] = wanted[v] = UINT64_C(0xfffffff0) + v;
    for (const unsigned char *p = data; p != data + size; p++)
        wanted[*p] += 1;
    functions[f].count(data, size, got);
    return memcmp(got, wanted, sizeof got) == 0;
}

/* SIZE bytes that begin, and SIZE bytes that end, where they may at most. */
static bool
agrees_at_guards(size_t f, void (*fill)(unsigned char *, size_t), size_t size)
{
    unsigned char *last = arena + ARENA_BYTES - size;

    fill(arena, size);
    bool first_agrees = agrees(f, arena, size);
    fill(last, size);
    return first_agrees && agrees(f, last, size);
}

static void
test_sizes(size_t f)
{
    static const struct {
        size_t first, last;
    } ranges[] = {
        {0, 200},
        {4000, 4200},
        {65536 - 17, 65536 + 17},
        {131072 - 1, 131072 + 1},
    };

    for (size_t k = 0; k < KINDS; k++) {
        size_t wrong = 0;
        for (size_t r = 0; r < sizeof ranges / sizeof *ranges; r++) {
            for (size_t n = ranges[r].first; n <= ranges[r].last; n++)
                wrong += !agrees_at_guards(f, kinds[k].fill, n);
        }
        ok(wrong == 0, "%s: %s of all sizes at guard pages", functions[f].name,
           kinds[k].name);
    }
}

static void
test_alignment(size_t f)
{
    static const size_t sizes[] = {0,    1,    15,    16,    17,   63,
                                   64,   65,   4095,  4096,  4097, 4159,
                                   4160, 4161, 65535, 65536, 65537};
    size_t wrong = 0;

    fill_random(arena, ARENA_BYTES);
    for (size_t start = 0; start < BLOCK; start++) {
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
            wrong += !agrees(f, arena + start, sizes[s]);
    }
    ok(wrong == 0, "%s: every alignment", functions[f].name);
}

/* Runs of one value that begin and end anywhere in a block, in noise. */
static void
test_runs(size_t f)
{
    size_t size = 4096 + 3 * BLOCK;
    size_t wrong = 0;

    for (size_t begin = 0; begin <= BLOCK; begin++) {
        for (size_t end = 2 * BLOCK; end <= 3 * BLOCK; end++) {
            fill_random(arena, size);
            memset(arena + begin, (int)(begin ^ end), end - begin);
            wrong += !agrees(f, arena, size);
        }
    }
    ok(wrong == 0, "%s: runs begin and end anywhere", functions[f].name);
}

/* One byte, or one bit of it, breaks a run: at every place of a block. */
static void
test_odd_one(size_t f)
{
    size_t size = 4096 + BLOCK;
    size_t wrong = 0;

    for (size_t at = 0; at < 2 * BLOCK; at++) {
        for (unsigned int bit = 0; bit < 8; bit++) {
            memset(arena, 0x5a, size);
            arena[at] ^= (unsigned char)(1u << bit);
            wrong += !agrees(f, arena, size);
        }
    }
    ok(wrong == 0, "%s: one bit breaks a run", functions[f].name);
}

/* In a block of 64, two words differ from the others. */
static void
test_equal_words(size_t f)
{
    size_t wrong = 0;

    for (size_t i = 0; i < 8; i++) {
        for (size_t j = 0; j < 8; j++) {
            fill_words(arena, 4096);
            fill_random(arena + 1024 + 8 * i, 8);
            memset(arena + 1024 + 8 * j, 7, 8);
            wrong += !agrees(f, arena, 4096);
        }
    }
    ok(wrong == 0, "%s: blocks of equal words", functions[f].name);
}

static void
test_adding(size_t f)
{
    uint64_t once[COUNT_BINS] = {0};
    uint64_t twice[COUNT_BINS] = {0};
    bool is_double = true;

    fill_random(arena, 100000);
    functions[f].count(arena, 100000, once);
    functions[f].count(arena, 50001, twice);
    functions[f].count(arena + 50001, 49999, twice);
    functions[f].count(arena, 100000, twice);
    for (int v = 0; v < COUNT_BINS; v++)
        is_double &= once[v] > 0 && twice[v] == 2 * once[v];
    ok(is_double, "%s: counts are added", functions[f].name);
}

/*
 * More of one value than 32 bits count, from pages that take no memory: for
 * count_fast(), which works with smaller counters inside.
 */
static void
test_beyond_32_bits(void)
{
    uint64_t bin[COUNT_BINS] = {0};
    uint64_t size = ((uint64_t)1 << 32) + 4097;
    void *zeros = MAP_FAILED;

    if (sizeof(size_t) > 4)
        zeros = mmap(NULL, (size_t)size, PROT_READ,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (zeros == MAP_FAILED) {
        ok(true, "count_fast: more than 4 GiB # SKIP no address space");
        return;
    }
    madvise(zeros, (size_t)size, MADV_HUGEPAGE);
    count_fast(zeros, (size_t)size, bin);
    munmap(zeros, (size_t)size);
    ok(bin[0] == size, "count_fast: more than 4 GiB");
}

int
main(void)
{
    alarm(WATCHDOG_SECONDS);
    open_arena();
    for (size_t f = 0; f < FUNCTIONS; f++) {
        test_sizes(f);
        test_alignment(f);
        test_runs(f);
        test_odd_one(f);
        test_equal_words(f);
        test_adding(f);
    }
    test_beyond_32_bits();
    return done_testing();
}
