/* snapshot.h -- what has been counted up to some moment */

#ifndef GPUHIST_SNAPSHOT_H
#define GPUHIST_SNAPSHOT_H

#include <stdint.h>

#include "hist/histogram.h"
#include "hist/spec.h"

struct snapshot {
    const struct spec *spec;    /* lives longer */
    struct histogram histogram; /* of its cells; snapshot_close() */
    uint64_t bytes;             /* that are in it */
};

/*
 * Let *BEFORE be what has been counted since: NOW without it.  Of a NOW that
 * includes it.  Returns 0, or -1: out of memory.
 */
int snapshot_subtract(struct snapshot *before, const struct snapshot *now);

/* Also where all is zero. */
void snapshot_close(struct snapshot *counts);

#endif
