/* SPDX-License-Identifier: MIT */
/*
 * test_kmer_counts.c -- threads that count k-mers
 *
 * The counts are those of sorted codes, for any number of threads, length of
 * records, limit of memory and kind of sequence.  A record is overwritten as
 * soon as it is counted.
 */

#include <inttypes.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../noise.h"
#include "../tap.h"
#include "engine/cpu/kmers/kmer_counter.h"
#include "engine/cpu/kmers/kmer_list.h"

#define WATCHDOG_SECONDS 300
#define BASES (IS_INSTRUMENTED ? 40000 : 120000)
#define BASES_MAX 120000
#define THREADS_MAX 4
#define RECORD_MAX 20000
#define LITTLE ((size_t)2 << 20) /* a limit of memory */
#define TINY ((size_t)256 << 10) /* few partitions */
#define MORE ((size_t)6 << 20)   /* for tables, but not for a list */
/* For 2^16 cells, but not for all counts above 255. */
#define NARROW ((size_t)320 << 10)
#define COUNT(table) (sizeof(table) / sizeof *(table))

/* ---- sequences ---- */

static unsigned char base[BASES_MAX];
static size_t record_end[BASES_MAX]; /* of each record in BASE */
static size_t records;

static void
fill_random(void)
{
    for (size_t i = 0; i < BASES; i++)
        base[i] = (unsigned char)"ACGTacgt"[noise() % 8];
}

/* Reads of a short genome, with errors. */
static void
fill_reads(void)
{
    for (size_t i = 0; i < BASES; i++) {
        uint64_t at = (i * 7 + i / 100 * 31) % 3001;
        base[i] = (unsigned char)"ACGT"[(at * at + at / 7) % 4];
        if (noise() % 200 == 0)
            base[i] = (unsigned char)"ACGTN"[noise() % 5];
    }
}

static void
fill_same(void)
{
    memset(base, 'A', BASES);
}

/* Two frequent k-mers, and others. */
static void
fill_repeats(void)
{
    for (size_t i = 0; i < BASES; i++)
        base[i] = noise() % 500 == 0 ? 'G' : (unsigned char)"AT"[i % 2];
}

/* Short motifs, each many times: their k-mers are frequent for a while. */
static void
fill_motifs(void)
{
    unsigned char motif[6];

    for (size_t i = 0; i < BASES;) {
        size_t length = 1 + noise() % sizeof motif;
        size_t end = i + noise() % 4000;
        for (size_t m = 0; m < length; m++)
            motif[m] = (unsigned char)"ACGT"[noise() % 4];
        for (; i < end && i < BASES; i++)
            base[i] = motif[i % length];
        end = i + noise() % 400;
        for (; i < end && i < BASES; i++)
            base[i] = (unsigned char)"ACGT"[noise() % 4];
    }
}

static void
fill_broken(void)
{
    for (size_t i = 0; i < BASES; i++)
        base[i] = (unsigned char)"ACGTTGCAN-"[noise() % 10];
}

static const struct {
    const char *name;
    void (*fill)(void);
} kinds[] = {
    {"random", fill_random},   {"reads", fill_reads},   {"one base", fill_same},
    {"repeats", fill_repeats}, {"motifs", fill_motifs}, {"broken", fill_broken},
};

static void
cut_records(void)
{
    records = 0;
    for (size_t at = 0; at < BASES;) {
        size_t length = noise() % 8 == 0 ? noise() % RECORD_MAX : noise() % 200;
        at += length;
        record_end[records++] = at < BASES ? at : BASES;
    }
}

/* ---- the oracle ---- */

static struct kmer_code wanted[BASES_MAX];
static size_t wanted_codes;
static uint64_t wanted_broken;

static int
compare(const void *a, const void *b)
{
    const struct kmer_code left = *(const struct kmer_code *)a;
    const struct kmer_code right = *(const struct kmer_code *)b;

    return kmer_code_is_less(right, left) - kmer_code_is_less(left, right);
}

