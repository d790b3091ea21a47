/* SPDX-License-Identifier: MIT */
/*
 * signals.h -- the effects of INT, TERM, HUP and USR1
 *
 * All threads block these signals, and one thread waits for signals.  So no
 * signal handler does work, no system call of another thread is interrupted,
 * and no variable needs to be global.
 *
 * INT, TERM and HUP remove the temporary files and end the process at once, by
 * that signal.  With --interrupted=print, the first signal only asks the
 * readers to stop (cancel.h), and passes.c ends the process after printing; a
 * second signal ends the process at once.
 *
 * USR1 prints the progress of the run; the same thread updates the status line
 * (status_line.h).  USR1 is blocked from the first statement of main() on, and
 * never ends the process.
 *
 * The thread never waits for standard error: a signal takes effect even if
 * nobody reads there.
 *
 * A signal ignored at the start of the process stays ignored (nohup).  The
 * signal is also blocked, because libraries may replace SIG_IGN with a handler.
 *
 * CONT is counted, because a shell writes on the terminal while the process is
 * stopped.
 *
 * If a driver calls abort(), the process sends itself a USR1 (driver_abort.h).
 */

#ifndef GPUHIST_SIGNALS_H
#define GPUHIST_SIGNALS_H

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
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
    sigset_t ending;  /* INT, TERM and HUP, unless ignored */
    sigset_t handled; /* ENDING, USR1 and CONT */
    bool has_reports; /* USR1 is not ignored */
    bool has_thread;
    pthread_t thread;
    atomic_uint intrusions; /* how often the process went on after a stop, or
                               put a message: see redraw.h */

    pthread_mutex_t lock;
    /* Under the lock: */
    int first;           /* the signal that asked the readers to stop, or 0 */
    double first_second; /* when it arrived; seconds, monotonic clock */
    bool is_asked;       /* the thread, whether it has handled all signals */
    pthread_cond_t answered;
};

/*
 * Block USR1 and all ignored signals; call this in the first statement of
 * main().  A USR1 before signals_open() is handled afterwards.
 */
void signals_start(void);

/*
 * Initialize SIGNALS and start the thread.  Call this before any other thread
 * starts.  PROGRESS says when to draw the status line.  Returns 0, or -1 with
 * *ERROR set if the thread cannot be started.  Then SIGNALS can still be used,
 * but INT, TERM and HUP end the process without removing files, USR1 has no
 * effect, and the status line is missing.
 */
int signals_open(struct signals *signals, enum status_line_when progress,
                 struct error *error);

/*
 * Handle all pending signals; call this after all input is read.  If a signal
 * also ended the sender of the data, the signal arrives before the end of the
 * data, and is handled here at the latest.  Returns the signal that asked the
 * readers to stop, or 0; later signals can no longer ask readers to stop.
 */
int signals_settle(struct signals *signals);

/* Remove the temporary files and end the process by SIGNAL. */
_Noreturn void signals_die(struct signals *signals, int signal);

/* The name of SIGNAL, one of INT, TERM and HUP: "SIGINT". */
const char *signals_name(int signal);

/*
 * Block SIGPIPE and SIGXFSZ in the calling thread: a failing write() must not
 * end the process before files are removed.  A blocked signal takes effect in
 * signals_release_writing().
 */
void signals_hold_writing(void);
void signals_release_writing(void);

#endif
