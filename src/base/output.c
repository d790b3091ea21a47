/* SPDX-License-Identifier: MIT */
/* output.c -- files whose content is replaced as a whole or not at all */

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/output.h"
#include "base/same_file.h"

#ifndef STATX_ATTR_MOUNT_ROOT
#    define STATX_ATTR_MOUNT_ROOT 0x2000 /* since Linux 5.8 */
#endif

/* The most symbolic links that Linux follows in a path. */
#define LINKS_MAX 40

static int
set_write_error(const struct output *output, const char *why,
                struct error *error)
{
    error_set(error, EXIT_DATA, "%s: cannot write: %s",
              *output->path == '\0' ? "''" : output->path, why);
    return -1;
}

int
output_fail(const struct output *output, struct error *error)
{
    return set_write_error(output, strerror(errno), error);
}

/* ---- temporary files ---- */

void
outputs_open(struct outputs *outputs)
{
    pthread_mutex_init(&outputs->lock, NULL);
    outputs->first = NULL;
}

void
outputs_abandon(struct outputs *outputs)
{
    pthread_mutex_lock(&outputs->lock);
    for (struct output *output = outputs->first; output != NULL;
         output = output->next)
        (void)unlink(output->temporary);
    outputs->first = NULL;
}

/* The temporary file of OUTPUT no longer exists.  Under the lock. */
static void
forget_temporary(struct output *output)
{
    struct output **link = &output->outputs->first;

    while (*link != output)
        link = &(*link)->next;
    *link = output->next;
    free(output->temporary);
    output->temporary = NULL;
}

/*
 * Returns an unpredictable name in the directory of TARGET, which the caller
 * frees; NULL with errno set.
 */
static char *
name_beside(const char *target)
{
    const char *slash = strrchr(target, '/');
    int directory = slash == NULL ? 0 : (int)(slash + 1 - target);
    uint64_t key;
    char *name;

    if (getrandom(&key, sizeof key, 0) != sizeof key ||
        asprintf(&name, "%.*s.gpuhist-%016llx", directory, target,
                 (unsigned long long)key) < 0)
        return NULL;
    return name;
}

/*
 * Create the temporary file beside OUTPUT->target.  Returns a descriptor, or
 * -1 with errno set.
 *
 * mkostemp() sets the mode to 0600.  A new file gets its mode from the
 * directory's ACL and the umask; to read the umask, a process must change it.
 */
static int
create_temporary(struct output *output, mode_t mode)
{
    struct outputs *outputs = output->outputs;
    char *name = name_beside(output->target);

    if (name == NULL)
        return -1;
    pthread_mutex_lock(&outputs->lock);
    int fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (fd >= 0) {
        output->temporary = name;
        output->next = outputs->first;
        outputs->first = output;
    }
    pthread_mutex_unlock(&outputs->lock);
    if (fd < 0) {
        int reason = errno;
        free(name);
        errno = reason;
    }
    return fd;
}

/* ---- opening ---- */

/*
 * Give the new file at FD the permissions and, as far as the system allows, the
 * owner and group of the OLD file.  0, or -1 with errno set.
 */
static int
copy_permissions(int fd, const struct stat *old)
{
    mode_t mode = old->st_mode & (S_IRWXU | S_IRWXG | S_IRWXO);
    struct stat new;

    if (fstat(fd, &new) < 0)
        return -1;
    if (new.st_uid != old->st_uid)
        (void)!fchown(fd, old->st_uid, (gid_t)-1);
    /* If the group differs, the group gets only the permissions of all others.
     */
    if (new.st_gid != old->st_gid && fchown(fd, (uid_t)-1, old->st_gid) < 0)
        mode &= (mode & S_IRWXO) << 3 | (mode_t)~S_IRWXG;
    return fchmod(fd, mode);
}

/*
 * Start a file at PATH, which does not exist.  A descriptor, or -1 with errno
 * set.
 */
static int
open_new(struct output *output, const char *path)
{
    size_t length = strlen(path);

    if (length > 0 && path[length - 1] == '/') {
        errno = EISDIR;
        return -1;
    }
    output->target = strdup(path);
    return output->target == NULL ? -1 : create_temporary(output, 0666);
}

/*
 * Whether TARGET is a mount point, as a single file in a container may be.
 * Then a rename to its name fails.
 */
