/* SPDX-License-Identifier: MIT */
/* kmer_counts.c -- the counts of k-mers, which CPU threads share */

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "base/thread.h"
#include "engine/cpu/kmers/kmer_counts.h"

/* Up to these K: a thread's counts of 8 bits fit into its caches; it is worth
   while to have a cell for each code, if many occur. */
#define SMALL_MAX 11
#define WIDE_MAX 15

/* The tables of codes take at most this part of the memory of the wide table
   that may replace them: then that costs as much time as they (bench/NOTES.md).
   It takes at most 1 / 2 of the memory. */
#define WIDEN_SHARE 16
#define WIDE_SHARE 2

/* A thread seldom finds a partition locked if there are many more of them; and
   their tables should be small beside a cache. */
#define PARTITIONS_LOG_MIN 3
#define LIST_MAX 256
#define LIST_MIN 16

/* The lists of all threads take at most 1 / 8 of the memory. */
#define LISTS_SHARE 8

/* Choose partitions and lists for MEMORY bytes. */
static void
lay_out(struct kmer_counts *counts, size_t memory)
{
    size_t most = memory / LISTS_SHARE / counts->threads / sizeof(uint64_t) /
                  counts->words;

    counts->partitions_log = KMER_PARTITIONS_LOG_MAX;
    counts->list_codes = LIST_MAX;
    while (counts->list_codes > LIST_MIN &&
           counts->list_codes << counts->partitions_log > most)
        counts->list_codes /= 2;
    while (counts->partitions_log > PARTITIONS_LOG_MIN &&
           counts->list_codes << counts->partitions_log > most)
        counts->partitions_log--;
}

uint64_t
kmer_counts_thread_bytes(unsigned int k)
{
    uint64_t cells = (uint64_t)1 << 2 * k;

    return k <= SMALL_MAX ? cells : kmer_table_lists_bytes(cells);
}

/* Let the partitions grow up to the first limit. */
static void
start_sparse(struct kmer_counts *counts)
{
    counts->path = KMER_SPARSE;
    counts->may_widen = false;
    counts->memory.limit = counts->limit;
    if (counts->codes.k > WIDE_MAX ||
        kmer_counts_cells(counts) < KMER_TABLE_SLICE)
        return;
    uint64_t cells = kmer_counts_cells(counts);
    size_t lists = counts->threads * kmer_table_lists_bytes(cells);
    size_t table = kmer_table_bytes(cells);
    if (lists + table > counts->limit / WIDE_SHARE)
        return;
    counts->may_widen = true;
    counts->memory.limit = table / WIDEN_SHARE;
}

/* Open the partitions. */
static enum key_result
open_sparse(struct kmer_counts *counts, size_t memory_limit)
{
    enum key_result result = KEY_OK;

    if (getrandom(&counts->hash_key, sizeof counts->hash_key, GRND_NONBLOCK) !=
        sizeof counts->hash_key)
        counts->hash_key.word[0] = (uint64_t)time(NULL);
    lay_out(counts, memory_limit);
    size_t lists = (counts->list_codes << counts->partitions_log) *
                   counts->threads * counts->words * sizeof(uint64_t);
    counts->limit =
        memory_limit - (lists < memory_limit ? lists : memory_limit);
    counts->memory.limit = counts->limit;
    counts->partition = key_memory_take(
        &counts->memory, sizeof *counts->partition << counts->partitions_log,
        &result);
    if (counts->partition == NULL)
        return result;
    for (size_t p = 0; p < kmer_counts_partitions(counts); p++) {
        pthread_mutex_init(&counts->partition[p].lock, NULL);
        code_table_open(&counts->partition[p].table, &counts->memory,
                        counts->words);
    }
    start_sparse(counts);
    return code_spill_open(&counts->spill, kmer_counts_partitions(counts),
                           2 * counts->codes.k) == 0
               ? KEY_OK
               : KEY_NO_MEMORY;
}

/* Open a cell for each code. */
static enum key_result
open_cells(struct kmer_counts *counts)
{
    uint64_t cells = kmer_counts_cells(counts);

    counts->path = counts->codes.k <= SMALL_MAX ? KMER_SMALL : KMER_WIDE;
    /* Fewer cells stay in the caches anyway. */
    if (counts->codes.is_canonical && counts->codes.k == SMALL_MAX)
        kmer_codes_fold(&counts->codes);
    if (histogram_open(&counts->cells, cells, 1) < 0)
        return KEY_NO_MEMORY;
    return counts->path == KMER_SMALL
               ? KEY_OK
               : kmer_table_open(&counts->table, cells, &counts->memory);
}

enum key_result
kmer_counts_open(struct kmer_counts *counts, const struct kmer_codes *codes,
                 unsigned int threads, bool has_cells, size_t memory_limit)
{
    *counts = (struct kmer_counts){
        .codes = *codes, .words = code_words(2 * codes->k), .threads = threads};
    thread_list_open(&counts->counters);
    pthread_mutex_init(&counts->cells_lock, NULL);
    safepoint_open(&counts->safepoint);
    key_memory_open(&counts->memory, has_cells ? SIZE_MAX : memory_limit);
    return has_cells ? open_cells(counts) : open_sparse(counts, memory_limit);
}

void
kmer_counts_list_few(struct kmer_counts *counts)
{
    kmer_few_open(&counts->few, kmer_counts_cells(counts), &counts->memory);
    counts->few.folded_k = counts->codes.is_folded ? counts->codes.k : 0;
}

