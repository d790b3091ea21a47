/* SPDX-License-Identifier: MIT */
/*
 * test_shared_counts.c -- threads that count in one wide table
 *
 * The counts are those of a plain loop, for any number of threads, length of
 * lists and distribution of cells.
 */

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../noise.h"
#include "../tap.h"
#include "engine/cpu/cells/shared_counts.h"

#define WATCHDOG_SECONDS 300
#define RECORDS (IS_INSTRUMENTED ? 30000 : 100000)
#define RECORDS_MAX 100000
#define THREADS_MAX 8
#define ROUNDS 3
#define BASE 3 /* of the cells; the table has as many more */
#define COUNT(table) (sizeof(table) / sizeof *(table))

static uint32_t cell[RECORDS_MAX];

/* ---- cells ---- */

static void
fill_random(uint64_t cells)
{
    for (size_t i = 0; i < RECORDS; i++)
        cell[i] = (uint32_t)(noise() % cells);
}

static void
fill_same(uint64_t cells)
{
    for (size_t i = 0; i < RECORDS; i++)
        cell[i] = (uint32_t)(cells - 1);
}

static void
fill_sorted(uint64_t cells)
{
    for (size_t i = 0; i < RECORDS; i++)
        cell[i] = (uint32_t)(cells * i / RECORDS);
}

/* Runs of all lengths up to 20. */
static void
fill_runs(uint64_t cells)
{
    for (size_t i = 0; i < RECORDS;) {
        size_t end = i + 1 + noise() % 20;
        uint32_t value = (uint32_t)(noise() % cells);
        for (; i < end && i < RECORDS; i++)
            cell[i] = value;
    }
}

/* More frequent cells than a thread has replicas, and others. */
static void
fill_frequent(uint64_t cells)
{
    for (size_t i = 0; i < RECORDS; i++) {
        uint64_t frequent = noise() % 6 * (cells - 1) / 5;
        cell[i] = (uint32_t)(noise() % 8 == 0 ? noise() % cells : frequent);
    }
}

/* Each 20,000 records have other frequent cells. */
static void
fill_moving(uint64_t cells)
{
    for (size_t i = 0; i < RECORDS; i++)
        cell[i] =
            (uint32_t)((i / 20000 * 7919 + noise() % 3 * cells / 3) % cells);
}

static const struct {
    const char *name;
    void (*fill)(uint64_t cells);
} kinds[] = {
    {"random", fill_random}, {"the same", fill_same}, {"sorted", fill_sorted},
    {"runs", fill_runs},     {"hot", fill_frequent},  {"moving", fill_moving},
};

/* ---- the comparison ---- */

/* All RECORDS in pieces of any length, each thread from another one on. */
static void
add_all(struct shared_counter *counter, size_t first)
{
    for (size_t i = 0; i < RECORDS;) {
        size_t at = (first + i) % RECORDS;
        size_t some = i * 2654435761u % 300 + 1;
        some = some < RECORDS - i ? some : RECORDS - i;
        some = some < RECORDS - at ? some : RECORDS - at;
        shared_counter_add(counter, BASE, cell + at, some);
        i += some;
    }
}

static void *
count_main(void *argument)
{
    for (size_t r = 0; r < ROUNDS; r++)
        add_all(argument, (uintptr_t)argument % RECORDS);
    shared_counter_settle(argument);
    return NULL;
}

/* Whether the table has TIMES the counts of all records. */
static bool
has_counts(const struct shared_counts *counts, uint64_t times)
{
    const struct histogram *got = &counts->histogram;
    uint64_t *wanted = calloc(got->cells, sizeof *wanted);

    if (wanted == NULL)
        abort();
    for (size_t i = 0; i < RECORDS; i++)
        wanted[BASE + cell[i]] += times;
    bool is_same = memcmp(got->value, wanted, got->cells * sizeof *wanted) == 0;
    free(wanted);
    return is_same;
}

static void
open_counts(struct shared_counts *counts, uint64_t cells, size_t threads,
            uint64_t limit)
{
    if (shared_counts_open(counts, cells, (unsigned int)threads, limit) < 0)
        abort();
}

static struct shared_counter *
new_counter(struct shared_counts *counts)
{
    struct shared_counter *counter = shared_counter_new(counts);

    if (counter == NULL)
        abort();
    return counter;
}

