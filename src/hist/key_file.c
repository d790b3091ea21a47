/* SPDX-License-Identifier: MIT */
/* key_file.c -- the list of all keys, in temporary files */

#include <stdatomic.h>
#include <stdlib.h>

#include "base/thread.h"
#include "hist/key_cuts.h"
#include "hist/key_file.h"
#include "hist/key_merge.h"

/* Pointers that are written at a time. */
#define POINTERS 8192

/* The memory that is worth a thread: reading around cuts takes half of that. */
#define SECTION_MEMORY ((size_t)1 << 22)

/* The output of a thread takes as much memory as this number of runs. */
#define OUTPUT_RUNS 3

/* Bytes of entries in memory at a time, while their pointers are written. */
#define WINDOW ((size_t)1 << 20)

/* The output of one thread. */
struct list_section {
    struct key_runs entries; /* one run, in the file of all sections */
    uint64_t keys;
    struct scratch_file
        index; /* that of all sections; its end is where the next
                                  pointers of this section go */
    const unsigned char *pointer[POINTERS]; /* the last ones */
    size_t pointers;
    int result;
    struct error error;
};

struct making {
    const struct key_runs *runs;
    struct key_cuts cuts;
    struct list_section *section; /* of each section of CUTS */
    size_t memory;                /* of each section */
    bool discards;
    struct scratch_file entries;
    struct scratch_file index;
    const unsigned char *base; /* where the mapping of ENTRIES starts */
    uint64_t keys;
    atomic_bool has_failed;
};

/* ---- entries: section p starts where the runs would end up to its cut ---- */

static int
flush_pointers(struct list_section *section)
{
    size_t bytes = section->pointers * sizeof *section->pointer;

    section->pointers = 0;
    return scratch_file_append(&section->index, section->pointer, bytes,
                               &section->error);
}

static int
put_pointer(struct list_section *section, const unsigned char *entry)
{
    section->pointer[section->pointers++] = entry;
    return section->pointers == POINTERS ? flush_pointers(section) : 0;
}

/* Write the entries of MERGE.  In the first section, write the pointers to
   them, too: the places of later pointers are not known yet. */
static int
write_entries(struct making *making, struct list_section *section,
              struct key_merge *merge, bool is_first)
{
    const size_t sum_bytes = making->runs->sum_bytes;
    const unsigned char *entry = making->base + sum_bytes;
    int result = key_runs_start(&section->entries, &section->error);

    while (result == 0 &&
           !atomic_load_explicit(&making->has_failed, memory_order_relaxed) &&
           key_merge_next(merge)) {
        if (is_first) {
            result = put_pointer(section, entry);
            entry += sum_bytes + key_entry_bytes(merge->entry);
        }
        section->keys++;
        if (result == 0)
            result = key_runs_put(&section->entries, &merge->amount,
                                  merge->entry, &section->error);
    }
    return result == 0 ? key_runs_end(&section->entries, &section->error) : -1;
}

static void
merge_section(void *task, unsigned int number)
{
    struct making *making = task;
    struct list_section *section = &making->section[number];
    struct key_merge merge;

    section->result = key_merge_open(
        &merge, making->runs, key_cuts_section(&making->cuts, number),
        making->cuts.runs, making->memory, making->discards, &section->error);
    if (section->result == 0)
        section->result = write_entries(making, section, &merge, number == 0);
    if (section->result == 0)
        section->result = flush_pointers(section);
    if (section->result < 0)
        atomic_store(&making->has_failed, true);
    key_merge_close(&merge);
}

/* ---- pointers: they are in the order of the sections, without gaps ---- */

/* Write the pointers to the entries of section MEMBER + 1. */
static void
index_section(void *task, unsigned int member)
{
    const struct making *making = task;
    struct list_section *section = &making->section[member + 1];
    const size_t sum_bytes = making->runs->sum_bytes;
    const unsigned char *kept = making->base + section->entries.run[0].at;
    const unsigned char *at = kept;

    for (uint64_t k = 0; k < section->keys && section->result == 0; k++) {
        section->result = put_pointer(section, at + sum_bytes);
        at += sum_bytes + key_entry_bytes(at + sum_bytes);
        if ((size_t)(at - kept) >= WINDOW) {
            scratch_file_forget(making->base, kept, (size_t)(at - kept));
            kept = at;
        }
    }
    if (section->result == 0)
        section->result = flush_pointers(section);
}

/* Write the pointers that merge_section() did not. */
static void
index_sections(struct making *making)
{
    const unsigned int sections = making->cuts.sections;

    for (unsigned int p = 0; p < sections; p++) {
        struct list_section *section = &making->section[p];
        if (p > 0)
            section->index.size = making->keys * sizeof *section->pointer;
        making->keys += section->keys;
    }
    if (sections > 1)
        crew_run(sections - 1, index_section, making);
}

/* ---- the list ---- */