/* Returns the end of the codes from DONE on that are the same. */
static size_t
end_of_code(size_t done)
{
    const size_t start = done;

    while (done < wanted_codes && code_is_same(wanted[done], wanted[start]))
        done++;
    return done;
}

static void
make_wanted(const struct kmer_codes *codes)
{
    size_t start = 0;

    wanted_codes = 0;
    wanted_broken = 0;
    for (size_t r = 0; r < records; r++) {
        struct kmer_window window;
        kmer_start(&window);
        for (size_t i = start; i < record_end[r]; i++) {
            if (kmer_push(&window, base[i], codes->k))
                wanted[wanted_codes++] =
                    kmer_code(&window, codes->is_canonical);
            else
                wanted_broken += i - start + 1 >= codes->k;
        }
        start = record_end[r];
    }
    qsort(wanted, wanted_codes, sizeof *wanted, compare);
}

/* ---- counting ---- */

struct counting {
    struct kmer_counts counts;
    size_t first;      /* records to count ... */
    size_t last;       /* ... before this one */
    unsigned int turn; /* of the next thread */
    unsigned int threads;
    pthread_mutex_t lock;
    struct kmer_counter *counter[THREADS_MAX];
    enum key_result result;
};

static void *
count_some(void *argument)
{
    struct counting *counting = argument;
    static _Thread_local unsigned char own[RECORD_MAX];
    enum key_result result = KEY_OK;

    pthread_mutex_lock(&counting->lock);
    unsigned int turn = counting->turn++;
    pthread_mutex_unlock(&counting->lock);
    if (counting->counter[turn] == NULL)
        counting->counter[turn] = kmer_counter_new(&counting->counts);
    if (counting->counter[turn] == NULL)
        result = KEY_NO_MEMORY;
    for (size_t r = counting->first + turn;
         r < counting->last && result == KEY_OK; r += counting->threads) {
        size_t start = r > 0 ? record_end[r - 1] : 0;
        size_t length = record_end[r] - start;
        memcpy(own, base + start, length);
        result = kmer_counter_add(counting->counter[turn], own, length);
        memset(own, 'C', length);
    }
    pthread_mutex_lock(&counting->lock);
    if (result != KEY_OK)
        counting->result = result;
    pthread_mutex_unlock(&counting->lock);
    return NULL;
}

static void
count_records(struct counting *counting, size_t first, size_t last)
{
    pthread_t thread[THREADS_MAX];

    counting->first = first;
    counting->last = last;
    counting->turn = 0;
    for (unsigned int t = 0; t < counting->threads; t++)
        pthread_create(&thread[t], NULL, count_some, counting);
    for (unsigned int t = 0; t < counting->threads; t++)
        pthread_join(thread[t], NULL);
}

/* Whether LIST is what is WANTED. */
static bool
is_wanted(const struct key_list *list, unsigned int k)
{
    size_t done = 0;

    for (uint64_t i = 0; i < list->count; i++) {
        struct key_entry entry = key_entry_read(key_list_at(list, i));
        size_t start = done;
        done = end_of_code(done);
        if (done == start || entry.size != k || entry.count != done - start)
            return false;
        unsigned char letters[KMER_MAX];
        kmer_write(wanted[start], k, letters);
        if (memcmp(entry.key, letters, k) != 0)
            return false;
    }
    return done == wanted_codes;
}

/* Returns what is wrong, or NULL. */
static const char *
check_list(struct kmer_counts *counts, bool is_counting)
{
    struct key_array array = {0};
    struct key_file file = {0};
    struct key_list list = {0};
    const char *wrong = NULL;

    if (kmer_list_make(counts, is_counting, KEY_RUN_BY_KEY, &array, &file,
                       &list) != KEY_OK)
        wrong = "failed";
    else if (!is_wanted(&list, counts->codes.k))
        wrong = "counts";
    key_array_close(&array);
    key_file_close(&file);
    return wrong;
}

/* Whether the cells of HISTOGRAM are what is WANTED. */
static bool
are_wanted(const struct histogram *histogram)
{
    size_t done = 0;

    while (done < wanted_codes) {
        size_t start = done;
        done = end_of_code(done);
        if (histogram_count(histogram, wanted[start].low) != done - start)
            return false;
    }
    return histogram_total(histogram, 0, histogram->cells) == wanted_codes;
}

