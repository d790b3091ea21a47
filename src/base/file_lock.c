/* SPDX-License-Identifier: MIT */
/* file_lock.c -- one process at a time reads a file and replaces it */

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file_lock.h"
#include "base/same_file.h"

/* Whether PATH is still the file FD. */
static bool
is_current(int fd, const char *path)
{
    struct stat locked;
    struct stat named;

    return fstat(fd, &locked) == 0 && stat(path, &named) == 0 &&
           same_file(&locked, &named);
}

bool
file_lock_is_same(const char *a, const char *b)
{
    bool is_same;
    bool is_over;

    /* Another process may replace the file between the looks at A and at B.
       While the file is open, no other file has its inode number. */
    do {
        int fd = open(a, O_PATH | O_CLOEXEC);
        if (fd < 0)
            return false;
        is_same = is_current(fd, b);
        is_over = is_same || access(a, F_OK) < 0 || is_current(fd, a);
        close(fd);
    } while (!is_over);
    return is_same;
}

/* Returns 0, or -1 with errno set. */
static int
lock_now(int fd)
{
    int result;

    do
        result = flock(fd, LOCK_EX);
    while (result < 0 && errno == EINTR);
    return result;
}

int
file_lock_take(struct file_lock *lock, const char *path, struct error *error)
{
    *lock = FILE_LOCK_NONE;
    do {
        file_lock_release(lock);
        /* Some network file systems lock only what may be written. */
        lock->fd = open(path, O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
        if (lock->fd < 0 && errno == ENOENT)
            return 0;
        if (lock->fd < 0 || lock_now(lock->fd) < 0) {
            error_set(error, EXIT_DATA, "%s: cannot lock: %s", path,
                      strerror(errno));
            return -1;
        }
    } while (!is_current(lock->fd, path));
    return 0;
}

void
file_lock_release(struct file_lock *lock)
{
    if (lock->fd >= 0)
        close(lock->fd);
    *lock = FILE_LOCK_NONE;
}
