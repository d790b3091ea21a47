/* merge.h -- add up what the engines of a run have counted */

#ifndef GPUHIST_MERGE_H
#define GPUHIST_MERGE_H

#include <stdbool.h>
#include <stdint.h>

#include "hist/snapshot.h"
#include "run/consumers.h"
#include "util/error.h"

/*
 * Add up what CONSUMERS have counted of the BYTES read, in *COUNTS, which is
 * the caller's; and check that every record is in it exactly once.  Nobody may
 * be counting now.  If IS_COUNTING, the consumers will count on and keep their
 * counts; else it is for the last time.  Returns 0, or -1 with *ERROR set.
 */
int merge_counts(struct consumers *consumers, uint64_t bytes, bool is_counting,
                 struct snapshot *counts, struct error *error);

#endif
