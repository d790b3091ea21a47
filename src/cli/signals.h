/*
 * signals.h -- what INT, TERM, HUP and USR1 do
 *
 * All threads block these signals, and one thread waits for them.  So no work
 * is done in a signal handler, no system call of another thread is interrupted,
 * and no variable needs to be global.
 *
 * INT, TERM and HUP remove the temporary files and end the process at once, by
 * that signal.  With --interrupted=print, the first of them only asks the
 * readers to stop (cancel.h), and passes.c ends the process after printing; a
 * second signal ends the process at once.
 *
 * USR1 prints the progress of the run; the same thread updates the status line
 * (status_line.h).  USR1 is blocked from the first statement of main() on, so
 * that it never ends the process.
 *
 * The thread never waits for standard error, so that a signal takes effect even
 * if nobody reads there.
 *
 * A signal that was ignored when the process started stays ignored (nohup).  It
 * is also blocked, because libraries may replace SIG_IGN with a handler.
 *
 * If a driver calls abort(), the process sends itself a USR1 (driver_abort.h).
 */

#ifndef GPUHIST_SIGNALS_H
#define GPUHIST_SIGNALS_H

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>

#include "base/error.h"
#include "base/output.h"
#include "cli/status_line.h"
#include "sync/cancel.h"
#include "sync/progress.h"

/* The struct must not move: the thread uses it until the process ends. */
struct signals {
    struct progress progress;
    struct status_line line;
    struct cancel cancel;
    struct outputs outputs;

    /* Constant after signals_open(). */
    sigset_t ending;  /* those of INT, TERM and HUP that are not ignored */
    sigset_t handled; /* ENDING and USR1 */
    bool has_reports; /* USR1 is not ignored */
    bool has_thread;

    pthread_mutex_t lock;
    /* Under the lock: */
    int first;           /* the signal that asked the readers to stop, or 0 */
    double first_second; /* when it arrived; seconds, monotonic clock */
};

/*
 * Block USR1, and the signals that the process ignores; call this in the first
 * statement of main().  A USR1 that arrives before signals_open() is handled
 * after it.
 */
void signals_begin(void);

/*
 * Initialize SIGNALS and start the thread.  Call this before any other thread
 * starts.  PROGRESS says when to draw the status line.  Returns 0, or -1 with
 * *ERROR set if the thread cannot be started.  Then SIGNALS can still be used,
 * but INT, TERM and HUP end the process without removing files, USR1 has no
 * effect, and there is no status line.
 */
int signals_open(struct signals *signals, enum status_line_when progress,
                 struct error *error);

/*
 * Handle the signals that have arrived; call this after all input is read.  A
 * signal that also ended the sender of the data arrives before the end of the
 * data, so it is handled here at the latest.  Returns the signal that asked the
 * readers to stop, or 0; later signals can no longer ask for that.
 */
int signals_settle(struct signals *signals);

/* Remove the temporary files and end the process by SIGNAL. */
_Noreturn void signals_die(struct signals *signals, int signal);

/* The name of SIGNAL, one of INT, TERM and HUP: "SIGINT". */
const char *signals_name(int signal);

/*
 * Block SIGPIPE and SIGXFSZ in the calling thread, so that a failing write()
 * does not end the process while it has files to remove.  If one of them
 * arrived, it takes effect in signals_release_writing().
 */
void signals_hold_writing(void);
void signals_release_writing(void);

#endif
