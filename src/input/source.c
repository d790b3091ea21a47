/* source.c -- one input, from its first byte to its last */

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "input/source.h"
#include "input/zstd_frame.h"
#include "input/zstd_stream.h"

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

/*
 * read() once, unless SOURCE->gate is shut.  Where others read from the same
 * pipe, what was there may be gone: then it waits after all.
 */
static ssize_t
read_once(struct source *source, void *buffer, size_t capacity)
{
    if (source->is_part)
        return pread(source->fd, buffer, capacity, source->offset);
    int ready = snapshot_gate_wait_input(source->gate, source->fd);
    source->is_interrupted = ready == 0;
    return ready > 0 ? read(source->fd, buffer, capacity) : ready;
}

/*
 * read() past interruptions by signals; advances SOURCE->offset.  Once
 * SOURCE->cancel is asked, this is the end.
 */
static ssize_t
read_some(struct source *source, void *buffer, size_t capacity)
{
    struct cancel_call call;
    ssize_t got;

    /* A terminal would deliver more after its end, a FIFO might. */
    if (source->has_ended)
        return 0;
    if (capacity > READ_BYTES_MAX)
        capacity = READ_BYTES_MAX;
    do {
        if (!cancel_begin_call(source->cancel, &call)) {
            got = 0;
            break;
        }
        got = read_once(source, buffer, capacity);
        cancel_end_call(source->cancel, &call);
    } while (got < 0 && errno == EINTR);
    if (got < 0) {
        set_system_error(source, &source->error, source->offset);
    } else {
        source->offset += got;
        progress_add(source->progress, (uint64_t)got);
    }
    source->has_ended = got == 0 && !source->is_interrupted;
    return got;
}

