/* kmer_list.c -- the k-mers that occur, as a list of keys */

#include <stdlib.h>

#include "engine/cpu/kmer_list.h"
#include "engine/cpu/kmer_merge.h"
#include "engine/cpu/kmer_run.h"
#include "util/crew.h"

/* A thread makes the entries of some of these parts. */
#define PARTS_MAX 256
#define CODES_WORTH_A_PART 4096

/* The codes from FIRST to LAST, both included. */
struct part {
    uint64_t first;
    uint64_t last;
    size_t codes; /* that occur */
    size_t begin; /* the number of the first one */
};

struct making {
    const struct kmer_counts *counts;
    struct key_array *array;
    struct part part[PARTS_MAX];
    size_t parts;
    atomic_size_t taken; /* parts that are done or being done */
};

/* ---- parts ---- */

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

/* Cut the codes into parts: those of a partition are a sample of them. */
static void
cut_codes(struct making *making)
{
    const struct kmer_counts *counts = making->counts;
    const struct code_table *table = largest_table(counts);
    size_t parts =
        (table->codes << counts->partitions_log) / CODES_WORTH_A_PART;
    bool is_wide = counts->way == KMER_WIDE;
    uint64_t first = 0;

    parts = is_wide || parts > PARTS_MAX ? PARTS_MAX : parts;
    parts = is_wide || parts < table->codes ? parts : table->codes;
    for (size_t i = 1; i < parts; i++) {
        uint64_t next = is_wide ? kmer_counts_cells(counts) / parts * i
                                : table->slot[table->codes * i / parts].code;
        making->part[making->parts++] =
            (struct part){.first = first, .last = next - 1};
        first = next;
    }
    making->part[making->parts++] =
        (struct part){.first = first, .last = UINT64_MAX};
}

/* Count the codes of some parts that occur. */
static void
count_parts(void *task, unsigned int member)
{
    struct making *making = task;
    const struct kmer_counts *counts = making->counts;
    size_t p;

    (void)member;
    while ((p = atomic_fetch_add(&making->taken, 1)) < making->parts) {
        struct part *part = &making->part[p];
        struct kmer_merge merge;
        kmer_merge_open(&merge, counts, part->first, part->last, true);
        part->codes = (size_t)kmer_merge_codes(&merge);
    }
}

/* Make the entries of PART, of sorted partitions. */
static void
write_codes(struct making *making, const struct part *part)
{
    struct kmer_merge merge;
    size_t i = part->begin;

    kmer_merge_open(&merge, making->counts, part->first, part->last, true);
    while (kmer_merge_next(&merge))
        kmer_entry_write(key_array_put(making->array, i++),
                         making->counts->codes.k, merge.code, merge.count);
}

static void
write_parts(void *task, unsigned int member)
{
    struct making *making = task;
    size_t p;

    (void)member;
    while ((p = atomic_fetch_add(&making->taken, 1)) < making->parts)
        write_codes(making, &making->part[p]);
}

/* ---- in memory ---- */

static enum key_result
make_in_memory(struct kmer_counts *counts, struct key_array *array,
               struct key_list *list)
{
    struct making making = {.counts = counts, .array = array};
    unsigned int members =
        counts->threads < CREW_MAX ? counts->threads : CREW_MAX;
    size_t codes = 0;

    kmer_run_sort(counts, true);
    cut_codes(&making);
    crew_run(members, count_parts, &making);
    for (size_t p = 0; p < making.parts; p++) {
        making.part[p].begin = codes;
        codes += making.part[p].codes;
    }
    enum key_result result = key_array_open(
        array, codes, KMER_ENTRY_BYTES(counts->codes.k), &counts->memory);
    if (result != KEY_OK)
        return result;
    atomic_store(&making.taken, 0);
    crew_run(members, write_parts, &making);
    *list = key_array_list(array);
    return KEY_OK;
}

/* ---- in files ---- */

static enum key_result
make_in_files(struct kmer_counts *counts, bool is_counting,
              enum key_run_order order, struct key_file *file,
              struct key_list *list)
{
    enum key_result result = kmer_run_write(counts, true);

    if (result != KEY_OK || counts->runs.count == 0)
        return result;
    int made = key_file_open(file, &counts->runs, order, counts->threads,
                             counts->memory.limit, !is_counting, list,
                             &counts->failure);
    return made == 0 ? KEY_OK : KEY_FAILED;
}

enum key_result
kmer_list_make(struct kmer_counts *counts, bool is_counting,
               enum key_run_order order, struct key_array *array,
               struct key_file *file, struct key_list *list)
{
    enum key_result result = KEY_LIMIT;

    /* Codes that are sorted cannot be added to. */
    if (!is_counting && counts->runs.count == 0)
        result = make_in_memory(counts, array, list);
    return result == KEY_LIMIT
               ? make_in_files(counts, is_counting, order, file, list)
               : result;
}
