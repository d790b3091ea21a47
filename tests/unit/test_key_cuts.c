/* SPDX-License-Identifier: MIT */
/*
 * test_key_cuts.c -- sorted runs, cut into sections at the same keys
 *
 * Runs of many kinds are cut into 1 to CREW_MAX sections.  The file is read
 * entry by entry: the sections of a run lie one behind the other and end where
 * entries do, and no key of a section is before, or equal to, one of an earlier
 * section.  Sections of keys that differ have about the same size, also if each
 * run has keys of its own.  What cannot be cut is one section.
 */

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../noise.h"
#include "../table_run.h"
#include "../tap.h"
#include "base/thread.h"
#include "hist/key_cuts.h"

#define WATCHDOG_SECONDS 300
#define RUNS 4
#define KEYS 75000 /* of a run: enough for marks */
#define KEY_MAX 300
#define COUNT(table) (sizeof(table) / sizeof *(table))

static struct key_memory memory;
static unsigned char key[KEY_MAX];

/* ---- keys: number I of run RUN ---- */

static uint32_t
make_numbers(size_t run, size_t i)
{
    (void)run, (void)i;
    return (uint32_t)snprintf((char *)key, KEY_MAX, "%u",
                              (unsigned int)(noise() % 1000000));
}

static uint32_t
make_equal(size_t run, size_t i)
{
    (void)run;
    return (uint32_t)snprintf((char *)key, KEY_MAX, "%zu", i);
}

/* All keys of a run are before those of the next one. */
static uint32_t
make_sorted(size_t run, size_t i)
{
    return (uint32_t)snprintf((char *)key, KEY_MAX, "%09zu", run * KEYS + i);
}

/* Much in common, and sizes of two bytes. */
static uint32_t
make_paths(size_t run, size_t i)
{
    (void)run;
    memset(key, '/', 200);
    return 200 + (uint32_t)snprintf((char *)key + 200, 100, "%zx",
                                    i * 7 + (size_t)(noise() % 7));
}

/* Keys that start each other, the empty one, and bytes of 0. */
static uint32_t
make_zeros(size_t run, size_t i)
{
    uint32_t size = i < 100 ? (uint32_t)i % 16 : 16 + (uint32_t)(noise() % 24);

    (void)run;
    for (uint32_t b = 0; b < size; b++)
        key[b] = (unsigned char)(noise() % 2);
    return size;
}

static const struct {
    const char *name;
    uint32_t (*make)(size_t run, size_t i);
} kinds[] = {
    {"numbers", make_numbers}, {"equal", make_equal}, {"sorted", make_sorted},
    {"paths", make_paths},     {"zeros", make_zeros},
};

/* ---- runs ---- */

/* Append a run of at most KEYS keys, which THREADS threads write. */
static void
add_run(struct key_runs *runs, size_t kind, size_t keys, unsigned int threads)
{
    struct key_table table;

    key_table_open(&table, &memory, runs->sum_bytes > 0);
    for (size_t i = 0; i < keys; i++) {
        uint32_t size = kinds[kind].make(runs->count, i);
        table_run_add(&table, key, size, 1);
    }
    table_run_put(runs, &table, &memory, threads);
}

/* ---- what is checked ---- */

static unsigned char *
read_file(const struct key_runs *runs)
{
    unsigned char *bytes = malloc(runs->file.size + 1);

    if (bytes == NULL || pread(runs->file.fd, bytes, runs->file.size, 0) !=
                             (ssize_t)runs->file.size)
        abort();
    return bytes;
}

/* Whether the marks of RUN, whose file has BYTES, are entries in their order,
   at about equal distances. */
static bool
is_marked(const struct key_runs *runs, const struct key_run *run,
          const unsigned char *bytes)
{
    uint64_t distance = (run->end - run->at) / KEY_RUN_MARKS;
    uint64_t at = run->at;

    for (size_t m = 0; m < KEY_RUN_MARKS; m++) {
        while (at < run->mark[m])
            at +=
                runs->sum_bytes + key_entry_bytes(bytes + at + runs->sum_bytes);
        if (at != run->mark[m] || at >= run->end ||
            at - run->at < distance * m * 9 / 10 ||
            (at - run->at) * 9 / 10 > (distance + 1) * m)
            return false;
    }
    return run->mark[0] == run->at;
}

