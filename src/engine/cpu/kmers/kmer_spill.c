/* SPDX-License-Identifier: MIT */
/* kmer_spill.c -- k-mers beyond the memory, in a temporary file */

#include <stdlib.h>
#include <string.h>

#include "base/thread.h"
#include "engine/cpu/kmers/kmer_merge.h"
#include "engine/cpu/kmers/kmer_spill.h"

/* A table that is this much smaller than its share of the memory is not worth
   writing: other tables have the memory. */
#define SHARE_LEAST 8

/* The memory that is worth another reader. */
#define READER_MEMORY ((size_t)1 << 20)

/* ---- writing ---- */

/* Keep ERROR in COUNTS, unless there is one. */
static void
keep_error(struct kmer_counts *counts, struct error *error)
{
    pthread_mutex_lock(&counts->spill.lock);
    error_move(&counts->failure, error);
    pthread_mutex_unlock(&counts->spill.lock);
    error_clear(error);
}

/* Write the codes of partition P, which no other thread uses. */
static enum key_result
write_table(struct kmer_counts *counts, size_t p)
{
    const struct code_table *table = &counts->partition[p].table;
    struct error error = ERROR_NONE;
    uint64_t bytes;

    if (table->codes == 0)
        return KEY_OK;
    int result = code_spill_put(&counts->spill, p, table->slot, table->slots,
                                &bytes, &error);
    atomic_fetch_add(&counts->spilled_tables, 1);
    atomic_fetch_add(&counts->spilled_bytes, bytes);
    if (result == 0)
        return KEY_OK;
    keep_error(counts, &error);
    return KEY_FAILED;
}

enum key_result
kmer_spill_partition(struct kmer_counts *counts, size_t p)
{
    struct code_table *table = &counts->partition[p].table;
    size_t bytes = code_slots_bytes(table->slots, table->words);

    if (counts->may_widen || table->codes == 0 ||
        bytes < counts->limit / SHARE_LEAST >> counts->partitions_log)
        return KEY_LIMIT;
    enum key_result result = write_table(counts, p);
    if (result == KEY_OK)
        code_table_clear(table);
    return result;
}

/* Work on all partitions, which threads take one by one. */
struct spilling {
    struct kmer_counts *counts;
    atomic_size_t taken; /* partitions that are done or being done */
    atomic_int result;   /* of a partition that failed */
};

static void
spill_some(void *task, unsigned int member)
{
    struct spilling *spilling = task;
    struct kmer_counts *counts = spilling->counts;
    size_t p;

    (void)member;
    while ((p = atomic_fetch_add(&spilling->taken, 1)) <
           kmer_counts_partitions(counts)) {
        enum key_result result = write_table(counts, p);
        if (result != KEY_OK)
            atomic_store(&spilling->result, result);
        code_table_close(&counts->partition[p].table);
    }
}

enum key_result
kmer_spill_all(struct kmer_counts *counts)
{
    struct spilling spilling = {.counts = counts, .result = KEY_OK};
    unsigned int members =
        counts->threads < CREW_MAX ? counts->threads : CREW_MAX;

    crew_run(members, spill_some, &spilling);
    return (enum key_result)atomic_load(&spilling.result);
}

/* Move the counts in the wide table to the partitions. */
static enum key_result
move_cells(struct kmer_counts *counts)
{
    const uint8_t *low = counts->table.low;
    const uint64_t cells = kmer_counts_cells(counts);
    enum key_result result = KEY_OK;

    for (uint64_t code = 0; code < cells && result == KEY_OK; code++) {
        if (low[code] == 0)
            continue;
        struct code_table *table =
            &counts->partition[kmer_counts_partition_of(counts, code_of(code))]
                 .table;
        while ((result = code_table_count(table, &counts->hash_key,
                                          code_of(code), low[code])) ==
               KEY_LIMIT) {
            if (kmer_counts_have_codes(counts))
                result = kmer_spill_all(counts);
            if (result != KEY_OK)
                break;
        }
    }
    kmer_table_clear(&counts->table);
    return result;
}

