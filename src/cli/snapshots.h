/*
 * snapshots.h -- what is printed of one snapshot after the other (--every)
 *
 * Each is of all that was counted so far; or, with --reset, of what came since
 * the one before, and then they add up to what is printed in the end.
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
    uint64_t number;        /* of the last snapshot; 0: there was none */
    struct snapshot before; /* with --reset: up to that one */
};

/* How much memory snapshots take. */
uint64_t snapshots_bytes(const struct spec *spec,
                         const struct options *options);

void snapshots_open(struct snapshots *snapshots, struct results *results,
                    const struct inputs *inputs);

/*
 * Print the snapshot NOW, or what is new in it; its histogram is taken over.  *HIDDEN as for
 * results_print().  Returns 0, or -1 with *ERROR set.
 */
int snapshots_print(struct snapshots *snapshots, struct snapshot *now,
                    uint64_t *hidden, struct error *error);

/*
 * Print ALL, of which a part is missing if INCOMPLETE says why; with --reset
 * what is new in it comes first, if there is any.  *HIDDEN and what it returns
 * as above.  ALL stays the caller's.
 */
int snapshots_end(struct snapshots *snapshots, struct snapshot *all,
                  const char *incomplete, uint64_t *hidden,
                  struct error *error);

void snapshots_close(struct snapshots *snapshots);

#endif
