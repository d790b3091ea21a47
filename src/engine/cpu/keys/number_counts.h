/*
 * number_counts.h -- the counts of a field that is a number, beside keys
 *
 * Each CPU thread reads the numbers of a field of text into a column, and
 * counts them in a histogram of its own, as binary samples.  Or it counts an
 * element of binary records, if some element has no bins.  Where --range=auto
 * looks for the range, each thread has a lattice of its own; they are merged at
 * the end.  So the result depends only on the least and the greatest number.
 *
 * Of a sparse axis, the codes of the numbers (key_code.h) are counted as keys.
 */

#ifndef GPUHIST_NUMBER_COUNTS_H
#define GPUHIST_NUMBER_COUNTS_H

#include <pthread.h>

#include "engine/cpu/keys/key_counter.h"
#include "engine/cpu/keys/number_field.h"
#include "hist/lattice.h"
#include "hist/spec.h"

/* The limit of numbers for one call of number_counter_add(). */
#define NUMBER_COUNTS_BATCH 8192

/* A histogram with one axis, and the records without a number. */
struct number_table {
    struct binning_axis axis;
    struct spec spec; /* of AXIS alone, which engines count */
    struct extent extent;
    struct histogram histogram; /* not open: the axis is sparse */
    uint64_t numbers;
    uint64_t special[AXIS_SPECIALS];

    /* With weights: the sums of the special records, and what the histogram
       does not have yet of each cell's sum; or NULL. */
    struct decimal_sum special_sum[AXIS_SPECIALS];
    int64_t *nano;
};

struct number_counter;

struct number_counts {
    size_t record_bytes;     /* from one number to the next */
    struct field_text field; /* of text: what a thread begins with */
    pthread_mutex_t lock;
    /* All below: under the lock. */
    struct number_table table;
    struct number_counter *first; /* list of the counters */
};

/*
 * Prepare to count axis I of SPEC, which outlives COUNTS.  Returns 0, or -1:
 * out of memory.  The caller calls number_counts_close() in both cases.
 */
int number_counts_open(struct number_counts *counts, const struct spec *spec,
                       size_t i);

/*
 * Add what counters have counted to COUNTS->table.  No thread may be counting.
 * Returns 0, or -1: out of memory.
 */
int number_counts_settle(struct number_counts *counts);

/*
 * Count the number of SLICE, which is computed, COUNT times: in counts->table,
 * or in KEYS if the axis is sparse.  No thread may be counting.
 */
enum key_result number_counts_add(struct number_counts *counts,
                                  struct key_counts *keys,
                                  struct text_slice slice, uint64_t count);

/* The same of SLICE of the data at DATA, which is not computed. */
enum key_result number_counts_add_text(struct number_counts *counts,
                                       struct key_counts *keys,
                                       const unsigned char *data,
                                       struct text_slice slice, uint64_t count);

/* Count the binary sample 0 COUNT times, as number_counts_add(). */
enum key_result number_counts_add_zeros(struct number_counts *counts,
                                        struct key_counts *keys,
                                        uint64_t count);

/*
 * Add COUNT, of each bin and of each flow cell for numbers, to counts->table,
 * whose axis has a range.  No thread may be counting.
 */
void number_counts_add_cells(struct number_counts *counts,
                             const uint64_t *count);

/* Forget all counts, which are settled, and the lattices.  No thread may be
   counting. */
void number_counts_restart(struct number_counts *counts);

/* Release everything.  All counters are closed. */
void number_counts_close(struct number_counts *counts);

/* ---- one thread ---- */

/* Returns the bytes of a counter, beside its histogram. */
size_t number_counter_bytes(void);

/* Returns the histogram of another thread, or NULL: out of memory. */
struct number_counter *number_counter_new(struct number_counts *counts);

/*
 * Count the numbers in RECORDS slices: slice[0], slice[stride], ... of the
 * chunk at DATA; the chunk may be reused afterwards.  WEIGHTS has those of the
 * records, or is NULL if there are none.  If the axis is sparse, KEYS counts
 * their codes.  Returns KEY_OK, or why it failed.
 */
enum key_result number_counter_add(struct number_counter *counter,
                                   struct key_counter *keys,
                                   const unsigned char *data,
                                   const struct text_slice *slice,
                                   size_t records, size_t stride,
                                   const struct key_weights *weights);

/*
 * The same for an element of the binary records in SIZE bytes at DATA, of which
 * there are NUMBER_COUNTS_BATCH at most.
 */
enum key_result number_counter_add_samples(struct number_counter *counter,
                                           struct key_counter *keys,
                                           const unsigned char *data,
                                           size_t size);

/* Release COUNTER.  Counts that are not settled are lost. */
void number_counter_close(struct number_counter *counter);

#endif
