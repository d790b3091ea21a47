/* SPDX-License-Identifier: MIT */
/*
 * snapshot_gate.h -- holds the readers while a snapshot is taken
 *
 * A snapshot is the histogram of the first N bytes of the input (--every), or
 * of one input (--per-file).  No reader may hold bytes meanwhile that it has
 * not handed over.  A reader enters the gate before it reads, and leaves after
 * it has handed over all bytes.  When the gate is shut and all readers are
 * outside, the gate pauses the pool.  Once the pool is idle, the histograms
 * hold the bytes that have gone through the gate.
 *
 * With --every there is one reader.  With an interval in time, a timer thread
 * shuts the gate, which also wakes a reader that waits for a pipe.  With an
 * interval in bytes, the gate shuts itself: reads are limited to the bytes that
 * remain until the next multiple.  With records of any length, the reader goes
 * on to the end of the current record.
 *
 * With --per-file a reader shuts the gate when an input has ended.
 */

#ifndef GPUHIST_SNAPSHOT_GATE_H
#define GPUHIST_SNAPSHOT_GATE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "sync/pool.h"

struct snapshot_gate {
    /* Constant after snapshot_gate_open(). */
    struct pool *pool;
    uint64_t every_bytes; /* 0: only snapshot_gate_shut() shuts the gate */
    size_t record_bytes;  /* 0: any length */
    int wake; /* an eventfd, readable while the gate is shut; or -1 */

    pthread_mutex_t lock;
    /* All below: under the lock. */
    pthread_cond_t reopened;
    bool is_shut;
    size_t inside;    /* readers that are inside */
    uint64_t bytes;   /* that have gone through */
    uint64_t shut_at; /* the value of BYTES at which the gate shuts itself */
};

/*
 * Make a gate to POOL for records of RECORD_BYTES; 0: of any length.  If it
 * IS_TIMED, it may be shut at any time.  It shuts itself at each multiple of
 * EVERY_BYTES, rounded up to the end of a record; if EVERY_BYTES is 0, never.
 * Returns 0, or -1 with *ERROR set.
 */
int snapshot_gate_open(struct snapshot_gate *gate, struct pool *pool,
                       bool is_timed, uint64_t every_bytes, size_t record_bytes,
                       struct error *error);

/* Shut the gate, and pause the pool as soon as all readers are outside. */
void snapshot_gate_shut(struct snapshot_gate *gate);

/* The snapshot has been taken: open the gate and resume the pool. */
void snapshot_gate_reopen(struct snapshot_gate *gate);

void snapshot_gate_close(struct snapshot_gate *gate);

/* ---- for readers; GATE may be NULL: no snapshots are taken ---- */

/* Wait until the gate is open, and enter. */
void snapshot_gate_enter(struct snapshot_gate *gate);

/* Outside: wait until GATE, which is not NULL, is open. */
void snapshot_gate_await(struct snapshot_gate *gate);

/* Returns how many bytes may be read now, ROOM at most. */
size_t snapshot_gate_room(struct snapshot_gate *gate, size_t room);

/*
 * Whether the gate shuts itself between records of any length: the reader must
 * hand over the first records that have snapshot_gate_left() bytes or more.
 */
bool snapshot_gate_awaits_end(const struct snapshot_gate *gate);

/* Returns the bytes until the next multiple; SIZE_MAX if it awaits no end. */
size_t snapshot_gate_left(struct snapshot_gate *gate);

/* Whether snapshot_gate_shut() may shut the gate at any time. */
bool snapshot_gate_is_timed(const struct snapshot_gate *gate);

/*
 * Inside the gate: wait until read() from FD would not block, or until WAKE, an
 * eventfd or -1, is readable.  Returns 1; or 0 if the gate has been shut or
 * WAKE is readable; or -1 with errno set, EINTR after a signal.
 */
int snapshot_gate_wait_input(const struct snapshot_gate *gate, int fd,
                             int wake);

/* Leave, after handing over BYTES, which are whole records or 0. */
void snapshot_gate_leave(struct snapshot_gate *gate, size_t bytes);

#endif
