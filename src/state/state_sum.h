/*
 * state_sum.h -- the sum of states
 *
 * Cells of bins are added up in memory, or in a mapped file if they need more
 * than the limit.  What occurs (keys, numbers, tuples, k-mers) is sorted in a
 * state, so the rows of a state are a run (key_run.h), and all runs are merged
 * to a list in files at the end, in several passes if they are more than the
 * limit allows.  So a state takes memory only for where its runs are.
 *
 * Lattices that were found while counting are joined: the sum has that of one
 * run over all values.
 */

#ifndef GPUHIST_STATE_SUM_H
#define GPUHIST_STATE_SUM_H

#include "base/error.h"
#include "hist/snapshot.h"
#include "state/state_read.h"

struct state_sum;

/*
 * Returns the sum of no states of SPEC, which is as spec_make() made it and
 * outlives the sum and its snapshot; or NULL with *ERROR set.  CREW, which also
 * outlives it, adds rows, and merges keys with as many threads.  About
 * MEMORY_LIMIT bytes are in memory.
 */
struct state_sum *state_sum_open(const struct spec *spec,
                                 struct state_crew *crew, size_t memory_limit,
                                 struct error *error);

/*
 * Add the state whose HEAD has been read by READER, with all its rows.  Its
 * lines of spec are those of SPEC: state_head_match().  Rows are
 * added later: state_sum_settle() waits for that.  Returns 0, or -1 with *ERROR
 * set; then SUM can only be closed.
 */
int state_sum_add(struct state_sum *sum, struct state_reader *reader,
                  const struct state_head *head, struct error *error);

/* Wait until all rows are added; all readers are closed.  Returns 0, or -1: a
   row was wrong, and *ERROR says so, whatever it was. */
int state_sum_settle(struct state_sum *sum, struct error *error);

/*
 * Set *COUNTS to the sum, which is settled.  Its counted axes are its shown
 * axes, so spec_fold() changes nothing.  Of a spectrum, it is that of the sums
 * of all keys.  Nothing is added to SUM afterwards, which outlives COUNTS.
 * Returns 0, or -1 with *ERROR set; the caller calls snapshot_close() in both
 * cases.
 */
int state_sum_finish(struct state_sum *sum, struct snapshot *counts,
                     struct error *error);

/* Returns the rows that have been added. */
uint64_t state_sum_rows(const struct state_sum *sum);

/* Release SUM, or nothing if that is NULL. */
void state_sum_close(struct state_sum *sum);

#endif