static bool
is_mounted(const char *target)
{
    struct statx status;

    return statx(AT_FDCWD, target, AT_SYMLINK_NOFOLLOW, 0, &status) == 0 &&
           (status.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0;
}

/*
 * Start to replace the regular file at PATH; STATUS is its status.  A
 * descriptor, or -1 with errno set.
 */
static int
open_instead(struct output *output, const char *path, const struct stat *status)
{
    output->target = realpath(path, NULL);
    if (output->target == NULL ||
        faccessat(AT_FDCWD, output->target, W_OK, AT_EACCESS) < 0)
        return -1;
    if (is_mounted(output->target)) {
        errno = EBUSY;
        return -1;
    }
    /* Another user must not open it before it has the old permissions. */
    int fd = create_temporary(output, S_IRUSR | S_IWUSR);
    if (fd >= 0 && copy_permissions(fd, status) < 0) {
        int reason = errno;
        close(fd);
        errno = reason;
        return -1;
    }
    return fd;
}

/* Whether STATUS is the status of standard output. */
static bool
is_stdout(const struct stat *status)
{
    struct stat output;

    return fstat(STDOUT_FILENO, &output) == 0 && same_file(&output, status);
}

/*
 * Returns the path that the symbolic link at PATH points to, which the caller
 * frees; NULL with errno set.
 */
static char *
follow_link(const char *path)
{
    const char *slash = strrchr(path, '/');
    int directory = slash == NULL ? 0 : (int)(slash + 1 - path);
    char text[PATH_MAX];
    char *target;

    ssize_t length = readlink(path, text, sizeof text);
    if (length < 0)
        return NULL;
    if (length > 0 && text[0] == '/')
        directory = 0;
    return asprintf(&target, "%.*s%.*s", directory, path, (int)length, text) < 0
               ? NULL
               : target;
}

/*
 * Open PATH, and follow up to LINKS dangling symbolic links.  A descriptor to
 * write to, or -1 with errno set.
 */
static int
open_path(struct output *output, const char *path, unsigned int links)
{
    struct stat status;

    if (lstat(path, &status) < 0)
        return errno == ENOENT && *path != '\0' ? open_new(output, path) : -1;
    if (S_ISREG(status.st_mode))
        return open_instead(output, path, &status);

    bool is_link = S_ISLNK(status.st_mode);
    if (stat(path, &status) < 0) {
        if (errno != ENOENT || !is_link)
            return -1;
        if (links == 0) {
            errno = ELOOP;
            return -1;
        }
        char *target = follow_link(path);
        int fd = target == NULL ? -1 : open_path(output, target, links - 1);
        int reason = errno;
        free(target);
        errno = reason;
        return fd;
    }

    /*
     * A link to standard output, such as /dev/stdout, is not opened by name.  A
     * regular file would be written from its start, and a socket cannot be
     * opened.
     */
    if (is_stdout(&status))
        return fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
    if (S_ISREG(status.st_mode))
        return open_instead(output, path, &status);
    return open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
}

/* Returns the path of the directory of the file TARGET, which the caller frees,
   or NULL. */
static char *
directory_of(const char *target)
{
    const char *slash = strrchr(target, '/');

    return slash == NULL ? strdup(".")
                         : strndup(target, (size_t)(slash + 1 - target));
}

char *
output_find_directory(const char *path)
{
    char *target = strdup(path);

    for (int links = 0; target != NULL && links < LINKS_MAX; links++) {
        char *next = follow_link(target);
        if (next == NULL)
            break;
        free(target);
        target = next;
    }
    char *directory = target == NULL ? NULL : directory_of(target);
    free(target);
    return directory;
}

/*
 * Open the directory of the target, to sync it later.  0, or -1 with errno set.
 */
static int
open_directory(struct output *output)
{
    char *path = directory_of(output->target);

    if (path == NULL)
        return -1;
    output->directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int reason = errno;
    free(path);
    errno = reason;
    /* A directory without read permission may still have write permission. */
    return output->directory < 0 && reason != EACCES ? -1 : 0;
}

/* Make the rename permanent.  0, or -1 with errno set. */
static int
sync_directory(const struct output *output)
{
    if (output->directory < 0 || fsync(output->directory) == 0)
        return 0;
    /* Some file systems cannot sync a directory. */
    return errno == EINVAL ? 0 : -1;
}

int
output_open(struct output *output, struct outputs *outputs, const char *path,
            struct error *error)
{
    *output =
        (struct output){.outputs = outputs, .path = path, .directory = -1};
    output->fd = open_path(output, path, LINKS_MAX);
    /* Fail here, before any output is printed. */
    if (output->fd < 0 ||
        (output->target != NULL && open_directory(output) < 0))
        return output_fail(output, error);
    return 0;
}

static const char *
last_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash == NULL ? path : slash + 1;
}

bool
output_is_same(const struct output *a, const struct output *b)
{
    struct stat a_status;
    struct stat b_status;

    return a->target != NULL && b->target != NULL &&
           strcmp(last_name(a->target), last_name(b->target)) == 0 &&
           fstat(a->directory, &a_status) == 0 &&
           fstat(b->directory, &b_status) == 0 &&
           same_file(&a_status, &b_status);
}

/* ---- writing ---- */

/*
 * O_NONBLOCK stays set, because other processes share the descriptor.  A signal
 * or an error also ends the wait; then write() reports it.
 */
