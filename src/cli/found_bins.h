/* SPDX-License-Identifier: MIT */
/*
 * found_bins.h -- bins that depend on all values, found by a pass before
 *
 * The options --range=minmax, --bins=RULE, --edges=quantiles:N and
 * --edges=fastqc are read in a first pass as questions (hist/axis_finding.h),
 * and in the second pass as the answers, which are arguments, too.
 */

#ifndef GPUHIST_FOUND_BINS_H
#define GPUHIST_FOUND_BINS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "cli/options.h"
#include "hist/extremes.h"
#include "hist/snapshot.h"
#include "hist/spec.h"

/* The arguments that were made.  May be all 0. */
struct found_bins {
    char **text; /* COUNT of them, owned */
    size_t count;
};

/* Whether OPTIONS ask for bins that a first pass must find. */
bool found_bins_are_wanted(const struct options *options);

/* Check that OPTIONS, if they ask for such bins, ask for nothing that excludes
   them.  Returns 0, or -1 with *ERROR set. */
int found_bins_check(const struct options *options, struct error *error);

/* Returns the options of the first pass for OPTIONS: on the CPU, all fields by
   themselves. */
struct options found_bins_questions(const struct options *options);

/*
 * Replace the arguments in *OPTIONS by what COUNTS of the first pass have,
 * folded, and EXTREMES, of each axis.  If COUNTS is NULL, by arguments that are
 * good for a check of OPTIONS.  SPEC is that of the first pass.  FOUND owns the
 * new arguments; the caller calls found_bins_close() in any case.  Returns 0,
 * or -1 with *ERROR set.
 */
int found_bins_set(struct found_bins *found, struct options *options,
                   const struct spec *spec, const struct snapshot *counts,
                   const struct extremes *extremes, struct error *error);

void found_bins_close(struct found_bins *found);

#endif
