/* SPDX-License-Identifier: MIT */
/*
 * consumers.h -- the engines of a run and the threads that feed the engines
 *
 * A consumer is an engine with a thread that takes chunks from the pool for the
 * engine.  A counting reader is also a consumer: its thread passes its bytes
 * directly to its engine, without the pool.
 */

#ifndef GPUHIST_CONSUMERS_H
#define GPUHIST_CONSUMERS_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "engine/cpu/cells/shared_counts.h"
#include "engine/cpu/fields/field_engine.h"
#include "engine/engine.h"
#include "hist/histogram.h"
#include "hist/spec.h"
#include "input/read/inputs.h"
#include "run/auto_range.h"
#include "run/plan.h"
#include "sync/pool.h"
#include "sync/progress.h"
#include "sync/watchdog.h"

enum consumer_state {
    CONSUMER_STARTING, /* its engine is being opened */
    CONSUMER_COUNTING,
    CONSUMER_DONE,   /* nothing was left to count */
    CONSUMER_FAILED, /* see ERROR; its chunks went back to the pool */
};

/* An engine and the thread that feeds the engine. */
struct consumer {
    struct consumers *all;
    struct engine *engine; /* under the lock while STARTING */
    struct engine *second; /* used if ENGINE cannot be opened; or NULL */
    const void *token;     /* of leases that are tied to it, or NULL */
    bool is_reader;        /* a reader feeds it ... */
    pthread_t thread;      /* ... or else this thread */

    /* Under the lock.  Written by THREAD, or by the watcher if it IS_LOST. */
    enum consumer_state state;
    bool was_open; /* FAILED after COUNTING */
    bool is_lost;  /* FAILED because THREAD hangs in a call of a driver */
    struct error error;
    char name[128]; /* a copy of ENGINE's, which THREAD may be writing */

    /* Only for the owner by WATCH: THREAD, or the watcher if it IS_LOST. */
    struct watchdog watch;
    struct chunk **held; /* chunks that ENGINE holds, the oldest first */
    size_t held_count;
    struct histogram counted;        /* view of ENGINE's completed counts */
    const struct spec *counted_spec; /* its axes */
    double open_seconds;             /* duration of engine->type->open() */
    double count_seconds;            /* from the first chunk to the last */
    uint64_t bytes;                  /* in the chunks completed by ENGINE */
    uint64_t leftovers; /* records of these chunks counted by others */
    uint64_t left;      /* chunks that ENGINE refused ... */
    uint64_t skipped;   /* ... or did not want to see */

    /* After watcher_await(). */
    bool is_starting; /* still starting: do not touch its engine */
};

struct consumers {
    const struct plan *plan;
    const struct spec *spec; /* the first one of RANGING */
    struct pool *pool;
    struct auto_range *ranging;
    struct inputs *inputs;
    struct progress *progress; /* gets the numbers of engines */

    pthread_mutex_t lock; /* of the readers, too */
    /* All below: under the lock. */
    struct consumer *consumer; /* MAX elements */
    size_t count;              /* started */
    size_t max;
    unsigned int host_count;   /* consumers on the CPU ... */
    unsigned int host_readers; /* ... and the counting readers among these */
    _Atomic(struct engine *) spare; /* made for a thread that was refused: its
                                       share of the memory is taken; or NULL */
    bool gpus_started;
    size_t gpu_count;      /* of the plan's GPUs, how many were started */
    struct error error;    /* why the run stopped */
    struct error shortage; /* why fewer threads run than the plan allows */
    pthread_cond_t ended;  /* a consumer is DONE or has FAILED */

    /* Start the next GPU after so many bytes; UINT64_MAX while a GPU is being
       opened, or if none is left.  Without the lock. */
    atomic_uint_fast64_t next_mark;

    /* CPU threads that read or count.  Written under the lock. */
    atomic_uint working;

    /* CPU threads count here if they share a histogram, or keys. */
    struct shared_counts shared;
    struct field_counts keys;

    /* Records of zeros (inputs_zero_records()) that KEYS has; for merge.c. */
    uint64_t zero_records;
};

