/*
 * readers.h -- the threads that read the inputs of a run
 *
 * A reader fills chunks and gives them to the pool.  Where there are more
 * threads than processors it counts what it has read itself: it becomes one
 * more consumer.
 */

#ifndef GPUHIST_READERS_H
#define GPUHIST_READERS_H

#include <pthread.h>
#include <stdint.h>

#include "input/inputs.h"
#include "run/consumers.h"
#include "util/error.h"

struct readers {
    struct consumers *consumers; /* their plan, their pool, their lock */
    struct inputs *inputs;

    /* All below: under the lock. */
    pthread_t *thread;
    unsigned int count;   /* started */
    unsigned int reading; /* not yet finished */
    uint64_t bytes;       /* read */
};

/*
 * Get ready to read INPUTS for CONSUMERS; both must stay in place.  Returns 0,
 * or -1: out of memory.  readers_close() is due in both cases.
 */
int readers_open(struct readers *readers, struct consumers *consumers,
                 struct inputs *inputs);

/*
 * Start the readers of the plan; under the lock.  One reader can do the work
 * of all, so only the first must start.  Returns 0, or -1 with *ERROR set.
 */
int readers_start(struct readers *readers, struct error *error);

/* Wait until all have ended. */
void readers_await(struct readers *readers);

void readers_close(struct readers *readers);

#endif
