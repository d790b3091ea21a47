/* SPDX-License-Identifier: MIT */
/*
 * total.h -- the counts of all inputs of --per-file, added up input by input
 *
 * Counting starts over with each input.  So the counts of an input become a
 * state when the input ends, and the state is added to a sum, as --merge does.
 * The memory and the files of the sum do not depend on the number of inputs:
 * many runs of keys are merged to fewer.
 */

#ifndef GPUHIST_TOTAL_H
#define GPUHIST_TOTAL_H

#include <stdint.h>

#include "base/error.h"
#include "hist/snapshot.h"
#include "hist/spec.h"
#include "state/state_sum.h"

/* The name of the total in place of an input's. */
#define TOTAL_NAME "total"

struct total {
    const char *what; /* the option, for messages */
    struct state_crew *crew;
    struct state_sum *sum;
    struct series_total series; /* which no state has */
};

/*
 * Open TOTAL, empty, for the option WHAT, of counts of SPEC, which outlives
 * TOTAL and is as spec_make() makes a spec.  Up to THREADS threads add the
 * counts, with a share of MEMORY_LIMIT bytes.  Returns 0, or -1 with *ERROR
 * set; the caller calls total_close() in both cases.
 */
int total_open(struct total *total, const char *what, const struct spec *spec,
               unsigned int threads, uint64_t memory_limit,
               struct error *error);

/* Check that none of the COUNT inputs at PATHS has the name of the total.
   Returns 0, or -1 with *ERROR set. */
int total_check_names(char *const *paths, size_t count, struct error *error);

/*
 * Add COUNTS, which state_write() allows; with a last key, unless LAST is NULL:
 * see state_write_with_key().  Returns 0, or -1 with *ERROR set.
 */
int total_add(struct total *total, const struct snapshot *counts,
              const char *last, struct error *error);

/* Set *COUNTS to the sum; state_sum_finish() says more, and what it returns. */
int total_finish(struct total *total, struct snapshot *counts,
                 struct error *error);

/* Release everything.  TOTAL may be all 0. */
void total_close(struct total *total);

#endif
