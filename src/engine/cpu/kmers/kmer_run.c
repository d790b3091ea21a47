/* kmer_run.c -- all k-mers as a sorted run in a temporary file */

#include "engine/cpu/kmers/kmer_run.h"
#include "base/thread.h"
#include "engine/cpu/kmers/kmer_merge.h"

/* Work on all partitions, which threads take one by one. */
struct sorting {
    struct kmer_counts *counts;
    bool absorbs;
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
        if (sorting->absorbs)
            kmer_counts_absorb(sorting->counts, p);
        code_table_sort(&sorting->counts->partition[p].table,
                        2 * sorting->counts->codes.k);
    }
}

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

/* Let all threads of COUNTS do WORK. */
static enum key_result
work_on(struct kmer_counts *counts, crew_work *work, bool absorbs)
{
    struct sorting sorting = {
        .counts = counts, .absorbs = absorbs, .result = KEY_OK};
    unsigned int members =
        counts->threads < CREW_MAX ? counts->threads : CREW_MAX;

    crew_run(members, work, &sorting);
    return (enum key_result)atomic_load(&sorting.result);
}

void
kmer_run_sort(struct kmer_counts *counts, bool has_wide)
{
    (void)work_on(counts, sort_some, has_wide);
}

enum key_result
kmer_run_restore(struct kmer_counts *counts)
{
    return work_on(counts, restore_some, false);
}

int
kmer_run_put(struct kmer_counts *counts, bool has_wide, struct key_runs *runs)
{
    unsigned char entry[KMER_ENTRY_BYTES(KMER_MAX)];
    struct kmer_merge merge;

    kmer_merge_open(&merge, counts, 0, UINT64_MAX, has_wide);
    bool has_code = kmer_merge_next(&merge);
    if (!has_code)
        return 0;
    int result = key_runs_start(runs, &counts->failure);
    for (; result == 0 && has_code; has_code = kmer_merge_next(&merge)) {
        struct key_amount amount = {.count = merge.count};
        kmer_entry_write(entry, counts->codes.k, merge.code, merge.count);
        result = key_runs_put(runs, &amount, entry, &counts->failure);
    }
    return result == 0 ? key_runs_end(runs, &counts->failure) : -1;
}

enum key_result
kmer_run_write(struct kmer_counts *counts, bool has_wide)
{
    uint64_t before = counts->runs.file.size;
    size_t runs = counts->runs.count;

    kmer_run_sort(counts, has_wide);
    int result = kmer_run_put(counts, has_wide, &counts->runs);
    if (counts->runs.count == runs)
        return result == 0 ? KEY_OK : KEY_FAILED;
    counts->spills++;
    counts->spilled_bytes += counts->runs.file.size - before;
    kmer_counts_empty(counts);
    if (has_wide && counts->path == KMER_WIDE)
        kmer_table_clear(&counts->table);
    return result == 0 ? KEY_OK : KEY_FAILED;
}
