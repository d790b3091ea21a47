/* SPDX-License-Identifier: MIT */
/*
 * auto_range.h -- axes whose range is found while counting (--range=auto)
 *
 * An automatic axis has a lattice (lattice.h), which grows with the values.
 *
 * Readers find the extent of each chunk before it is counted.  A chunk refers
 * to a spec whose lattices hold the values of the chunk and of all earlier
 * chunks.  When a chunk refers to a later spec than the previous chunk, the
 * engine moves its counts to the later lattices.  The result is on the lattices
 * of all values.
 */

#ifndef GPUHIST_AUTO_RANGE_H
#define GPUHIST_AUTO_RANGE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "hist/extremes.h"
#include "hist/lattice.h"
#include "hist/spec.h"

struct auto_range {
    /* Constant after auto_range_open(). */
    const struct spec *first;
    const struct spec *start; /* FIRST, with lattices of no values */

    pthread_mutex_t lock;
    /* All below: under the lock. */
    struct extent *extent;        /* of each axis, over all chunks so far */
    struct extremes *extremes;    /* likewise, if spec_finds_extremes() */
    const struct spec *current;   /* the latest spec */
    struct auto_range_spec *made; /* list of all specs but FIRST; owned */
};

/*
 * Start with SPEC, whose growing axes (spec_grows()) have no range yet.  SPEC
 * must outlive RANGING.  Returns 0, or -1: out of memory; the caller calls
 * auto_range_close() in both cases.
 */
int auto_range_open(struct auto_range *ranging, const struct spec *spec);

/*
 * Widen the lattices and the extremes to hold the whole records in the SIZE
 * bytes at DATA.
 * Returns the spec to count these records, which lives until
 * auto_range_restart() or auto_range_close(), or NULL: out of memory.
 */
const struct spec *auto_range_extend(struct auto_range *ranging,
                                     const unsigned char *data, size_t size);

/* Returns the latest spec; if no axis grows, the spec of auto_range_open(). */
const struct spec *auto_range_current(struct auto_range *ranging);

/*
 * Forget all values: the lattices are empty again.  No chunk is being filled or
 * counted.  Unless KEEPS_SPECS, only FIRST and START are valid then.
 */
void auto_range_restart(struct auto_range *ranging, bool keeps_specs);

void auto_range_close(struct auto_range *ranging);

#endif
