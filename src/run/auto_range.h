/*
 * auto_range.h -- axes whose range is found while counting (--range=auto)
 *
 * Such an axis has a lattice (lattice.h).
 *
 * Readers look at each chunk before it is counted.  A chunk refers to a spec
 * whose lattices hold its values, and those of all chunks before it; engines
 * move on to a later spec when a chunk brings it.  What is printed in the end
 * is on the lattices of all values.
 */

#ifndef GPUHIST_AUTO_RANGE_H
#define GPUHIST_AUTO_RANGE_H

#include <pthread.h>
#include <stddef.h>

#include "hist/lattice.h"
#include "hist/spec.h"

struct auto_range {
    const struct spec *first; /* set by auto_range_open() for good */
    pthread_mutex_t lock;
    /* All below: under the lock. */
    struct extent *extent;        /* of each axis */
    const struct spec *current;   /* the latest */
    struct auto_range_spec *made; /* all but the first, the latest first */
};

/*
 * Begin with SPEC, whose growing axes (spec_grows()) have no range yet.
 * Returns 0, or -1: out of memory.
 */
int auto_range_open(struct auto_range *ranging, const struct spec *spec);

/*
 * The spec to count the SIZE bytes at DATA with, which lives as long as
 * RANGING; NULL: out of memory.
 */
const struct spec *auto_range_extend(struct auto_range *ranging,
                                     const unsigned char *data, size_t size);

/* The latest spec; where no axis grows, that of auto_range_open(). */
const struct spec *auto_range_current(struct auto_range *ranging);

void auto_range_close(struct auto_range *ranging);

#endif
