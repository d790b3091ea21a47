/* SPDX-License-Identifier: MIT */
/* source.c -- the raw bytes of one input: a file, a pipe or standard input */

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "input/source.h"

/* The default limit of Linux: larger pipes need fewer context switches. */
#define PIPE_BYTES (1 << 20)

/*
 * The kernel locks a pipe during read().  Reading half of the pipe at a time
 * lets the writer fill the other half meanwhile (bench/NOTES.md).
 */
#define READ_BYTES_MAX (PIPE_BYTES / 2)

/* How far Linux reads ahead by default: shorter files need no advice. */
#define READ_AHEAD_BYTES (128 << 10)

/* Set *ERROR to a read error at OFFSET, with errno as the cause. */
static void
set_system_error(const struct source *source, struct error *error, off_t offset)
{
    error_set(error, EXIT_DATA, "%s: read error at byte %lld: %s",
              source->display_name, (long long)offset, strerror(errno));
}

int
source_fail(struct source *source, off_t offset, const char *what,
            const char *detail)
{
    error_set(&source->error, EXIT_DATA, "%s: %s at byte %lld: %s",
              source->display_name, what, (long long)offset, detail);
    return -1;
}

int
source_fail_memory(struct source *source)
{
    error_set(&source->error, EXIT_DATA, "%s: out of memory",
              source->display_name);
    return -1;
}

/* The eventfd that tells of a wrong record of SOURCE, or -1. */
static int
wake_of(const struct source *source)
{
    return source->wrong != NULL ? source->wrong->wake : -1;
}

/*
 * Call read() once, unless SOURCE->gate is shut or the remaining bytes need not
 * be read.  If another process reads from the same pipe, the bytes may be gone,
 * and read() blocks after all.
 *
 * O_NONBLOCK may be set on an inherited descriptor.  The flag is not cleared,
 * because other processes may have the same open file.
 */
static ssize_t
read_once(struct source *source, void *buffer, size_t capacity)
{
    bool must_wait =
        snapshot_gate_is_timed(source->gate) || wake_of(source) >= 0;

    if (source->is_part)
        return pread(source->fd, buffer, capacity, source->offset);
    for (;;) {
        int ready = 1;
        if (must_wait)
            ready = snapshot_gate_wait_input(source->gate, source->fd,
                                             wake_of(source));
        source->is_interrupted =
            ready == 0 && !wrong_record_ends(source->wrong);
        if (ready <= 0)
            return ready;
        ssize_t got = read(source->fd, buffer, capacity);
        if (got >= 0 || errno != EAGAIN)
            return got;
        must_wait = true;
    }
}

/* Whether the bytes that are read go to the copy. */
static bool
must_copy(const struct source *source)
{
    return source->copy != NULL && !source->copy->is_complete &&
           source->copy->file.directory != NULL;
}

/*
 * Call read(), again after interruptions by signals.  After cancel_ask() it
 * returns 0, as at the end.
 */
static ssize_t
read_descriptor(struct source *source, void *buffer, size_t capacity)
{
    struct cancel_call call;
    ssize_t got;

    do {
        if (!cancel_start_call(source->cancel, &call)) {
            got = 0;
            break;
        }
        got = read_once(source, buffer, capacity);
        cancel_end_call(source->cancel, &call);
    } while (got < 0 && errno == EINTR);
    if (got < 0) {
        set_system_error(source, &source->error, source->offset);
        return got;
    }
    progress_add(source->progress, (uint64_t)got);
    if (must_copy(source) &&
        scratch_file_append(&source->copy->file, buffer, (size_t)got,
                            &source->error) < 0)
        return -1;
    if (source->identity == NULL)
        return got;
    if (source->is_part)
        identity_add_at(source->identity, source->fd, buffer, (size_t)got,
                        source->offset);
    else
        identity_add_next(source->identity, buffer, (size_t)got,
                          source->offset);
    return got;
}

