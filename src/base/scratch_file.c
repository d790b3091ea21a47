/* SPDX-License-Identifier: MIT */
/* scratch_file.c -- a temporary file in $TMPDIR, or /tmp, without a name */

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/scratch_file.h"

#define DIRECTORY_DEFAULT "/tmp"
#define NAME_PATTERN "/gpuhist-XXXXXX"

/* Reading a page of a mapping may bring pages around it into memory, even
   forgotten pages: Linux maps 64 KiB. */
#define AROUND ((uintptr_t)1 << 20)

const char *
scratch_file_directory(void)
{
    const char *directory = getenv("TMPDIR");

    return directory != NULL && *directory != '\0' ? directory
                                                   : DIRECTORY_DEFAULT;
}

/* Make a file with a name and remove the name.  Returns a descriptor or -1. */
static int
make_named(const char *directory)
{
    size_t bytes = strlen(directory) + sizeof NAME_PATTERN;
    char *path = malloc(bytes);

    if (path == NULL)
        return -1;
    snprintf(path, bytes, "%s" NAME_PATTERN, directory);
    int fd = mkostemp(path, O_CLOEXEC);
    if (fd >= 0 && unlink(path) < 0) {
        int reason = errno;
        close(fd);
        errno = reason;
        fd = -1;
    }
    free(path);
    return fd;
}

/* Returns a descriptor of a file without a name, or -1. */
static int
make_file(const char *directory)
{
    int fd = open(directory, O_TMPFILE | O_EXCL | O_RDWR | O_CLOEXEC,
                  S_IRUSR | S_IWUSR);

    /* The file system or an old kernel does not support this. */
    if (fd < 0 && (errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL))
        fd = make_named(directory);
    return fd;
}

/* Set *ERROR: WHAT went wrong with SCRATCH, for REASON.  Returns -1. */
static int
fail(const struct scratch_file *scratch, const char *what, int reason,
     struct error *error)
{
    error_set(error, EXIT_DATA, "cannot %s a temporary file in %s (TMPDIR): %s",
              what, scratch->directory, strerror(reason));
    return -1;
}

/* As fail(), where SIZE more bytes are needed. */
static int
fail_to_write(const struct scratch_file *scratch, uint64_t size, int reason,
              struct error *error)
{
    error_set(error, EXIT_DATA,
              "cannot write %llu more bytes to a temporary file in %s (TMPDIR) "
              "after %llu bytes: %s",
              (unsigned long long)size, scratch->directory,
              (unsigned long long)scratch->size, strerror(reason));
    return -1;
}

int
scratch_file_open(struct scratch_file *scratch, struct error *error)
{
    const char *directory = scratch_file_directory();

    *scratch = (struct scratch_file){.fd = make_file(directory),
                                     .directory = directory};
    if (scratch->fd >= 0)
        return 0;
    int result = fail(scratch, "make", errno, error);
    scratch->directory = NULL;
    return result;
}

int
scratch_file_append(struct scratch_file *scratch, const void *bytes,
                    size_t size, struct error *error)
{
    const unsigned char *at = bytes;

    while (size > 0) {
        ssize_t written = pwrite(scratch->fd, at, size, (off_t)scratch->size);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return fail_to_write(scratch, size, written < 0 ? errno : ENOSPC,
                                 error);
        at += written;
        size -= (size_t)written;
        scratch->size += (uint64_t)written;
    }
    return 0;
}

int
scratch_file_read(const struct scratch_file *scratch, uint64_t at, void *bytes,
                  size_t size, struct error *error)
{
    unsigned char *to = bytes;

    while (size > 0) {
        ssize_t got = pread(scratch->fd, to, size, (off_t)at);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return fail(scratch, "read", got < 0 ? errno : EIO, error);
        to += got;
        at += (uint64_t)got;
        size -= (size_t)got;
    }
    return 0;
}

void
scratch_file_expect(const struct scratch_file *scratch, uint64_t at,
                    uint64_t size)
{
    (void)posix_fadvise(scratch->fd, (off_t)at, (off_t)size,
                        POSIX_FADV_WILLNEED);
}

void
scratch_file_discard(const struct scratch_file *scratch, uint64_t at,
                     uint64_t size)
{
#ifdef FALLOC_FL_PUNCH_HOLE
    (void)fallocate(scratch->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                    (off_t)at, (off_t)size);
#else
    (void)scratch, (void)at, (void)size;
#endif
}

void
scratch_file_close(struct scratch_file *scratch)
{
    /* Nobody reads the file again: a failure does not matter. */
    if (scratch->directory != NULL)
        (void)close(scratch->fd);
    *scratch = (struct scratch_file){0};
}

/* ---- mappings ---- */

static void *
map(const struct scratch_file *scratch, uint64_t size, int protection,
    struct error *error)
{
    void *mapping = MAP_FAILED;

    errno = ENOMEM;
    if (size <= SIZE_MAX / 2)
        mapping =
            mmap(NULL, (size_t)size, protection, MAP_SHARED, scratch->fd, 0);
    if (mapping != MAP_FAILED)
        return mapping;
    fail(scratch, "map", errno, error);
    return NULL;
}

void *
scratch_file_map(const struct scratch_file *scratch, uint64_t size,
                 struct error *error)
{
    return map(scratch, size, PROT_READ, error);
}

void *
scratch_file_memory(uint64_t size, struct error *error)
{
    struct scratch_file scratch;
    void *mapping = NULL;

    if (scratch_file_open(&scratch, error) < 0)
        return NULL;
    int reason = posix_fallocate(scratch.fd, 0, (off_t)size);
    if (reason == 0)
        mapping = map(&scratch, size, PROT_READ | PROT_WRITE, error);
    else
        fail_to_write(&scratch, size, reason, error);
    scratch_file_close(&scratch);
    return mapping;
}

void
scratch_file_forget(const void *mapping, const void *at, uint64_t size)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t before = (uintptr_t)at - (uintptr_t)mapping;
    uintptr_t start = (uintptr_t)at - (before < AROUND ? before : AROUND);
    uintptr_t end = ((uintptr_t)at + (uintptr_t)size) & ~(page - 1);

    start &= ~(page - 1);

    /* Of a shared mapping, the pages stay in the file. */
    if (start < end)
        (void)madvise((void *)start, end - start, MADV_DONTNEED);
}

void
scratch_file_unmap(void *mapping, uint64_t size)
{
    if (mapping != NULL)
        (void)munmap(mapping, (size_t)size);
}
