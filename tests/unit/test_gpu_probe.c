/* SPDX-License-Identifier: MIT */
/*
 * test_gpu_probe.c -- looking for a GPU in another process
 *
 * That process is this program once more: it says what the variable CHILD
 * wants.
 */

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../tap.h"
#include "engine/gpu/device/gpu_probe.h"

#define GPU "opencl:0\tname\t1 MiB\tplatform (GPU)\n"
#define PROCESSOR "opencl:0\tname\t1 MiB\tplatform (CPU)\n"

/* Whether SIGNAL, sent to the whole job, has its usual effect. */
static bool
is_open_to(int signal)
{
    struct sigaction action;
    sigset_t set;

    pthread_sigmask(SIG_SETMASK, NULL, &set);
    return !sigismember(&set, signal) &&
           sigaction(signal, NULL, &action) == 0 &&
           action.sa_handler == SIG_DFL;
}

static int
count_descriptors(void)
{
    int count = 0;

    for (int fd = 0; fd < 256; fd++)
        count += fcntl(fd, F_GETFD) >= 0;
    return count;
}

/* Whether standard input is /dev/null, and as many are open as were before. */
static bool
has_descriptors(void)
{
    struct stat null;
    struct stat input;

    return stat("/dev/null", &null) == 0 && fstat(0, &input) == 0 &&
           null.st_rdev == input.st_rdev && S_ISCHR(input.st_mode) &&
           count_descriptors() == atoi(getenv("DESCRIPTORS"));
}

static int
be_child(const char *what)
{
    if (strcmp(what, "signals") == 0)
        fputs(is_open_to(SIGINT) && is_open_to(SIGTERM) && !is_open_to(SIGUSR1)
                  ? GPU
                  : PROCESSOR,
              stdout);
    else if (strcmp(what, "descriptors") == 0)
        fputs(has_descriptors() ? GPU : PROCESSOR, stdout);
    else
        fputs(what, stdout);
    fflush(stdout);
    if (strstr(what, "gpuhist:") != NULL)
        abort();
    return 0;
}

/* Whether the probe finds a GPU or, if WHY is not "", says WHY there is none. */
static bool
finds_by(int (*probe)(struct error *), const char *child, const char *why)
{
    struct error error = ERROR_NONE;

    setenv("CHILD", child, 1);
    int result = probe(&error);
    bool is_right =
        *why == '\0' ? result == 0 : result < 0 && strcmp(error.text, why) == 0;
    if (!is_right)
        printf("# %d: %s\n", result, result < 0 ? error.text : "a GPU");
    error_clear(&error);
    return is_right;
}

static bool
finds(const char *child, const char *why)
{
    return finds_by(gpu_probe_opencl, child, why);
}

static void
test_signals(void)
{
    sigset_t set;

    /* A shell's job in the background ignores it. */
    signal(SIGINT, SIG_DFL);
    sigfillset(&set);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    ok(finds("signals", ""), "USR1 does not end it, INT and TERM do");
    signal(SIGCHLD, SIG_IGN);
    ok(finds(GPU, ""), "SIGCHLD is ignored");
    signal(SIGCHLD, SIG_DFL);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

int
main(int argc, char **argv)
{
    char text[16];

    if (argc > 1 && strcmp(argv[1], "--list-devices") == 0)
        return be_child(getenv("CHILD"));
    ok(finds("cpu\t2 threads\n" PROCESSOR GPU, ""), "a GPU");
    ok(finds("cpu\t2 threads\n" PROCESSOR, "opencl: no GPU among 1 device"),
       "a processor");
    ok(finds("gpuhist: no GPU: opencl: because\n", "opencl: because"),
       "no device, and why");
    ok(finds("", "opencl: the list of devices failed"), "nothing is said");
    ok(finds_by(gpu_probe_cuda, "cuda:0\tname\t1 MiB\tsm_90\n", ""),
       "a GPU of CUDA");
    ok(finds_by(gpu_probe_cuda, "gpuhist: no GPU: cuda: no\n", "cuda: no"),
       "... none, and why");
    ok(finds_by(gpu_probe_cuda, "", "cuda: the list of devices failed"),
       "... nothing is said");
    sprintf(text, "%d", count_descriptors());
    setenv("DESCRIPTORS", text, 1);
    ok(finds("descriptors", ""), "no input, and no descriptor of ours");
    test_signals();
    return done_testing();
}
