/*
 * count.c -- how fast one thread counts bytes: each form, each kind of data
 *
 * usage: bench/count [MEBIBYTES [ROUNDS]]
 *
 * The data lie in memory (1 GiB unless told).  Each form counts them ROUNDS
 * times (7); the forms take turns, so that a clock that drifts, or a
 * neighbour, meets all of them.  Printed is the median in GB/s (10^9 bytes),
 * TSV, a row for each form.  Every count is compared with the reference; a
 * wrong one ends the run with status 1.
 *
 * Beside the forms: "read", which only sums the words (the limit that memory
 * sets), and "naive" with one table and "four" with four of them, which other
 * programs have.
 */

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "../tests/noise.h"
#include "engine/cpu/byte_count.h"
#include "engine/cpu/byte_count_avx2.h"
#include "engine/cpu/byte_count_avx512.h"
#include "timing.h"

enum {
    ROUNDS_MAX = 99,
    /* As much is made; the rest are copies of it. */
    MADE_BYTES = 16 << 20,
    /* A line never needs more: what makes one may run over by that. */
    STATUS_LINE_BYTES = 1024,
};

typedef void counter(const unsigned char *data, size_t size, uint64_t *bin);

/* ---- what they are compared with ---- */

static void
count_four(const unsigned char *data, size_t size, uint64_t *bin)
{
    static uint32_t table[4][BYTE_COUNT_BINS];
    size_t i = 0;

    memset(table, 0, sizeof table);
    for (; i + 4 <= size; i += 4) {
        table[0][data[i]]++;
        table[1][data[i + 1]]++;
        table[2][data[i + 2]]++;
        table[3][data[i + 3]]++;
    }
    for (int v = 0; v < BYTE_COUNT_BINS; v++)
        bin[v] +=
            (uint64_t)table[0][v] + table[1][v] + table[2][v] + table[3][v];
    byte_count_portable(data + i, size - i, bin);
}

static const struct {
    const char *name;
    counter *count;
    bool counts;
    bool (*is_possible)(void);
} forms[] = {
    {"read", timing_read, false, NULL},
    {"naive", byte_count_portable, true, NULL},
    {"four", count_four, true, NULL},
    {"tables", byte_count_tables, true, NULL},
#ifdef BYTE_COUNT_HAS_AVX2
    {"avx2", byte_count_avx2, true, byte_count_avx2_is_possible},
#endif
#ifdef BYTE_COUNT_HAS_AVX512
    {"avx512", byte_count_avx512, true, byte_count_avx512_is_possible},
#endif
    {"fast", byte_count_fast, true, NULL},
};
#define FORMS (sizeof forms / sizeof *forms)

/* ---- the data ---- */

static uint32_t
random_word(void)
{
    return (uint32_t)(noise() >> 32);
}

/* Of COUNT things, one; the first ones more often. */
static uint32_t
skewed(uint32_t count)
{
    uint64_t low = random_word() % count;
    uint64_t high = random_word() % count;

    return (uint32_t)(low * high / count);
}

static size_t
make_random(char *line)
{
    for (size_t i = 0; i < 64; i++)
        line[i] = (char)random_word();
    return 64;
}

static size_t
make_zero(char *line)
{
    memset(line, 0, 64);
    return 64;
}

static size_t
make_text(char *line)
{
    static const char *const words[] = {
        "the",     "of",      "and",      "to",     "in",      "was",
        "that",    "his",     "with",     "it",     "had",     "not",
        "which",   "for",     "him",      "from",   "said",    "upon",
        "there",   "little",  "would",    "before", "himself", "looking",
        "between", "through", "question", "jury",   "exactly", "zeal",
        "Defarge", "Paris",   "Lorry",    "Carton", "Manette", "England",
        "XVIII",   "Kings",   "Bastille", "You",    "God",     "What",
    };
    static const char *const ends[] = {" ", " ",   " ",  " ",  " ",  ", ",
                                       " ", "; ",  " ",  ". ", "-",  "! \"",
                                       " ", "\" ", " (", ") ", "? ", "'s "};
    size_t n = 0;

    while (n < 70) {
        const char *word = words[skewed(sizeof words / sizeof *words)];
        const char *end = ends[skewed(sizeof ends / sizeof *ends)];
        n += (size_t)snprintf(line + n, STATUS_LINE_BYTES - n, "%s%s", word,
                              end);
    }
    if (random_word() % 16 == 0)
        n += (size_t)snprintf(line + n, STATUS_LINE_BYTES - n, "[%u]",
                              random_word() % 2000);
    line[n++] = '\n';
    return n;
}

