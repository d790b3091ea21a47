/* device_lines.c -- the list of devices, made by another process */

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/gpu/device/device_lines.h"

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
     * it, even before its main() blocks that signal.
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
device_lines(char *device, char *const environment[],
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