/* Whether THREADS threads count all records. */
static bool
is_counted(uint64_t cells, uint64_t limit, size_t threads)
{
    struct shared_counter *counter[THREADS_MAX];
    pthread_t thread[THREADS_MAX];
    struct shared_counts counts;

    open_counts(&counts, cells + 2 * BASE, threads, limit);
    for (size_t i = 0; i < threads; i++)
        counter[i] = new_counter(&counts);
    for (size_t i = 0; i < threads; i++)
        pthread_create(&thread[i], NULL, count_main, counter[i]);
    for (size_t i = 0; i < threads; i++)
        pthread_join(thread[i], NULL);
    shared_counts_settle(&counts);
    bool is_right = has_counts(&counts, ROUNDS * threads);
    /* In another order than they were opened. */
    for (size_t i = 0; i < threads; i++)
        shared_counter_close(counter[(i + 1) % threads]);
    shared_counts_close(&counts);
    return is_right;
}

static void
test_cells(uint64_t cells)
{
    /* Without low counts, then with them, without and with replicas. */
    static const uint64_t limits[] = {0, 20000, 100000, 400000, UINT64_MAX};
    static const size_t threads[] = {1, 2, THREADS_MAX};

    for (size_t k = 0; k < COUNT(kinds); k++) {
        size_t wrong = 0;
        kinds[k].fill(cells);
        for (size_t l = 0; l < COUNT(limits); l++) {
            for (size_t t = LOOKS_FOR_RACES; t < COUNT(threads); t++)
                wrong +=
                    has_turn(4) && !is_counted(cells, limits[l], threads[t]);
        }
        ok(wrong == 0, "%llu cells, %s (%zu wrong)", (unsigned long long)cells,
           kinds[k].name, wrong);
    }
}

/* ---- counts that are read in between ---- */

static void
test_settling(void)
{
    struct shared_counter *counter[2];
    struct shared_counts counts;
    size_t wrong = 0;

    fill_random(100000);
    open_counts(&counts, 100000 + BASE, 2, UINT64_MAX);
    for (size_t i = 0; i < 2; i++)
        counter[i] = new_counter(&counts);
    for (size_t r = 1; r <= ROUNDS; r++) {
        for (size_t i = 0; i < 2; i++)
            add_all(counter[i], 1000 * i);
        shared_counts_settle(&counts);
        wrong += !has_counts(&counts, 2 * r);
    }
    ok(wrong == 0, "settled after each round (%zu wrong)", wrong);
    for (size_t i = 0; i < 2; i++)
        shared_counter_close(counter[i]);
    shared_counts_close(&counts);
}

/* ---- a slice that another thread has locked ---- */

/* The first slices of a table, a thread's lists, and counts for them. */
struct contest {
    struct shared_counts counts;
    struct shared_counter *counter;
    uint64_t added[8]; /* to the first cell of each slice */
    atomic_bool is_over;
};

/* As many records as a list holds, all in the first cell of SLICE. */
static void
add_list(struct contest *contest, size_t slice)
{
    uint32_t first = (uint32_t)(slice << contest->counts.layout.shift);

    for (size_t i = 0; i < contest->counts.layout.list_cells; i++)
        shared_counter_add(contest->counter, 0, &first, 1);
    contest->added[slice] += contest->counts.layout.list_cells;
}

/* What the table has for the first cell of SLICE. */
static uint64_t
first_count(const struct contest *contest, size_t slice)
{
    uint64_t first = (uint64_t)slice << contest->counts.layout.shift;

    return histogram_count(&contest->counts.histogram, first) +
           contest->counts.low[first];
}

static void
test_replicas(void)
{
    struct contest contest = {0};
    struct shared_counts *counts = &contest.counts;
    size_t wrong = 0;

    open_counts(counts, 1000000, 1, UINT64_MAX);
    contest.counter = new_counter(counts);
    ok(counts->layout.replicas >= 1 && counts->layout.replicas < 7 &&
           counts->layout.slices > 8,
       "replicas of some slices");
    add_list(&contest, 7);
    ok(first_count(&contest, 7) == counts->layout.list_cells,
       "a list is added as soon as it is full");
    /* This thread has the lock, so waiting for it would never end. */
    for (size_t s = 0; s < counts->layout.replicas; s++) {
        pthread_mutex_lock(&counts->slice[s].lock);
        add_list(&contest, s);
        wrong += first_count(&contest, s) != 0;
        pthread_mutex_unlock(&counts->slice[s].lock);
        add_list(&contest, s);
        wrong += first_count(&contest, s) != 0;
    }
    ok(wrong == 0, "a slice that was locked has a replica (%zu wrong)", wrong);
    /* More counts wrap than a replica can keep. */
    for (size_t i = 0; i < 600; i++)
        add_list(&contest, 0);
    shared_counter_settle(contest.counter);
    for (size_t s = 0; s < 8; s++)
        wrong += first_count(&contest, s) != contest.added[s];
    ok(wrong == 0, "... which is added at the end (%zu wrong)", wrong);
    /* They are free again. */
    pthread_mutex_lock(&counts->slice[7].lock);
    add_list(&contest, 7);
    pthread_mutex_unlock(&counts->slice[7].lock);
    shared_counter_settle(contest.counter);
    ok(first_count(&contest, 7) == contest.added[7], "... and used again");
    shared_counter_close(contest.counter);
    shared_counts_close(counts);
}

