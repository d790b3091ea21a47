/*
 * snapshots.h -- the snapshots that --every prints
 *
 * A snapshot has all counts so far.  With --reset it has only the counts since
 * the previous snapshot; all of them add up to the counts at the end.
 */

#ifndef GPUHIST_SNAPSHOTS_H
#define GPUHIST_SNAPSHOTS_H

#include <stdint.h>

#include "cli/options.h"
#include "cli/results.h"
#include "hist/snapshot.h"
#include "hist/spec.h"
#include "input/inputs.h"
#include "util/error.h"

struct snapshots {
    struct results *results;
    const struct inputs *inputs;
    uint64_t number;        /* of the last snapshot; 0 before the first */
    struct snapshot before; /* with --reset: all counts up to the last one */
};

/* The bytes of memory that snapshots take. */
uint64_t snapshots_bytes(const struct spec *spec,
                         const struct options *options);

/*
 * Prepare to print snapshots with RESULTS.  RESULTS and INPUTS must outlive
 * SNAPSHOTS.
 */
void snapshots_open(struct snapshots *snapshots, struct results *results,
                    const struct inputs *inputs);

/*
 * Print the next snapshot; NOW has all counts so far.  SNAPSHOTS takes
 * ownership of NOW's histogram.  Sets *HIDDEN as results_print() does.  Returns
 * 0, or -1 with *ERROR set.
 */
int snapshots_print(struct snapshots *snapshots, struct snapshot *now,
                    struct report_hidden *hidden, struct error *error);

/*
 * Print ALL, the counts at the end.  INCOMPLETE says why a part of the input is
 * missing; NULL if none is.  With --reset, a last snapshot is printed first if
 * it is not empty.  The caller keeps ownership of ALL.  Sets *HIDDEN and
 * returns as snapshots_print() does.
 */
int snapshots_end(struct snapshots *snapshots, struct snapshot *all,
                  const char *incomplete, struct report_hidden *hidden,
                  struct error *error);

/* Release everything in SNAPSHOTS. */
void snapshots_close(struct snapshots *snapshots);

#endif
