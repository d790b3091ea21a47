/* SPDX-License-Identifier: MIT */
/*
 * pipeline.h -- a run: readers fill chunks, engines count them
 *
 * Each reader and each engine has its own thread; the threads exchange chunks
 * only through the pool.  Histograms are sums, so any engine may count any
 * chunk.  The CPU counts while a GPU starts, helps a slow GPU, and replaces a
 * GPU that fails or hangs.
 *
 * With more threads than CPUs, handing a chunk over does not speed up counting.
 * Then a reader has its own engine and counts each chunk while the chunk is in
 * the cache.
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
 * Start threads to read INPUTS and to count by SPEC.  If EVERY is set,
 * snapshots are taken, and the plan must be for one reader and for snapshots.
 * If the plan is per input, INPUTS must be, too.  PLAN, SPEC and INPUTS must
 * stay in place.  Updates INPUTS->reading.progress.  Returns 0, or -1 with
 * *ERROR set.
 */
int pipeline_start(struct pipeline *pipeline, const struct plan *plan,
                   const struct spec *spec, struct inputs *inputs,
                   const struct interval *every, struct error *error);

/*
 * Wait until a snapshot is due and take the snapshot, in *COUNTS, which the
 * caller closes.  The snapshot includes all records read until then.  Returns
 * 1; 0: the input has ended, or the run has failed; or -1 with *ERROR set.
 */
int pipeline_snapshot(struct pipeline *pipeline, struct snapshot *counts,
                      struct error *error);

/*
 * As pipeline_snapshot(), for one input: wait until the next input has ended,
 * and set *NAME, which the caller frees, to its name.  *COUNTS are of this
 * input alone.  If 1 is returned, pipeline_go_on() must follow.
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
 * counts of all inputs, or of the inputs that pipeline_input() has not
 * returned.  Bad inputs are not an error here: see inputs_error().  Bad inputs
 * precede an error in the counts, because the counts depend on the number of
 * records read before an input failed.  Returns 0, or -1 with *ERROR set; or 1:
 * inputs are bad, and *COUNTS are missing.
 */
int pipeline_finish(struct pipeline *pipeline, struct snapshot *counts,
                    struct error *error);

/*
 * After pipeline_finish() has failed with ERROR: whether the run should be
 * repeated on the CPU, because an unrequested GPU has failed and the inputs can
 * be read again.  Then no thread is running, except a thread that hangs in a
 * driver, if the pipeline is abandoned.
 */
bool pipeline_may_repeat(const struct pipeline *pipeline,
                         const struct error *error);

/*
 * End a run per input before pipeline_finish(), since its counts are not
 * wanted: wait for all threads.  INPUTS are a track, and no GPU counts.
 */
void pipeline_stop(struct pipeline *pipeline);

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
