/*
 * state_fold.h -- the tuples of several lattices in one
 *
 * In a wider lattice, different tuples become one, and tuples that agree in a
 * bin then are no longer in order.  So what has another lattice is sorted
 * again, as much at a time as there is memory for.
 */

#ifndef GPUHIST_STATE_FOLD_H
#define GPUHIST_STATE_FOLD_H

#include "hist/key_run.h"
#include "state/state_lattice.h"

/*
 * Replace RUNS, of tuples of histogram I of SPEC, by runs in the lattices NEW.
 * Run R has the lattices from OLD[R * axes] on.  About MEMORY bytes are in
 * memory.  Returns 0, or -1 with *ERROR set.
 */
int state_fold(struct key_runs *runs, const struct spec *spec, size_t i,
               const struct state_lattice *old, const struct state_lattice *new,
               size_t memory, struct error *error);

#endif
