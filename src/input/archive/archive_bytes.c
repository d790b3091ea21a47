/* SPDX-License-Identifier: MIT */
/* archive_bytes.c -- the bytes of an archive, as libarchive gets them */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "input/archive/archive_bytes.h"

/* ---- reading ---- */

bool
archive_bytes_may_seek(const struct archive_bytes *bytes)
{
    return bytes->file.source.is_regular && bytes->file.decoder == NULL;
}

off_t
archive_bytes_size(const struct archive_bytes *bytes)
{
    const struct source *source = &bytes->file.source;

    return source->size > source->first ? source->size - source->first : 0;
}

static bool
is_cancelled(const struct archive_bytes *bytes)
{
    return cancel_is_asked(bytes->file.source.cancel);
}

/* Read up to SIZE bytes at the offset of a file, where libarchive may seek. */
static ssize_t
read_there(struct archive_bytes *bytes, unsigned char *data, size_t size)
{
    struct source *source = &bytes->file.source;
    size_t done = 0;

    while (done < size && !is_cancelled(bytes)) {
        off_t at = source->first + bytes->offset + (off_t)done;
        ssize_t got = source_peek(source, data + done, size - done, at);
        if (got < 0)
            return -1;
        if (got == 0)
            break;
        progress_add(source->progress, (uint64_t)got);
        if (source->identity != NULL)
            identity_add_at(source->identity, source->fd, data + done,
                            (size_t)got, at);
        done += (size_t)got;
    }
    return (ssize_t)done;
}

/* Read the bytes after the current block to the other block. */
static void
read_ahead(struct archive_bytes *bytes)
{
    unsigned char *block = bytes->block[1 - bytes->current];

    bytes->has_ahead = true;
    /* A decoder is not asked again after an error. */
    if (bytes->file.source.error.status != EXIT_DONE)
        bytes->ahead_bytes = -1;
    else if (archive_bytes_may_seek(bytes))
        bytes->ahead_bytes = read_there(bytes, block, ARCHIVE_BLOCK_BYTES);
    else
        bytes->ahead_bytes =
            content_read(&bytes->file, block, ARCHIVE_BLOCK_BYTES);
}

ssize_t
archive_bytes_read(struct archive_bytes *bytes, const unsigned char **data)
{
    if (!bytes->has_ahead)
        read_ahead(bytes);
    ssize_t got = bytes->ahead_bytes;
    bytes->has_ahead = false;
    if (got > 0) {
        bytes->current = 1 - bytes->current;
        bytes->block_bytes[bytes->current] = (size_t)got;
        bytes->offset += (off_t)got;
    }
    *data = bytes->block[bytes->current];
    return got;
}

void
archive_bytes_go(struct archive_bytes *bytes, off_t offset)
{
    bytes->offset = offset;
    bytes->has_ahead = false;
}

/* As archive_bytes_look(), where libarchive may seek. */
static size_t
peek(struct archive_bytes *bytes, off_t at, unsigned char *out, size_t size)
{
    struct source *source = &bytes->file.source;
    size_t done = 0;
    ssize_t got;

    while (done < size &&
           (got = source_peek(source, out + done, size - done,
                              source->first + at + (off_t)done)) > 0)
        done += (size_t)got;
    return done;
}

/* BLOCK has HAS bytes from START on: copy the SIZE bytes from AT on to OUT, as
   far as BLOCK has them from the first one on.  Returns how many. */
static size_t
copy_part(const unsigned char *block, off_t start, size_t has, off_t at,
          unsigned char *out, size_t size)
{
    if (at < start || at >= start + (off_t)has)
        return 0;
    size_t from = (size_t)(at - start);
    size_t part = has - from < size ? has - from : size;
    memcpy(out, block + from, part);
    return part;
}

size_t
archive_bytes_look(struct archive_bytes *bytes, off_t at, unsigned char *out,
                   size_t size)
{
    unsigned int other = 1 - bytes->current;
    size_t before = bytes->block_bytes[other];
    size_t has = bytes->block_bytes[bytes->current];
    off_t start = bytes->offset - (off_t)has;
    size_t done = 0;

    if (archive_bytes_may_seek(bytes))
        return peek(bytes, at, out, size);
    if (at + (off_t)size > bytes->offset && !bytes->has_ahead)
        read_ahead(bytes);
    if (!bytes->has_ahead)
        done = copy_part(bytes->block[other], start - (off_t)before, before, at,
                         out, size);
    done += copy_part(bytes->block[bytes->current], start, has,
                      at + (off_t)done, out + done, size - done);
    if (bytes->has_ahead && bytes->ahead_bytes > 0)
        done += copy_part(bytes->block[other], bytes->offset,
                          (size_t)bytes->ahead_bytes, at + (off_t)done,
                          out + done, size - done);
    return done;
}

