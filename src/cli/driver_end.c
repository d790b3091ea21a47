/* SPDX-License-Identifier: MIT */
/* driver_end.c -- a driver that ends the process, or prevents its end */

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/api_load.h"
#include "base/clock.h"
#include "cli/driver_end.h"
#include "cli/messages.h"

/*
 * In the environment of a restarted process: its process number, so no other
 * process obeys this variable, and the start of its standard input, or -1.
 */
#define VARIABLE "GPUHIST_RESTARTED"

/* The signals of a crash. */
static const struct {
    int number;
    const char *what;
} crashes[] = {
    {SIGABRT, "called abort()"},  {SIGSEGV, "crashed (SIGSEGV)"},
    {SIGBUS, "crashed (SIGBUS)"}, {SIGILL, "crashed (SIGILL)"},
    {SIGFPE, "crashed (SIGFPE)"},
};

#define CRASHES (sizeof crashes / sizeof *crashes)

/* How often a stopped thread checks whether the process may end. */
#define INTERVAL_NANOSECONDS 10000000

/* The thread in charge. */
enum phase {
    PHASE_COUNTING, /* a driver may end the process, or start it again */
    PHASE_ENDING,   /* a thread does */
    PHASE_OUTPUT,   /* main() needs no driver, and goes on without */
    PHASE_SETTLED,  /* the status of the process is known */
};

struct driver_end {
    struct outputs *outputs;
    struct status_line *line;
    pthread_t main_thread;
    sigset_t mask; /* blocked signals of the process that starts again */
    char **argv;
    off_t stdin_at; /* where standard input was; -1: it cannot be read again */

    /* Before MAY_RESTART is set. */
    char **environment; /* of the process that starts again */
    bool is_quiet;

    atomic_bool may_restart;
    atomic_bool is_returning;
    enum exit_status status; /* before PHASE_SETTLED */
    _Atomic enum phase phase;
};

static struct driver_end *
the_one(void)
{
    static struct driver_end end;

    return &end;
}

/* ---- ending ---- */

/* Remove all temporary files and the status line.  The locks are kept: call
   this once. */
static void
tidy(struct driver_end *end)
{
    outputs_abandon(end->outputs);
    status_line_close(end->line);
}

/*
 * Start this program again, if allowed; the warning says WHAT the driver did.
 * Call this after tidy().  Returns only on failure.  Runs in a signal handler,
 * so nothing here allocates memory.
 */
static void
restart(struct driver_end *end, const char *what)
{
    struct messages messages = {.is_hurried = true};
    char text[128];

    if (!atomic_load(&end->may_restart))
        return;
    if (!end->is_quiet) {
        snprintf(text, sizeof text,
                 "warning: a device's driver %s, the inputs are counted again",
                 what);
        /* As a prefix: decoding by the locale might allocate memory. */
        messages_put(&messages, text, "");
    }
    pthread_sigmask(SIG_SETMASK, &end->mask, NULL);
    execve("/proc/self/exe", end->argv, end->environment);
}

static bool
is_main_thread(const struct driver_end *end)
{
    return pthread_equal(pthread_self(), end->main_thread) != 0;
}

static bool
change_phase(struct driver_end *end, enum phase from, enum phase to)
{
    return atomic_compare_exchange_strong(&end->phase, &from, to);
}

/*
 * Let this thread end the process, if no other thread did so before, and not
 * everything is counted.  Otherwise the thread stops until the status is known.
 */
static void
enter(struct driver_end *end)
{
    const struct timespec interval = {.tv_nsec = INTERVAL_NANOSECONDS};

    if (change_phase(end, PHASE_COUNTING, PHASE_ENDING))
        return;
    while (atomic_load(&end->phase) != PHASE_SETTLED)
        nanosleep(&interval, NULL);
    _exit((int)end->status);
}

/* End the process, because a driver has done WHAT, with the message WHY. */
static _Noreturn void
end_process(struct driver_end *end, const char *what, const char *why)
{
    struct messages messages = {.is_hurried = true};

    tidy(end);
    restart(end, what);
    messages_put(&messages, "", why);
    _exit(EXIT_NO_DEVICE);
}

