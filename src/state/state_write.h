/* SPDX-License-Identifier: MIT */
/* state_write.h -- write a state */

#ifndef GPUHIST_STATE_WRITE_H
#define GPUHIST_STATE_WRITE_H

#include "base/error.h"
#include "base/writer.h"
#include "hist/snapshot.h"
#include "state/state_head.h"

/*
 * Put COUNTS to OUT as a state.  COUNTS is complete, has the shown axes
 * (spec_fold()), bins that are neither trimmed nor clamped, and keys sorted by
 * key; a spectrum is not allowed.  HEAD supplies the options, names, elements,
 * image, portions and BY; COUNTS supplies all else.  Returns 0, or -1 with
 * *ERROR set: out of memory.  OUT keeps its own failures.
 */
int state_write(struct writer *out, const struct state_head *head,
                const struct snapshot *counts, struct error *error);

/*
 * The same, of counts of one histogram of keys, as a state of records of these
 * keys and the key LAST behind them; windows without a k-mer are left out.
 */
int state_write_with_key(struct writer *out, const struct state_head *head,
                         const char *last, const struct snapshot *counts,
                         struct error *error);

#endif
