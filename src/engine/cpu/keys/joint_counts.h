/*
 * joint_counts.h -- the joint counts of fields of text that are numbers
 *
 * All axes have bins, so there is a cell for each combination.  Each CPU thread
 * reads the numbers of a batch as records, and counts these in a histogram of
 * its own, as if they were binary records.  Where --range=auto looks for a
 * range, each thread has a lattice of its own, as in number_counts.h.
 */

#ifndef GPUHIST_JOINT_COUNTS_H
#define GPUHIST_JOINT_COUNTS_H

#include <pthread.h>

#include "engine/cpu/keys/number_field.h"
#include "hist/key_table.h"
#include "hist/lattice.h"
#include "hist/spec.h"

/* The limit of records for one call of joint_counter_add(). */
#define JOINT_COUNTS_BATCH 8192

/* An axis of a table. */
struct joint_axis {
    struct extent extent;
    uint64_t numbers; /* values that are one */
};

struct joint_table {
    struct spec spec; /* what engines count; its axes are owned */
    struct joint_axis *axis;
    struct histogram histogram;
};

struct joint_counter;

struct joint_counts {
    const struct spec *spec;
    pthread_mutex_t lock;
    /* All below: under the lock. */
    struct joint_table table;
    struct joint_counter *first; /* list of the counters */
};

/*
 * Prepare to count the fields of SPEC, which is joint and outlives COUNTS.
 * Returns 0, or -1: out of memory.  The caller calls joint_counts_close() in
 * both cases.
 */
int joint_counts_open(struct joint_counts *counts, const struct spec *spec);

/*
 * Add what counters have counted to COUNTS->table.  No thread may be counting.
 * Returns 0, or -1: out of memory.
 */
int joint_counts_settle(struct joint_counts *counts);

/*
 * Count a record COUNT times, in counts->table.  SLICE has its fields, which
 * are computed.  No thread may be counting.  Returns KEY_OK or KEY_NO_MEMORY.
 */
enum key_result joint_counts_add(struct joint_counts *counts,
                                 const struct text_slice *slice,
                                 uint64_t count);

/* Forget all counts, which are settled, and the lattices.  No thread may be
   counting. */
void joint_counts_restart(struct joint_counts *counts);

/* Release everything.  All counters are closed. */
void joint_counts_close(struct joint_counts *counts);

/* ---- one thread ---- */

/* Returns the histogram of another thread, or NULL: out of memory. */
struct joint_counter *joint_counter_new(struct joint_counts *counts);

/*
 * Count RECORDS records of the chunk at DATA.  SLICE has the fields of the
 * spec, record by record; WEIGHTS has their weights, or is NULL.  Returns
 * KEY_OK, or KEY_NO_MEMORY.
 */
enum key_result joint_counter_add(struct joint_counter *counter,
                                  const unsigned char *data,
                                  const struct text_slice *slice,
                                  size_t records,
                                  const struct key_weights *weights);

/* Release COUNTER.  Counts that are not settled are lost. */
void joint_counter_close(struct joint_counter *counter);

#endif