void
kmer_counts_empty(struct kmer_counts *counts)
{
    for (size_t p = 0; p < kmer_counts_partitions(counts); p++)
        code_table_close(&counts->partition[p].table);
}

bool
kmer_counts_have_codes(const struct kmer_counts *counts)
{
    size_t codes = 0;

    for (size_t p = 0; p < kmer_counts_partitions(counts); p++)
        codes += counts->partition[p].table.codes;
    return codes > 0;
}

uint64_t
kmer_counts_spills(const struct kmer_counts *counts)
{
    const uint64_t partitions = kmer_counts_partitions(counts);

    return (atomic_load(&counts->spilled_tables) + partitions - 1) / partitions;
}

void
kmer_counts_absorb(struct kmer_counts *counts, size_t p)
{
    struct code_table *table = &counts->partition[p].table;

    if (counts->path != KMER_WIDE)
        return;
    /* Codes of the wide table have one word. */
    for (size_t i = 0; i < table->slots; i++) {
        uint64_t code = code_slot_code(table->slot, i, 1).low;
        if (code_slot_count(table->slot, i, 1) == 0)
            continue;
        table->slot[2 * i + 1] += counts->table.low[code];
        counts->table.low[code] = 0;
    }
}

void
kmer_counts_close(struct kmer_counts *counts)
{
    histogram_close(&counts->cells);
    kmer_table_close(&counts->table);
    kmer_few_close(&counts->few);
    if (counts->partition != NULL) {
        kmer_counts_empty(counts);
        for (size_t p = 0; p < kmer_counts_partitions(counts); p++)
            pthread_mutex_destroy(&counts->partition[p].lock);
        key_memory_give(&counts->memory, counts->partition,
                        sizeof *counts->partition << counts->partitions_log);
    }
    code_spill_close(&counts->spill);
    error_clear(&counts->failure);
    key_memory_close(&counts->memory);
    safepoint_close(&counts->safepoint);
    pthread_mutex_destroy(&counts->cells_lock);
    thread_list_close(&counts->counters);
}

bool
kmer_counts_widen(struct kmer_counts *counts)
{
    if (!counts->may_widen)
        return false;
    counts->may_widen = false;
    counts->memory.limit = counts->limit;
    if (kmer_table_open(&counts->table, kmer_counts_cells(counts),
                        &counts->memory) != KEY_OK)
        return true;
    counts->path = KMER_WIDE;
    counts->memory.limit -=
        counts->threads * kmer_table_lists_bytes(kmer_counts_cells(counts));
    return true;
}

/* Cells that threads add, a slice after the other. */
struct cell_adding {
    const uint8_t *low;
    const uint64_t *value;
    uint64_t *to;
    size_t slices;
    atomic_size_t taken;
};

/* Add COUNT counts, in two parts, to TO.  Pages without counts stay untouched.
 */
static void
add_cells(const uint8_t *low, const uint64_t *value, size_t count, uint64_t *to)
{
    for (size_t c = 0; c < count; c++) {
        uint64_t sum = low[c] + value[c];
        if (sum != 0)
            to[c] += sum;
    }
}

static void
add_slices(void *task, unsigned int member)
{
    struct cell_adding *adding = task;
    size_t s;

    (void)member;
    while ((s = atomic_fetch_add(&adding->taken, 1)) < adding->slices) {
        size_t first = s << KMER_TABLE_SHIFT;
        add_cells(adding->low + first, adding->value + first, KMER_TABLE_SLICE,
                  adding->to + first);
    }
}

/* Add the cells of the wide table, and VALUE of the same cells, to TO. */
static void
add_wide(const struct kmer_counts *counts, const uint64_t *value, uint64_t *to)
{
    struct cell_adding adding = {.low = counts->table.low,
                                 .value = value,
                                 .to = to,
                                 .slices = counts->table.slices};
    size_t members =
        counts->threads < CREW_MAX ? counts->threads : (size_t)CREW_MAX;

    crew_run((unsigned int)members, add_slices, &adding);
}

void
kmer_counts_put(struct kmer_counts *counts, bool is_counting, bool is_alone,
                struct histogram *to, uint64_t base)
{
    struct histogram *from = &counts->cells;
    const uint64_t cells = from->cells;
    bool is_wide = counts->path == KMER_WIDE;
    bool moves = base == 0 && !is_counting;

    if (moves)
        histogram_move(to, from);
    counts->has_moved = moves;
    if (moves && is_wide && is_alone) {
        to->low = counts->table.low;
        to->low_cells = cells;
    } else if (is_wide) {
        /* After a move, FROM is all 0. */
        add_wide(counts, from->value, to->value + base);
    } else if (!moves) {
        memcpy(to->value + base, from->value,
               (size_t)cells * sizeof *from->value);
    }
}

void
kmer_counts_restart(struct kmer_counts *counts)
{
    counts->broken = 0;
    if (kmer_few_is_all(&counts->few)) {
        kmer_few_restart(&counts->few);
        return;
    }
    if (kmer_counts_has_cells(counts)) {
        /* Pages that have not been written take no memory. */
        if (!counts->has_moved)
            histogram_clear(&counts->cells);
        counts->has_moved = false;
        if (counts->path == KMER_WIDE)
            kmer_table_clear(&counts->table);
        if (counts->few.memory != NULL)
            kmer_few_restart(&counts->few);
        return;
    }
    kmer_counts_empty(counts);
    kmer_table_close(&counts->table);
    start_sparse(counts);
    code_spill_clear(&counts->spill);
    counts->kept_codes = 0;
}
