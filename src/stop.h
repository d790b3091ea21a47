/*
 * stop.h -- have the readers stop, also one that waits in a system call
 *
 * A reader that waits for a pipe, or in open() for somebody to write to a
 * FIFO, would not notice.  So calls that may wait are listed, and a signal
 * that does nothing is sent to their threads: the calls fail with EINTR.  It
 * might come just before a call has begun, so it is sent again until no call
 * is listed.  The signal is SIGURG, whose default is to do nothing, too (the
 * Go runtime uses it for the same purpose and the same reason).
 */

#ifndef GPUHIST_STOP_H
#define GPUHIST_STOP_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

enum stop_state {
    STOP_FORBIDDEN, /* nothing could be done with a part of the input */
    STOP_ALLOWED,
    STOP_ASKED,
};

/* A system call that may wait. */
struct stop_call {
    bool is_listed;
    pthread_t thread;
    struct stop_call *next;
};

struct stop {
    pthread_mutex_t lock;
    atomic_int state;        /* an enum stop_state; written under the lock */
    struct stop_call *calls; /* under the lock */
};

void stop_open(struct stop *stop);

/* From now on the readers may be asked; none has been started yet. */
void stop_allow(struct stop *stop);

/* The readers have finished.  Returns whether they were asked to. */
bool stop_close(struct stop *stop);

/* Ask the readers.  Returns false where that is not allowed (any more). */
bool stop_ask(struct stop *stop);

/* Interrupt the calls that wait.  False: there are none, nor will there be. */
bool stop_interrupt(struct stop *stop);

/* ---- for readers; STOP may be NULL: nobody will ask ---- */

bool stop_is_asked(const struct stop *stop);

/* Begin a system call that may wait.  Returns false where it must not. */
bool stop_begin_call(struct stop *stop, struct stop_call *call);

/* It is done; keeps errno. */
void stop_end_call(struct stop *stop, struct stop_call *call);

#endif
