/* SPDX-License-Identifier: MIT */
/* key_listing.c -- a list, or a spectrum, of the keys in tables */

#include <stdlib.h>

#include "base/thread.h"
#include "engine/cpu/fields/key_listing.h"
#include "engine/cpu/keys/key_counter.h"
#include "engine/cpu/kmers/kmer_spill.h"
#include "hist/key_merge.h"
#include "hist/key_top.h"

/* Cells that a thread takes at a time. */
#define CELLS_AT_A_TIME ((uint64_t)1 << 18)

enum key_bringing
key_listing_bringing(const struct spec *spec)
{
    static const enum key_bringing brings[] = {
        [ADDS_ONE] = KEY_BRINGS_NOTHING,
        [ADDS_COUNT] = KEY_BRINGS_COUNT,
        [ADDS_WEIGHT] = KEY_BRINGS_WEIGHT,
    };

    return brings[spec->adds];
}

/* ---- lists ---- */

/* Whether the keys may be in the order of their counts.  Snapshots are
   subtracted key by key, and groups must be in order. */
static bool
may_rank(const struct counter *counter, const struct key_counts *counts)
{
    return counter->counted->kind != COUNTED_TUPLES && !counts->has_snapshots;
}

/* Sort the keys, of which some are in runs. */
static enum key_result
sort_in_files(const struct counter *counter, struct key_counts *counts,
              bool is_counting, struct key_names *names)
{
    bool is_by_count = counter->spec->ranks_keys && may_rank(counter, counts);
    size_t i = counter->histogram;
    enum key_result result = key_counter_spill(counts);

    if (result != KEY_OK)
        return result;
    return key_file_open(&names->file[i], &counts->runs,
                         is_by_count ? KEY_RUN_BY_COUNT : KEY_RUN_BY_KEY,
                         counter->threads, counts->memory.limit, !is_counting,
                         &names->list[i], &counts->failure) == 0
               ? KEY_OK
               : KEY_FAILED;
}

/* Sort the keys, all of which are in the tables. */
static enum key_result
sort_in_memory(const struct counter *counter, struct key_counts *counts,
               struct key_names *names)
{
    const struct spec *spec = counter->spec;
    size_t i = counter->histogram;
    size_t keys = key_counts_keys(counts);
    uint64_t top = spec->top_keys < SIZE_MAX ? spec->top_keys : 0;
    struct key_order *order = &names->order[i];
    enum key_result result = KEY_LIMIT;

    if (!may_rank(counter, counts) ||
        !key_top_is_useful((size_t)top, keys, counter->threads))
        top = 0;
    if (top > 0)
        result = key_counts_top(counts, (size_t)top, counter->threads, order);
    if (result == KEY_LIMIT) {
        if (top > 0)
            key_order_close(order);
        top = 0;
        result = key_counts_order(counts, counter->threads, order);
    }
    if (result == KEY_OK) {
        key_names_list(names, i);
        names->list[i].top = top;
    }
    return result;
}

enum key_result
key_listing_make(const struct counter *counter, struct key_counts *counts,
                 bool is_counting, struct key_names *names)
{
    enum key_result result = KEY_LIMIT;

    counts->has_snapshots |= is_counting;
    if (counts->runs.count == 0) {
        if (!is_counting)
            key_counts_release_slots(counts);
        result = sort_in_memory(counter, counts, names);
    }
    /* Tables that keep their slots may have no room for an order. */
    return result == KEY_LIMIT
               ? sort_in_files(counter, counts, is_counting, names)
               : result;
}

/* ---- spectra ---- */

/* Portions of the tables, which threads take one by one. */
struct table_reading {
    const struct key_counts *keys; /* parts are partitions; or NULL */
    struct kmer_counts *kmers;     /* ... or these of k-mers, ... */
    size_t memory;                 /* ... in a file, if set: of a reader */
    const uint64_t *value;         /* ... or if set, cells of 64 bits, ... */
    const uint8_t *low;            /* ... of 8, or the sums of both */
    uint64_t cells;
    size_t parts;
    atomic_size_t taken;
    struct spectrum *sum;
    pthread_mutex_t lock; /* of SUM */
};

/* ---- parts ---- */

static void
read_entries(const struct key_table *table, struct spectrum *spectrum)
{
    struct key_cursor cursor = {0};
    const unsigned char *entry;

    while ((entry = key_table_next(table, &cursor)) != NULL)
        spectrum_add_entry(spectrum, entry, key_entry_count_of(entry));
}

/* The cells of part P. */
static void
read_cells(const struct table_reading *reading, size_t p,
           struct spectrum *spectrum)
{
    uint64_t first = p * CELLS_AT_A_TIME;
    uint64_t left = reading->cells - first;
    uint64_t end = first + (left < CELLS_AT_A_TIME ? left : CELLS_AT_A_TIME);

    for (uint64_t c = first; c < end; c++)
        spectrum_add(spectrum,
                     (reading->low != NULL ? reading->low[c] : 0) +
                         (reading->value != NULL ? reading->value[c] : 0));
}

/* The codes of partition P, with their cells. */
static void
read_partition(struct kmer_counts *counts, size_t p, struct spectrum *spectrum)
{
    const struct code_table *table = &counts->partition[p].table;

    kmer_counts_absorb(counts, p);
    for (size_t i = 0; i < table->slots; i++)
        spectrum_add(spectrum, code_slot_count(table->slot, i, table->words));
}