/*
 * Read the next bytes and advance SOURCE->offset.  After cancel_ask() it
 * returns 0, as at the end.
 */
static ssize_t
read_some(struct source *source, void *buffer, size_t capacity)
{
    struct source_supply *supply = source->supply;

    /* A terminal or a FIFO may deliver more bytes after its end. */
    if (source->has_ended ||
        (wake_of(source) >= 0 && wrong_record_ends(source->wrong)))
        return 0;
    if (capacity > READ_BYTES_MAX)
        capacity = READ_BYTES_MAX;
    ssize_t got = supply == NULL
                      ? read_descriptor(source, buffer, capacity)
                      : supply->read(supply, buffer, capacity, &source->error);
    if (got > 0)
        source->offset += got;
    source->has_ended = got == 0 && !source->is_interrupted;
    return got;
}

bool
source_is_cut_short(const struct source *source)
{
    return source->is_interrupted || cancel_is_asked(source->cancel);
}

ssize_t
source_read(struct source *source, void *buffer, size_t capacity)
{
    size_t ahead = source->head_used - source->head_given;

    if (ahead == 0)
        return read_some(source, buffer, capacity);
    if (ahead > capacity)
        ahead = capacity;
    memcpy(buffer, source->head + source->head_given, ahead);
    source->head_given += ahead;
    if (!source->is_regular || ahead == capacity)
        return (ssize_t)ahead;
    /* A regular file does not keep its reader waiting for the rest. */
    ssize_t got =
        read_some(source, (unsigned char *)buffer + ahead, capacity - ahead);
    return got < 0 ? -1 : (ssize_t)ahead + got;
}

bool
source_is_ready(const struct source *source)
{
    struct pollfd poll_fd = {.fd = source->fd, .events = POLLIN};

    /* The end, and errors, are ready, too. */
    return source->is_regular || source->supply != NULL || source->has_ended ||
           source->head_given < source->head_used || poll(&poll_fd, 1, 0) != 0;
}

uint64_t
source_zeros(const struct source *source)
{
    const struct source_supply *supply = source->supply;

    return supply == NULL || source->head_given < source->head_used
               ? 0
               : supply->zeros(supply);
}

void
source_skip_zeros(struct source *source, uint64_t bytes)
{
    source->supply->skip(source->supply, bytes);
    source->offset += (off_t)bytes;
}

/*
 * Advise the kernel how SOURCE will be read.  A refusal affects only the
 * speed.
 */
static void
advise(const struct source *source)
{
    if (source->is_regular && source->size > READ_AHEAD_BYTES)
        (void)posix_fadvise(source->fd, 0, 0, POSIX_FADV_SEQUENTIAL);
    else if (!source->is_regular &&
             fcntl(source->fd, F_GETPIPE_SZ) < PIPE_BYTES)
        (void)fcntl(source->fd, F_SETPIPE_SZ, PIPE_BYTES);
}

/* Call open(), again after interruptions, until SOURCE->cancel is asked. */
static int
open_path(const struct source *source)
{
    /* A FIFO without a writer would keep open() waiting, where nobody looks at
       WAKE; read_once() waits for it, too. */
    int flags = wake_of(source) >= 0 ? O_NONBLOCK : 0;
    struct cancel_call call;
    int fd;

    do {
        if (!cancel_start_call(source->cancel, &call)) {
            errno = EINTR;
            return -1;
        }
        fd = open(source->path, O_RDONLY | O_CLOEXEC | O_NOCTTY | flags);
        cancel_end_call(source->cancel, &call);
    } while (fd < 0 && errno == EINTR);
    return fd;
}

/* Read the complete copy from its start.  Returns 0, or -1 with the error
   set. */
static int
open_copy(struct source *source)
{
    source->fd = fcntl(source->copy->file.fd, F_DUPFD_CLOEXEC, STDERR_FILENO);
    if (source->fd >= 0 && lseek(source->fd, 0, SEEK_SET) == 0)
        return 0;
    error_set(&source->error, EXIT_DATA, "%s: cannot read its copy in %s: %s",
              source->display_name, source->copy->file.directory,
              strerror(errno));
    return -1;
}

