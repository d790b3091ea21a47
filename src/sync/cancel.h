/*
 * cancel.h -- have the readers stop, also one that waits in a system call
 *
 * A reader that waits for a pipe, or in open() for somebody to write to a
 * FIFO, would not notice.  So calls that may wait are listed, and a signal
 * that does nothing is sent to their threads: the calls fail with EINTR.  It
 * might come just before a call has begun, so it is sent again until no call
 * is listed.  The signal is SIGURG, whose default is to do nothing, too (the
 * Go runtime uses it for the same purpose and the same reason).
 */

#ifndef GPUHIST_CANCEL_H
#define GPUHIST_CANCEL_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

enum cancel_state {
    CANCEL_FORBIDDEN, /* nothing could be done with a part of the input */
    CANCEL_ALLOWED,
    CANCEL_ASKED,
};

/* A system call that may wait. */
struct cancel_call {
    bool is_listed;
    pthread_t thread;
    struct cancel_call *next;
};

struct cancel {
    pthread_mutex_t lock;
    atomic_int state;          /* an enum stop_state; written under the lock */
    struct cancel_call *calls; /* under the lock */
};

void cancel_open(struct cancel *cancel);

/* From now on the readers may be asked; none has been started yet. */
void cancel_allow(struct cancel *cancel);

/* The readers have finished.  Returns whether they were asked to. */
bool cancel_close(struct cancel *cancel);

/* Ask the readers.  Returns false where that is not allowed (any more). */
bool cancel_ask(struct cancel *cancel);

/* Interrupt the calls that wait.  False: there are none, nor will there be. */
bool cancel_interrupt(struct cancel *cancel);

/* ---- for readers; STOP may be NULL: nobody will ask ---- */

bool cancel_is_asked(const struct cancel *cancel);

/* Begin a system call that may wait.  Returns false where it must not. */
bool cancel_begin_call(struct cancel *cancel, struct cancel_call *call);

/* It is done; keeps errno. */
void cancel_end_call(struct cancel *cancel, struct cancel_call *call);

#endif
