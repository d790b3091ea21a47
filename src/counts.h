/* counts.h -- what has been counted up to some moment */

#ifndef GPUHIST_COUNTS_H
#define GPUHIST_COUNTS_H

#include <stdint.h>

#include "histogram.h"
#include "spec.h"

struct counts {
    const struct spec *spec;    /* lives longer */
    struct histogram histogram; /* of its cells; counts_close() */
    uint64_t bytes;             /* that are in it */
};

/*
 * Let *BEFORE be what has been counted since: NOW without it.  Of a NOW that
 * includes it.  Returns 0, or -1: out of memory.
 */
int counts_subtract(struct counts *before, const struct counts *now);

/* Also where all is zero. */
void counts_close(struct counts *counts);

#endif
