/* SPDX-License-Identifier: MIT */
/*
 * state_sum.h -- the sum of states
 *
 * Cells of bins are added up in memory, or in a mapped file if the cells need
 * more than the limit.  Keys, numbers, tuples and k-mers are sorted in a state,
 * so the rows of a state are a run (key_run.h).  At the end all runs are merged
 * to a list in files, in several passes if the limit does not allow all at a
 * time.  So the memory of a state is only the places of its runs.
 *
 * Lattices found while counting are joined: the sum has the lattice of one run
 * over all values.
 */

#ifndef GPUHIST_STATE_SUM_H
#define GPUHIST_STATE_SUM_H

#include "base/error.h"
#include "hist/snapshot.h"
#include "state/state_read.h"

struct state_sum;

/*
 * Returns an empty sum of states of SPEC, or NULL with *ERROR set.  SPEC is as
 * spec_make() makes a spec.  CREW adds rows, and gives its number of threads to
 * the merging of keys.  SPEC and CREW outlive the sum and the snapshot.  About
 * MEMORY_LIMIT bytes are in memory.
 */
struct state_sum *state_sum_open(const struct spec *spec,
                                 struct state_crew *crew, size_t memory_limit,
                                 struct error *error);

/*
 * Read all rows of the state with HEAD from READER, and add the state.
 * state_head_match() has compared the lines of the spec.  The crew adds the
 * rows later; state_sum_settle() waits for the crew.  Returns 0, or -1 with
 * *ERROR set; then SUM can only be closed.
 */
int state_sum_add(struct state_sum *sum, struct state_reader *reader,
                  const struct state_head *head, struct error *error);

/*
 * Wait until all rows are added.  All readers are closed.  Many runs are merged
 * to fewer, so a sum that is settled often has a bounded number of them.
 * Returns 0, or -1: a row was wrong, and *ERROR is about the row, even if
 * *ERROR was set before; or another error.
 */
int state_sum_settle(struct state_sum *sum, struct error *error);

/*
 * Set *COUNTS to the settled sum.  The counted axes are the shown axes, so
 * spec_fold() changes nothing.  A spectrum is the spectrum of the sums of all
 * keys.  Nothing is added to SUM afterwards, and SUM outlives COUNTS.  Returns
 * 0, or -1 with *ERROR set.  The caller calls snapshot_close() in both cases.
 */
int state_sum_finish(struct state_sum *sum, struct snapshot *counts,
                     struct error *error);

/* Returns the number of added rows. */
uint64_t state_sum_rows(const struct state_sum *sum);

/* Release SUM, or nothing if SUM is NULL. */
void state_sum_close(struct state_sum *sum);

#endif
