/* SPDX-License-Identifier: MIT */
/* kmer_list.c -- the k-mers that occur, as a list of keys */

#include <stdlib.h>

#include "base/thread.h"
#include "engine/cpu/kmers/kmer_list.h"
#include "engine/cpu/kmers/kmer_merge.h"
#include "engine/cpu/kmers/kmer_spill.h"

/* A thread makes the entries of some of these spans. */
#define SPANS_MAX 256
#define CODES_WORTH_A_SPAN 4096

/* The codes from FIRST to LAST, both included. */
struct code_span {
    struct kmer_code first;
    struct kmer_code last;
    size_t codes; /* that occur */
    size_t start; /* the number of the first one */
};

struct list_making {
    const struct kmer_counts *counts;
    struct key_array *array;
    struct code_span span[SPANS_MAX];
    size_t spans;
    atomic_size_t taken; /* spans that are done or being done */
};

/* ---- sorted partitions ---- */

/* Work on all partitions, which threads take one by one. */
struct sorting {
    struct kmer_counts *counts;
    atomic_size_t taken; /* partitions that are done or being done */
    atomic_int result;   /* of a partition that failed */
};

static void
sort_some(void *task, unsigned int member)
{
    struct sorting *sorting = task;
    size_t p;

    (void)member;
    while ((p = atomic_fetch_add(&sorting->taken, 1)) <
           kmer_counts_partitions(sorting->counts)) {
        kmer_counts_absorb(sorting->counts, p);
        code_table_sort(&sorting->counts->partition[p].table,
                        2 * sorting->counts->codes.k);
    }
}

/* Let codes be added again to sorted partitions. */
static void
restore_some(void *task, unsigned int member)
{
    struct sorting *sorting = task;
    struct kmer_counts *counts = sorting->counts;
    size_t p;

    (void)member;
    while ((p = atomic_fetch_add(&sorting->taken, 1)) <
           kmer_counts_partitions(counts)) {
        enum key_result result =
            code_table_restore(&counts->partition[p].table, &counts->hash_key);
        if (result != KEY_OK)
            atomic_store(&sorting->result, result);
    }
}

/* Let all threads of COUNTS do WORK.  After KEY_LIMIT, not all partitions are
   done. */
static enum key_result
work_on(struct kmer_counts *counts, crew_work *work)
{
    struct sorting sorting = {.counts = counts, .result = KEY_OK};
    unsigned int members =
        counts->threads < CREW_MAX ? counts->threads : CREW_MAX;

    crew_run(members, work, &sorting);
    return (enum key_result)atomic_load(&sorting.result);
}

/* ---- spans ---- */

/* The partition with the most codes. */
static const struct code_table *
largest_table(const struct kmer_counts *counts)
{
    const struct code_table *table = &counts->partition[0].table;

    for (size_t p = 1; p < kmer_counts_partitions(counts); p++) {
        if (counts->partition[p].table.codes > table->codes)
            table = &counts->partition[p].table;
    }
    return table;
}

/* Cut the codes into spans: the codes of a partition are a sample. */
static void
cut_codes(struct list_making *making)
{
    const struct kmer_counts *counts = making->counts;
    const struct code_table *table = largest_table(counts);
    size_t spans =
        (table->codes << counts->partitions_log) / CODES_WORTH_A_SPAN;
    bool is_wide = counts->path == KMER_WIDE;
    struct kmer_code first = code_of(0);

    spans = is_wide || spans > SPANS_MAX ? SPANS_MAX : spans;
    spans = is_wide || spans < table->codes ? spans : table->codes;
    for (size_t i = 1; i < spans; i++) {
        struct kmer_code next =
            is_wide ? code_of(kmer_counts_cells(counts) / spans * i)
                    : code_slot_code(table->slot, table->codes * i / spans,
                                     table->words);
        making->span[making->spans++] =
            (struct code_span){.first = first, .last = code_before(next)};
        first = next;
    }
    making->span[making->spans++] =
        (struct code_span){.first = first, .last = CODE_LAST};
}

/* Count the codes of some spans that occur. */
static void
count_spans(void *task, unsigned int member)
{
    struct list_making *making = task;
    const struct kmer_counts *counts = making->counts;
    size_t p;

    (void)member;
    while ((p = atomic_fetch_add(&making->taken, 1)) < making->spans) {
        struct code_span *span = &making->span[p];
        struct kmer_merge merge;
        kmer_merge_open(&merge, counts, span->first, span->last);
        span->codes = (size_t)kmer_merge_codes(&merge);
    }
}

/* Make the entries of SPAN, of sorted partitions. */
static void
write_codes(struct list_making *making, const struct code_span *span)
{
    struct kmer_merge merge;
    size_t i = span->start;

    kmer_merge_open(&merge, making->counts, span->first, span->last);
    while (kmer_merge_next(&merge))
        kmer_entry_write(key_array_put(making->array, i++),
                         making->counts->codes.k, merge.code, merge.count);
}

