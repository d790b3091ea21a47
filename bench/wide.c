/* SPDX-License-Identifier: MIT */
/*
 * wide.c -- how fast threads count in wide tables, for several distributions
 *
 * usage: bench/wide [MEBIBYTES [ROUNDS [THREADS]]]
 *
 * The data are 32-bit integers in memory (default: 256 MiB).  Threads take them
 * in pieces of 512 KiB and count them in one table, as the CPU engines of
 * gpuhist do, ROUNDS times (default: 3); the numbers of threads are the powers
 * of two up to THREADS (default: all processors).  The program prints TSV:
 * medians in GB/s (10^9 bytes) by the wall clock.  Each table is compared with
 * that of a plain loop; wrong counts end the run with status 1.
 *
 * Columns: in "uniform" all bins are as frequent.  In "hot" 7 of 8 values are
 * in 3 bins.  In "Zipf" the bin of rank r has a share of 1 / r, and ranks are
 * bins in their order; in "mixed" they are anywhere.  "sorted" is uniform and in
 * order, and "constant" one value.  "worst/best" compares these columns.
 */

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "../tests/noise.h"
#include "base/clock.h"
#include "cli/option_parse.h"
#include "engine/cpu/cells/record_count.h"
#include "hist/spec.h"
#include "timing.h"

enum {
    PIECE_BYTES = 512 << 10,
    ROUNDS_MAX = 99,
    THREADS_MAX = 1024,
};

static const unsigned int bins_logs[] = {22, 24, 26};
#define COUNT(table) (sizeof(table) / sizeof *(table))

static uint32_t *data;
static size_t values;

static void
fail(const char *what)
{
    fprintf(stderr, "bench/wide: %s\n", what);
    exit(1);
}

/* ---- data ---- */

static double
fraction(void)
{
    return (double)(noise() >> 11) * 0x1p-53;
}

static void
fill_uniform(uint32_t bins)
{
    for (size_t i = 0; i < values; i++)
        data[i] = (uint32_t)(noise() % bins);
}

static void
fill_hot(uint32_t bins)
{
    for (size_t i = 0; i < values; i++) {
        uint64_t bits = noise();
        uint32_t hot = bins / 2 + (uint32_t)(bits >> 32) % 3;
        data[i] = bits % 8 == 0 ? (uint32_t)(bits >> 8) % bins : hot;
    }
}

static void
fill_zipf(uint32_t bins)
{
    for (size_t i = 0; i < values; i++)
        data[i] = (uint32_t)exp(fraction() * log(bins)) - 1;
}

static void
fill_mixed(uint32_t bins)
{
    fill_zipf(bins);
    /* An odd factor: each bin occurs once, because BINS is a power of two. */
    for (size_t i = 0; i < values; i++)
        data[i] = data[i] * 2654435761u % bins;
}

static void
fill_sorted(uint32_t bins)
{
    for (size_t i = 0; i < values; i++)
        data[i] = (uint32_t)((double)i / (double)values * bins);
}

static void
fill_constant(uint32_t bins)
{
    for (size_t i = 0; i < values; i++)
        data[i] = bins / 3;
}

static const struct {
    const char *name;
    void (*fill)(uint32_t bins);
} kinds[] = {
    {"uniform", fill_uniform}, {"hot", fill_hot},
    {"Zipf", fill_zipf},       {"mixed", fill_mixed},
    {"sorted", fill_sorted},   {"constant", fill_constant},
};

/* ---- threads ---- */

static struct spec spec;
static struct shared_counts counts;
static atomic_size_t next_byte;

static void *
count_main(void *argument)
{
    struct shared_counter *counter = shared_counter_new(&counts);
    size_t size = values * sizeof *data;
    size_t at;

    if (counter == NULL)
        fail("out of memory");
    while ((at = atomic_fetch_add(&next_byte, PIECE_BYTES)) < size) {
        size_t some = size - at < PIECE_BYTES ? size - at : PIECE_BYTES;
        record_count_shared(&spec, (const unsigned char *)data + at, some,
                            counter);
    }
    shared_counter_settle(counter);
    shared_counter_close(counter);
    return argument;
}