struct source
source_again(const struct source *source)
{
    return (struct source){.path = source->path,
                           .display_name = source->display_name,
                           .wrong = source->wrong,
                           .identity = source->identity,
                           .copy = source->copy,
                           .fd = -1};
}

int
source_open(struct source *source, struct progress *progress,
            struct cancel *cancel)
{
    struct stat status;

    source->progress = progress;
    source->cancel = cancel;
    if (source->supply != NULL || source->is_part)
        return 0;
    bool has_copy = source->copy != NULL && source->copy->is_complete &&
                    source->copy->file.directory != NULL;
    if (has_copy && open_copy(source) < 0)
        return -1;
    if (!has_copy)
        source->fd = source->path == NULL ? STDIN_FILENO : open_path(source);
    if (source->fd < 0 || fstat(source->fd, &status) < 0) {
        error_set(&source->error, EXIT_DATA, "%s: cannot open: %s",
                  source->display_name, strerror(errno));
        return -1;
    }
    if (S_ISDIR(status.st_mode)) {
        error_set(&source->error, EXIT_DATA, "%s: is a directory",
                  source->display_name);
        return -1;
    }
    if (S_ISREG(status.st_mode) && !has_copy) {
        /* Another process may have read a part of standard input. */
        off_t here = source->path == NULL ? lseek(source->fd, 0, SEEK_CUR) : 0;
        source->is_regular = here >= 0;
        source->first = source->is_regular ? here : 0;
        source->offset = source->first;
        source->size = status.st_size;
    }
    if (!source->is_regular && source->copy != NULL && !has_copy &&
        scratch_file_open(&source->copy->file, &source->error) < 0)
        return -1;
    if (source->identity != NULL)
        identity_open(source->identity,
                      source->path != NULL ? source->path : "-", source->first,
                      source->is_regular ? source->size : -1);
    advise(source);
    return 0;
}

void
source_open_part(struct source *part, const struct source *whole, off_t offset)
{
    *part = (struct source){
        .path = whole->path,
        .display_name = whole->display_name,
        .progress = whole->progress,
        .cancel = whole->cancel,
        .identity = whole->identity,
        .fd = whole->fd,
        .is_regular = true,
        .is_part = true,
        .first = offset,
        .size = whole->size,
        .offset = offset,
    };
}

void
source_open_range(struct source *range, const struct source *whole,
                  off_t offset, off_t end)
{
    source_open_part(range, whole, offset);
    range->size = end;
}

ssize_t
source_read_head(struct source *source)
{
    /* The next reader of standard input continues after the bytes read. */
    size_t room = source->is_regular && source->path != NULL
                      ? SOURCE_HEAD_BYTES
                      : SOURCE_MAGIC_BYTES;

    if (source->head_used == 0)
        source->head_offset = source->offset;
    ssize_t got = read_some(source, source->head + source->head_used,
                            room - source->head_used);
    if (got > 0)
        source->head_used += (size_t)got;
    return got;
}

void
source_drop_head(struct source *source, size_t bytes)
{
    source->head_used -= bytes;
    memmove(source->head, source->head + bytes, source->head_used);
    source->head_given = 0;
}

void
source_start_ranges(const struct source *source)
{
    progress_add(source->progress, -(uint64_t)source->head_used);
}

int
source_seek(struct source *source, off_t offset)
{
    /* The file position is shared with readers of other parts. */
    if (!source->is_part && lseek(source->fd, offset, SEEK_SET) < 0) {
        set_system_error(source, &source->error, offset);
        return -1;
    }
    source->offset = offset;
    source->head_given = source->head_used;
    source->has_ended = false; /* reading HEAD may have reached the end */
    return 0;
}