enum key_result
kmer_spill_settled(struct kmer_counts *counts)
{
    enum key_result result = kmer_spill_all(counts);

    if (counts->path != KMER_WIDE || result != KEY_OK)
        return result;
    result = move_cells(counts);
    return result == KEY_OK ? kmer_spill_all(counts) : result;
}

/* ---- reading ---- */

unsigned int
kmer_spill_readers(const struct kmer_counts *counts, size_t *memory)
{
    const size_t limit = counts->memory.limit;
    size_t used = atomic_load(&counts->memory.used);
    size_t left = used < limit ? limit - used : 0;
    size_t readers = left / READER_MEMORY;

    readers = readers < counts->threads ? readers : counts->threads;
    readers = readers < CREW_MAX ? readers : CREW_MAX;
    readers = readers > 0 ? readers : 1;
    *memory = left / readers + 1;
    return (unsigned int)readers;
}

enum key_result
kmer_spill_result(struct kmer_counts *counts, struct code_reader *reader)
{
    if (reader->result == KEY_FAILED)
        keep_error(counts, &reader->error);
    return reader->result;
}

/* ---- sorting ---- */

/*
 * The codes of a partition are a sample of all codes.  They say where to cut
 * the codes into ranges with about as many codes each: these fit into the
 * memory and the caches.  First, threads read the partitions and write their
 * sorted codes to the ranges; then they read and sort the ranges.
 */
#define RANGES_MAX 512
#define RANGE_CODES 65536
#define RANGE_SLOTS 4 /* of the memory of a reader, at most, for each code */
#define SAMPLE_MAX 8192

/* Entries that are written at a time, and marks that a range has. */
#define ENTRIES_BYTES 32768
#define MARKS 8

struct range_sorting {
    struct kmer_counts *counts;
    size_t memory;            /* of each reader */
    struct code_spill ranges; /* a bucket is a range */
    struct kmer_code first[RANGES_MAX];
    size_t count;           /* of the ranges */
    struct code_spill kept; /* if open: the codes of each partition, once */
    struct key_runs *runs;
    atomic_size_t taken; /* partitions, or ranges, done or being done */
    atomic_int result;   /* of a part that failed */
    pthread_mutex_t lock;
    pthread_cond_t has_changed;
    size_t turn; /* the range whose entries are next in the run, under the
                    lock; the thread that has the turn uses RUNS */
};

/* Sort the table of READER. */
static inline void
sort_table(const struct range_sorting *sorting, struct code_reader *reader)
{
    code_table_sort(&reader->table, 2 * sorting->counts->codes.k);
}

/* Read partition P.  Sets SAMPLE to some of its codes, *SAMPLES of them, and
   returns how many there are. */
static uint64_t
take_sample(struct range_sorting *sorting, struct code_reader *reader, size_t p,
            struct kmer_code *sample, size_t *samples)
{
    const uint64_t every =
        sorting->counts->spill.bucket[p].codes / SAMPLE_MAX + 1;
    uint64_t codes = 0;

    code_reader_start(reader, p);
    while (code_reader_next(reader)) {
        sort_table(sorting, reader);
        for (size_t i = 0; i < reader->table.codes; i++, codes++) {
            if (codes % every == 0)
                sample[(*samples)++] = code_slot_code(reader->table.slot, i,
                                                      sorting->counts->words);
        }
    }
    return codes;
}

/* Choose the ranges. */
static enum key_result
cut_ranges(struct range_sorting *sorting)
{
    struct kmer_counts *counts = sorting->counts;
    const size_t partitions = kmer_counts_partitions(counts);
    struct kmer_code *sample = malloc(SAMPLE_MAX * sizeof *sample);
    struct code_reader reader;
    size_t samples = 0;
    uint64_t codes = 0;

    if (sample == NULL)
        return KEY_NO_MEMORY;
    code_reader_open(&reader, &counts->spill, &counts->hash_key,
                     sorting->memory);
    for (size_t p = 0; p < partitions && samples == 0; p++)
        codes = take_sample(sorting, &reader, p, sample, &samples);
    codes <<= counts->partitions_log;
    uint64_t useful = codes / RANGE_CODES;
    uint64_t least = codes * code_slots_bytes(RANGE_SLOTS, counts->words) /
                     (sorting->memory + 1);
    useful = (useful > least ? useful : least) + 1;
    useful = useful < RANGES_MAX ? useful : RANGES_MAX;
    sorting->count = useful < samples ? (size_t)useful : samples;
    for (size_t r = 1; r < sorting->count; r++)
        sorting->first[r] = sample[samples * r / sorting->count];
    enum key_result result = kmer_spill_result(counts, &reader);
    code_reader_close(&reader);
    free(sample);
    return result;
}

