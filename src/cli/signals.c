/* SPDX-License-Identifier: MIT */
/* signals.c -- the effects of INT, TERM, HUP and USR1 */

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "cli/driver_end.h"
#include "cli/signals.h"
#include "engine/gpu/device/driver_abort.h"

/* The thread needs stack for a line of text; sanitizers need more. */
#define STACK_BYTES ((size_t)256 << 10)

/*
 * timeout(1) sends its signal to the process, then to the process group.  A
 * second signal within this time counts as the first again.
 */
#define REPEATED_SECONDS 0.1

/* The interval between interruptions of blocked calls: see cancel.h. */
#define INTERRUPT_SECONDS 0.01

static const struct {
    int number;
    const char *name;
} endings[] = {{SIGINT, "SIGINT"}, {SIGTERM, "SIGTERM"}, {SIGHUP, "SIGHUP"}};

#define ENDINGS (sizeof endings / sizeof *endings)

const char *
signals_name(int signal)
{
    for (size_t i = 0; i < ENDINGS; i++) {
        if (endings[i].number == signal)
            return endings[i].name;
    }
    return "a signal";
}

/* ---- effects of signals ---- */

/* Show the progress with PUT: status_line_draw() or status_line_print(). */
static void
put_progress(struct signals *signals,
             void (*put)(struct status_line *line, const char *text))
{
    struct progress_snapshot snapshot = progress_look(&signals->progress);
    char text[PROGRESS_TEXT_BYTES];

    progress_text(&snapshot, text);
    put(&signals->line, text);
}

void
signals_die(struct signals *signals, int signal)
{
    struct sigaction action = {.sa_handler = SIG_DFL};
    sigset_t set;

    outputs_abandon(&signals->outputs);
    status_line_close(&signals->line);
    sigaction(signal, &action, NULL);
    sigemptyset(&set);
    sigaddset(&set, signal);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    raise(signal);
    /* Process 1 of a container does not die by signals. */
    _exit(128 + signal);
}

/* Handle SIGNAL, which is INT, TERM or HUP. */
static void
end(struct signals *signals, int signal)
{
    pthread_mutex_lock(&signals->lock);
    if (signals->first == 0 && cancel_ask(&signals->cancel)) {
        signals->first = signal;
        signals->first_second = clock_now();
    } else if (signals->first == 0 ||
               clock_now() - signals->first_second > REPEATED_SECONDS) {
        signals_die(signals, signal);
    }
    pthread_mutex_unlock(&signals->lock);
}

/* ---- the thread ---- */

/* Take a pending INT, TERM or HUP; -1: no signal is pending. */
static int
take_ending(struct signals *signals)
{
    const struct timespec at_once = {0};

    return sigtimedwait(&signals->ending, NULL, &at_once);
}

/* Handle what is pending. */
static void
end_pending(struct signals *signals)
{
    int signal;

    while ((signal = take_ending(signals)) > 0)
        end(signals, signal);
}

/* If the SIGUSR1 of INFO is the question of wait_for_thread(), answer and
   return true. */
static bool
answer(struct signals *signals, const siginfo_t *info)
{
    /* 0: so many signals are pending that the kernel forgets who sent one. */
    if (info->si_pid != getpid() && info->si_pid != 0)
        return false;
    /* The kernel delivers a question before older signals to the process.  The
       asker must not find them taken, but not handled. */
    end_pending(signals);
    pthread_mutex_lock(&signals->lock);
    bool was_asked = signals->is_asked;
    signals->is_asked = false;
    pthread_cond_signal(&signals->answered);
    pthread_mutex_unlock(&signals->lock);
    return was_asked;
}

/* Wait until the thread has handled every signal that came before. */
static void
wait_for_thread(struct signals *signals)
{
    pthread_mutex_lock(&signals->lock);
    signals->is_asked = true;
    pthread_kill(signals->thread, SIGUSR1);
    while (signals->is_asked)
        pthread_cond_wait(&signals->answered, &signals->lock);
    pthread_mutex_unlock(&signals->lock);
}

/*
 * Wait for a signal, until the status line must be drawn or blocked calls must
 * be interrupted again.  Returns the signal, or -1; sets *INFO for USR1.
 */
static int
wait_for_signal(struct signals *signals, siginfo_t *info)
{
    /*
     * Take these first: the kernel delivers USR1 before TERM, and USR1 may
     * arrive without a pause.
     */
    int signal = take_ending(signals);
    if (signal > 0)
        return signal;

    double seconds = status_line_wait(&signals->line);

    if (cancel_is_asked(&signals->cancel) &&
        cancel_interrupt(&signals->cancel) &&
        (seconds < 0 || seconds > INTERRUPT_SECONDS))
        seconds = INTERRUPT_SECONDS;
    if (seconds < 0)
        return sigwaitinfo(&signals->handled, info);
    struct timespec timeout = clock_length(seconds);
    return sigtimedwait(&signals->handled, info, &timeout);
}

