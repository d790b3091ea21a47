/* SPDX-License-Identifier: MIT */
/*
 * number_counts.h -- the counts of fields that are numbers
 *
 * One field has an axis of its own; or 2 to 64 fields are counted jointly, in a
 * cell for each combination of bins.  Each CPU thread reads the numbers of a
 * batch as binary records, and counts these in a histogram of its own.  Or the
 * samples are binary already.
 *
 * Where --range=auto looks for a range, each thread has a lattice of its own;
 * the lattices are merged at the end.  So the result depends only on the least
 * and the greatest number.
 *
 * Of a sparse axis, which is always alone, the codes of the numbers
 * (key_code.h) are counted as keys.
 */

#ifndef GPUHIST_NUMBER_COUNTS_H
#define GPUHIST_NUMBER_COUNTS_H

#include <pthread.h>

#include "engine/cpu/keys/key_counter.h"
#include "engine/cpu/keys/number_field.h"
#include "hist/lattice.h"
#include "hist/spec.h"
#include "sync/thread_list.h"

/* The limit of records for one call of number_counter_add(). */
#define NUMBER_COUNTS_BATCH 8192

/* The numbers of an axis, so far. */
struct number_axis {
    struct extent extent; /* if its range is found while counting */
    uint64_t numbers;     /* values that are one */
};

struct number_table {
    struct spec spec; /* of these axes alone, which are owned */
    struct number_axis *axis;
    /* A cell for each combination; if the axis is sparse, one for each reason
       (enum axis_special) why a record has no number. */
    struct histogram histogram;
    /* With weights and one axis: what the histogram does not have yet of each
       cell's sum; else NULL. */
    int64_t *nano;
};

struct number_counter;

struct number_counts {
    const struct spec *spec;
    size_t first_axis; /* of SPEC */
    struct thread_list counters;
    /* All below: under the lock of the list. */
    struct number_table table;
};

/*
 * Prepare to count AXES axes of SPEC, from FIRST on; SPEC outlives COUNTS.
 * Several axes have bins, and are all axes of SPEC, which is of text.  Returns
 * 0, or -1: out of memory.  The caller calls number_counts_close() in both
 * cases.
 */
int number_counts_open(struct number_counts *counts, const struct spec *spec,
                       size_t first, size_t axes);

/* Returns counted axis A, with the range so far. */
static inline const struct binning_axis *
number_table_axis(const struct number_table *table, size_t a)
{
    return &table->spec.counted[a];
}

/* Returns the cell of the histogram for the records that lack the only number
   of TABLE, for REASON. */
uint64_t number_table_special(const struct number_table *table,
                              enum axis_special reason);

/*
 * Add the tables of all counters to COUNTS->table.  No thread may be counting.
 * Returns 0, or -1: out of memory.
 */
int number_counts_settle(struct number_counts *counts);

/*
 * Count a record COUNT times: in counts->table, or in KEYS if the axis is
 * sparse.  SLICE has the fields of the axes, of the data at DATA.  No thread
 * may be counting.
 */
enum key_result number_counts_add(struct number_counts *counts,
                                  struct key_counts *keys,
                                  const unsigned char *data,
                                  const struct text_slice *slice,
                                  uint64_t count);

/* Count the binary sample 0 COUNT times, as number_counts_add(). */
enum key_result number_counts_add_zeros(struct number_counts *counts,
                                        struct key_counts *keys,
                                        uint64_t count);

/*
 * Add COUNT, of each bin and of each flow cell for numbers, to counts->table,
 * whose only axis has a range.  No thread may be counting.
 */
void number_counts_add_cells(struct number_counts *counts,
                             const uint64_t *count);

/* Forget all counts, which are settled, and the lattices.  No thread may be
   counting. */
void number_counts_restart(struct number_counts *counts);

/* Release everything.  All counters are closed. */
void number_counts_close(struct number_counts *counts);

/* ---- one thread ---- */

/* Returns the bytes of a counter of one axis, beside its histogram. */
size_t number_counter_bytes(void);

/* Returns the histogram of another thread, or NULL: out of memory. */
struct number_counter *number_counter_new(struct number_counts *counts);

/*
 * Count RECORDS records of the chunk at DATA, which may be reused afterwards.
 * Record R has the fields of the axes at SLICE[R * STRIDE].  WEIGHTS has the
 * weights of the records, or is NULL.  If the axis is sparse, KEYS counts the
 * codes.  Returns KEY_OK, or why it failed.
 */
enum key_result number_counter_add(struct number_counter *counter,
                                   struct key_counter *keys,
                                   const unsigned char *data,
                                   const struct text_slice *slice,
                                   size_t records, size_t stride,
                                   const struct key_weights *weights);

/*
 * The same for an element of the binary records in SIZE bytes at DATA:
 * NUMBER_COUNTS_BATCH records at most.
 */
enum key_result number_counter_add_samples(struct number_counter *counter,
                                           struct key_counter *keys,
                                           const unsigned char *data,
                                           size_t size);

/* NUMBERS of the only axis were counted elsewhere (group_cache.h). */
void number_counter_note(struct number_counter *counter, uint64_t numbers);

/* Release COUNTER.  Counts that are not settled are lost. */
void number_counter_close(struct number_counter *counter);

#endif