/* ---- headers ---- */

/* Return the memory that headers have reserved. */
static void
give_back(struct archive_bytes *bytes)
{
    if (bytes->reserved > 0)
        budget_return(&bytes->share, bytes->reserved);
    bytes->reserved = 0;
}

/* A header has one more block: reserve memory for it.  Returns 0, or -1. */
static int
pay(struct archive_bytes *bytes, size_t size)
{
    uint64_t more = (uint64_t)size * bytes->cost;

    if (bytes->is_first_block) {
        bytes->is_first_block = false;
        return 0;
    }
    if (!budget_take(&bytes->share, more)) {
        bytes->is_too_large = true;
        return -1;
    }
    bytes->reserved += more;
    return 0;
}

void
archive_bytes_start_header(struct archive_bytes *bytes, unsigned int cost,
                           bool keeps)
{
    if (!keeps)
        give_back(bytes);
    bytes->is_header = true;
    bytes->is_first_block = true;
    bytes->cost = cost;
}

void
archive_bytes_end_header(struct archive_bytes *bytes)
{
    bytes->is_header = false;
}

bool
archive_bytes_are_zero(const unsigned char *data, size_t size)
{
    return size == 0 || (data[0] == 0 && memcmp(data, data + 1, size - 1) == 0);
}

/* ---- the callbacks of libarchive ---- */

static la_ssize_t
read_block(struct archive *reader, void *context, const void **block)
{
    struct archive_bytes *bytes = context;
    const unsigned char *data;
    ssize_t got = archive_bytes_read(bytes, &data);

    *block = data;
    if (got > 0 && bytes->is_header &&
        !archive_bytes_are_zero(data, (size_t)got) &&
        pay(bytes, (size_t)got) < 0)
        got = -1;
    if (got >= 0)
        return got;
    bytes->api->archive_set_error(reader, EIO, "read error");
    return ARCHIVE_FATAL;
}

static la_int64_t
seek(struct archive *reader, void *context, la_int64_t offset, int whence)
{
    struct archive_bytes *bytes = context;
    off_t base = whence == SEEK_END   ? bytes->end
                 : whence == SEEK_CUR ? bytes->offset
                                      : 0;

    if (offset < -base || offset > bytes->end - base) {
        bytes->api->archive_set_error(reader, EINVAL, "Truncated archive");
        return ARCHIVE_FATAL;
    }
    archive_bytes_go(bytes, base + offset);
    bytes->has_sought = true;
    return bytes->offset;
}

bool
archive_bytes_attach(struct archive_bytes *bytes, struct archive *reader)
{
    if (bytes->api->archive_read_set_read_callback(reader, read_block) !=
            ARCHIVE_OK ||
        bytes->api->archive_read_set_callback_data(reader, bytes) != ARCHIVE_OK)
        return false;
    return !archive_bytes_may_seek(bytes) ||
           bytes->api->archive_read_set_seek_callback(reader, seek) ==
               ARCHIVE_OK;
}

/* ---- opening and closing ---- */

struct archive_bytes *
archive_bytes_open(const struct source *file, const struct reading *reading,
                   struct budget *budget, struct error *error)
{
    struct archive_bytes *bytes = calloc(1, sizeof *bytes);

    if (bytes == NULL) {
        error_set(error, EXIT_DATA, "%s: out of memory", file->display_name);
        return NULL;
    }
    budget_open_share(&bytes->share, budget);
    bytes->file.source = source_again(file);
    bytes->block[0] = malloc(ARCHIVE_BLOCK_BYTES);
    bytes->block[1] = malloc(ARCHIVE_BLOCK_BYTES);
    int result = 0;
    if (bytes->block[0] == NULL || bytes->block[1] == NULL)
        result = source_fail_memory(&bytes->file.source);
    else
        result = content_open_archive(&bytes->file, reading, &bytes->share);
    if (result < 0) {
        error_move(error, &bytes->file.source.error);
        archive_bytes_close(bytes);
        return NULL;
    }
    bytes->end = archive_bytes_size(bytes);
    return bytes;
}

void
archive_bytes_close(struct archive_bytes *bytes)
{
    give_back(bytes);
    content_free(&bytes->file);
    free(bytes->block[0]);
    free(bytes->block[1]);
    free(bytes);
}
