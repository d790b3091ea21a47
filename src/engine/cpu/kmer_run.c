/* kmer_run.c -- all k-mers as a sorted run in a temporary file */

#include "engine/cpu/kmer_run.h"
#include "engine/cpu/kmer_merge.h"
#include "util/crew.h"

struct sorting {
    struct kmer_counts *counts;
    bool absorbs;
    atomic_size_t taken; /* partitions that are sorted or being sorted */
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

void
kmer_run_sort(struct kmer_counts *counts, bool has_wide)
{
    struct sorting sorting = {.counts = counts, .absorbs = has_wide};
    unsigned int members =
        counts->threads < CREW_MAX ? counts->threads : CREW_MAX;

    crew_run(members, sort_some, &sorting);
}

enum key_result
kmer_run_write(struct kmer_counts *counts, bool has_wide)
{
    unsigned char entry[KMER_ENTRY_BYTES(KMER_MAX)];
    uint64_t before = counts->runs.file.size;
    struct kmer_merge merge;
    int result;

    kmer_run_sort(counts, has_wide);
    kmer_merge_open(&merge, counts, 0, UINT64_MAX, has_wide);
    bool has_code = kmer_merge_next(&merge);
    if (!has_code)
        return KEY_OK;
    result = key_runs_begin(&counts->runs, &counts->failure);
    for (; result == 0 && has_code; has_code = kmer_merge_next(&merge)) {
        struct key_amount amount = {.count = merge.count};
        kmer_entry_write(entry, counts->codes.k, merge.code, merge.count);
        result = key_runs_put(&counts->runs, &amount, entry, &counts->failure);
    }
    if (result == 0)
        result = key_runs_end(&counts->runs, &counts->failure);
    counts->spills++;
    counts->spilled_bytes += counts->runs.file.size - before;
    kmer_counts_empty(counts);
    if (has_wide && counts->way == KMER_WIDE)
        kmer_table_clear(&counts->table);
    return result == 0 ? KEY_OK : KEY_FAILED;
}
