/* SPDX-License-Identifier: MIT */
/*
 * readers.h -- the threads that read the inputs of a run
 *
 * A reader fills chunks and gives each chunk to the pool.  With more threads
 * than CPUs, the reader counts its own bytes and also becomes a consumer.
 */

#ifndef GPUHIST_READERS_H
#define GPUHIST_READERS_H

#include <pthread.h>
#include <stdint.h>

#include "base/error.h"
#include "input/read/inputs.h"
#include "run/consumers.h"
#include "run/throughput.h"

struct readers {
    struct consumers *consumers; /* has the plan, the pool and the lock */
    struct inputs *inputs;
    double busy_before;     /* clock_busy() when the readers were started */
    _Atomic uint64_t bytes; /* of content, read so far ... */
    _Atomic uint64_t bytes_before; /* ... before counting started over */
    struct throughput throughput;  /* if the plan's GPUs start by it */

    /* All below: under the lock. */
    pthread_t *thread;
    unsigned int count;   /* started */
    unsigned int reading; /* not yet finished */
};

/*
 * Prepare to read the inputs of CONSUMERS, which must stay in place.  Returns
 * 0, or -1: out of memory; the caller calls readers_close() in both cases.
 */
int readers_open(struct readers *readers, struct consumers *consumers);

/*
 * Start the readers of the plan.  Under the lock.  One reader can do the work
 * of all, so the only error is that no reader could start.  Returns 0, or -1
 * with *ERROR set.
 */
int readers_start(struct readers *readers, struct error *error);

/* With --per-file: the bytes read so far are reported, and counting starts
   over. */
void readers_restart(struct readers *readers);

/* Join the threads of all readers. */
void readers_await(struct readers *readers);

void readers_close(struct readers *readers);

#endif
