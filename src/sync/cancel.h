/* SPDX-License-Identifier: MIT */
/*
 * cancel.h -- stop the readers, even in a blocking system call
 *
 * A reader that blocks in read() on a pipe, or in open() on a FIFO without a
 * writer, does not poll a flag.  So a reader lists each call that may block.
 * cancel_interrupt() sends a signal with an empty handler to the threads of the
 * listed calls, and the calls fail with EINTR.  A signal just before the start
 * of the call has no effect, so the caller repeats cancel_interrupt() until no
 * call is listed.  The signal is SIGURG, which is ignored by default (the Go
 * runtime uses SIGURG likewise).
 */

#ifndef GPUHIST_CANCEL_H
#define GPUHIST_CANCEL_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

enum cancel_state {
    CANCEL_FORBIDDEN, /* a partial result would be of no use */
    CANCEL_ALLOWED,
    CANCEL_ASKED,
};

/* A system call that may block; memory of the calling reader. */
struct cancel_call {
    bool is_listed;
    pthread_t thread;
    struct cancel_call *next;
};

struct cancel {
    pthread_mutex_t lock;
    atomic_int state;          /* enum cancel_state; written under the lock */
    struct cancel_call *calls; /* the listed calls; under the lock */
};

/* Start in CANCEL_FORBIDDEN. */
void cancel_open(struct cancel *cancel);

/*
 * Allow cancel_ask().  Sets the handler of SIGURG and unblocks SIGURG for the
 * calling thread and its future threads, so call this before the readers start.
 */
void cancel_allow(struct cancel *cancel);

/*
 * The readers have finished: forbid cancel_ask().  Returns whether the
 * readers were asked to stop.
 */
bool cancel_close(struct cancel *cancel);

/* Ask the readers to stop.  Returns false where not allowed. */
bool cancel_ask(struct cancel *cancel);

/* Whether cancel_ask() is allowed and was not called. */
bool cancel_is_allowed(const struct cancel *cancel);

/*
 * Interrupt the listed calls.  Returns whether any call was listed: after
 * cancel_ask(), false means that no call will follow.
 */
bool cancel_interrupt(struct cancel *cancel);

/* ---- for readers; CANCEL may be NULL: the run cannot be cancelled ---- */

bool cancel_is_asked(const struct cancel *cancel);

/*
 * Before a system call that may block: list CALL, which must stay in place
 * until cancel_end_call().  Returns false if the readers have been asked to
 * stop: then do not make the system call.
 */
bool cancel_start_call(struct cancel *cancel, struct cancel_call *call);

/* After the system call, whose errno is preserved. */
void cancel_end_call(struct cancel *cancel, struct cancel_call *call);

#endif