static void *
watch(void *argument)
{
    struct signals *signals = argument;

    for (;;) {
        siginfo_t info;
        int signal = wait_for_signal(signals, &info);
        bool is_abort = signal == SIGUSR1 && driver_abort_is_told(&info);
        if (is_abort)
            driver_end_after_abort("opencl: the driver called abort()");
        else if (signal == SIGUSR1 && answer(signals, &info))
            continue;
        else if (signal == SIGUSR1 && signals->has_reports)
            put_progress(signals, status_line_print);
        else if (signal == SIGCONT)
            atomic_fetch_add(&signals->intrusions, 1);
        else if (signal > 0 && signal != SIGUSR1)
            end(signals, signal);
        put_progress(signals, status_line_draw);
    }
    return NULL;
}

static int
start_thread(struct signals *signals)
{
    pthread_attr_t attributes;
    sigset_t writing;
    sigset_t before;

    int result = pthread_attr_init(&attributes);
    if (result != 0)
        return result;
    (void)pthread_attr_setstacksize(&attributes, STACK_BYTES);
    (void)pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    /*
     * A line of progress must not end the run if its reader is gone, nor stop a
     * run in the background of a terminal with `stty tostop`.
     */
    sigemptyset(&writing);
    sigaddset(&writing, SIGPIPE);
    sigaddset(&writing, SIGTTOU);
    pthread_sigmask(SIG_BLOCK, &writing, &before);
    result = pthread_create(&signals->thread, &attributes, watch, signals);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return result;
}

/* Whether SIGNAL was ignored when the process started. */
static bool
is_ignored(int signal)
{
    struct sigaction action;

    return sigaction(signal, NULL, &action) == 0 &&
           action.sa_handler == SIG_IGN;
}

void
signals_start(void)
{
    static const int others[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR2};
    sigset_t set;

    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    /*
     * A driver may replace SIG_IGN with a handler, from any thread at any time,
     * as the LLVM of PoCL does.  A blocked signal calls no handler.
     */
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (is_ignored(others[i]))
            sigaddset(&set, others[i]);
    }
    pthread_sigmask(SIG_BLOCK, &set, NULL);
}

int
signals_open(struct signals *signals, enum status_line_when progress,
             struct error *error)
{
    progress_open(&signals->progress);
    status_line_open(&signals->line, STDERR_FILENO, progress);
    cancel_open(&signals->cancel);
    outputs_open(&signals->outputs);
    pthread_mutex_init(&signals->lock, NULL);
    pthread_cond_init(&signals->answered, NULL);

    sigemptyset(&signals->ending);
    for (size_t i = 0; i < ENDINGS; i++) {
        if (!is_ignored(endings[i].number))
            sigaddset(&signals->ending, endings[i].number);
    }
    signals->handled = signals->ending;
    sigaddset(&signals->handled, SIGUSR1);
    sigaddset(&signals->handled, SIGCONT);
    atomic_init(&signals->intrusions, 0);
    signals->has_reports = !is_ignored(SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &signals->handled, NULL);

    int result = start_thread(signals);
    signals->has_thread = result == 0;
    if (result == 0)
        return 0;
    pthread_sigmask(SIG_UNBLOCK, &signals->ending, NULL);
    error_set(error, EXIT_DATA, "cannot start a thread for signals: %s",
              strerror(result));
    return -1;
}

int
signals_settle(struct signals *signals)
{
    if (signals->has_thread) {
        /* A signal that the thread has taken is pending no more. */
        if (cancel_is_allowed(&signals->cancel))
            wait_for_thread(signals);
        end_pending(signals);
    }
    pthread_mutex_lock(&signals->lock);
    int first = cancel_close(&signals->cancel) ? signals->first : 0;
    pthread_mutex_unlock(&signals->lock);
    return first;
}

/* ---- writing ---- */

static void
set_writing(int how)
{
    sigset_t set;

    sigemptyset(&set);
    sigaddset(&set, SIGPIPE);
    sigaddset(&set, SIGXFSZ);
    pthread_sigmask(how, &set, NULL);
}

void
signals_hold_writing(void)
{
    set_writing(SIG_BLOCK);
}

void
signals_release_writing(void)
{
    set_writing(SIG_UNBLOCK);
}