/* End the process, because a library other than a driver has called exit(), as
   libarchive does when memory runs out. */
static _Noreturn void
end_after_library(struct driver_end *end)
{
    struct messages messages = {.is_hurried = true};

    tidy(end);
    messages_put(&messages, "",
                 "a library called exit() before all was counted and printed");
    _exit(EXIT_DATA);
}

void
driver_end_after_abort(const char *why)
{
    struct driver_end *end = the_one();

    if (atomic_load(&end->phase) == PHASE_SETTLED)
        _exit((int)end->status);
    if (change_phase(end, PHASE_COUNTING, PHASE_ENDING))
        end_process(end, "called abort()", why);
}

/* The process ends by exit(), in any thread. */
static void
at_exit(void)
{
    struct driver_end *end = the_one();
    bool is_main = is_main_thread(end);

    if (is_main && atomic_load(&end->is_returning))
        return;
    if (is_main && atomic_load(&end->phase) == PHASE_OUTPUT) {
        atomic_store(&end->may_restart, false);
        (void)change_phase(end, PHASE_OUTPUT, PHASE_COUNTING);
    }
    enter(end);
    if (!api_load_has_driver())
        end_after_library(end);
    end_process(end, "called exit()",
                "a device's driver called exit() before all was counted and "
                "printed");
}

static void
at_crash(int signal, siginfo_t *info, void *context)
{
    struct driver_end *end = the_one();
    const struct sigaction as_usual = {.sa_handler = SIG_DFL};
    /* Without a driver the fault is in this program. */
    bool is_own = api_load_has_driver() &&
                  (info->si_code > 0 || info->si_pid == getpid());
    /* main() cannot go on without itself. */
    bool is_too_late =
        is_main_thread(end) && atomic_load(&end->phase) != PHASE_COUNTING;

    (void)context;
    for (size_t i = 0; is_own && !is_too_late && i < CRASHES; i++) {
        if (crashes[i].number != signal)
            continue;
        enter(end);
        if (atomic_load(&end->may_restart))
            tidy(end);
        restart(end, crashes[i].what);
    }
    sigaction(signal, &as_usual, NULL);
    raise(signal);
}

/* ---- starting again ---- */

/* Whether PATH can be read again, as a pipe cannot. */
static bool
is_regular(const char *path)
{
    struct stat status;

    return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

/* Whether all inputs can be read again. */
static bool
can_read_again(const struct driver_end *end, const struct options *options,
               const struct inputs *inputs)
{
    const char *names = options->files0_from;
    const struct axis_option *edges = &options->spec.axis.edges;

    if (inputs->has_unknown_length)
        return false;
    if (names != NULL && strcmp(names, "-") == 0
            ? end->stdin_at < 0
            : names != NULL && !is_regular(names))
        return false;
    for (size_t i = 0; i < edges->count; i++) {
        if (*edges->text[i] == '@' && !is_regular(edges->text[i] + 1))
            return false;
    }
    return true;
}

/* Make the environment of the restarted process.  Returns 0, or -1. */
static int
make_environment(struct driver_end *end)
{
    static char variable[sizeof VARIABLE "=" + 48];
    size_t count = 0;

    if (end->environment != NULL)
        return 0;
    snprintf(variable, sizeof variable, VARIABLE "=%ld:%lld", (long)getpid(),
             (long long)end->stdin_at);
    while (environ[count] != NULL)
        count++;
    end->environment = calloc(count + 2, sizeof *end->environment);
    if (end->environment == NULL)
        return -1;
    memcpy(end->environment, environ, count * sizeof *environ);
    end->environment[count] = variable;
    return 0;
}

bool
driver_end_allow_restart(const struct options *options,
                         const struct inputs *inputs)
{
    struct driver_end *end = the_one();
    struct sigaction action = {.sa_sigaction = at_crash,
                               .sa_flags = SA_SIGINFO | SA_NODEFER};
    struct sigaction before;

    if (interval_is_set(&options->plan.every) ||
        !can_read_again(end, options, inputs) || make_environment(end) < 0)
        return false;
    end->is_quiet = options->quiet;
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < CRASHES; i++) {
        /* A sanitizer's handler, or the user's choice, stays. */
        if (sigaction(crashes[i].number, NULL, &before) == 0 &&
            (before.sa_flags & SA_SIGINFO) == 0 && before.sa_handler == SIG_DFL)
            (void)sigaction(crashes[i].number, &action, NULL);
    }
    atomic_store(&end->may_restart, true);
    return true;
}

