/*
 * state_lattice.h -- lattices as whole numbers, and how they are joined
 *
 * A lattice (hist/lattice.h) has bins of a width of 2^EXPONENT; bin n of all
 * possible ones begins at n * 2^EXPONENT.  Its first bin, FIRST, has the least
 * value, and the last of its USED bins the greatest one.  Bin n is in bin
 * floor(n / 2) of the next wider lattice.  So the exponents, FIRST and USED of
 * some lattices say which lattice all their values have: that of one run.
 */

#ifndef GPUHIST_STATE_LATTICE_H
#define GPUHIST_STATE_LATTICE_H

#include "hist/spec.h"
#include "state/state_lines.h"

struct state_lattice {
    int exponent;
    int64_t first; /* undefined if USED is 0 */
    uint64_t used; /* bins; 0: there are no values */
};

/* Returns the lattice of AXIS, of which USED bins are used. */
struct state_lattice state_lattice_of(const struct binning_axis *axis,
                                      uint64_t used);

/* Give AXIS the lattice LATTICE. */
void state_lattice_set(struct binning_axis *axis,
                       const struct state_lattice *lattice);

/* Make LATTICE, of BINS bins, that of its values and those of MORE. */
void state_lattice_join(struct state_lattice *lattice,
                        const struct state_lattice *more, uint64_t bins);

/* Whether the bins of A and B, which have values, are the same. */
static inline bool
state_lattice_is_same(const struct state_lattice *a,
                      const struct state_lattice *b)
{
    return a->exponent == b->exponent && a->first == b->first;
}

/* Returns the bin of the lattice NEW in which bin I of OLD is. */
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

/* Add the line of axis I, which has LATTICE.  Returns 0, or -1: no memory. */
int state_lattice_describe(size_t i, const struct state_lattice *lattice,
                           struct state_lines *lines);

/*
 * Set LATTICE[I], of each axis of SPEC, to what LINES say.  Returns 0, or -1:
 * they are not one line for each lattice, with a possible one.
 */
int state_lattice_read(const struct spec *spec, const struct state_lines *lines,
                       struct state_lattice *lattice);

#endif
