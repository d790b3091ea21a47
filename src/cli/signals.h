/*
 * signals.h -- what INT, TERM, HUP and USR1 do
 *
 * All threads block them, and one thread waits for them: so nothing is done
 * in a signal handler, no system call of another thread is ever interrupted,
 * and no variable needs to be global.
 *
 * INT, TERM and HUP end the process at once, by that signal: temporary files
 * are removed first.  Or, where a part of the input is worth printing, the
 * first of them asks the readers to stop (cancel.h); main.c ends the process
 * then, and a second one does so at once.
 *
 * USR1 prints how far the run has come; the same thread keeps a terminal's line
 * that says so up to date (status_line.h).
 *
 * A signal that was ignored when the process began stays so (nohup).
 */

#ifndef GPUHIST_SIGNALS_H
#define GPUHIST_SIGNALS_H

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>

#include "cli/status_line.h"
#include "sync/cancel.h"
#include "sync/progress.h"
#include "util/error.h"
#include "util/output.h"

/* The thread looks at it until the process ends: it must stay in place. */
struct signals {
    struct progress progress;
    struct status_line line;
    struct cancel cancel;
    struct outputs outputs;

    /* Set by signals_open() for good. */
    sigset_t ending;  /* those of INT, TERM and HUP that are not ignored */
    sigset_t handled; /* and USR1 */
    bool has_thread;

    pthread_mutex_t lock;
    /* All below: under the lock. */
    int first;           /* the signal that asked the readers to stop, or 0 */
    double first_second; /* when it did; of the monotonic clock */
};

/*
 * Open the parts of SIGNALS, and start the thread; no other one has been
 * started yet.  PROGRESS says when there is to be a line about it.  Returns 0;
 * or -1 with *ERROR set where there can be no thread: then INT, TERM and HUP
 * end the process without any clean-up, USR1 has no effect, and there is no
 * such line.
 */
int signals_open(struct signals *signals, enum status_line_when progress,
                 struct error *error);

/*
 * All has been read.  Have a signal that came until now take effect, so that
 * one that ended the sender of the data, too, is not overtaken by their end.
 * Returns the one that made the readers stop, or 0; from now on it cannot.
 */
int signals_settle(struct signals *signals);

/* End the process by SIGNAL, as if it had never been blocked. */
_Noreturn void signals_die(struct signals *signals, int signal);

/* Its name: "SIGINT". */
const char *signals_name(int signal);

/*
 * Put off the signals by which a failing write() ends the process, for the
 * calling thread: there are files to remove first.  They take effect when
 * signals_release_writing() is called.
 */
void signals_hold_writing(void);
void signals_release_writing(void);

#endif
