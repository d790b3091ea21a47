/* SPDX-License-Identifier: MIT */
/* test_confinement.c -- what a confined process can do, and what it cannot */

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../tap.h"
#include "base/confinement.h"

/* Returns whether RESULT, of a system call, is a failure with one of REASON. */
static bool
is_refused(long result, int reason, int other_reason)
{
    return result < 0 && (errno == reason || errno == other_reason);
}

static bool
can_open(const char *path, int flags)
{
    int fd = open(path, flags | O_CLOEXEC, 0600);

    return fd >= 0 && close(fd) == 0;
}

/* Returns false if the kernel cannot do all of it.  Before that, "in", "out" and "links" are directories, "out/old" a file, and
   "links/dangling" points to "../in/target". */
static bool
confine(void)
{
    struct confinement confinement;
    struct error error = ERROR_NONE;

    confinement_begin(&confinement);
    confinement_allow_directory(&confinement, "scratch");
    confinement_allow_directory(&confinement, "missing");
    confinement_allow_output(&confinement, "links/dangling");
    confinement_allow_output(&confinement, "out/fifo");
    if (confinement_enter(&confinement, &error) == 0)
        return true;
    ok(true, "a confined process # SKIP %s", error.text);
    error_clear(&error);
    return false;
}

static void
try_files(void)
{
    ok(can_open("in/target", O_CREAT | O_EXCL | O_WRONLY) &&
           rename("in/target", "in/renamed") == 0 && unlink("in/renamed") == 0,
       "the directory of an output may be written");
    ok(can_open("scratch/file", O_CREAT | O_RDWR) &&
           truncate("scratch/file", 9) == 0,
       "the directory of temporary files, too");
    ok(can_open("out/fifo", O_RDWR), "an output that is a FIFO");
    ok(can_open("out/old", O_RDONLY), "any file can be read ...");
    ok(is_refused(open("out/old", O_WRONLY), EACCES, EACCES) &&
           is_refused(open("out/new", O_CREAT | O_WRONLY, 0600), EACCES,
                      EACCES) &&
           is_refused(truncate("out/old", 0), EACCES, EACCES) &&
           is_refused(unlink("out/old"), EACCES, EACCES) &&
           is_refused(mkdir("out/new", 0700), EACCES, EACCES) &&
           is_refused(symlink("old", "out/new"), EACCES, EACCES),
       "... but not written, truncated, made or removed");
    ok(is_refused(rename("in/other", "out/other"), EXDEV, EACCES),
       "nothing moves out of the directory of an output");
}

static void
try_calls(pid_t parent)
{
    char *argv[] = {(char[]){"true"}, NULL};

    ok(is_refused(execv("/bin/true", argv), EPERM, EACCES),
       "no program is executed");
    ok(is_refused(syscall(SYS_execveat, AT_FDCWD, "/bin/true", argv, NULL, 0),
                  EPERM, EACCES),
       "... in no other way");
    ok(is_refused(socket(AF_UNIX, SOCK_STREAM, 0), EPERM, EPERM) &&
           is_refused(socket(AF_INET, SOCK_DGRAM, 0), EPERM, EPERM),
       "no socket is opened");
    ok(is_refused(syscall(425, 1, NULL), EPERM, EPERM),
       "nor requests that no filter sees");
    ok(is_refused(ioctl(STDIN_FILENO, TIOCSTI, "x"), EPERM, EPERM),
       "nothing is typed on a terminal");
    ok(is_refused(kill(parent, 0), EPERM, EPERM),
       "other processes get no signal");
    ok(kill(getpid(), 0) == 0, "this one does");
    pid_t child = fork();
    if (child == 0)
        _exit(is_refused(open("out/old", O_WRONLY), EACCES, EACCES) ? 0 : 1);
    int status = -1;
    ok(child > 0 && waitpid(child, &status, 0) == child && status == 0,
       "a child is confined, too");
}

/* Returns the exit status of a test in a process of its own. */
static int
run_confined(void)
{
    pid_t parent = getpid();
    int status = -1;

    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        if (confine()) {
            try_files();
            try_calls(parent);
        }
        exit(done_testing());
    }
    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status)
               ? WEXITSTATUS(status)
               : EXIT_FAILURE;
}

int
main(void)
{
    static const char *const names[] = {
        "in/other", "in/target",    "in/renamed", "in",      "links/dangling",
        "links",    "out/fifo",     "out/new",    "out/old", "out/other",
        "out",      "scratch/file", "scratch"};
    char directory[] = "confinement.XXXXXX";

    if (mkdtemp(directory) == NULL || chdir(directory) < 0 ||
        mkdir("in", 0700) < 0 || mkdir("out", 0700) < 0 ||
        mkdir("links", 0700) < 0 || mkdir("scratch", 0700) < 0 ||
        symlink("../in/target", "links/dangling") < 0 ||
        mkfifo("out/fifo", 0600) < 0 ||
        !can_open("out/old", O_CREAT | O_WRONLY) ||
        !can_open("in/other", O_CREAT | O_WRONLY)) {
        perror(directory);
        return 99;
    }
    int status = run_confined();
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        (void)remove(names[i]);
    return chdir("..") == 0 && rmdir(directory) == 0 ? status : 99;
}