static void
write_spans(void *task, unsigned int member)
{
    struct list_making *making = task;
    size_t p;

    (void)member;
    while ((p = atomic_fetch_add(&making->taken, 1)) < making->spans)
        write_codes(making, &making->span[p]);
}

/* ---- in memory ---- */

/* Open ARRAY for so many CODES.  If IS_COUNTING, the tables may need more
   memory before it is closed. */
static enum key_result
open_array(struct kmer_counts *counts, bool is_counting, size_t codes,
           struct key_array *array)
{
    struct key_memory *memory = &counts->memory;
    size_t entry_bytes = KMER_ENTRY_BYTES(counts->codes.k);
    size_t used = atomic_load(&memory->used);
    size_t left = memory->limit - (used < memory->limit ? used : memory->limit);

    if (is_counting && codes > left / 2 / (entry_bytes + sizeof *array->entry))
        return KEY_LIMIT;
    return key_array_open(array, codes, entry_bytes, memory);
}

/* Make LIST in ARRAY of the partitions, which are sorted. */
static enum key_result
make_in_memory(struct kmer_counts *counts, bool is_counting,
               struct key_array *array, struct key_list *list)
{
    struct list_making making = {.counts = counts, .array = array};
    unsigned int members =
        counts->threads < CREW_MAX ? counts->threads : CREW_MAX;
    size_t codes = 0;

    cut_codes(&making);
    crew_run(members, count_spans, &making);
    for (size_t p = 0; p < making.spans; p++) {
        making.span[p].start = codes;
        codes += making.span[p].codes;
    }
    enum key_result result = open_array(counts, is_counting, codes, array);
    if (result != KEY_OK)
        return result;
    atomic_store(&making.taken, 0);
    crew_run(members, write_spans, &making);
    *list = key_array_list(array);
    return KEY_OK;
}

/* ---- in files ---- */

/* Write all codes, and make LIST in FILE of them. */
static enum key_result
make_in_files(struct kmer_counts *counts, bool is_counting,
              enum key_run_order order, struct key_file *file,
              struct key_list *list)
{
    struct key_runs runs;
    enum key_result result = kmer_spill_settled(counts);

    key_runs_open(&runs, KEY_RUN_BY_KEY, false);
    if (result == KEY_OK)
        result = kmer_spill_sort(counts, is_counting, &runs);
    if (result == KEY_OK && runs.count > 0 &&
        key_file_open(file, &runs, order, counts->threads, counts->memory.limit,
                      true, list, &counts->failure) < 0)
        result = KEY_FAILED;
    key_runs_close(&runs);
    return result;
}

/*
 * As kmer_list_make(), of tables that have all codes, in memory.  If
 * IS_COUNTING, the tables stay unchanged.  After KEY_LIMIT, they may be sorted.
 */
static enum key_result
make_of_all(struct kmer_counts *counts, bool is_counting,
            struct key_array *array, struct key_list *list)
{
    const size_t limit = counts->memory.limit;

    (void)work_on(counts, sort_some);
    if (counts->may_widen)
        counts->memory.limit = counts->limit;
    enum key_result result = make_in_memory(counts, is_counting, array, list);
    if (is_counting && result == KEY_OK) {
        result = work_on(counts, restore_some);
        if (result == KEY_LIMIT)
            result = kmer_spill_settled(counts);
    }
    counts->memory.limit = limit;
    return result;
}

/*
 * Whether the tables should stay as they are after a snapshot.  Otherwise their
 * codes are written: that takes less time than to put them back into the tables
 * each time.
 */
static bool
keeps_tables(const struct kmer_counts *counts)
{
    return counts->may_widen || counts->path == KMER_WIDE;
}

/* ---- of few ---- */

/* As kmer_list_make(), of the list of the few, which stays as it is. */
static enum key_result
make_of_few(struct kmer_counts *counts, struct key_array *array,
            struct key_list *list)
{
    const unsigned int k = counts->codes.k;
    uint64_t *slot;
    size_t codes;
    size_t bytes;
    enum key_result result = kmer_few_sort(&counts->few, &slot, &codes, &bytes);

    if (result != KEY_OK)
        return result;
    result = key_array_open(array, codes, KMER_ENTRY_BYTES(k), &counts->memory);
    for (size_t i = 0; i < codes && result == KEY_OK; i++)
        kmer_entry_write(key_array_put(array, i), k, code_slot_code(slot, i, 1),
                         code_slot_count(slot, i, 1));
    if (result == KEY_OK)
        *list = key_array_list(array);
    key_memory_give(&counts->memory, slot, bytes);
    return result;
}

enum key_result
kmer_list_make(struct kmer_counts *counts, bool is_counting,
               enum key_run_order order, struct key_array *array,
               struct key_file *file, struct key_list *list)
{
    enum key_result result = KEY_LIMIT;

    if (kmer_few_is_all(&counts->few))
        return make_of_few(counts, array, list);
    if (!code_spill_has_codes(&counts->spill) &&
        (!is_counting || keeps_tables(counts)))
        result = make_of_all(counts, is_counting, array, list);
    return result == KEY_LIMIT
               ? make_in_files(counts, is_counting, order, file, list)
               : result;
}
