/* SPDX-License-Identifier: MIT */
/* gpu_probe.c -- whether a driver has a GPU, tested in another process */

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/gpu/device/gpu_probe.h"

extern char **environ;

/* ---- the list, made by another process ---- */

/* Start this program again, with its output in FD.  0 or an error number. */
static int
start(char *device, char *const environment[], int fd, pid_t *pid)
{
    char name[] = "gpuhist";
    char action[] = "--list-devices";
    char verbose[] = "-v";
    char *const arguments[] = {name, action, device, verbose, NULL};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t blocked;

    int result = posix_spawn_file_actions_init(&actions);
    if (result != 0)
        return result;
    result = posix_spawnattr_init(&attributes);
    if (result != 0) {
        posix_spawn_file_actions_destroy(&actions);
        return result;
    }
    /*
     * The child ends by the same signals as this process.  USR1 does not end
     * the child, even before its main() blocks USR1.
     */
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGUSR1);
    (void)posix_spawnattr_setsigmask(&attributes, &blocked);
    (void)posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    result = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO,
                                              "/dev/null", O_RDONLY, 0);
    if (result == 0)
        result = posix_spawn_file_actions_adddup2(&actions, fd, STDOUT_FILENO);
    if (result == 0)
        result = posix_spawn_file_actions_adddup2(&actions, fd, STDERR_FILENO);
    if (result == 0)
        result = posix_spawn(pid, "/proc/self/exe", &actions, &attributes,
                             arguments, environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return result;
}

int
gpu_probe_list(char *device, char *const environment[],
               void (*take)(void *context, const char *line), void *context)
{
    char line[1024];
    pid_t pid;
    int fds[2];

    if (pipe2(fds, O_CLOEXEC) < 0)
        return errno;
    FILE *lines = fdopen(fds[0], "r");
    int result =
        lines != NULL ? start(device, environment, fds[1], &pid) : errno;
    close(fds[1]);
    if (lines == NULL) {
        close(fds[0]);
        return result;
    }
    while (result == 0 && fgets(line, sizeof line, lines) != NULL)
        take(context, line);
    fclose(lines);
    /* The output counts, not the exit status. */
    while (result == 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        continue;
    return result;
}

/* ---- GPUs in the list ---- */

/* The GPUs in the list of devices. */
struct found {
    size_t devices;
    bool has_gpu;
    char why[256]; /* why no device was found; "": unknown */
};

static void
read_line(void *context, const char *line)
{
    struct found *found = context;
    static const char no_gpu[] = "gpuhist: no GPU: ";
    static const char gpu[] = " (GPU)\n";
    size_t length = strlen(line);

    if (strncmp(line, "cuda:", strlen("cuda:")) == 0) {
        found->devices++;
        found->has_gpu = true;
    } else if (strncmp(line, "opencl:", strlen("opencl:")) == 0) {
        found->devices++;
        found->has_gpu |= length >= strlen(gpu) &&
                          strcmp(line + length - strlen(gpu), gpu) == 0;
    } else if (strncmp(line, no_gpu, strlen(no_gpu)) == 0) {
        snprintf(found->why, sizeof found->why, "%.*s",
                 (int)strcspn(line + strlen(no_gpu), "\n"),
                 line + strlen(no_gpu));
    }
}

/* Probe the driver that the option DEVICE, "--device=KIND", names. */
static int
probe(char *device, struct error *error)
{
    const char *kind = strchr(device, '=') + 1;
    struct found found = {0};
    int result = gpu_probe_list(device, environ, read_line, &found);

    if (result == 0 && found.has_gpu)
        return 0;
    if (result != 0)
        error_set(error, EXIT_NO_DEVICE, "%s: cannot list devices: %s", kind,
                  strerror(result));
    else if (found.devices > 0)
        error_set(error, EXIT_NO_DEVICE, "%s: no GPU among %zu device%s", kind,
                  found.devices, found.devices == 1 ? "" : "s");
    else if (found.why[0] != '\0')
        error_set(error, EXIT_NO_DEVICE, "%s", found.why);
    else
        error_set(error, EXIT_NO_DEVICE, "%s: the list of devices failed",
                  kind);
    return -1;
}

int
gpu_probe_cuda(struct error *error)
{
    char device[] = "--device=cuda";

    return probe(device, error);
}

int
gpu_probe_opencl(struct error *error)
{
    char device[] = "--device=opencl";

    return probe(device, error);
}