void
source_announce(const struct source *source, off_t offset, off_t size)
{
    const off_t most = 256 << 10; /* Linux ignores bytes beyond its limit */
    const off_t end = offset + size;

    /* Advice: a refusal affects only the speed. */
    for (; offset < end; offset += most) {
        off_t left = end - offset;
        (void)posix_fadvise(source->fd, offset, left < most ? left : most,
                            POSIX_FADV_WILLNEED);
    }
}

int
source_read_again(const struct source *source, void *buffer, size_t size,
                  off_t offset, struct error *error)
{
    size_t done = 0;

    while (done < size) {
        ssize_t got = pread(source->fd, (unsigned char *)buffer + done,
                            size - done, offset + (off_t)done);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0) {
            set_system_error(source, error, offset + (off_t)done);
            return -1;
        }
        if (got == 0) {
            error_set(error, EXIT_DATA,
                      "%s: truncated at byte %lld while it was read",
                      source->display_name, (long long)offset + (off_t)done);
            return -1;
        }
        done += (size_t)got;
    }
    return 0;
}

int
source_read_at(const struct source *source, void *buffer, size_t size,
               off_t offset, struct error *error)
{
    int result = source_read_again(source, buffer, size, offset, error);

    if (result < 0)
        return result;
    progress_add(source->progress, size);
    if (source->identity != NULL)
        identity_add_at(source->identity, source->fd, buffer, size, offset);
    return result;
}

/* Call pread(), again after interruptions by signals. */
static ssize_t
read_at(const struct source *source, void *buffer, size_t size, off_t offset)
{
    ssize_t got;

    do {
        got = pread(source->fd, buffer, size, offset);
    } while (got < 0 && errno == EINTR);
    return got;
}

/* Copy up to SIZE bytes at OFFSET from the head of SOURCE, a regular file.
   Returns how many, or -1: they are not all in the head. */
static ssize_t
peek_head(const struct source *source, void *buffer, size_t size, off_t offset)
{
    off_t end = source->head_offset + (off_t)source->head_used;
    off_t left = end - offset;

    if (source->head_used == 0 || offset < source->head_offset || left < 0 ||
        ((size_t)left < size && end != source->size))
        return -1;
    if ((size_t)left < size)
        size = (size_t)left;
    memcpy(buffer, source->head + (offset - source->head_offset), size);
    return (ssize_t)size;
}

ssize_t
source_peek(struct source *source, void *buffer, size_t size, off_t offset)
{
    ssize_t got = peek_head(source, buffer, size, offset);

    if (got >= 0)
        return got;
    got = read_at(source, buffer, size, offset);
    if (got < 0)
        set_system_error(source, &source->error, offset);
    return got;
}

size_t
source_look_at(const struct source *source, void *buffer, size_t size,
               off_t offset)
{
    ssize_t got = read_at(source, buffer, size, offset);

    return got > 0 ? (size_t)got : 0;
}

/* Let the writer of standard input know that nobody reads any more: other
   inputs may have the same writer. */
static void
leave_stdin(void)
{
    int null = open("/dev/null", O_RDONLY | O_CLOEXEC);

    if (null < 0)
        return;
    (void)dup2(null, STDIN_FILENO);
    close(null);
}

void
source_identify(const struct source *source)
{
    if (source->identity != NULL && !source->is_part &&
        source->error.status == EXIT_DONE &&
        !wrong_record_ends(source->wrong) && !cancel_is_asked(source->cancel))
        identity_complete(source->identity, source->fd);
}

int
source_release(struct source *source)
{
    int fd = -1;

    if (source->fd > STDIN_FILENO && !source->is_part)
        fd = source->fd;
    else if (source->fd == STDIN_FILENO && !source->is_regular &&
             (source->error.status != EXIT_DONE ||
              wrong_record_ends(source->wrong)))
        leave_stdin();
    source->fd = -1;
    return fd;
}

void
source_close(struct source *source)
{
    int fd = source_release(source);

    if (fd >= 0)
        close(fd);
}