/* Whether the sections of CUTS are the runs, whose file has BYTES, in order. */
static bool
is_tiled(const struct key_cuts *cuts, const struct key_runs *runs,
         const unsigned char *bytes)
{
    struct key_entry before = {0}; /* the greatest key of the sections before */
    bool has_before = false;

    for (unsigned int p = 0; p < cuts->sections; p++) {
        struct key_entry greatest = before;
        bool has_greatest = has_before;
        for (size_t r = 0; r < runs->count; r++) {
            const struct key_run *span = key_cuts_section(cuts, p) + r;
            uint64_t at = span->at;
            if (at !=
                (p == 0 ? runs->run[r].at : span[-(ptrdiff_t)cuts->runs].end))
                return false;
            while (at < span->end) {
                const unsigned char *entry = bytes + at + runs->sum_bytes;
                struct key_entry read = key_entry_key(entry);
                if (has_before && key_entry_compare(&before, &read) >= 0)
                    return false;
                if (!has_greatest || key_entry_compare(&greatest, &read) < 0)
                    greatest = read;
                has_greatest = true;
                at += runs->sum_bytes + key_entry_bytes(entry);
            }
            if (at != span->end ||
                (p + 1 == cuts->sections && at != runs->run[r].end))
                return false;
        }
        before = greatest;
        has_before = has_greatest;
    }
    return true;
}

/* Whether all sections of CUTS have about the same size. */
static bool
is_even(const struct key_cuts *cuts, const struct key_runs *runs)
{
    uint64_t mean = runs->file.size / cuts->sections;

    for (unsigned int p = 0; p < cuts->sections; p++) {
        uint64_t bytes = key_cuts_bytes(cuts, p);
        if (bytes < mean * 3 / 4 || bytes > mean * 5 / 4)
            return false;
    }
    return true;
}

static void
test_kind(size_t kind, bool has_sums)
{
    static const unsigned int counts[] = {1, 2, 3, 16, CREW_MAX};
    struct key_runs runs;
    struct error error = ERROR_NONE;
    bool is_right = true;

    key_runs_open(&runs, KEY_RUN_BY_KEY, has_sums);
    for (size_t r = 0; r < RUNS; r++)
        add_run(&runs, kind, KEYS, (unsigned int)r + 2);
    add_run(&runs, kind, 100, 4);
    add_run(&runs, kind, 0, 4);
    unsigned char *bytes = read_file(&runs);
    for (size_t r = 0; r < RUNS + 2; r++)
        is_right &= r < RUNS ? runs.run[r].mark != NULL &&
                                   is_marked(&runs, &runs.run[r], bytes)
                             : runs.run[r].mark == NULL;
    ok(is_right, "%s%s: marks", kinds[kind].name, has_sums ? " with sums" : "");
    for (size_t c = 0; c < COUNT(counts); c++) {
        struct key_cuts cuts;
        if (!has_turn(3))
            continue;
        is_right = key_cuts_open(&cuts, &runs, counts[c], &error) == 0 &&
                   cuts.sections == counts[c] &&
                   is_tiled(&cuts, &runs, bytes) && is_even(&cuts, &runs);
        ok(is_right, "... %u parts", counts[c]);
        key_cuts_close(&cuts);
    }
    free(bytes);
    key_runs_close(&runs);
}

/* ---- one section ---- */

/* RUNS are one section, though more are wanted. */
static void
is_uncut(const struct key_runs *runs, const char *name)
{
    struct key_cuts cuts;
    struct error error = ERROR_NONE;
    unsigned char *bytes = read_file(runs);

    ok(key_cuts_open(&cuts, runs, 7, &error) == 0 && cuts.sections == 1 &&
           is_tiled(&cuts, runs, bytes),
       "%s: one part", name);
    key_cuts_close(&cuts);
    free(bytes);
}

static void
test_uncut(void)
{
    struct key_runs runs;

    key_runs_open(&runs, KEY_RUN_BY_KEY, false);
    add_run(&runs, 0, 0, 4);
    is_uncut(&runs, "no keys");
    add_run(&runs, 0, KEYS, 1);
    is_uncut(&runs, "one run without marks");
    add_run(&runs, 0, KEYS, 4);
    is_uncut(&runs, "... and one with marks");
    runs.order = KEY_RUN_BY_COUNT;
    key_runs_drop(&runs, 2);
    is_uncut(&runs, "keys by count");
    key_runs_close(&runs);
}

int
main(void)
{
    alarm(WATCHDOG_SECONDS);
    key_memory_open(&memory, SIZE_MAX);
    for (size_t k = 0; k < COUNT(kinds); k++) {
        /* Bytes of keys and sizes have an order in the other ones, too. */
        if (IS_EMULATED && (k == 1 || k == 2))
            continue;
        /* One of both where all takes long. */
        if (!IS_INSTRUMENTED || k % 2 == 0)
            test_kind(k, false);
        if (!IS_INSTRUMENTED || k % 2 != 0)
            test_kind(k, true);
    }
    test_uncut();
    ok(memory.used == 0, "all memory is given back");
    return done_testing();
}
