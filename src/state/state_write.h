/* state_write.h -- write a state */

#ifndef GPUHIST_STATE_WRITE_H
#define GPUHIST_STATE_WRITE_H

#include "base/error.h"
#include "base/writer.h"
#include "hist/snapshot.h"
#include "state/state_head.h"

/*
 * Put COUNTS to OUT as a state.  COUNTS is complete, it has the shown axes
 * (spec_fold()), and its bins are neither trimmed nor clamped; its keys are
 * sorted by key, and it is no spectrum.  Of HEAD, the options, names, elements,
 * image and parts are written, and BY; all else is that of COUNTS.  Returns 0,
 * or -1 with *ERROR set: out of memory.  OUT keeps its own failures.
 */
int state_write(struct writer *out, const struct state_head *head,
                const struct snapshot *counts, struct error *error);

#endif