bool
source_is_cut_short(const struct source *source)
{
    return source->is_interrupted || cancel_is_asked(source->cancel);
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

/* open(), past interruptions, unless SOURCE->cancel is asked meanwhile. */
static int
open_path(const struct source *source)
{
    struct cancel_call call;
    int fd;

    do {
        if (!cancel_begin_call(source->cancel, &call)) {
            errno = EINTR;
            return -1;
        }
        fd = open(source->path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
        cancel_end_call(source->cancel, &call);
    } while (fd < 0 && errno == EINTR);
    return fd;
}

/* Open the file and ask the system what it is. */
static int
open_file(struct source *source)
{
    struct stat status;

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

/* The next bytes of the content: decoded, but nothing left out. */
static ssize_t
read_content(struct source *source, void *buffer, size_t capacity)
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

/* Find out whether the content is compressed. */
static int
open_content(struct source *source, enum decompress decompress,
             struct budget *budget, struct zstd_stream **spare)
{
    if (decompress == DECOMPRESS_NONE)
        return 0;
    if (read_head(source) < 0)
        return -1;
    if (zstd_frame_is_magic(source->head, source->head_used)) {
        source->zstd = zstd_open(source, budget, spare);
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

static int
set_too_short(struct source *source, uint64_t has, uint64_t skip_bytes)
{
    error_set(&source->error, EXIT_DATA,
              "%s: too short for --skip-bytes: it has %llu byte%s, not %llu",
              source->display_name, (unsigned long long)has,
              has == 1 ? "" : "s", (unsigned long long)skip_bytes);
    return -1;
}

/* Go past the first SKIP_BYTES of the content. */
static int
skip(struct source *source, uint64_t skip_bytes)
{
    unsigned char scratch[4096];
    uint64_t done = 0;

    source->skipped = skip_bytes;
    if (skip_bytes == 0)
        return 0;
    if (source->is_regular && source->zstd == NULL) {
        off_t has =
            source->size > source->first ? source->size - source->first : 0;
        /* A file that does not tell its size is read to find out. */
        if (skip_bytes <= (uint64_t)has) {
            source->first += (off_t)skip_bytes;
            return source_seek(source, source->first);
        }
    }
    while (done < skip_bytes) {
        uint64_t wanted = skip_bytes - done;
        if (wanted > sizeof scratch)
            wanted = sizeof scratch;
        ssize_t got = read_content(source, scratch, (size_t)wanted);
        if (got < 0)
            return -1;
        done += (uint64_t)got;
        if ((uint64_t)got < wanted)
            return set_too_short(source, done, skip_bytes);
    }
    return 0;
}

int
source_open(struct source *source, const struct reading *reading,
            struct budget *budget, struct zstd_stream **spare)
{
    source->progress = reading->progress;
    source->cancel = reading->cancel;
    source->left = UINT64_MAX;
    source->pause_at = SOURCE_NO_PAUSE;
    source->kept_bytes_max = reading->kept_bytes_max;
    if (open_file(source) < 0 ||
        open_content(source, reading->decompress, budget, spare) < 0 ||
        skip(source, reading->skip_bytes) < 0) {
        if (cancel_is_asked(source->cancel))
            error_clear(&source->error);
        return -1;
    }
    source->left = reading->read_bytes;
    if (source->is_regular && source->size > source->first &&
        (uint64_t)(source->size - source->first) > source->left)
        source->size = source->first + (off_t)source->left;
    return 0;
}

/* What an image is read from. */
static ssize_t
read_for_image(void *context, void *buffer, size_t capacity)
{
    return read_content(context, buffer, capacity);
}

/* Record what the image says is wrong with the content, if anything is. */
static void
set_bad_image(struct source *source)
{
    uint64_t offset = 0;
    const char *detail = image_error(source->image, &offset);

    if (detail != NULL)
        source_set_bad(source, (off_t)(source->skipped + offset), "bad image",
                       detail);
}

/* Keep a copy of SIZE bytes of pixels, if that is wanted. */
static int
keep(struct source *source, const void *pixels, size_t size)
{
    if (source->kept_bytes_max == 0)
        return 0;
    if (size > source->kept_bytes_max - source->kept_bytes) {
        error_set(&source->error, EXIT_DATA,
                  "%s: the image does not fit into --memory-limit",
                  source->display_name);
        return -1;
    }
    if (source->kept_bytes + size > source->kept_room) {
        uint64_t room = 2 * (source->kept_bytes + size);
        unsigned char *grown = realloc(source->kept, (size_t)room);
        if (grown == NULL) {
            error_set(&source->error, EXIT_DATA, "%s: out of memory",
                      source->display_name);
            return -1;
        }
        source->kept = grown;
        source->kept_room = room;
    }
    memcpy(source->kept + source->kept_bytes, pixels, size);
    source->kept_bytes += size;
    return 0;
}

int
source_read_header(struct source *source, struct image_format *format)
{
    source->image = image_open(read_for_image, source);
    if (source->image == NULL) {
        error_set(&source->error, EXIT_DATA, "%s: out of memory",
                  source->display_name);
        return -1;
    }
    if (image_read_header(source->image, format) < 0) {
        set_bad_image(source);
        return -1;
    }
    return 0;
}

int
source_open_part(struct source *part, const struct source *whole, off_t offset,
                 struct budget *budget, struct zstd_stream **spare)
{
    *part = (struct source){
        .path = whole->path,
        .display_name = whole->display_name,
        .progress = whole->progress,
        .cancel = whole->cancel,
        .fd = whole->fd,
        .is_regular = true,
        .is_part = true,
        .first = offset,
        .size = whole->size,
        .offset = offset,
        .left = UINT64_MAX,
        .pause_at = SOURCE_NO_PAUSE,
    };
    part->zstd = zstd_open(part, budget, spare);
    return part->zstd != NULL ? 0 : -1;
}

struct zstd_stream *
source_take_decoder(struct source *source)
{
    struct zstd_stream *decoder = source->zstd;

    source->zstd = NULL;
    return decoder;
}

bool
source_has_ranges(const struct source *source)
{
    return source->is_regular && source->zstd == NULL && source->image == NULL;
}

ssize_t
source_read(struct source *source, void *buffer, size_t capacity)
{
    source->is_interrupted = false;
    if (source->image != NULL) {
        ssize_t got = image_read(source->image, buffer, capacity);
        /* It was cut off where the reading was to stop. */
        if (got < 0 && source->error.status == EXIT_DONE &&
            cancel_is_asked(source->cancel))
            return (ssize_t)image_delivered(source->image);
        if (got < 0)
            set_bad_image(source);
        source->shape = image_shape(source->image);
        return got > 0 && keep(source, buffer, (size_t)got) < 0 ? -1 : got;
    }
    if (capacity > source->left)
        capacity = (size_t)source->left;
    ssize_t got = read_content(source, buffer, capacity);
    if (got > 0)
        source->left -= (uint64_t)got;
    return got;
}

void
source_begin_ranges(const struct source *source)
{
    progress_add(source->progress, -(uint64_t)source->head_used);
}

int
source_seek(struct source *source, off_t offset)
{
    if (lseek(source->fd, offset, SEEK_SET) < 0) {
        set_system_error(source, &source->error, offset);
        return -1;
    }
    /* What lies between is read by others, but it counts. */
    if (source->left != UINT64_MAX)
        source->left -= (uint64_t)(offset - source->first);
    source->offset = offset;
    source->head_given = source->head_used;
    source->has_ended = false; /* the end may have been seen with the head */
    return 0;
}

void
source_announce(const struct source *source, off_t offset, off_t size)
{
    const off_t most = 256 << 10; /* of more at a time Linux forgets the rest */
    const off_t end = offset + size;

    /* Advice: a refusal changes nothing but the speed. */
    for (; offset < end; offset += most) {
        off_t left = end - offset;
        (void)posix_fadvise(source->fd, offset, left < most ? left : most,
                            POSIX_FADV_WILLNEED);
    }
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
    progress_add(source->progress, size);
    return 0;
}

void
source_close(struct source *source)
{
    image_close(source->image);
    source->image = NULL;
    zstd_close(source->zstd);
    source->zstd = NULL;
    if (source->fd > STDIN_FILENO && !source->is_part)
        close(source->fd);
    source->fd = -1;
}

void
source_free(struct source *source)
{
    source_close(source);
    error_clear(&source->error);
    free(source->kept);
    source->kept = NULL;
}