/* Returns what is wrong, or NULL. */
static const char *
check_cells(struct kmer_counts *counts, bool is_counting)
{
    struct histogram histogram;

    if (histogram_open(&histogram, kmer_counts_cells(counts), 1) < 0)
        return "out of memory";
    /* Several threads are beside other histograms. */
    kmer_counts_put(counts, is_counting, counts->threads == 1, &histogram, 0);
    bool is_right = are_wanted(&histogram);
    histogram_close(&histogram);
    return is_right ? NULL : "cells";
}

/* Returns what is wrong, or NULL. */
static const char *
check_counts(struct kmer_counts *counts, bool is_counting)
{
    uint64_t broken;

    if (kmer_counter_settle_all(counts, &broken) != KEY_OK)
        return "settling";
    if (broken != wanted_broken)
        return "broken windows";
    if (!kmer_counts_are_cells(counts))
        return check_list(counts, is_counting);
    return check_cells(counts, is_counting);
}

struct setting {
    unsigned int k;
    bool is_canonical;
    bool has_cells;
    bool has_few; /* the first codes are a list */
    bool has_snapshot;
    unsigned int threads;
    size_t limit;
    /* What must happen with at least one of the kinds: */
    bool must_spill;
    bool must_widen;
};

static void
test_counts(const struct setting *setting)
{
    struct kmer_codes codes = kmer_codes_of(setting->k, setting->is_canonical);
    struct counting counting = {.threads = setting->threads};
    struct kmer_counts *counts = &counting.counts;
    const char *wrong = NULL;
    const char *kind = "";
    uint64_t spills = 0;
    bool is_wide = false;
    bool has_list = false;
    bool has_cells = false;

    /* A table of many cells shows nothing that one of fewer does not. */
    if ((LOOKS_FOR_RACES && setting->threads == 1) ||
        (IS_INSTRUMENTED && setting->has_cells && setting->k > 11))
        return;
    pthread_mutex_init(&counting.lock, NULL);
    if (kmer_counts_open(counts, &codes, setting->threads, setting->has_cells,
                         setting->limit) != KEY_OK)
        wrong = "open";
    if (setting->has_few)
        kmer_counts_list_few(counts);
    for (size_t n = 0; n < COUNT(kinds) && wrong == NULL; n++) {
        size_t all;
        /* Kinds that only together reach what must happen stay together. */
        if (!setting->must_spill && !setting->must_widen && !setting->has_few &&
            !has_turn(5))
            continue;
        kind = kinds[n].name;
        kinds[n].fill();
        cut_records();
        all = records;
        counting.result = KEY_OK;
        if (setting->has_snapshot) {
            records /= 3;
            make_wanted(&codes);
            count_records(&counting, 0, records);
            wrong = check_counts(counts, true);
        }
        count_records(&counting, setting->has_snapshot ? records : 0, all);
        records = all;
        make_wanted(&codes);
        if (wrong == NULL)
            wrong = check_counts(counts, false);
        is_wide |= counts->path == KMER_WIDE;
        has_list |= !kmer_counts_are_cells(counts);
        has_cells |= kmer_counts_are_cells(counts);
        if (counting.result != KEY_OK)
            wrong = "adding";
        spills += kmer_counts_spills(counts);
        kmer_counter_restart_all(counts);
    }
    for (unsigned int t = 0; t < THREADS_MAX; t++) {
        if (counting.counter[t] != NULL)
            kmer_counter_close(counting.counter[t]);
    }
    kmer_counts_close(counts);
    ok(wrong == NULL, "K = %u%s%s, threads: %u%s%s: %s", setting->k,
       setting->is_canonical ? ", canonical" : "",
       setting->has_few     ? ", few first"
       : setting->has_cells ? ", all"
                            : "",
       setting->threads, setting->has_snapshot ? ", a snapshot" : "",
       setting->limit != SIZE_MAX ? ", little memory" : "",
       wrong != NULL ? wrong : "all are counted");
    if (wrong != NULL)
        printf("# %s, spills: %" PRIu64 "\n", kind, spills);
    if (setting->must_spill)
        ok(spills > 0, "spills: %" PRIu64, spills);
    if (setting->has_few && setting->k == 11)
        /* Beside a sanitizer there are fewer bases than the list has room. */
        ok(has_list && (has_cells || IS_INSTRUMENTED),
           "as a list, and in cells");
    if (setting->must_widen)
        ok(is_wide, "a cell for each code, in the end");
}

