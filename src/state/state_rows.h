/*
 * state_rows.h -- add the rows of a block of a state
 *
 * Threads add rows of several blocks at the same time, of one state or of more,
 * in any order: cells are added to atomically.  What occurs becomes entries of
 * the block, which go to the run of the state in their order.  Rows ascend
 * across blocks, too: each block has the row before its first one.
 */

#ifndef GPUHIST_STATE_ROWS_H
#define GPUHIST_STATE_ROWS_H

#include <stdatomic.h>

#include "hist/histogram.h"
#include "hist/spec.h"
#include "state/state_crew.h"
#include "state/state_head.h"
#include "state/state_lattice.h"

/* A state whose rows are being added. */
struct state_rows {
    const struct spec *spec;           /* of the sum */
    const struct state_lattice *sum;   /* the lattice of each axis of the sum */
    struct histogram *cells;           /* of the sum */
    char *name;                        /* of the file; owned */
    uint64_t elements[SEQUENCE_UNITS]; /* what the counts add up to */
    struct state_lattice *lattice;     /* of each axis, in this state; owned */
    atomic_size_t users;               /* spans that are not settled, and the
                                      reader */

    /* Of the histogram whose spans are being settled. */
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

/* One user less; the last one frees ROWS. */
void state_rows_release(struct state_rows *rows);

/* Add the rows of all spans of BLOCK, up to the first error, which is set. */
void state_rows_add(struct state_block *block);

#endif