/* Count once.  Returns the time in seconds; the table is open afterwards. */
static double
count_once(unsigned int threads)
{
    pthread_t thread[THREADS_MAX];

    if (shared_counts_open(&counts, spec.cells, threads,
                           spec_table_bytes(&spec)) < 0)
        fail("out of memory");
    atomic_store(&next_byte, 0);
    double start = clock_now();
    for (unsigned int t = 0; t < threads; t++) {
        if (pthread_create(&thread[t], NULL, count_main, NULL) != 0)
            fail("cannot start a thread");
    }
    for (unsigned int t = 0; t < threads; t++)
        pthread_join(thread[t], NULL);
    shared_counts_settle(&counts);
    return clock_now() - start;
}

/* Compare with a plain loop, whose counts are in WANTED. */
static void
check(const uint64_t *wanted)
{
    if (memcmp(counts.histogram.value, wanted, spec_table_bytes(&spec)) != 0)
        fail("wrong counts");
}

static double
rate(unsigned int threads, int rounds, const uint64_t *wanted)
{
    double time[ROUNDS_MAX];

    for (int r = 0; r < rounds; r++) {
        time[r] = count_once(threads);
        check(wanted);
        shared_counts_close(&counts);
    }
    return (double)(values * sizeof *data) /
           timing_median(time, (size_t)rounds) * 1e-9;
}

/* ---- tables ---- */

static void
make_spec(unsigned int bins_log)
{
    char bins[32], range[32];
    char name[] = "wide", type[] = "--dtype=u4";
    char *argv[] = {name, type, bins, range, NULL};
    struct options options;
    struct error error = ERROR_NONE;

    snprintf(bins, sizeof bins, "--bins=%u", 1u << bins_log);
    snprintf(range, sizeof range, "--range=0,%u", 1u << bins_log);
    if (option_parse(&options, 4, argv, &error) < 0 ||
        spec_make(&spec, &options.spec, NULL, UINT64_MAX, &error) < 0)
        fail(error.text);
}

static void
measure(unsigned int bins_log, unsigned int threads_max, int rounds)
{
    enum {
        ROWS = 11
    };
    double rates[ROWS][COUNT(kinds)];
    unsigned int rows = 0;

    make_spec(bins_log);
    uint64_t *wanted = calloc(spec.cells, sizeof *wanted);
    if (wanted == NULL)
        fail("out of memory");
    for (size_t k = 0; k < COUNT(kinds); k++) {
        kinds[k].fill(1u << bins_log);
        memset(wanted, 0, spec.cells * sizeof *wanted);
        for (size_t i = 0; i < values; i++)
            wanted[data[i]]++;
        rows = 0;
        for (unsigned int t = 1; t <= threads_max && rows < ROWS; t *= 2)
            rates[rows++][k] = rate(t, rounds, wanted);
    }
    for (unsigned int r = 0; r < rows; r++) {
        double best = 0, worst = INFINITY;
        printf("2^%u\t%u", bins_log, 1u << r);
        for (size_t k = 0; k < COUNT(kinds); k++) {
            printf("\t%.2f", rates[r][k]);
            best = fmax(best, rates[r][k]);
            worst = fmin(worst, rates[r][k]);
        }
        printf("\t%.2f\n", worst / best);
    }
    fflush(stdout);
    free(wanted);
    spec_close(&spec);
}

int
main(int argc, char **argv)
{
    size_t size = (size_t)(argc > 1 ? strtoul(argv[1], NULL, 10) : 256) << 20;
    int rounds = argc > 2 ? atoi(argv[2]) : 3;
    long threads = argc > 3 ? atol(argv[3]) : sysconf(_SC_NPROCESSORS_ONLN);

    if (size == 0 || rounds < 1 || rounds > ROUNDS_MAX || threads < 1 ||
        threads > THREADS_MAX) {
        fprintf(stderr, "usage: bench/wide [MEBIBYTES [ROUNDS [THREADS]]]\n");
        return 2;
    }
    data = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
                -1, 0);
    if (data == MAP_FAILED)
        fail("out of memory");
    madvise(data, size, MADV_HUGEPAGE);
    values = size / sizeof *data;
    printf("bins\tthreads");
    for (size_t k = 0; k < COUNT(kinds); k++)
        printf("\t%s", kinds[k].name);
    printf("\tworst/best\n");
    for (size_t b = 0; b < COUNT(bins_logs); b++)
        measure(bins_logs[b], (unsigned int)threads, rounds);
    return 0;
}
