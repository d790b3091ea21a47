/* SPDX-License-Identifier: MIT */
/*
 * key_run.h -- sorted runs of entries in a temporary file
 *
 * A run is entries (key_table.h), one after the other without gaps, in one of
 * two orders; all entries have a sum, or no entry has a sum.  All runs are in
 * one file, which is made with the first run, so they need one descriptor.
 */

#ifndef GPUHIST_KEY_RUN_H
#define GPUHIST_KEY_RUN_H

#include <stdbool.h>

#include "base/scratch_file.h"
#include "hist/key_order.h"
#include "hist/key_table.h"

enum key_run_order {
    KEY_RUN_BY_KEY,   /* as memcmp(); a prefix of a key comes first */
    KEY_RUN_BY_COUNT, /* the greatest count, or sum, first; equal ones by key */
};

/* The most marks of a run. */
#define KEY_RUN_MARKS 512

/* Bytes of the file, from AT to END. */
struct key_run {
    uint64_t at;
    uint64_t end;
    uint64_t *mark; /* where MARKS entries start: the first entry, and further
                       entries at about equal distances; or NULL */
    size_t marks;
};

struct key_runs {
    enum key_run_order order;
    size_t sum_bytes; /* of each entry: key_sum_bytes() */
    struct scratch_file file;
    struct key_run *run; /* COUNT runs, in the order of their bytes */
    size_t count;
    size_t room;
    unsigned char *buffer; /* the last bytes of the run that is written */
    size_t buffer_bytes;
    size_t used;
};

/* Start without runs and without a file. */
void key_runs_open(struct key_runs *runs, enum key_run_order order,
                   bool has_sums);

/*
 * Start a run; no entry is put into an older run afterwards.  This function and
 * the next ones return 0, or -1 with *ERROR set.
 */
int key_runs_start(struct key_runs *runs, struct error *error);

/*
 * Put an entry into the run: AMOUNT, and the size and the key of ENTRY.
 */
int key_runs_put(struct key_runs *runs, const struct key_amount *amount,
                 const unsigned char *entry, struct error *error);

/*
 * Reserve BYTES at the end of the run for the next entries, without
 * key_runs_put().  Some of these entries start at the bytes MARK[0..MARKS-1],
 * which ascend.  Returns the file at the reserved place, where the caller, in
 * any thread, appends the entries.
 */
struct scratch_file key_runs_reserve(struct key_runs *runs, uint64_t bytes,
                                     const size_t *mark, size_t marks);

/* End the run. */
int key_runs_end(struct key_runs *runs, struct error *error);

/*
 * Put the keys of ORDER as a run of their own.  At most THREADS threads write
 * sections of the run at the same time, as far as the memory of ORDER has room
 * for KEY_PUT_BYTES for each key.  If several threads write, the run has marks.
 */
int key_runs_put_order(struct key_runs *runs, const struct key_order *order,
                       unsigned int threads, struct error *error);

/* Remove the first COUNT runs.  Their bytes stay in the file. */
void key_runs_drop(struct key_runs *runs, size_t count);

/* Release everything.  RUNS may be all 0. */
void key_runs_close(struct key_runs *runs);

#endif
