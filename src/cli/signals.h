/*
 * signals.h -- what INT, TERM, HUP and USR1 do
 *
 * All threads block these signals, and one thread waits for them.  So no work is
 * done in a signal handler, no system call of another thread is interrupted,
 * and no variable needs to be global.
 *
 * INT, TERM and HUP remove the temporary files and end the process at once, by
 * that signal.  Where a part of the input is worth printing, the first of them
 * only asks the readers to stop (cancel.h), and main.c ends the process after
 * printing; a second signal ends it at once.
 *
 * USR1 prints the progress of the run; the same thread updates the status line
 * (status_line.h).  USR1 is blocked from the first statement of main() on, so
 * that it never ends the process.
 *
 * The thread never waits for standard error, so that a signal takes effect
 * although nobody reads there.
 *
 * A signal that was ignored when the process began stays ignored (nohup): it is
 * blocked, too, since libraries replace what ignores it.
 *
 * A driver that calls abort() is told by a USR1 of our own (driver_abort.h).
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

/* It must stay in place: the thread uses it until the process ends. */
struct signals {
    struct progress progress;
    struct status_line line;
    struct cancel cancel;
    struct outputs outputs;

    /* Set by signals_open() for good. */
    sigset_t ending;  /* those of INT, TERM and HUP that are not ignored */
    sigset_t handled; /* and USR1 */
    bool has_reports; /* USR1 is not ignored */
    bool has_thread;

    pthread_mutex_t lock;
    /* All below: under the lock. */
    int first;           /* the signal that asked the readers to stop, or 0 */
    double first_second; /* when it came, by the monotonic clock */
};

/*
 * The first statement of main(): USR1 ends nothing from here on.  A USR1 that
 * comes before signals_open() is answered after it.
 */
void signals_begin(void);

/*
 * Open the parts of SIGNALS and start the thread, before any other thread is
 * started.  PROGRESS says when to draw the status line.  Returns 0, or -1 with
 * *ERROR set where the thread cannot be started: then INT, TERM and HUP end the
 * process without any clean-up, USR1 has no effect, and there is no status
 * line.
 */
int signals_open(struct signals *signals, enum status_line_when progress,
                 struct error *error);

/*
 * All input has been read.  Handle the signals that have come so far: one that
 * ended the sender of the data, too, comes before the end of the data does.
 * Returns the signal that asked the readers to stop, or 0; from now on none
 * can.
 */
int signals_settle(struct signals *signals);

/* End the process by SIGNAL, as if it had never been blocked. */
_Noreturn void signals_die(struct signals *signals, int signal);

/* Its name: "SIGINT". */
const char *signals_name(int signal);

/*
 * Block the signals by which a failing write() ends the process, in the calling
 * thread: there are files to remove first.  They take effect in
 * signals_release_writing().
 */
void signals_hold_writing(void);
void signals_release_writing(void);

#endif