void
driver_end_forbid_restart(void)
{
    atomic_store(&the_one()->may_restart, false);
}

void
driver_end_start_output(void)
{
    struct driver_end *end = the_one();

    /* Otherwise the process is ending, or starting again. */
    while (!change_phase(end, PHASE_COUNTING, PHASE_OUTPUT))
        pause();
}

/* ---- the process ---- */

/*
 * Whether this process was started again.  If so, move standard input back to
 * its first start: another thread may have read on until execve() ended the
 * thread.
 */
static bool
was_restarted(void)
{
    const char *value = getenv(VARIABLE);
    long long process = 0;
    long long stdin_at = -1;

    if (value == NULL)
        return false;
    bool is_own = sscanf(value, "%lld:%lld", &process, &stdin_at) == 2 &&
                  process == (long long)getpid();
    unsetenv(VARIABLE);
    if (is_own && stdin_at >= 0)
        (void)lseek(STDIN_FILENO, (off_t)stdin_at, SEEK_SET);
    return is_own;
}

bool
driver_end_guard(struct outputs *outputs, struct status_line *line, char **argv)
{
    struct driver_end *end = the_one();
    struct stat status;

    *end = (struct driver_end){.outputs = outputs,
                               .line = line,
                               .main_thread = pthread_self(),
                               .argv = argv,
                               .stdin_at = -1};
    pthread_sigmask(SIG_BLOCK, NULL, &end->mask);
    bool is_restarted = was_restarted();
    if (fstat(STDIN_FILENO, &status) == 0 && S_ISREG(status.st_mode))
        end->stdin_at = lseek(STDIN_FILENO, 0, SEEK_CUR);
    /* Both fail only without memory, and then everything else fails, too. */
    (void)atexit(at_exit);
    (void)at_quick_exit(at_exit);
    return is_restarted;
}

void
driver_end_settle(enum exit_status status)
{
    struct driver_end *end = the_one();

    end->status = status;
    if (atomic_load(&end->phase) == PHASE_SETTLED ||
        change_phase(end, PHASE_OUTPUT, PHASE_SETTLED))
        return;
    while (!change_phase(end, PHASE_COUNTING, PHASE_SETTLED))
        pause();
}

int
driver_end_return(enum exit_status status)
{
    driver_end_settle(status);
    atomic_store(&the_one()->is_returning, true);
    return (int)status;
}

/* ---- drivers that hang ---- */

/* How leave_after_bound() ends the process. */
struct leaving {
    double seconds;
    enum exit_status status;
    const char *text; /* a message, or NULL */
};

static void *
leave_after_bound(void *argument)
{
    const struct leaving *leaving = argument;
    struct timespec end = clock_after(leaving->seconds);
    struct messages messages = {.is_hurried = true};

    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &end, NULL) != 0)
        continue;
    if (leaving->text != NULL)
        messages_put(&messages, "", leaving->text);
    _exit((int)leaving->status);
}

void
driver_end_bound(double seconds, enum exit_status status, const char *text)
{
    static struct leaving leaving;
    pthread_t thread;

    if (seconds == 0)
        return;
    leaving = (struct leaving){seconds, status, text};
    if (pthread_create(&thread, NULL, leave_after_bound, &leaving) == 0)
        pthread_detach(thread);
    else if (text == NULL)
        _exit((int)status);
}
