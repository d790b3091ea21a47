/*
 * key_run.h -- sorted runs of entries in a temporary file
 *
 * A run is entries (key_table.h), one after the other without gaps, in one of
 * two orders; all have a sum or none has.  All runs are in one file, which is
 * made with the first run, so they need one descriptor.
 */

#ifndef GPUHIST_KEY_RUN_H
#define GPUHIST_KEY_RUN_H

#include <stdbool.h>

#include "base/scratch_file.h"
#include "hist/key_order.h"
#include "hist/key_table.h"

enum key_run_order {
    KEY_RUN_BY_KEY,   /* as memcmp(), a key before those that it begins */
    KEY_RUN_BY_COUNT, /* the greatest count, or sum, first; equal ones by key */
};

/* The most marks of a run. */
#define KEY_RUN_MARKS 512

/* Bytes of the file, from AT to END. */
struct key_run {
    uint64_t at;
    uint64_t end;
    uint64_t *mark; /* where MARKS entries begin: the first one, and others at
                       about equal distances; or NULL */
    size_t marks;
};

struct key_runs {
    enum key_run_order order;
    size_t sum_bytes; /* of each entry: key_sum_bytes() */
    struct scratch_file file;
    struct key_run *run; /* COUNT of them, in the order of their bytes */
    size_t count;
    size_t room;
    unsigned char *buffer; /* the end of the run that is being written */
    size_t buffer_bytes;
    size_t used;
};

/* Begin without runs and without a file. */
void key_runs_open(struct key_runs *runs, enum key_run_order order,
                   bool has_sums);

/*
 * Begin a run; no entry is put into an older one afterwards.  These functions
 * return 0, or -1 with *ERROR set.
 */
int key_runs_begin(struct key_runs *runs, struct error *error);

/*
 * Put an entry into the run: AMOUNT, and the size and the key of ENTRY.
 */
int key_runs_put(struct key_runs *runs, const struct key_amount *amount,
                 const unsigned char *entry, struct error *error);

/*
 * Put the BYTES of the next entries into the run, without key_runs_put(); some
 * of them begin at their bytes MARK[0..MARKS-1], which ascend.  Returns the
 * file at its end, to which the caller, any thread, appends them.
 */
struct scratch_file key_runs_reserve(struct key_runs *runs, uint64_t bytes,
                                     const size_t *mark, size_t marks);

/* End the run. */
int key_runs_end(struct key_runs *runs, struct error *error);

/*
 * Put the keys of ORDER as a run of its own.  At most THREADS threads write
 * parts of it at the same time, as far as the memory of ORDER has room for
 * KEY_PUT_BYTES for each key.  If more than one does, the run has marks.
 */
int key_runs_put_order(struct key_runs *runs, const struct key_order *order,
                       unsigned int threads, struct error *error);

/* Remove the first COUNT runs.  Their bytes stay in the file. */
void key_runs_drop(struct key_runs *runs, size_t count);

/* Release everything.  Also of RUNS that are all 0. */
void key_runs_close(struct key_runs *runs);

#endif