/* Write the sorted codes of TABLE, of partition P, to their ranges. */
static int
put_ranges(struct range_sorting *sorting, const struct code_table *table,
           size_t p, struct error *error)
{
    const uint64_t *slot = table->slot;
    size_t left = table->codes;
    uint64_t bytes;

    if (sorting->kept.bucket != NULL &&
        code_spill_put(&sorting->kept, p, slot, left, &bytes, error) < 0)
        return -1;
    for (size_t r = 0; r < sorting->count; r++) {
        size_t own = left;
        if (r + 1 < sorting->count)
            own = code_slots_below(slot, left, sorting->first[r + 1],
                                   table->words);
        if (code_spill_put(&sorting->ranges, r, slot, own, &bytes, error) < 0)
            return -1;
        slot += own * code_slot_words(table->words);
        left -= own;
    }
    return 0;
}

/* End the work of a thread with READER. */
static void
end_reading(struct range_sorting *sorting, struct code_reader *reader)
{
    enum key_result result = kmer_spill_result(sorting->counts, reader);

    if (result != KEY_OK)
        atomic_store(&sorting->result, result);
    code_reader_close(reader);
}

static void
put_some_ranges(void *task, unsigned int member)
{
    struct range_sorting *sorting = task;
    struct kmer_counts *counts = sorting->counts;
    struct code_reader reader;
    size_t p;

    (void)member;
    code_reader_open(&reader, &counts->spill, &counts->hash_key,
                     sorting->memory);
    while ((p = atomic_fetch_add(&sorting->taken, 1)) <
               kmer_counts_partitions(counts) &&
           atomic_load(&sorting->result) == KEY_OK) {
        code_reader_start(&reader, p);
        while (code_reader_next(&reader)) {
            sort_table(sorting, &reader);
            if (put_ranges(sorting, &reader.table, p, &reader.error) < 0)
                reader.result = KEY_FAILED;
        }
    }
    end_reading(sorting, &reader);
}

/* ---- entries ---- */

/* Wait until range R is next in the run, or has been. */
static void
await_turn(struct range_sorting *sorting, size_t r)
{
    pthread_mutex_lock(&sorting->lock);
    while (sorting->turn < r)
        pthread_cond_wait(&sorting->has_changed, &sorting->lock);
    pthread_mutex_unlock(&sorting->lock);
}

/* All entries of range R have their place in the run. */
static void
pass_turn(struct range_sorting *sorting, size_t r)
{
    pthread_mutex_lock(&sorting->lock);
    if (sorting->turn == r) {
        sorting->turn++;
        pthread_cond_broadcast(&sorting->has_changed);
    }
    pthread_mutex_unlock(&sorting->lock);
}

/* Append the entries of TABLE, which is sorted, to FILE. */
static int
append_entries(struct scratch_file *file, const struct code_table *table,
               unsigned int k, struct error *error)
{
    unsigned char data[ENTRIES_BYTES];
    const size_t entry_bytes = KMER_ENTRY_BYTES(k);
    size_t used = 0;

    for (size_t i = 0; i < table->codes; i++) {
        if (used + entry_bytes > sizeof data) {
            if (scratch_file_append(file, data, used, error) < 0)
                return -1;
            used = 0;
        }
        kmer_entry_write(data + used, k,
                         code_slot_code(table->slot, i, table->words),
                         code_slot_count(table->slot, i, table->words));
        used += entry_bytes;
    }
    return scratch_file_append(file, data, used, error);
}