/* The codes of some partitions of k-mers that are in a file. */
static void
read_files(struct table_reading *reading, struct spectrum *spectrum)
{
    struct kmer_counts *counts = reading->kmers;
    struct code_reader reader;
    size_t p;

    code_reader_open(&reader, &counts->spill, &counts->hash_key,
                     reading->memory);
    while ((p = atomic_fetch_add(&reading->taken, 1)) < reading->parts) {
        code_reader_start(&reader, p);
        while (code_reader_next(&reader)) {
            for (size_t i = 0; i < reader.table.slots; i++)
                spectrum_add(spectrum, code_slot_count(reader.table.slot, i,
                                                       reader.table.words));
        }
    }
    if (kmer_spill_result(counts, &reader) != KEY_OK)
        spectrum->result = reader.result;
    code_reader_close(&reader);
}

static void
read_some(void *task, unsigned int member)
{
    struct table_reading *reading = task;
    struct spectrum own;
    size_t p;

    (void)member;
    spectrum_open(&own, reading->sum->many.memory);
    own.components = reading->sum->components;
    if (reading->memory > 0)
        read_files(reading, &own);
    while ((p = atomic_fetch_add(&reading->taken, 1)) < reading->parts) {
        if (reading->keys != NULL)
            read_entries(&reading->keys->partition[p].table, &own);
        else if (reading->value == NULL && reading->low == NULL)
            read_partition(reading->kmers, p, &own);
        else
            read_cells(reading, p, &own);
    }
    pthread_mutex_lock(&reading->lock);
    spectrum_merge(reading->sum, &own);
    pthread_mutex_unlock(&reading->lock);
    spectrum_close(&own);
}

static void
read_all(struct table_reading *reading, unsigned int threads)
{
    size_t members = threads < CREW_MAX ? threads : CREW_MAX;

    members = members < reading->parts ? members : reading->parts;
    pthread_mutex_init(&reading->lock, NULL);
    crew_run((unsigned int)members, read_some, reading);
    pthread_mutex_destroy(&reading->lock);
}

/* ---- runs ---- */

/* Add the counts of all keys in RUNS. */
static enum key_result
read_runs(struct spectrum *spectrum, struct key_runs *runs, size_t memory,
          bool is_counting, struct error *failure)
{
    struct key_merge merge;
    int result = is_counting ? key_merge_compact(runs, memory, failure) : 0;

    if (result == 0)
        result = key_merge_reduce(runs, memory, failure);
    if (result < 0)
        return KEY_FAILED;
    result = key_merge_open(&merge, runs, runs->run, runs->count, memory,
                            !is_counting, failure);
    while (result == 0 && key_merge_next(&merge))
        spectrum_add_entry(spectrum, merge.entry, merge.amount.count);
    key_merge_close(&merge);
    return result == 0 ? KEY_OK : KEY_FAILED;
}

/* ---- counts ---- */

static enum key_result
add_keys(struct spectrum *spectrum, struct key_counts *counts, bool is_counting)
{
    struct table_reading reading = {.keys = counts,
                                    .parts = key_counts_partitions(counts),
                                    .sum = spectrum};

    if (counts->runs.count == 0) {
        read_all(&reading, counts->threads);
        return KEY_OK;
    }
    enum key_result result = key_counter_spill(counts);
    return result == KEY_OK
               ? read_runs(spectrum, &counts->runs, counts->memory.limit,
                           is_counting, &counts->failure)
               : result;
}

/* Read the cells that READING has set. */
static void
read_all_cells(struct table_reading *reading)
{
    reading->cells = kmer_counts_cells(reading->kmers);
    reading->parts =
        (size_t)((reading->cells + CELLS_AT_A_TIME - 1) / CELLS_AT_A_TIME);
    atomic_store(&reading->taken, 0);
    read_all(reading, reading->kmers->threads);
}

/* Add the counts of the first k-mers, which are all. */
static enum key_result
add_few(struct spectrum *spectrum, const struct kmer_few *few)
{
    uint64_t *slot;
    size_t codes;
    size_t bytes;
    enum key_result result = kmer_few_sort(few, &slot, &codes, &bytes);

    if (result != KEY_OK)
        return result;
    for (size_t i = 0; i < codes; i++)
        spectrum_add(spectrum, code_slot_count(slot, i, 1));
    key_memory_give(few->memory, slot, bytes);
    return KEY_OK;
}

static enum key_result
add_kmers(struct spectrum *spectrum, struct kmer_counts *counts)
{
    struct table_reading reading = {.kmers = counts, .sum = spectrum};

    if (kmer_few_is_all(&counts->few))
        return add_few(spectrum, &counts->few);
    if (kmer_counts_has_cells(counts)) {
        reading.value = counts->cells.value;
        reading.low = counts->path == KMER_WIDE ? counts->table.low : NULL;
        read_all_cells(&reading);
        return KEY_OK;
    }
    reading.parts = kmer_counts_partitions(counts);
    if (!code_spill_has_codes(&counts->spill)) {
        read_all(&reading, counts->threads);
        reading.low = counts->table.low;
        if (counts->path == KMER_WIDE)
            read_all_cells(&reading);
        return KEY_OK;
    }
    enum key_result result = kmer_spill_settled(counts);
    if (result == KEY_OK)
        read_all(&reading, kmer_spill_readers(counts, &reading.memory));
    return result;
}

enum key_result
key_listing_spectrum(struct key_counts *keys, struct kmer_counts *kmers,
                     size_t components, bool is_counting,
                     struct key_memory *memory, struct key_array *array,
                     uint64_t *total)
{
    struct spectrum spectrum;

    spectrum_open(&spectrum, memory);
    spectrum.components = components;
    enum key_result result = keys != NULL
                                 ? add_keys(&spectrum, keys, is_counting)
                                 : add_kmers(&spectrum, kmers);
    if (result == KEY_OK)
        result = spectrum_list(&spectrum, array, memory, total);
    spectrum_close(&spectrum);
    return result;
}
