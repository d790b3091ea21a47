/* key_file.c -- the list of all keys, in temporary files */

#include <stdlib.h>

#include "hist/key_file.h"
#include "hist/key_merge.h"
#include "hist/key_ranking.h"

/* Pointers that are written at a time. */
#define POINTERS 8192

/* What is written. */
struct making {
    struct key_runs entries; /* one run */
    struct scratch_file index;
    const unsigned char *base; /* where the mapping of the entries begins */
    uint64_t at;               /* the bytes of the entries so far */
    uint64_t keys;
    const unsigned char *pointer[POINTERS]; /* the last ones */
    size_t pointers;
};

static int
flush_pointers(struct making *making, struct error *error)
{
    size_t bytes = making->pointers * sizeof *making->pointer;

    making->pointers = 0;
    return scratch_file_append(&making->index, making->pointer, bytes, error);
}

static int
put(struct making *making, const struct key_amount *amount,
    const unsigned char *entry, struct error *error)
{
    size_t sum_bytes = making->entries.sum_bytes;

    making->pointer[making->pointers++] = making->base + making->at + sum_bytes;
    making->at += sum_bytes + key_entry_bytes(entry);
    making->keys++;
    if (making->pointers == POINTERS && flush_pointers(making, error) < 0)
        return -1;
    return key_runs_put(&making->entries, amount, entry, error);
}

/* The bytes of all RUNS: merging adds none. */
static uint64_t
bytes_of(const struct key_runs *runs)
{
    uint64_t bytes = 0;

    for (size_t r = 0; r < runs->count; r++)
        bytes += runs->run[r].end - runs->run[r].at;
    return bytes;
}

/* Write the entries of MERGE, and the pointers to them. */
static int
write_all(struct making *making, struct key_merge *merge, struct error *error)
{
    int result = 0;

    while (result == 0 && key_merge_next(merge))
        result = put(making, &merge->amount, merge->entry, error);
    if (result == 0)
        result = key_runs_end(&making->entries, error);
    return result == 0 ? flush_pointers(making, error) : -1;
}

/* As key_file_open(), of RUNS in the order of the list. */
static int
make(struct making *making, struct key_file *file, struct key_runs *runs,
     size_t memory, bool discards, struct error *error)
{
    struct key_merge merge;

    key_runs_open(&making->entries, runs->order, runs->sum_bytes > 0);
    if (key_runs_begin(&making->entries, error) < 0 ||
        scratch_file_open(&making->index, error) < 0)
        return -1;
    /* The pointers are known before the entries are written. */
    file->entries_bytes = bytes_of(runs) + 1;
    file->entries =
        scratch_file_map(&making->entries.file, file->entries_bytes, error);
    if (file->entries == NULL)
        return -1;
    making->base = file->entries;
    int result =
        key_merge_open(&merge, runs, 0, runs->count, memory, discards, error);
    if (result == 0)
        result = write_all(making, &merge, error);
    key_merge_close(&merge);
    if (result < 0)
        return -1;
    file->index_bytes = making->keys * sizeof *making->pointer;
    if (making->keys > 0)
        file->index =
            scratch_file_map(&making->index, file->index_bytes, error);
    return making->keys > 0 && file->index == NULL ? -1 : 0;
}

static int
make_list(struct key_file *file, struct key_runs *runs, size_t memory,
          bool discards, struct key_list *list, struct error *error)
{
    struct making *making = calloc(1, sizeof *making);

    if (making == NULL) {
        error_set(error, EXIT_DATA, "out of memory");
        return -1;
    }
    int result = make(making, file, runs, memory, discards, error);
    *list = (struct key_list){
        .entry = file->index,
        .step = 1,
        .count = making->keys,
        .is_mapped = true,
        .is_by_count = runs->order == KEY_RUN_BY_COUNT,
    };
    key_runs_close(&making->entries);
    scratch_file_close(&making->index);
    free(making);
    return result;
}

int
key_file_open(struct key_file *file, struct key_runs *runs,
              enum key_run_order order, size_t memory, bool discards,
              struct key_list *list, struct error *error)
{
    struct key_runs ranked;
    int result = 0;

    *file = (struct key_file){0};
    key_runs_open(&ranked, KEY_RUN_BY_COUNT, runs->sum_bytes > 0);
    if (order == KEY_RUN_BY_COUNT) {
        result = key_ranking_make(&ranked, runs, memory, discards, error);
        runs = &ranked;
        discards = true;
    }
    if (result == 0)
        result = key_merge_reduce(runs, memory, error);
    if (result == 0)
        result = make_list(file, runs, memory, discards, list, error);
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
