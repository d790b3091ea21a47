/* kmer_list.c -- the k-mers that occur, as a list of keys */

#include <stdlib.h>

#include "base/thread.h"
#include "engine/cpu/kmers/kmer_list.h"
#include "engine/cpu/kmers/kmer_merge.h"
#include "engine/cpu/kmers/kmer_run.h"
#include "hist/key_merge.h"

/* A thread makes the entries of some of these spans. */
#define SPANS_MAX 256
#define CODES_WORTH_A_SPAN 4096

/* The codes from FIRST to LAST, both included. */
struct code_span {
    uint64_t first;
    uint64_t last;
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
    uint64_t first = 0;

    spans = is_wide || spans > SPANS_MAX ? SPANS_MAX : spans;
    spans = is_wide || spans < table->codes ? spans : table->codes;
    for (size_t i = 1; i < spans; i++) {
        uint64_t next = is_wide ? kmer_counts_cells(counts) / spans * i
                                : table->slot[table->codes * i / spans].code;
        making->span[making->spans++] =
            (struct code_span){.first = first, .last = next - 1};
        first = next;
    }
    making->span[making->spans++] =
        (struct code_span){.first = first, .last = UINT64_MAX};
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
        kmer_merge_open(&merge, counts, span->first, span->last, true);
        span->codes = (size_t)kmer_merge_codes(&merge);
    }
}

/* Make the entries of SPAN, of sorted partitions. */
static void
write_codes(struct list_making *making, const struct code_span *span)
{
    struct kmer_merge merge;
    size_t i = span->start;

    kmer_merge_open(&merge, making->counts, span->first, span->last, true);
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

/* Make LIST in FILE of RUNS. */
static enum key_result
make_of_runs(struct kmer_counts *counts, struct key_runs *runs, bool discards,
             enum key_run_order order, struct key_file *file,
             struct key_list *list)
{
    const size_t memory = counts->memory.limit;
    int made = 0;

    if (runs->count == 0)
        return KEY_OK;
    if (!discards)
        made = key_merge_compact(runs, memory, &counts->failure);
    if (made == 0)
        made = key_file_open(file, runs, order, counts->threads, memory,
                             discards, list, &counts->failure);
    return made == 0 ? KEY_OK : KEY_FAILED;
}

/* Make LIST in FILE of the partitions, which are sorted and stay as they are.
 */
static enum key_result
make_of_tables(struct kmer_counts *counts, struct key_file *file,
               struct key_list *list)
{
    enum key_result result = KEY_FAILED;
    struct key_runs runs;

    key_runs_open(&runs, KEY_RUN_BY_KEY, false);
    if (kmer_run_put(counts, true, &runs) == 0)
        result = make_of_runs(counts, &runs, true, KEY_RUN_BY_KEY, file, list);
    key_runs_close(&runs);
    return result;
}

/*
 * As kmer_list_make(), of tables that have all codes.  If IS_COUNTING, the
 * tables stay unchanged.
 */
static enum key_result
make_of_all(struct kmer_counts *counts, bool is_counting,
            struct key_array *array, struct key_file *file,
            struct key_list *list)
{
    const size_t limit = counts->memory.limit;

    kmer_run_sort(counts, true);
    if (counts->may_widen)
        counts->memory.limit = counts->limit;
    enum key_result result = make_in_memory(counts, is_counting, array, list);
    if (!is_counting)
        return result;
    if (result == KEY_LIMIT)
        result = make_of_tables(counts, file, list);
    enum key_result restored = kmer_run_restore(counts);
    if (restored == KEY_LIMIT)
        restored = kmer_run_write(counts, true);
    counts->memory.limit = limit;
    return result == KEY_OK ? restored : result;
}

/*
 * Whether the tables should stay as they are after a snapshot.  Otherwise their
 * codes become a run: codes that are sorted once and merged several times take
 * less time than codes that are sorted and put back into the tables each time.
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
    struct code_slot *slot;
    size_t codes;
    size_t bytes;
    enum key_result result = kmer_few_sort(&counts->few, &slot, &codes, &bytes);

    if (result != KEY_OK)
        return result;
    result = key_array_open(array, codes, KMER_ENTRY_BYTES(k), &counts->memory);
    for (size_t i = 0; i < codes && result == KEY_OK; i++)
        kmer_entry_write(key_array_put(array, i), k, slot[i].code,
                         slot[i].count);
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
    if (counts->runs.count == 0 && (!is_counting || keeps_tables(counts)))
        result = make_of_all(counts, is_counting, array, file, list);
    if (result != KEY_LIMIT)
        return result;
    result = kmer_run_write(counts, true);
    return result == KEY_OK ? make_of_runs(counts, &counts->runs, !is_counting,
                                           order, file, list)
                            : result;
}
