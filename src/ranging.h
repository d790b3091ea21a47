/*
 * ranging.h -- axes whose range is found while counting (--range=auto)
 *
 * Such an axis has a lattice (lattice.h).
 *
 * Readers look at each chunk before it is counted.  A chunk refers to a spec
 * whose lattices hold its values, and those of all chunks before it; engines
 * move on to a later spec when a chunk brings it.  What is printed in the end
 * is on the lattices of all values.
 */

#ifndef GPUHIST_RANGING_H
#define GPUHIST_RANGING_H

#include <pthread.h>
#include <stddef.h>

#include "histogram.h"
#include "lattice.h"
#include "spec.h"

struct ranging {
    const struct spec *first; /* set by ranging_open() for good */
    pthread_mutex_t lock;
    /* All below: under the lock. */
    struct extent *extent;      /* of each axis */
    const struct spec *current; /* the latest */
    struct ranging_spec *made;  /* all but the first, the latest first */
};

/*
 * Begin with SPEC, whose growing axes (spec_grows()) have no range yet.
 * Returns 0, or -1: out of memory.
 */
int ranging_open(struct ranging *ranging, const struct spec *spec);

/*
 * The spec to count the SIZE bytes at DATA with, which lives as long as
 * RANGING; NULL: out of memory.
 */
const struct spec *ranging_extend(struct ranging *ranging,
                                  const unsigned char *data, size_t size);

/* The latest spec; where no axis grows, that of ranging_open(). */
const struct spec *ranging_current(struct ranging *ranging);

/*
 * Move the counts in HISTOGRAM from the lattices of FROM to those of TO, which
 * is not earlier.  Returns 0, or -1: out of memory.
 */
int ranging_move(const struct spec *from, const struct spec *to,
                 struct histogram *histogram);

void ranging_close(struct ranging *ranging);

#endif
