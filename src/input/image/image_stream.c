/* SPDX-License-Identifier: MIT */
/* image_stream.c -- buffered reading of an image file, for its decoder */

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "input/image/image_stream.h"

int
image_stream_fail(struct image_stream *stream, uint64_t offset,
                  const char *format, ...)
{
    va_list args;

    va_start(args, format);
    (void)vsnprintf(stream->error, sizeof stream->error, format, args);
    va_end(args);
    stream->error_offset = offset;
    stream->has_failed = true;
    return -1;
}

int
image_stream_fail_truncated(struct image_stream *stream, const char *part)
{
    return image_stream_fail(stream, stream->input_bytes,
                             "the file ends within the %s", part);
}

size_t
image_stream_buffered(const struct image_stream *stream)
{
    return stream->end - stream->next;
}

uint64_t
image_stream_position(const struct image_stream *stream)
{
    return stream->input_bytes - image_stream_buffered(stream);
}

ssize_t
image_stream_read(struct image_stream *stream, void *buffer, size_t capacity)
{
    if (stream->input_ended)
        return 0;

    ssize_t got = stream->read(stream->context, buffer, capacity);
    if (got < 0) {
        stream->has_failed = true;
        return -1;
    }
    stream->input_ended = (size_t)got < capacity;
    stream->input_bytes += (uint64_t)got;
    return got;
}

int
image_stream_fill(struct image_stream *stream, size_t wanted)
{
    assert(wanted <= stream->block_bytes);
    if (image_stream_buffered(stream) >= wanted)
        return 0;

    stream->end = image_stream_buffered(stream);
    memmove(stream->buffer, stream->buffer + stream->next, stream->end);
    stream->next = 0;
    ssize_t got = image_stream_read(stream, stream->buffer + stream->end,
                                    stream->block_bytes - stream->end);
    if (got < 0)
        return -1;
    stream->end += (size_t)got;
    return 0;
}

const unsigned char *
image_stream_take(struct image_stream *stream, size_t size)
{
    if (image_stream_fill(stream, size) < 0)
        return NULL;
    if (image_stream_buffered(stream) < size) {
        image_stream_fail_truncated(stream, "header");
        return NULL;
    }
    const unsigned char *data = stream->buffer + stream->next;
    stream->next += size;
    return data;
}

int
image_stream_skip(struct image_stream *stream, uint64_t size, const char *part)
{
    while (size > 0) {
        if (image_stream_fill(stream, 1) < 0)
            return -1;
        if (image_stream_buffered(stream) == 0)
            return image_stream_fail_truncated(stream, part);
        size_t step = image_stream_buffered(stream) < size
                          ? image_stream_buffered(stream)
                          : (size_t)size;
        stream->next += step;
        size -= step;
    }
    return 0;
}

size_t
image_stream_find_above(const unsigned char *data, size_t size,
                        unsigned int highest)
{
    size_t at = 0;

    for (; size - at >= IMAGE_STREAM_SAMPLES; at += IMAGE_STREAM_SAMPLES) {
        unsigned char top = 0;
        for (size_t i = 0; i < IMAGE_STREAM_SAMPLES; i++)
            top = data[at + i] > top ? data[at + i] : top;
        if (top > highest)
            break;
    }
    while (at < size && data[at] <= highest)
        at++;
    return at;
}
