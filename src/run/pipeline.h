/*
 * pipeline.h -- a run: readers fill chunks, engines count them
 *
 * Every reader and every engine has a thread of its own; they meet only in
 * the pool.  Histograms add up, so any engine may count any chunk: that is
 * how the CPU counts while a GPU starts, how it helps a GPU that falls
 * behind, and how it takes over from one that fails, or that hangs.
 *
 * When there are more threads than processors, handing a chunk over does not
 * get it counted sooner: then a reader has an engine of its own and counts
 * what it has just read, while it is in the processor's cache.
 */

#ifndef GPUHIST_PIPELINE_H
#define GPUHIST_PIPELINE_H

#include <stdbool.h>

#include "hist/snapshot.h"
#include "hist/spec.h"
#include "input/inputs.h"
#include "run/auto_range.h"
#include "run/consumers.h"
#include "run/plan.h"
#include "run/readers.h"
#include "sync/pool.h"
#include "sync/snapshot_gate.h"
#include "util/error.h"
#include "util/interval.h"

struct pipeline {
    const struct plan *plan;
    struct inputs *inputs;
    struct pool pool;
    struct auto_range ranging;
    struct consumers consumers;
    struct readers readers;

    /* For the thread that called pipeline_start(). */
    struct snapshot_gate gate; /* where there are snapshots: EVERY is set */
    struct interval every;     /* how often */
    double next_snapshot;      /* when, in seconds of the monotonic clock ... */
    double next_watch;         /* ... and when devices are to be looked at */

    /* After pipeline_finish(). */
    bool is_abandoned; /* a thread may still be running */
};

/*
 * Start to read INPUTS and to count them as SPEC says; with snapshots, if
 * EVERY is set: then the plan must be for one reader.  PLAN, SPEC and INPUTS
 * must stay in place.  INPUTS->reading.progress is told who counts.  Returns
 * 0, or -1 with *ERROR set.
 */
int pipeline_start(struct pipeline *pipeline, const struct plan *plan,
                   const struct spec *spec, struct inputs *inputs,
                   const struct interval *every, struct error *error);

/*
 * Wait until a snapshot is due, and take it: *COUNTS is the caller's.  All is
 * in it that was there to be read, up to some record.  Returns 1; 0 when the
 * input has ended, or the run has failed; -1 with *ERROR set.
 */
int pipeline_snapshot(struct pipeline *pipeline, struct snapshot *counts,
                      struct error *error);

/*
 * After that: end the threads.  *COUNTS, for the caller, is all there was; bad
 * inputs do not fail it: see inputs_error().  Returns 0, or -1 with *ERROR
 * set.
 */
int pipeline_finish(struct pipeline *pipeline, struct snapshot *counts,
                    struct error *error);

/*
 * Release everything; not where PIPELINE->is_abandoned: then the process must
 * be left with _exit().  That is so before pipeline_finish(); after most
 * failures, since a reader may be waiting for its pipe for ever; when the
 * input ended while a driver was still starting; and after one has hung.
 *
 * A driver may hang here, too.
 */
void pipeline_close(struct pipeline *pipeline);

#endif
