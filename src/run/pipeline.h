/*
 * pipeline.h -- a run: readers fill chunks, engines count them
 *
 * Each reader and each engine has its own thread; they exchange chunks only
 * through the pool.  Histograms are sums, so any engine may count any chunk.
 * The CPU counts while a GPU starts, helps a GPU that falls behind, and takes
 * over from a GPU that fails or hangs.
 *
 * If there are more threads than CPUs, handing a chunk over does not speed up
 * counting.  Then a reader has its own engine and counts the bytes that it has
 * just read while they are in the cache.
 */

#ifndef GPUHIST_PIPELINE_H
#define GPUHIST_PIPELINE_H

#include <stdbool.h>

#include "base/error.h"
#include "base/interval.h"
#include "hist/snapshot.h"
#include "hist/spec.h"
#include "input/read/inputs.h"
#include "run/auto_range.h"
#include "run/consumers.h"
#include "run/plan.h"
#include "run/readers.h"
#include "sync/pool.h"
#include "sync/snapshot_gate.h"

struct pipeline {
    const struct plan *plan;
    struct inputs *inputs;
    struct pool pool;
    struct auto_range ranging;
    struct consumers consumers;
    struct readers readers;

    /* For the thread that called pipeline_start(). */
    struct snapshot_gate gate; /* only if the plan takes snapshots */
    struct interval every;     /* between snapshots */
    uint64_t bytes_reported;   /* of all inputs before, if each has its own */
    double next_snapshot;      /* due time, in seconds of clock_now() */
    double next_watch;         /* likewise, of watcher_tick() */

    /* After pipeline_finish(). */
    bool is_abandoned; /* a thread may still be running */
};

/*
 * Start the threads that read INPUTS and count them by SPEC.  If EVERY is set,
 * snapshots are taken, and the plan must be for one reader and take snapshots.
 * If the plan is per input, so must be INPUTS.  PLAN, SPEC and
 * INPUTS must stay in place.  Updates INPUTS->reading.progress.  Returns 0, or
 * -1 with *ERROR set.
 */
int pipeline_start(struct pipeline *pipeline, const struct plan *plan,
                   const struct spec *spec, struct inputs *inputs,
                   const struct interval *every, struct error *error);

/*
 * Wait until a snapshot is due and take it, in *COUNTS, which the caller
 * closes.  It includes all records that were read until then.  Returns 1; 0:
 * the input has ended, or the run has failed; or -1 with *ERROR set.
 */
int pipeline_snapshot(struct pipeline *pipeline, struct snapshot *counts,
                      struct error *error);

/*
 * As pipeline_snapshot(), of one input: wait until the next one has ended, and
 * set *NAME, which the caller frees, to its name.  *COUNTS are of this input
 * alone.  pipeline_go_on() must follow, unless it returns 0 or -1.
 */
int pipeline_input(struct pipeline *pipeline, char **name,
                   struct snapshot *counts, struct error *error);

/*
 * The counts of pipeline_input() are closed: count the next input.  Returns 0,
 * or -1 with *ERROR set.
 */
int pipeline_go_on(struct pipeline *pipeline, struct error *error);

/*
 * Wait for the end of the run.  Sets *COUNTS, which the caller closes, to the
 * counts of all inputs, or of what pipeline_input() has not had.  Bad inputs
 * are not an error here: see inputs_error().  They go before an error in the
 * counts, which depends on how many records were read until an input failed.
 * Returns 0, or -1 with *ERROR set; or 1: inputs are bad, and there are no
 * counts.
 */
int pipeline_finish(struct pipeline *pipeline, struct snapshot *counts,
                    struct error *error);

/*
 * After pipeline_finish() has failed with ERROR: whether the run should be
 * repeated on the CPU, because a GPU that the user did not request has failed
 * and the inputs can be read again.  Then no thread is running, except one that
 * hangs in a driver, if the pipeline is abandoned.
 */
bool pipeline_may_repeat(const struct pipeline *pipeline,
                         const struct error *error);

/*
 * Release everything.  Must not be called if PIPELINE->is_abandoned; then the
 * process must end with _exit().  A pipeline is abandoned before
 * pipeline_finish(); after most failures, because a reader may wait for its
 * pipe for ever; if the input ended while a driver was starting; and if a
 * driver has hung.
 *
 * A driver may hang in this function, too.
 */
void pipeline_close(struct pipeline *pipeline);

#endif