/* Locks the slice of ARGUMENT, the last one, most of the time. */
static void *
lock_main(void *argument)
{
    struct contest *contest = argument;
    pthread_mutex_t *lock = &contest->counts.slice[7].lock;

    while (!atomic_load(&contest->is_over)) {
        pthread_mutex_lock(lock);
        usleep(50);
        pthread_mutex_unlock(lock);
    }
    return NULL;
}

/* A replica that is not used moves to a slice that is locked again and again. */
static void
test_moving(void)
{
    struct contest contest = {0};
    struct shared_counts *counts = &contest.counts;
    pthread_t thread;
    size_t moved = 0, wrong = 0;

    open_counts(counts, 1000000, 1, UINT64_MAX);
    contest.counter = new_counter(counts);
    for (size_t s = 0; s < counts->layout.replicas; s++) {
        pthread_mutex_lock(&counts->slice[s].lock);
        add_list(&contest, s);
        pthread_mutex_unlock(&counts->slice[s].lock);
    }
    pthread_create(&thread, NULL, lock_main, &contest);
    /* The watchdog ends this if no replica moves. */
    while (moved == 0) {
        add_list(&contest, 7);
        for (size_t s = 0; s < counts->layout.replicas; s++)
            moved += first_count(&contest, s) != 0;
    }
    ok(moved == 1, "one replica moves (%zu)", moved);
    atomic_store(&contest.is_over, true);
    pthread_join(thread, NULL);
    shared_counter_settle(contest.counter);
    for (size_t s = 0; s < 8; s++)
        wrong += first_count(&contest, s) != contest.added[s];
    ok(wrong == 0, "... and nothing is lost (%zu wrong)", wrong);
    shared_counter_close(contest.counter);
    shared_counts_close(counts);
}

/* ---- a table so wide that several threads settle it ---- */

static void
test_wide(void)
{
    fill_random(5000000);
    ok(is_counted(5000000, UINT64_MAX, 2) &&
           is_counted(5000000, UINT64_MAX, THREADS_MAX),
       "5000000 cells, 2 and %d threads", THREADS_MAX);
}

/* ---- memory ---- */

static void
test_memory(void)
{
    static const unsigned int threads[] = {1, 2, 64, 4096};
    size_t wrong = 0;

    for (unsigned int log = 0; log <= 31; log++) {
        uint64_t cells = (uint64_t)1 << log;
        for (size_t t = 0; t < COUNT(threads); t++) {
            unsigned int n = threads[t];
            uint64_t least = shared_counts_bytes(cells, n, 0);
            uint64_t most = shared_counts_bytes(cells, n, UINT64_MAX);
            wrong += least > most;
            wrong += least > (cells / 1000 + 20000) * (1 + n);
            /* Counts of 8 bits, and less than half of that for a thread. */
            wrong += most > 1000000 + cells + (cells / 2 + 300000) * n;
            for (uint64_t limit = least; limit <= most; limit += limit / 3)
                wrong += shared_counts_bytes(cells, n, limit) > limit;
        }
    }
    ok(wrong == 0, "the memory of threads (%zu wrong)", wrong);
}

int
main(void)
{
    static const uint64_t cells[] = {1, 2, 63, 64, 1000, 65536, 1000000};

    alarm(WATCHDOG_SECONDS);
    for (size_t c = 0; c < COUNT(cells); c++)
        test_cells(cells[c]);
    test_settling();
    test_replicas();
    test_moving();
    test_wide();
    if (!LOOKS_FOR_RACES)
        test_memory();
    return done_testing();
}
