/* SPDX-License-Identifier: MIT */
/* merge.h -- add up the counts of the engines of a run */

#ifndef GPUHIST_MERGE_H
#define GPUHIST_MERGE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "hist/snapshot.h"
#include "run/consumers.h"

/*
 * Add up the counts of CONSUMERS in *COUNTS, which the caller closes, and check
 * that each record of the BYTES read is counted exactly once; START_BYTES more
 * precede the first record.  No engine may be counting during the call.  If
 * IS_COUNTING, the engines continue afterwards and keep their counts; otherwise
 * this is the last call, unless consumers_restart() follows.  Returns 0, or -1
 * with *ERROR set.
 */
int merge_counts(struct consumers *consumers, uint64_t bytes,
                 uint64_t start_bytes, bool is_counting,
                 struct snapshot *counts, struct error *error);

#endif
