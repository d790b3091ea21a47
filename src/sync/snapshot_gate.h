/*
 * snapshot_gate.h -- where a reader waits while a snapshot is taken (--every)
 *
 * A snapshot is the histogram of a known number of bytes, the first ones of
 * the input.  So the one reader that there is then must not be in the middle
 * of them: it enters the gate before it reads, and leaves when it has handed
 * over what it has read.  When the gate is shut and the reader is outside, the
 * pool is paused; once that is at rest, the histograms say what they should.
 *
 * The gate is shut by somebody who looks at the clock; a reader that waits
 * for a pipe is woken then.  Or it shuts itself, each time that a number of
 * bytes has gone through: then no more than what is left of them is let in.
 */

#ifndef GPUHIST_SNAPSHOT_GATE_H
#define GPUHIST_SNAPSHOT_GATE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sync/pool.h"
#include "util/error.h"

struct snapshot_gate {
    /* Set by snapshot_gate_open() for good. */
    struct pool *pool;
    uint64_t every_bytes; /* 0: it is shut by snapshot_gate_shut() only */
    size_t record_bytes;
    int wake; /* a descriptor that can be read from while it is shut, or -1 */

    pthread_mutex_t lock;
    /* All below: under the lock. */
    pthread_cond_t reopened;
    bool is_shut;
    bool is_inside;   /* the reader is */
    uint64_t bytes;   /* that have gone through */
    uint64_t shut_at; /* that will have, when it shuts itself */
};

/*
 * A gate to POOL, for records of RECORD_BYTES, that shuts itself at each
 * multiple of EVERY_BYTES, or at the first end of a record behind it; 0:
 * never.  Returns 0, or -1 with *ERROR set.
 */
int snapshot_gate_open(struct snapshot_gate *gate, struct pool *pool,
                       uint64_t every_bytes, size_t record_bytes,
                       struct error *error);

void snapshot_gate_shut(struct snapshot_gate *gate);

/* The snapshot has been taken: all goes on. */
void snapshot_gate_reopen(struct snapshot_gate *gate);

void snapshot_gate_close(struct snapshot_gate *gate);

/* ---- for the reader; GATE may be NULL: there is none ---- */

/* Wait until the gate is not shut, and go in. */
void snapshot_gate_enter(struct snapshot_gate *gate);

/* How many bytes may be read now, of so many that there is ROOM for. */
size_t snapshot_gate_room(struct snapshot_gate *gate, size_t room);

/* Whether it may be shut at any moment, by snapshot_gate_shut(). */
bool snapshot_gate_is_timed(const struct snapshot_gate *gate);

/*
 * Inside: wait until there is something to read from FD, or an end, or an
 * error.  Returns 1; 0 when the gate has been shut; -1 with errno set, EINTR
 * after a signal.
 */
int snapshot_gate_wait_input(const struct snapshot_gate *gate, int fd);

/* So many BYTES, whole records, have been handed over; or none. */
void snapshot_gate_leave(struct snapshot_gate *gate, size_t bytes);

#endif