int
main(void)
{
    static const unsigned int ks[] = {1,  2,  7,  10, 11, 12, 14,
                                      21, 31, 32, 33, 47, 64};
    static const struct setting others[] = {
        {.k = 7, .threads = 2, .limit = LITTLE, .has_snapshot = true},
        {.k = 11, .threads = 2, .limit = LITTLE, .has_snapshot = true},
        {.k = 21, .threads = 1, .limit = LITTLE, .must_spill = true},
        {.k = 21,
         .is_canonical = true,
         .threads = 2,
         .limit = LITTLE,
         .must_spill = true},
        {.k = 21, .is_canonical = true, .threads = 2, .limit = MORE},
        {.k = 32,
         .threads = THREADS_MAX,
         .limit = LITTLE,
         .has_snapshot = true,
         .must_spill = true},
        {.k = 21,
         .is_canonical = true,
         .threads = THREADS_MAX,
         .limit = TINY,
         .has_snapshot = true,
         .must_spill = true},
        {.k = 33, .threads = 2, .limit = LITTLE, .must_spill = true},
        {.k = 64,
         .is_canonical = true,
         .threads = THREADS_MAX,
         .limit = LITTLE,
         .has_snapshot = true,
         .must_spill = true},
        {.k = 55,
         .is_canonical = true,
         .threads = THREADS_MAX,
         .limit = TINY,
         .has_snapshot = true,
         .must_spill = true},
        {.k = 41, .threads = 2, .limit = MORE},
        {.k = 7,
         .threads = 1,
         .limit = SIZE_MAX,
         .has_cells = true,
         .has_few = true},
        {.k = 9,
         .threads = THREADS_MAX,
         .limit = SIZE_MAX,
         .has_cells = true,
         .has_few = true},
        {.k = 11,
         .is_canonical = true,
         .threads = 3,
         .limit = SIZE_MAX,
         .has_cells = true,
         .has_few = true,
         .has_snapshot = true},
        {.k = 12,
         .threads = 2,
         .limit = SIZE_MAX,
         .has_cells = true,
         .has_few = true,
         .has_snapshot = true},
        {.k = 8, .threads = 1, .limit = SIZE_MAX, .must_widen = true},
        {.k = 8,
         .is_canonical = true,
         .threads = THREADS_MAX,
         .limit = SIZE_MAX,
         .has_snapshot = true,
         .must_widen = true},
        {.k = 9,
         .threads = THREADS_MAX,
         .limit = SIZE_MAX,
         .has_snapshot = true,
         .must_widen = true},
        {.k = 11, .threads = 2, .limit = SIZE_MAX, .must_widen = true},
        /* Then there is little memory for what it carries. */
        {.k = 8,
         .threads = THREADS_MAX,
         .limit = NARROW,
         .must_spill = true,
         .must_widen = true},
    };

    alarm(WATCHDOG_SECONDS);
    for (size_t i = 0; i < COUNT(ks); i++) {
        struct setting setting = {.k = ks[i],
                                  .is_canonical = i % 2 == 0,
                                  .has_cells = ks[i] < 14,
                                  .threads = 1,
                                  .limit = SIZE_MAX};
        test_counts(&setting);
        setting.threads = THREADS_MAX;
        setting.is_canonical = i % 2 != 0;
        test_counts(&setting);
        setting.threads = 3;
        setting.is_canonical = i % 2 == 0;
        setting.has_snapshot = true;
        test_counts(&setting);
    }
    for (size_t i = 0; i < COUNT(others); i++)
        test_counts(&others[i]);
    return done_testing();
}