/*
 * Prepare the consumers of PLAN for INPUTS.  SPEC is the first spec of RANGING.
 * All arguments must outlive ALL.  Returns 0, or -1 with *ERROR set; the caller
 * calls consumers_close() in both cases.
 */
int consumers_open(struct consumers *all, const struct plan *plan,
                   const struct spec *spec, struct pool *pool,
                   struct auto_range *ranging, struct inputs *inputs,
                   struct error *error);

/*
 * Start the first CPU thread, unless readers count, and the GPUs that the plan
 * starts at once.  Under the lock.  Returns 0, or -1 with *ERROR set.
 */
int consumers_start(struct consumers *all, struct error *error);

/*
 * A reader hands over a chunk of BYTES: if only readers count so far, start a
 * CPU thread for the chunk, if the plan allows one more.  If nobody has
 * counted, start one for no bytes, too, because the counts of a run are those
 * of consumers.  Returns 0, or -1 with *ERROR set.
 */
int consumers_start_host(struct consumers *all, size_t bytes,
                         struct error *error);

/* Whether there is a CPU thread that only counts. */
bool consumers_have_host(struct consumers *all);

/* Whether all CPU threads that the plan allows are readers that count: then
   they count what they read, because only they could. */
bool consumers_are_readers(struct consumers *all);

/*
 * Start the first GPU of the plan; later calls do nothing.  Each open GPU
 * starts the next GPU, or lets consumers_note_read() do so, unless the run ends
 * early.  Under the lock.  Returns 0, or -1 with *ERROR set.
 */
int consumers_start_gpus(struct consumers *all, struct error *error);

/*
 * The readers have read BYTES so far: start the next GPU if the plan has its
 * mark there.  If it cannot be started, the run stops.
 */
void consumers_note_read(struct consumers *all, uint64_t bytes);

/* Returns an engine for another CPU thread, or NULL: out of memory.  It may be
   that of a thread that was refused. */
struct engine *consumers_new_host(struct consumers *all);

/*
 * Returns the next consumer, for ENGINE; the caller adds it to ALL->count.
 * Returns NULL with *ERROR set if ENGINE is NULL: out of memory.  Under the
 * lock.
 */
struct consumer *consumers_next(struct consumers *all, struct engine *engine,
                                struct error *error);

/*
 * Record in ALL->shortage that the system refused a thread, with the error
 * number RESULT.  Under the lock.
 */
void consumers_note_refusal(struct consumers *all, int result);

/* Stop the run because a reader failed.  Moves ERROR. */
void consumers_stop(struct consumers *all, struct error *error);

/*
 * Move the error that stopped the run, if any, to *ERROR.  Returns 0, or -1
 * with *ERROR set.
 */
int consumers_check(struct consumers *all, struct error *error);

/* Returns 1 if the engine of CONSUMER is a device, or 0: it can be counted. */
int consumer_is_device(const struct consumer *consumer);

/* Record the counts of CONSUMER's engine, for merge.c. */
void consumer_keep_counts(struct consumer *consumer);

/* The engine of CONSUMER has counted its last chunk. */
void consumer_finish(struct consumer *consumer);

/*
 * The engine of CONSUMER has finished, failed or hangs: give its chunks back.
 * The device may still read a chunk after the chunk is filled again.  This is
 * harmless: the device's counts are never read after this call.
 */
void consumer_end(struct consumer *consumer);

/*
 * The engine of CONSUMER has failed, and its chunks are back in the pool.  A
 * GPU requested by the user must at least have started.  If a GPU fails later,
 * any other engine may replace the GPU.  Moves FAILURE.
 */
void consumer_fail(struct consumer *consumer, struct error *failure);

/*
 * After merge_counts(), whose counts are closed: forget all counts, to count
 * the next input.  No engine is counting or has chunks.  Returns 0, or -1 with
 * *ERROR set.
 */
int consumers_restart(struct consumers *all, struct error *error);

/* Release everything; no thread may be running. */
void consumers_close(struct consumers *all);

#endif
