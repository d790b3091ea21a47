/* SPDX-License-Identifier: MIT */
/*
 * state_rows.h -- add the rows of a block of a state
 *
 * Threads add rows of several blocks in parallel, of one state or of more, in
 * any order: additions to cells are atomic.  Keys, numbers and tuples become
 * entries of the block, which go to the run of the state in order.  Rows must
 * ascend across blocks, too: each block has a copy of the last row of the block
 * before.
 */

#ifndef GPUHIST_STATE_ROWS_H
#define GPUHIST_STATE_ROWS_H

#include <stdatomic.h>

#include "hist/histogram.h"
#include "hist/spec.h"
#include "state/state_crew.h"
#include "state/state_head.h"
#include "state/state_lattice.h"

/* A state during the addition of rows. */
struct state_rows {
    const struct spec *spec;          /* of the sum */
    const struct state_lattice *sum;  /* the lattice of each axis of the sum */
    struct histogram *cells;          /* of the sum */
    char *name;                       /* of the file; owned */
    uint64_t elements[COUNTED_UNITS]; /* the totals of the counts */
    struct state_lattice *lattice;    /* of each axis, in the state; owned */
    atomic_size_t users;              /* unsettled spans, and the reader */

    /* Of the histogram of the settled spans. */
    uint64_t total;
    bool is_over; /* TOTAL has more than 64 bits */
    bool has_run;
};

/*
 * Returns the rows of the state with HEAD in the file NAME, for
 * state_rows_release(); or NULL: no memory.  The caller sets LATTICE.
 */
struct state_rows *state_rows_new(const char *name, const struct spec *spec,
                                  const struct state_head *head);

/* Drop a user of ROWS.  The last user frees ROWS. */
void state_rows_release(struct state_rows *rows);

/* Add the rows of all spans of BLOCK, up to the first error.  Sets the error of
   BLOCK. */
void state_rows_add(struct state_block *block);

#endif