static size_t
make_log(char *line)
{
    static const char *const paths[] = {"/",
                                        "/index.html",
                                        "/api/v1/items",
                                        "/static/app.js",
                                        "/login?next=%2F",
                                        "/images/Logo_2x.png"};

    return (size_t)snprintf(
        line, STATUS_LINE_BYTES,
        "10.%u.%u.%u - - [%02u/Nov/2026:%02u:%02u:%02u +0000] \"%s %s "
        "HTTP/1.1\" %u %u \"-\" \"Mozilla/5.0 (X11; Linux x86_64)\" "
        "id=%08x%08x\n",
        random_word() % 256, random_word() % 256, random_word() % 256,
        1 + random_word() % 30, random_word() % 24, random_word() % 60,
        random_word() % 60, random_word() % 8 == 0 ? "POST" : "GET",
        paths[skewed(6)], random_word() % 10 == 0 ? 404u : 200u,
        random_word() % 100000, random_word(), random_word());
}

static size_t
make_fastq(char *line)
{
    size_t n = (size_t)snprintf(
        line, STATUS_LINE_BYTES, "@SRR%u.%u HWI-ST%u:%u:%u length=150\n",
        random_word() % 1000000, random_word() % 10000000, random_word() % 1000,
        random_word() % 3000, random_word() % 2000);
    for (int i = 0; i < 150; i++)
        line[n++] = random_word() % 256 == 0 ? 'N' : "ACGT"[random_word() % 4];
    memcpy(line + n, "\n+\n", 3);
    n += 3;
    for (int i = 0; i < 150; i++)
        line[n++] = (char)('J' - skewed(41));
    line[n++] = '\n';
    return n;
}

static size_t
make_acgt(char *line)
{
    for (int i = 0; i < 70; i++)
        line[i] = "ACGT"[random_word() % 4];
    line[70] = '\n';
    return 71;
}

static const struct {
    const char *name;
    size_t (*make)(char *line);
} kinds[] = {
    {"random", make_random}, {"zero", make_zero},   {"text", make_text},
    {"log", make_log},       {"fastq", make_fastq}, {"acgt", make_acgt},
};
#define KINDS (sizeof kinds / sizeof *kinds)

static void
fill(size_t k, unsigned char *data, size_t size)
{
    char line[STATUS_LINE_BYTES];
    size_t made = size < MADE_BYTES ? size : MADE_BYTES;

    for (size_t at = 0; at < made;) {
        size_t n = kinds[k].make(line);
        n = n < made - at ? n : made - at;
        memcpy(data + at, line, n);
        at += n;
    }
    for (size_t at = made; at < size; at += made)
        memcpy(data + at, data, made < size - at ? made : size - at);
}

/* ---- time ---- */

static bool
is_possible(size_t f)
{
    return forms[f].is_possible == NULL || forms[f].is_possible();
}

/* The seconds that form F takes; it ends the program if it is wrong. */
static double
seconds(size_t f, size_t k, const unsigned char *data, size_t size,
        const uint64_t wanted[BYTE_COUNT_BINS])
{
    uint64_t bin[BYTE_COUNT_BINS] = {0};
    double begin = timing_now();

    forms[f].count(data, size, bin);
    double end = timing_now();
    if (forms[f].counts && memcmp(bin, wanted, sizeof bin) != 0) {
        fprintf(stderr, "bench/count: %s is wrong on %s\n", forms[f].name,
                kinds[k].name);
        exit(1);
    }
    return end - begin;
}

static void
measure(size_t k, unsigned char *data, size_t size, int rounds,
        double rate[FORMS])
{
    uint64_t wanted[BYTE_COUNT_BINS] = {0};
    double time[FORMS][ROUNDS_MAX];

    fill(k, data, size);
    byte_count_portable(data, size, wanted);
    for (int r = 0; r < rounds; r++) {
        for (size_t f = 0; f < FORMS; f++) {
            if (is_possible(f))
                time[f][r] = seconds(f, k, data, size, wanted);
        }
    }
    for (size_t f = 0; f < FORMS; f++) {
        if (!is_possible(f))
            continue;
        rate[f] = (double)size / timing_median(time[f], (size_t)rounds) * 1e-9;
    }
}

int
main(int argc, char **argv)
{
    size_t size = (size_t)(argc > 1 ? strtoul(argv[1], NULL, 10) : 1024) << 20;
    int rounds = argc > 2 ? atoi(argv[2]) : 7;
    double rate[KINDS][FORMS] = {{0}};

    if (size == 0 || rounds < 1 || rounds > ROUNDS_MAX) {
        fprintf(stderr, "usage: bench/count [MEBIBYTES [ROUNDS]]\n");
        return 2;
    }
    unsigned char *data = mmap(NULL, size, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (data == MAP_FAILED) {
        perror("bench/count");
        return 1;
    }
    madvise(data, size, MADV_HUGEPAGE);

    for (size_t k = 0; k < KINDS; k++)
        measure(k, data, size, rounds, rate[k]);

    printf("GB/s");
    for (size_t k = 0; k < KINDS; k++)
        printf("\t%s", kinds[k].name);
    for (size_t f = 0; f < FORMS; f++) {
        if (!is_possible(f))
            continue;
        printf("\n%s", forms[f].name);
        for (size_t k = 0; k < KINDS; k++)
            printf("\t%.2f", rate[k][f]);
    }
    printf("\n");
    return 0;
}
