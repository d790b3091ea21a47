/* source.c -- one input, from its first byte to its last */

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "source.h"
#include "zstd_frame.h"
#include "zstd_stream.h"

/* As much as Linux lets a user have by default: fewer, longer turns. */
#define PIPE_BYTES (1 << 20)

/*
 * A pipe is locked while it is being read.  Reading half of it at a time lets
 * the writer fill the other half (bench/NOTES.md).
 */
#define READ_BYTES_MAX (PIPE_BYTES / 2)

_Static_assert((int)SOURCE_HEAD_BYTES == (int)ZSTD_FRAME_MAGIC_BYTES,
               "the head is there to find the magic number");

/* Record a system call's failure; errno says why. */
static void
set_system_error(const struct source *source, struct error *error, off_t offset)
{
    error_set(error, EXIT_DATA, "%s: read error at byte %lld: %s",
              source->display_name, (long long)offset, strerror(errno));
}

void
source_set_bad(struct source *source, off_t offset, const char *what,
               const char *detail)
{
    error_set(&source->error, EXIT_DATA, "%s: %s at byte %lld: %s",
              source->display_name, what, (long long)offset, detail);
}

/* read() once, past interruptions; advances SOURCE->offset. */
static ssize_t
read_some(struct source *source, void *buffer, size_t capacity)
{
    ssize_t got;

    /* A terminal would deliver more after its end, a FIFO might. */
    if (source->has_ended)
        return 0;
    if (capacity > READ_BYTES_MAX)
        capacity = READ_BYTES_MAX;
    do {
        got = read(source->fd, buffer, capacity);
    } while (got < 0 && errno == EINTR);
    if (got < 0)
        set_system_error(source, &source->error, source->offset);
    else
        source->offset += got;
    source->has_ended = got == 0;
    return got;
}

ssize_t
source_read_raw(struct source *source, void *buffer, size_t capacity)
{
    size_t ahead = source->head_used - source->head_given;

    if (ahead == 0)
        return read_some(source, buffer, capacity);
    if (ahead > capacity)
        ahead = capacity;
    memcpy(buffer, source->head + source->head_given, ahead);
    source->head_given += ahead;
    return (ssize_t)ahead;
}

/*
 * What may make reading faster; all of it is advice, a refusal changes
 * nothing but the speed.
 */
static void
advise(const struct source *source)
{
    if (source->is_regular)
        (void)posix_fadvise(source->fd, 0, 0, POSIX_FADV_SEQUENTIAL);
    else if (fcntl(source->fd, F_GETPIPE_SZ) < PIPE_BYTES)
        (void)fcntl(source->fd, F_SETPIPE_SZ, PIPE_BYTES);
}

/* Open the file and ask the system what it is. */
static int
open_file(struct source *source)
{
    struct stat status;

    source->fd = source->path == NULL
                     ? STDIN_FILENO
                     : open(source->path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
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
    if (S_ISREG(status.st_mode)) {
        /* Standard input may have been read in part already. */
        off_t here = lseek(source->fd, 0, SEEK_CUR);
        source->is_regular = here >= 0;
        source->first = source->is_regular ? here : 0;
        source->offset = source->first;
        source->size = status.st_size;
    }
    advise(source);
    return 0;
}

/* Look at the first bytes; source_read_raw() hands them on. */
static int
read_head(struct source *source)
{
    while (source->head_used < SOURCE_HEAD_BYTES) {
        ssize_t got = read_some(source, source->head + source->head_used,
                                SOURCE_HEAD_BYTES - source->head_used);
        if (got < 0)
            return -1;
        if (got == 0)
            break;
        source->head_used += (size_t)got;
    }
    return 0;
}

int
source_open(struct source *source, enum decompress decompress,
            struct budget *budget)
{
    if (open_file(source) < 0)
        return -1;
    if (decompress == DECOMPRESS_NONE)
        return 0;

    if (read_head(source) < 0)
        return -1;
    bool is_zstd = zstd_frame_is_magic(source->head, source->head_used);
    if (is_zstd) {
        source->zstd = zstd_open(source, budget);
        return source->zstd == NULL ? -1 : 0;
    }
    if (decompress == DECOMPRESS_ZSTD) {
        source_set_bad(source, source->first, "not zstd data",
                       source->head_used == 0 ? "the input is empty"
                                              : "no magic number");
        return -1;
    }
    return 0;
}

ssize_t
source_read(struct source *source, void *buffer, size_t capacity)
{
    if (source->zstd != NULL)
        return zstd_read(source->zstd, buffer, capacity);

    size_t done = 0;
    while (done < capacity) {
        ssize_t got = source_read_raw(source, (unsigned char *)buffer + done,
                                      capacity - done);
        if (got < 0)
            return -1;
        if (got == 0)
            break;
        done += (size_t)got;
    }
    return (ssize_t)done;
}

int
source_seek(struct source *source, off_t offset)
{
    if (lseek(source->fd, offset, SEEK_SET) < 0) {
        set_system_error(source, &source->error, offset);
        return -1;
    }
    source->offset = offset;
    source->head_given = source->head_used;
    return 0;
}

int
source_read_at(const struct source *source, void *buffer, size_t size,
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

void
source_close(struct source *source)
{
    zstd_close(source->zstd);
    source->zstd = NULL;
    if (source->fd > STDIN_FILENO)
        close(source->fd);
    source->fd = -1;
}
