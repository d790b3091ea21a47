/*
 * pipeline.h -- the threads of a run: readers fill chunks, engines count them
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

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "engine/engine.h"
#include "hist/histogram.h"
#include "hist/snapshot.h"
#include "hist/spec.h"
#include "input/inputs.h"
#include "run/auto_range.h"
#include "run/plan.h"
#include "sync/pool.h"
#include "sync/snapshot_gate.h"
#include "sync/watchdog.h"
#include "util/error.h"
#include "util/interval.h"

enum consumer_state {
    CONSUMER_STARTING, /* its engine is being opened */
    CONSUMER_COUNTING,
    CONSUMER_DONE,   /* there was nothing left to count */
    CONSUMER_FAILED, /* see ERROR; its chunks went back to the pool */
};

/* An engine and the thread that feeds it. */
struct consumer {
    struct pipeline *pipeline;
    struct engine *engine; /* under the pipeline's lock while STARTING */
    struct engine *second; /* where that cannot be opened; NULL: none */
    bool is_reader;   /* a reader's thread: it counts what it has read itself */
    pthread_t thread; /* else */

    /* Under the pipeline's lock; written by THREAD, or once that is LOST. */
    enum consumer_state state;
    bool was_open; /* it FAILED after it had been COUNTING */
    bool is_lost;  /* ... and THREAD is still in a call of a driver */
    struct error error;
    char name[128]; /* as in ENGINE, which may be writing it */

    /* For THREAD, until WATCH says otherwise, or until it has been joined. */
    struct watchdog watch;
    struct chunk **held; /* chunks that ENGINE has, the oldest first */
    size_t held_count;
    struct histogram counted;        /* ENGINE's, after those before them */
    const struct spec *counted_spec; /* its axes */
    double open_seconds;             /* what engine->type->open() took */
    double count_seconds;            /* from its first chunk to its last */
    uint64_t bytes; /* in the chunks that its engine completed */

    /* After pipeline_finish(). */
    bool is_late; /* not waited for: its engine must not be looked at */
};

struct pipeline {
    const struct plan *plan;
    const struct spec *spec;
    struct inputs *inputs;
    struct pool pool;
    struct auto_range ranging;

    /* For the thread that called pipeline_start(). */
    struct snapshot_gate gate; /* where there are snapshots: EVERY is set */
    struct interval every;     /* how often */
    double next_snapshot;      /* when, in seconds of the monotonic clock ... */
    double next_watch;         /* ... and when devices are to be looked at */

    pthread_mutex_t lock;
    /* All below: under the lock. */
    pthread_t *reader;
    unsigned int reader_count;    /* started */
    unsigned int readers_reading; /* not yet finished */
    struct consumer *consumer;
    size_t consumer_count; /* started; never more than CONSUMER_MAX */
    size_t consumer_max;
    unsigned int host_count;   /* of them on the CPU ... */
    unsigned int host_readers; /* ... and of those, readers */
    bool gpus_started;
    uint64_t bytes_read;
    struct error error;    /* why the run stopped */
    struct error shortage; /* why there are fewer threads than there might be */
    pthread_cond_t ended;  /* a consumer is DONE or has FAILED */

    /* What CPU threads that share a histogram add to, each cell atomically. */
    struct histogram histogram;

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
