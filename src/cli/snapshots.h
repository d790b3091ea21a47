/*
 * snapshots.h -- the snapshots that --every and --per-file print
 *
 * With --per-file, each has the counts of one input.  Otherwise a snapshot has
 * all counts so far.  With --reset it has only the counts since the previous
 * snapshot; all of them add up to the counts at the end.
 */

#ifndef GPUHIST_SNAPSHOTS_H
#define GPUHIST_SNAPSHOTS_H

#include <stdint.h>

#include "base/error.h"
#include "cli/options.h"
#include "cli/results.h"
#include "cli/unshown.h"
#include "hist/snapshot.h"
#include "hist/spec.h"
#include "input/read/inputs.h"

struct snapshots {
    struct results *results;
    const struct inputs *inputs;
    uint64_t number;        /* of the last snapshot; 0 before the first */
    struct unshown unshown; /* of the final result, or of all inputs */
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
 * ownership of NOW's histogram.  Returns 0, or -1 with *ERROR set.
 */
int snapshots_print(struct snapshots *snapshots, struct snapshot *now,
                    struct error *error);

/* The same with --per-file: COUNTS are those of the input NAME. */
int snapshots_print_input(struct snapshots *snapshots, const char *name,
                          struct snapshot *counts, struct error *error);

/*
 * Print ALL, the counts at the end.  INCOMPLETE says why a part of the input is
 * missing; NULL if none is.  With --reset, a last snapshot is printed first if
 * it is not empty.  With --per-file, the counts of all inputs are printed
 * instead of ALL.  The caller keeps ownership of ALL.  Returns as
 * snapshots_print() does.
 */
int snapshots_end(struct snapshots *snapshots, struct snapshot *all,
                  const char *incomplete, struct error *error);

/* Release everything in SNAPSHOTS. */
void snapshots_close(struct snapshots *snapshots);

#endif
