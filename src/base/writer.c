/* SPDX-License-Identifier: MIT */
/* writer.c -- buffered output to a descriptor or a function */

#include <errno.h>
#include <stdlib.h>
#include <sys/types.h>

#include "base/output.h"
#include "base/writer.h"

#define ROOM_BYTES ((size_t)1 << 16)

_Static_assert(NUMBER_TEXT_BYTES <= WRITER_PIECE_BYTES,
               "a number fits into a piece");

static void
write_bytes(struct writer *writer, const char *bytes, size_t size)
{
    if (writer->reason == 0 && output_write(writer->fd, bytes, size) < 0)
        writer->reason = errno;
}

static void
drain_to_descriptor(struct writer *writer)
{
    write_bytes(writer, writer->room, (size_t)(writer->at - writer->room));
    writer->at = writer->room;
}

void
writer_open_room(struct writer *writer, char *room, size_t size,
                 void (*drain)(struct writer *writer), void *context)
{
    *writer = (struct writer){
        .room = room,
        .end = room + size - WRITER_PIECE_BYTES,
        .at = room,
        .fd = -1,
        .drain = drain,
        .context = context,
    };
}

int
writer_open(struct writer *writer, int fd)
{
    char *room = malloc(ROOM_BYTES);

    *writer = (struct writer){.fd = fd};
    if (room == NULL)
        return -1;
    writer_open_room(writer, room, ROOM_BYTES, drain_to_descriptor, NULL);
    writer->fd = fd;
    return 0;
}

void
writer_fail_memory(struct writer *writer)
{
    if (writer->reason == 0)
        writer->reason = ENOMEM;
}

void
writer_put_bytes(struct writer *writer, const void *bytes, size_t size)
{
    const char *from = bytes;

    /* A text that would fill the buffer is written without a copy. */
    if (size >= ROOM_BYTES && writer->fd >= 0) {
        (void)writer_flush(writer);
        write_bytes(writer, from, size);
        return;
    }
    while (size > 0) {
        char *at = writer_piece(writer);
        size_t part = (size_t)(writer->end + WRITER_PIECE_BYTES - at);
        if (part > size)
            part = size;
        memcpy(at, from, part);
        writer->at += part;
        from += part;
        size -= part;
    }
}

/* The writer remembers a failure; the stream never fails. */
static ssize_t
put_from_stream(void *cookie, const char *bytes, size_t size)
{
    writer_put_bytes(cookie, bytes, size);
    return (ssize_t)size;
}

FILE *
writer_stream(struct writer *writer)
{
    return fopencookie(writer, "w",
                       (cookie_io_functions_t){.write = put_from_stream});
}

FILE *
writer_open_stream(struct writer *writer, int fd)
{
    FILE *out = writer_open(writer, fd) == 0 ? writer_stream(writer) : NULL;

    if (out == NULL)
        writer_close(writer);
    return out;
}

int
writer_close_stream(struct writer *writer, FILE *out)
{
    (void)fclose(out);
    int result = writer_flush(writer);
    int reason = errno;
    writer_close(writer);
    errno = reason;
    return result;
}

int
writer_flush(struct writer *writer)
{
    if (writer->at > writer->room)
        writer->drain(writer);
    if (writer->reason == 0)
        return 0;
    errno = writer->reason;
    return -1;
}

void
writer_close(struct writer *writer)
{
    free(writer->room);
    writer->room = NULL;
}
