/*
 * consumers.h -- the engines of a run and the threads that feed them
 *
 * A consumer is an engine with a thread that takes chunks from the pool for
 * it.  A reader that counts is a consumer as well: its own thread hands the
 * engine what it has just read, and the pool is not involved.
 */

#ifndef GPUHIST_CONSUMERS_H
#define GPUHIST_CONSUMERS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/engine.h"
#include "hist/histogram.h"
#include "hist/spec.h"
#include "run/auto_range.h"
#include "run/plan.h"
#include "sync/pool.h"
#include "sync/progress.h"
#include "sync/watchdog.h"
#include "util/error.h"

enum consumer_state {
    CONSUMER_STARTING, /* its engine is being opened */
    CONSUMER_COUNTING,
    CONSUMER_DONE,   /* there was nothing left to count */
    CONSUMER_FAILED, /* see ERROR; its chunks went back to the pool */
};

/* An engine and the thread that feeds it. */
struct consumer {
    struct consumers *all;
    struct engine *engine; /* under the lock while STARTING */
    struct engine *second; /* where that cannot be opened; NULL: none */
    bool is_reader;        /* fed by the reader that it belongs to ... */
    pthread_t thread;      /* ... or else by this thread */

    /* Under the lock; written by THREAD, or once that is LOST. */
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

    /* After consumers_await(). */
    bool is_late; /* not waited for: its engine must not be looked at */
};

struct consumers {
    const struct plan *plan;
    struct pool *pool;
    struct auto_range *ranging;
    struct progress *progress; /* where the number of engines is kept */

    pthread_mutex_t lock; /* that of the readers, too */
    /* All below: under the lock. */
    struct consumer *consumer;
    size_t count; /* started; never more than MAX */
    size_t max;
    unsigned int host_count;   /* of them on the CPU ... */
    unsigned int host_readers; /* ... and of those, readers */
    bool gpus_started;
    struct error error;    /* why the run stopped */
    struct error shortage; /* why there are fewer threads than there might be */
    pthread_cond_t ended;  /* a consumer is DONE or has FAILED */

    /* CPU threads that share a histogram add to this one, each cell
       atomically. */
    struct histogram histogram;
};

/*
 * Get ready for the consumers of PLAN; all that is referred to must stay in
 * place.  SPEC is the first of RANGING.  Returns 0, or -1: out of memory.
 * consumers_close() is due in both cases.
 */
int consumers_open(struct consumers *all, const struct plan *plan,
                   const struct spec *spec, struct pool *pool,
                   struct auto_range *ranging, struct progress *progress);

/*
 * Start the threads with which the run begins; under the lock.  Returns 0, or
 * -1 with *ERROR set.
 */
int consumers_start(struct consumers *all, struct error *error);

/* Start the GPUs of the plan, once; under the lock.  Returns as above. */
int consumers_start_gpus(struct consumers *all, struct error *error);

/*
 * Make the reader that calls a consumer; under the lock.  Returns NULL where
 * the plan has no room for one, or memory is short.
 */
struct consumer *consumers_add_reader(struct consumers *all);

/*
 * For that reader: count CHUNK here and now.  Returns 0, or -1: out of
 * memory.
 */
int consumers_count(struct consumer *self, struct chunk *chunk);

/* For that reader: it will count no more. */
void consumers_leave(struct consumer *self);

/* The system refused a thread, with an error number; under the lock. */
void consumers_note_refusal(struct consumers *all, int result);

/* A reader cannot go on, and so the run cannot: ERROR is moved. */
void consumers_stop(struct consumers *all, struct error *error);

/* Move the error that stopped the run, if any, to *ERROR: then -1, else 0. */
int consumers_check(struct consumers *all, struct error *error);

/* How many seconds to wait before consumers_watch(); 0: there is no need. */
double consumers_watch_seconds(const struct consumers *all);

/* Take everything away from devices that hang. */
void consumers_watch(struct consumers *all);

/*
 * Wait for the threads, after all readers have ended.  A GPU that nobody
 * demanded and that is still starting is not waited for, nor is one that
 * hangs.  Returns whether a thread may still be running because of that.
 */
bool consumers_await(struct consumers *all);

/* Release everything; no thread may be running. */
void consumers_close(struct consumers *all);

#endif