/* Append the entries of the table of READER, which has codes of range R. */
static void
put_entries(struct range_sorting *sorting, struct code_reader *reader, size_t r)
{
    const unsigned int k = sorting->counts->codes.k;
    const size_t entry_bytes = KMER_ENTRY_BYTES(k);
    const size_t codes = reader->table.codes;
    size_t mark[MARKS];

    for (size_t m = 0; m < MARKS; m++)
        mark[m] = codes * m / MARKS * entry_bytes;
    await_turn(sorting, r);
    struct scratch_file file = key_runs_reserve(
        sorting->runs, codes * entry_bytes, mark, codes < MARKS ? 1 : MARKS);
    if (reader->is_done)
        pass_turn(sorting, r);
    if (append_entries(&file, &reader->table, k, &reader->error) < 0)
        reader->result = KEY_FAILED;
}

static void
put_some_entries(void *task, unsigned int member)
{
    struct range_sorting *sorting = task;
    struct code_reader reader;
    size_t r;

    (void)member;
    code_reader_open(&reader, &sorting->ranges, &sorting->counts->hash_key,
                     sorting->memory);
    while ((r = atomic_fetch_add(&sorting->taken, 1)) < sorting->count) {
        code_reader_start(&reader, r);
        while (code_reader_next(&reader)) {
            sort_table(sorting, &reader);
            put_entries(sorting, &reader, r);
        }
        await_turn(sorting, r);
        pass_turn(sorting, r);
    }
    end_reading(sorting, &reader);
}

/* ---- all ---- */

/* Open what SORTING writes to. */
static enum key_result
open_ranges(struct range_sorting *sorting, bool keeps)
{
    struct kmer_counts *counts = sorting->counts;
    const unsigned int bits = 2 * counts->codes.k;
    enum key_result result = cut_ranges(sorting);

    if (result != KEY_OK)
        return result;
    /* Codes that are read again and again are worth writing once more. */
    keeps = keeps && code_spill_codes(&counts->spill) / 2 >= counts->kept_codes;
    if ((keeps && code_spill_open(&sorting->kept,
                                  kmer_counts_partitions(counts), bits) < 0) ||
        code_spill_open(&sorting->ranges, sorting->count, bits) < 0)
        return KEY_NO_MEMORY;
    return KEY_OK;
}

/* Let READERS threads do WORK. */
static enum key_result
read_parts(struct range_sorting *sorting, crew_work *work, unsigned int readers)
{
    atomic_store(&sorting->taken, 0);
    crew_run(readers, work, sorting);
    return (enum key_result)atomic_load(&sorting->result);
}

/* As kmer_spill_sort(), by SORTING, which is all 0 but for its pointers. */
static enum key_result
sort_all(struct range_sorting *sorting, bool keeps)
{
    struct kmer_counts *counts = sorting->counts;
    unsigned int readers = kmer_spill_readers(counts, &sorting->memory);
    enum key_result result = open_ranges(sorting, keeps);

    if (result == KEY_OK)
        result = read_parts(sorting, put_some_ranges, readers);
    if (result != KEY_OK)
        return result;
    if (!keeps)
        code_spill_clear(&counts->spill);
    if (sorting->kept.bucket != NULL) {
        code_spill_move(&counts->spill, &sorting->kept);
        counts->kept_codes = code_spill_codes(&counts->spill);
    }
    if (key_runs_start(sorting->runs, &counts->failure) < 0)
        return KEY_FAILED;
    result = read_parts(sorting, put_some_entries, readers);
    if (result != KEY_OK)
        return result;
    return key_runs_end(sorting->runs, &counts->failure) == 0 ? KEY_OK
                                                              : KEY_FAILED;
}

enum key_result
kmer_spill_sort(struct kmer_counts *counts, bool keeps, struct key_runs *runs)
{
    if (!code_spill_has_codes(&counts->spill))
        return KEY_OK;
    struct range_sorting *sorting = calloc(1, sizeof *sorting);
    if (sorting == NULL)
        return KEY_NO_MEMORY;
    sorting->counts = counts;
    sorting->runs = runs;
    pthread_mutex_init(&sorting->lock, NULL);
    pthread_cond_init(&sorting->has_changed, NULL);
    enum key_result result = sort_all(sorting, keeps);
    code_spill_close(&sorting->ranges);
    code_spill_close(&sorting->kept);
    pthread_cond_destroy(&sorting->has_changed);
    pthread_mutex_destroy(&sorting->lock);
    free(sorting);
    return result;
}