/* Returns 0, or -1 with *ERROR set to the error of the first failed section. */
static int
check_sections(struct making *making, struct error *error)
{
    for (unsigned int p = 0; p < making->cuts.sections; p++) {
        struct list_section *section = &making->section[p];
        if (section->result < 0) {
            error_move(error, &section->error);
            return -1;
        }
    }
    return 0;
}

static uint64_t
lesser(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static unsigned int
choose_sections(const struct key_runs *runs, unsigned int threads,
                size_t memory)
{
    uint64_t sections = lesser(threads, CREW_MAX);

    sections = lesser(sections, memory / SECTION_MEMORY);
    sections = lesser(sections,
                      key_merge_fan_in(memory) / (runs->count + OUTPUT_RUNS));
    /* Each section maps the runs: 32 bits have few addresses. */
    sections = lesser(sections, SIZE_MAX / 8 / (runs->file.size + 1));
    return sections > 0 ? (unsigned int)sections : 1;
}

static int
open_sections(struct making *making, struct error *error)
{
    const unsigned int sections = making->cuts.sections;

    making->section = calloc(sections, sizeof *making->section);
    if (making->section == NULL)
        return error_fail_memory(error);
    if (scratch_file_open(&making->entries, error) < 0 ||
        scratch_file_open(&making->index, error) < 0)
        return -1;
    for (unsigned int p = 0; p < sections; p++) {
        struct list_section *section = &making->section[p];
        key_runs_open(&section->entries, making->runs->order,
                      making->runs->sum_bytes > 0);
        section->entries.file = making->entries;
        making->entries.size += key_cuts_bytes(&making->cuts, p);
        section->index = making->index;
        section->error = ERROR_NONE;
    }
    return 0;
}

/* As key_file_open(), of runs in the order of the list. */
static int
make(struct making *making, struct key_file *file, struct error *error)
{
    if (open_sections(making, error) < 0)
        return -1;
    /* The pointers are known before the entries are written. */
    file->entries_bytes = making->entries.size + 1;
    file->entries =
        scratch_file_map(&making->entries, file->entries_bytes, error);
    if (file->entries == NULL)
        return -1;
    making->base = file->entries;
    crew_run(making->cuts.sections, merge_section, making);
    if (check_sections(making, error) < 0)
        return -1;
    index_sections(making);
    if (check_sections(making, error) < 0)
        return -1;
    file->index_bytes = making->keys * sizeof *making->section->pointer;
    if (making->keys > 0)
        file->index =
            scratch_file_map(&making->index, file->index_bytes, error);
    return making->keys > 0 && file->index == NULL ? -1 : 0;
}

static void
close_making(struct making *making)
{
    for (unsigned int p = 0;
         making->section != NULL && p < making->cuts.sections; p++) {
        struct list_section *section = &making->section[p];
        section->entries.file = (struct scratch_file){0};
        key_runs_close(&section->entries);
        error_clear(&section->error);
    }
    free(making->section);
    scratch_file_close(&making->entries);
    scratch_file_close(&making->index);
    key_cuts_close(&making->cuts);
}

static int
make_list(struct key_file *file, struct key_runs *runs, unsigned int threads,
          size_t memory, bool discards, struct key_list *list,
          struct error *error)
{
    struct making making = {.runs = runs, .discards = discards};
    int result = key_cuts_open(&making.cuts, runs,
                               choose_sections(runs, threads, memory), error);

    making.memory = memory / making.cuts.sections;
    if (result == 0)
        result = make(&making, file, error);
    *list = (struct key_list){
        .entry = file->index,
        .step = 1,
        .count = making.keys,
        .is_mapped = true,
        .is_by_count = runs->order == KEY_RUN_BY_COUNT,
    };
    close_making(&making);
    return result;
}

/* ---- runs by count, made of runs by key ---- */

/*
 * The count of a key is known only when all runs by key are merged.  So the
 * merged entries are sorted once more, as many at a time as fit into memory.
 */
struct ranked_key {
    uint64_t count;             /* 0 if entries have sums */
    const unsigned char *entry; /* in the room */
};

/* qsort() may take as much memory again. */
#define RANKED_KEY_BYTES (2 * sizeof(struct ranked_key))

/* Entries that are sorted together. */
struct key_ranking {
    struct key_runs *ranked;
    unsigned char *room; /* for entries, in the order of their keys */
    size_t room_bytes;
    size_t used;
    struct ranked_key *key; /* of each of them */
    size_t keys_max;
    size_t keys;
};

static int
compare_counts(const void *a, const void *b)
{
    const struct ranked_key *left = a;
    const struct ranked_key *right = b;

    if (left->count != right->count)
        return left->count > right->count ? -1 : 1;
    /* The entries are in the order of their keys. */
    return (left->entry > right->entry) - (left->entry < right->entry);
}

/* The same of entries with sums. */
static int
compare_sums(const void *a, const void *b)
{
    const struct ranked_key *left = a;
    const struct ranked_key *right = b;
    struct decimal_sum left_sum = key_entry_sum(left->entry);
    struct decimal_sum right_sum = key_entry_sum(right->entry);
    int order = decimal_sum_compare(&right_sum, &left_sum);

    return order != 0 ? order : compare_counts(a, b);
}

/* Write the entries that are in memory as a run. */
static int
ranking_flush(struct key_ranking *ranking, struct error *error)
{
    int result = 0;

    if (ranking->keys == 0)
        return 0;
    size_t sum_bytes = ranking->ranked->sum_bytes;
    qsort(ranking->key, ranking->keys, sizeof *ranking->key,
          sum_bytes > 0 ? compare_sums : compare_counts);
    result = key_runs_start(ranking->ranked, error);
    for (size_t k = 0; k < ranking->keys && result == 0; k++) {
        const unsigned char *entry = ranking->key[k].entry;
        struct key_amount amount = key_entry_amount(entry, sum_bytes);
        result = key_runs_put(ranking->ranked, &amount, entry, error);
    }
    if (result == 0)
        result = key_runs_end(ranking->ranked, error);
    ranking->keys = 0;
    ranking->used = 0;
    return result;
}

/* Write one entry as a run. */
static int
put_alone(struct key_runs *ranked, const struct key_amount *amount,
          const unsigned char *entry, struct error *error)
{
    if (key_runs_start(ranked, error) < 0 ||
        key_runs_put(ranked, amount, entry, error) < 0)
        return -1;
    return key_runs_end(ranked, error);
}

static int
ranking_put(struct key_ranking *ranking, const struct key_amount *amount,
            const unsigned char *entry, struct error *error)
{
    size_t sum_bytes = ranking->ranked->sum_bytes;
    size_t bytes = sum_bytes + key_entry_bytes(entry);

    if (bytes > ranking->room_bytes)
        return put_alone(ranking->ranked, amount, entry, error);
    if ((bytes > ranking->room_bytes - ranking->used ||
         ranking->keys == ranking->keys_max) &&
        ranking_flush(ranking, error) < 0)
        return -1;
    unsigned char *copy = ranking->room + ranking->used + sum_bytes;
    memcpy(copy - sum_bytes, &amount->sum, sum_bytes);
    memcpy(copy, &amount->count, sizeof amount->count);
    memcpy(copy + KEY_ENTRY_SIZE_AT, entry + KEY_ENTRY_SIZE_AT,
           bytes - sum_bytes - KEY_ENTRY_SIZE_AT);
    ranking->used += bytes;
    ranking->key[ranking->keys++] =
        (struct ranked_key){sum_bytes > 0 ? 0 : amount->count, copy};
    return 0;
}

static int
ranking_fill(struct key_ranking *ranking, struct key_runs *runs, size_t memory,
             bool discards, struct error *error)
{
    struct key_merge merge;

    if (key_merge_reduce(runs, memory, error) < 0)
        return -1;
    int result = key_merge_open(&merge, runs, runs->run, runs->count, memory,
                                discards, error);
    while (result == 0 && key_merge_next(&merge))
        result = ranking_put(ranking, &merge.amount, merge.entry, error);
    if (result == 0)
        result = ranking_flush(ranking, error);
    key_merge_close(&merge);
    return result;
}

/*
 * Merge RUNS, which are in the order of their keys, and put their entries into
 * RANKED as runs in the order of their counts.  About MEMORY bytes are in
 * memory.  If DISCARDS, RUNS have no content afterwards.  Returns 0, or -1 with
 * *ERROR set.
 */
static int
rank(struct key_runs *ranked, struct key_runs *runs, size_t memory,
     bool discards, struct error *error)
{
    struct key_ranking ranking = {
        .ranked = ranked,
        .room_bytes = memory / 4 + 1,
        .keys_max = memory / 4 / RANKED_KEY_BYTES + 1,
    };
    int result = -1;

    ranking.room = malloc(ranking.room_bytes);
    ranking.key = malloc(ranking.keys_max * sizeof *ranking.key);
    if (ranking.room != NULL && ranking.key != NULL)
        result = ranking_fill(&ranking, runs, memory / 2, discards, error);
    else
        (void)error_fail_memory(error);
    free(ranking.room);
    free(ranking.key);
    return result;
}

int
key_file_open(struct key_file *file, struct key_runs *runs,
              enum key_run_order order, unsigned int threads, size_t memory,
              bool discards, struct key_list *list, struct error *error)
{
    struct key_runs ranked;
    int result = 0;

    *file = (struct key_file){0};
    key_runs_open(&ranked, KEY_RUN_BY_COUNT, runs->sum_bytes > 0);
    if (order == KEY_RUN_BY_COUNT) {
        result = rank(&ranked, runs, memory, discards, error);
        runs = &ranked;
        discards = true;
    }
    if (result == 0)
        result = key_merge_reduce(runs, memory, error);
    if (result == 0)
        result = make_list(file, runs, threads, memory, discards, list, error);
    key_runs_close(&ranked);
    return result;
}

void
key_file_close(struct key_file *file)
{
    scratch_file_unmap(file->entries, file->entries_bytes);
    scratch_file_unmap(file->index, file->index_bytes);
    *file = (struct key_file){0};
}