static void
wait_for_room(int fd)
{
    struct pollfd poll_fd = {.fd = fd, .events = POLLOUT};

    (void)poll(&poll_fd, 1, -1);
}

int
output_write(int fd, const void *data, size_t size)
{
    for (const unsigned char *at = data; size > 0;) {
        ssize_t done = write(fd, at, size);
        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0 && errno == EAGAIN) {
            wait_for_room(fd);
            continue;
        }
        if (done == 0)
            errno = ENOSPC; /* as gnulib has it: no progress, no reason */
        if (done <= 0)
            return -1;
        at += done;
        size -= (size_t)done;
    }
    return 0;
}

int
output_finish(struct output *output, struct error *error)
{
    int result = output->target != NULL ? fsync(output->fd) : 0;
    int reason = errno;

    if (close(output->fd) < 0 && result == 0) {
        result = -1;
        reason = errno;
    }
    output->fd = -1;
    errno = reason;
    return result == 0 ? 0 : output_fail(output, error);
}

/* Under the lock of the outputs.  0, or -1 with errno set. */
static int
replace(struct output *output)
{
    if (output->target == NULL)
        return 0;
    if (rename(output->temporary, output->target) < 0)
        return -1;
    forget_temporary(output);
    return 0;
}

/*
 * FAILED could not be replaced, and errno says why; the ones before FAILED were
 * replaced.  Returns -1.
 */
static int
fail_replacing(struct output *const *output, const struct output *failed,
               struct error *error)
{
    char *text = strdup(strerror(errno));

    for (const char *separator = "; already replaced:"; *output != failed;
         output++) {
        char *longer;
        if ((*output)->target == NULL || text == NULL)
            continue;
        if (asprintf(&longer, "%s%s %s", text, separator, (*output)->path) < 0)
            longer = NULL;
        free(text);
        text = longer;
        separator = ",";
    }
    if (text != NULL)
        set_write_error(failed, text, error);
    else
        (void)error_fail_memory(error);
    free(text);
    return -1;
}

int
outputs_commit(struct outputs *outputs, struct output *const *output,
               size_t count, struct error *error)
{
    size_t replaced = 0;

    pthread_mutex_lock(&outputs->lock);
    while (replaced < count && replace(output[replaced]) == 0)
        replaced++;
    int reason = errno;
    pthread_mutex_unlock(&outputs->lock);
    errno = reason;
    if (replaced < count)
        return fail_replacing(output, output[replaced], error);

    int result = 0;
    for (size_t i = 0; i < count; i++) {
        if (output[i]->target == NULL || sync_directory(output[i]) == 0)
            continue;
        error_set(error, EXIT_DATA,
                  "%s: the new file is in place, but its directory cannot be "
                  "synced: %s",
                  output[i]->path, strerror(errno));
        result = -1;
    }
    return result;
}

void
output_close(struct output *output)
{
    if (output->outputs == NULL)
        return;
    if (output->fd >= 0)
        close(output->fd);
    output->fd = -1;
    if (output->directory >= 0)
        close(output->directory);
    output->directory = -1;
    pthread_mutex_lock(&output->outputs->lock);
    if (output->temporary != NULL) {
        (void)unlink(output->temporary);
        forget_temporary(output);
    }
    pthread_mutex_unlock(&output->outputs->lock);
    free(output->target);
    output->target = NULL;
}

/* ---- standard output and standard error ---- */

int
output_fail_standard(int fd, struct error *error)
{
    error_set(error, EXIT_DATA, "standard %s: write error: %s",
              fd == STDOUT_FILENO ? "output" : "error", strerror(errno));
    return -1;
}

int
output_close_stdout(struct error *error)
{
    return close(STDOUT_FILENO) == 0
               ? 0
               : output_fail_standard(STDOUT_FILENO, error);
}

/* ---- files that must not be read ---- */

void
written_files_add(struct written_files *files, const char *option,
                  const char *path)
{
    struct stat status;
    int result =
        option == NULL ? fstat(STDOUT_FILENO, &status) : stat(path, &status);

    if (result < 0 || !S_ISREG(status.st_mode))
        return;
    assert(files->count < WRITTEN_FILES_MAX);
    files->file[files->count++] = (struct written_file){option, path, status};
}

int
written_files_check(const struct written_files *files,
                    const struct stat *status, const char *name,
                    struct error *error)
{
    for (size_t i = 0; i < files->count; i++) {
        const struct written_file *file = &files->file[i];
        if (!same_file(&file->status, status) || !S_ISREG(status->st_mode))
            continue;
        if (file->option != NULL)
            error_set(error, EXIT_USAGE,
                      "%s: is also the file of --%s=%s, which would replace it",
                      name, file->option, file->path);
        else
            error_set(error, EXIT_USAGE, "%s: is also standard output", name);
        return -1;
    }
    return 0;
}
