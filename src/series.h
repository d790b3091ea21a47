/*
 * series.h -- what is printed of one snapshot after the other (--every)
 *
 * Each is of all that was counted so far; or, with --reset, of what came since
 * the one before, and then they add up to what is printed in the end.
 */

#ifndef GPUHIST_SERIES_H
#define GPUHIST_SERIES_H

#include <stdint.h>

#include "counts.h"
#include "error.h"
#include "inputs.h"
#include "options.h"
#include "results.h"
#include "spec.h"

struct series {
    struct results *results;
    const struct inputs *inputs;
    uint64_t number;      /* of the last snapshot; 0: there was none */
    struct counts before; /* with --reset: up to that one */
};

/* How much memory snapshots take. */
uint64_t series_bytes(const struct spec *spec, const struct options *options);

void series_open(struct series *series, struct results *results,
                 const struct inputs *inputs);

/*
 * Print the snapshot NOW, or what is new in it; its histogram is taken over.  *HIDDEN as for
 * results_print().  Returns 0, or -1 with *ERROR set.
 */
int series_print(struct series *series, struct counts *now, uint64_t *hidden,
                 struct error *error);

/*
 * Print ALL, of which a part is missing if INCOMPLETE says why; with --reset
 * what is new in it comes first, if there is any.  *HIDDEN and what it returns
 * as above.  ALL stays the caller's.
 */
int series_end(struct series *series, struct counts *all,
               const char *incomplete, uint64_t *hidden, struct error *error);

void series_close(struct series *series);

#endif
