/* kmer_counts.c -- the counts of k-mers, which CPU threads share */

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "engine/cpu/kmer_counts.h"

/* Up to these K: counts of 8 bits fit into the second-level cache; the tables
   of all codes take at most half a gigabyte. */
#define SMALL_MAX 10
#define WIDE_MAX 13

/* A thread seldom finds a partition locked if there are many more of them; and
   their tables should be small beside a cache. */
#define PARTITIONS_LOG_MIN 3
#define LIST_MAX 256
#define LIST_MIN 16

/* The lists of all threads take at most 1 / 8 of the memory. */
#define LISTS_SHARE 8

static enum kmer_way
way_of(unsigned int k)
{
    return k <= SMALL_MAX  ? KMER_SMALL
           : k <= WIDE_MAX ? KMER_WIDE
                           : KMER_SPARSE;
}

/* Choose partitions and lists for MEMORY bytes. */
static void
lay_out(struct kmer_counts *counts, size_t memory)
{
    size_t most = memory / LISTS_SHARE / counts->threads / sizeof(uint64_t);

    counts->partitions_log = KMER_PARTITIONS_LOG_MAX;
    counts->list_codes = LIST_MAX;
    while (counts->list_codes > LIST_MIN &&
           counts->list_codes << counts->partitions_log > most)
        counts->list_codes /= 2;
    while (counts->partitions_log > PARTITIONS_LOG_MIN &&
           counts->list_codes << counts->partitions_log > most)
        counts->partitions_log--;
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
                   counts->threads * sizeof(uint64_t);
    counts->memory.limit -= lists < memory_limit ? lists : memory_limit;
    counts->partition = key_memory_take(
        &counts->memory, sizeof *counts->partition << counts->partitions_log,
        &result);
    if (counts->partition == NULL)
        return result;
    for (size_t p = 0; p < kmer_counts_partitions(counts); p++) {
        pthread_mutex_init(&counts->partition[p].lock, NULL);
        code_table_open(&counts->partition[p].table, &counts->memory);
    }
    return KEY_OK;
}

enum key_result
kmer_counts_open(struct kmer_counts *counts, const struct kmer_codes *codes,
                 unsigned int threads, size_t memory_limit)
{
    *counts = (struct kmer_counts){
        .codes = *codes, .way = way_of(codes->k), .threads = threads};
    pthread_mutex_init(&counts->lock, NULL);
    pthread_mutex_init(&counts->cells_lock, NULL);
    safepoint_open(&counts->safepoint);
    key_memory_open(&counts->memory, memory_limit);
    key_runs_open(&counts->runs, KEY_RUN_BY_KEY, false);
    switch (counts->way) {
    case KMER_SMALL:
        return histogram_open(&counts->table.histogram,
                              kmer_counts_cells(counts), 1) == 0
                   ? KEY_OK
                   : KEY_NO_MEMORY;
    case KMER_WIDE:
        return shared_counts_open(&counts->table, kmer_counts_cells(counts),
                                  threads, memory_limit) == 0
                   ? KEY_OK
                   : KEY_NO_MEMORY;
    case KMER_SPARSE:
        break;
    }
    return open_sparse(counts, memory_limit);
}

void
kmer_counts_empty(struct kmer_counts *counts)
{
    for (size_t p = 0; p < kmer_counts_partitions(counts); p++)
        code_table_close(&counts->partition[p].table);
}

void
kmer_counts_close(struct kmer_counts *counts)
{
    assert(counts->first == NULL);
    if (counts->way == KMER_WIDE)
        shared_counts_close(&counts->table);
    else
        histogram_close(&counts->table.histogram);
    if (counts->partition != NULL) {
        kmer_counts_empty(counts);
        for (size_t p = 0; p < kmer_counts_partitions(counts); p++)
            pthread_mutex_destroy(&counts->partition[p].lock);
        key_memory_give(&counts->memory, counts->partition,
                        sizeof *counts->partition << counts->partitions_log);
    }
    key_runs_close(&counts->runs);
    error_clear(&counts->failure);
    key_memory_close(&counts->memory);
    safepoint_close(&counts->safepoint);
    pthread_mutex_destroy(&counts->cells_lock);
    pthread_mutex_destroy(&counts->lock);
}

void
kmer_counts_put(struct kmer_counts *counts, bool is_counting,
                struct histogram *to, uint64_t base)
{
    struct histogram *from = &counts->table.histogram;

    if (base == 0 && !is_counting)
        histogram_move(to, from);
    else
        memcpy(to->value + base, from->value,
               (size_t)from->cells * sizeof *from->value);
}

void
kmer_counts_restart(struct kmer_counts *counts)
{
    counts->broken = 0;
    if (counts->way != KMER_SPARSE) {
        histogram_clear(&counts->table.histogram);
        return;
    }
    kmer_counts_empty(counts);
    key_runs_close(&counts->runs);
    key_runs_open(&counts->runs, KEY_RUN_BY_KEY, false);
}
