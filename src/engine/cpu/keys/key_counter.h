/* SPDX-License-Identifier: MIT */
/*
 * key_counter.h -- the keys that one thread counts
 */

#ifndef GPUHIST_KEY_COUNTER_H
#define GPUHIST_KEY_COUNTER_H

#include "engine/cpu/keys/key_counts.h"
#include "text/text_slice.h"

/*
 * Returns the cache and the lists of another thread, or NULL: then RESULT says
 * why.  At least one thread has room, and COUNTS has room for more than THREADS
 * never.
 */
struct key_counter *key_counter_new(struct key_counts *counts,
                                    enum key_result *result);

/*
 * Count COUNT keys, the slices of the chunk at DATA, which may be reused
 * afterwards.  The offset of none is TEXT_SLICE_MISSING.  Key I has weight I of
 * WEIGHTS, which is NULL if the tables have no sums.  Each call locks most
 * partitions, so a call should have thousands of keys.  COUNT is less than
 * 2^31.
 *
 * After a failure some of the keys are counted.  KEY_LIMIT: a key is too long.
 */
enum key_result key_counter_add(struct key_counter *counter,
                                const unsigned char *data,
                                const struct text_slice *slice, size_t count,
                                const struct key_weights *weights);

/* The same without weights, where key I counts TIMES[I] times.  Few of the keys
   should be equal. */
enum key_result key_counter_add_times(struct key_counter *counter,
                                      const unsigned char *data,
                                      const struct text_slice *slice,
                                      const uint32_t *times, size_t count);

/* Add the counts of the thread's cache to the tables. */
void key_counter_settle(struct key_counter *counter);

/* Release COUNTER.  Counts that are not settled are lost. */
void key_counter_close(struct key_counter *counter);

/* ---- all threads ---- */

/* Add the caches of all counters to the tables.  No thread may be counting. */
void key_counter_settle_all(struct key_counts *counts);

/*
 * Forget all counts, also the tables and runs.  They are settled.  No thread
 * may be counting.
 */
void key_counter_restart_all(struct key_counts *counts);

/*
 * Add AMOUNT to a key of the tables.  No thread may be counting.  If it returns
 * KEY_FAILED, counts->failure says why.
 */
enum key_result key_counter_add_amount(struct key_counts *counts,
                                       const unsigned char *key, uint32_t size,
                                       const struct key_amount *amount);

/*
 * Write all keys in the tables to a run, as when memory runs out.  Other
 * threads may be counting.
 */
enum key_result key_counter_spill(struct key_counts *counts);

/*
 * As key_counts_append(), to *TABLE, the only sorted table of COUNTS.  If there
 * is no room, the tables become a run, and *TABLE is a new one.  This thread is
 * alone.
 */
enum key_result key_counter_append(struct key_counts *counts,
                                   struct key_table **table,
                                   const unsigned char *key, uint32_t size,
                                   uint64_t count);

#endif
