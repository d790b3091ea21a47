/* SPDX-License-Identifier: MIT */
/*
 * state_lattice.h -- lattices as whole numbers, and joining lattices
 *
 * A lattice (hist/lattice.h) has bins of a width of 2^EXPONENT; bin n of all
 * possible bins starts at n * 2^EXPONENT.  The first bin of a lattice, FIRST,
 * has the least value, and the last of USED bins has the greatest value.  Bin n
 * is in bin floor(n / 2) of the next wider lattice.  So the exponents, FIRST
 * and USED of some lattices determine the lattice of all values: the lattice
 * that one run over all inputs finds.
 */

#ifndef GPUHIST_STATE_LATTICE_H
#define GPUHIST_STATE_LATTICE_H

#include "hist/spec.h"
#include "state/state_lines.h"

struct state_lattice {
    int exponent;
    int64_t first; /* undefined if USED is 0 */
    uint64_t used; /* bins; 0: no values */
};

/* Returns the lattice of AXIS with USED bins. */
struct state_lattice state_lattice_of(const struct binning_axis *axis,
                                      uint64_t used);

/* Give AXIS the lattice LATTICE. */
void state_lattice_set(struct binning_axis *axis,
                       const struct state_lattice *lattice);

/* Widen LATTICE, of BINS bins, to the values of MORE. */
void state_lattice_join(struct state_lattice *lattice,
                        const struct state_lattice *more, uint64_t bins);

/* Whether A and B have the same bins.  Both have values. */
static inline bool
state_lattice_is_same(const struct state_lattice *a,
                      const struct state_lattice *b)
{
    return a->exponent == b->exponent && a->first == b->first;
}

/* Returns the bin of the lattice NEW that contains bin I of OLD. */
static inline uint64_t
state_lattice_bin(const struct state_lattice *old, uint64_t i,
                  const struct state_lattice *new)
{
    int growth = new->exponent - old->exponent;

    /* Known compilers shift arithmetically. */
    return (
        uint64_t)(((old->first + (int64_t)i) >> (growth < 63 ? growth : 63)) -
                  new->first);
}

/* Add the line of axis I with LATTICE.  Returns 0, or -1: out of memory. */
int state_lattice_describe(size_t i, const struct state_lattice *lattice,
                           struct state_lines *lines);

/*
 * Set LATTICE[I], of each axis I of SPEC, from LINES.  Returns 0, or -1: LINES
 * are not a line with a possible lattice for each axis with a lattice.
 */
int state_lattice_read(const struct spec *spec, const struct state_lines *lines,
                       struct state_lattice *lattice);

#endif
