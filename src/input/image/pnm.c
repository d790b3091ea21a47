/* SPDX-License-Identifier: MIT */
/* pnm.c -- decode the pixels of PNM images (P5, P6) */

#include <endian.h>
#include <stdint.h>
#include <string.h>

#include "base/ascii.h"
#include "input/image/pnm.h"

/* Returns the big-endian sample of 2 bytes at DATA. */
static unsigned int
big_endian_16(const unsigned char *data)
{
    return (unsigned int)data[0] << 8 | data[1];
}

/* As image_stream_find_above(), of big-endian samples of 2 bytes; SIZE and
   result in bytes. */
static size_t
find_above_16(const unsigned char *data, size_t size, unsigned int highest)
{
    uint16_t sample[IMAGE_STREAM_SAMPLES];
    size_t at = 0;

    for (; size - at >= sizeof sample; at += sizeof sample) {
        uint16_t top = 0;
        memcpy(sample, data + at, sizeof sample);
        for (size_t i = 0; i < IMAGE_STREAM_SAMPLES; i++) {
            uint16_t value = be16toh(sample[i]);
            top = value > top ? value : top;
        }
        if (top > highest)
            break;
    }
    while (at < size && big_endian_16(data + at) <= highest)
        at += 2;
    return at;
}

static int
fail_sample(struct image_stream *stream, uint64_t offset, unsigned int sample)
{
    return image_stream_fail(stream, offset,
                             "a sample of %u is above the maxval of %u", sample,
                             stream->format.maxval);
}

/* Check the samples in the SIZE bytes just read to DATA.  Returns 0, or -1. */
static int
check(struct pnm *pnm, const unsigned char *data, size_t size)
{
    struct image_stream *stream = pnm->stream;
    unsigned int maxval = stream->format.maxval;
    uint64_t offset = image_stream_position(stream) - size;

    if (maxval == UINT8_MAX || maxval == UINT16_MAX || size == 0)
        return 0;
    if (stream->format.sample_bytes == 1) {
        size_t bad = image_stream_find_above(data, size, maxval);
        return bad == size ? 0 : fail_sample(stream, offset + bad, data[bad]);
    }

    size_t first = 0;
    if (pnm->has_high) {
        unsigned int sample = pnm->high << 8 | data[0];
        if (sample > maxval)
            return fail_sample(stream, offset - 1, sample);
        first = 1;
    }
    pnm->has_high = (size - first) % 2 != 0;
    pnm->high = data[size - 1];

    size_t end = pnm->has_high ? size - 1 : size;
    size_t bad = first + find_above_16(data + first, end - first, maxval);
    return bad == end
               ? 0
               : fail_sample(stream, offset + bad, big_endian_16(data + bad));
}

static bool
is_space(int byte)
{
    return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r';
}

/* Returns the next byte of the header, or -1. */
static int
take_byte(struct image_stream *stream)
{
    const unsigned char *data = image_stream_take(stream, 1);

    return data == NULL ? -1 : *data;
}

/* Returns the next byte after white space and comments, or -1. */
static int
take_byte_after_space(struct image_stream *stream)
{
    for (;;) {
        int byte = take_byte(stream);
        if (byte == '#') {
            while (byte >= 0 && byte != '\n' && byte != '\r')
                byte = take_byte(stream);
        }
        if (!is_space(byte))
            return byte;
    }
}

/* Read a number from 1 to HIGHEST and one byte of white space.  NAME is for
   messages.  Returns 0, or -1. */
static int
take_number(struct image_stream *stream, const char *name, uint32_t highest,
            uint32_t *number)
{
    uint64_t value = 0;
    int byte = take_byte_after_space(stream);
    uint64_t offset = image_stream_position(stream) - 1;

    if (byte >= 0 && !ascii_is_digit(byte))
        return image_stream_fail(stream, offset, "the %s is not a number",
                                 name);
    for (; ascii_is_digit(byte); byte = take_byte(stream)) {
        value = value * 10 + (uint64_t)(byte - '0');
        if (value > highest)
            return image_stream_fail(stream, offset, "the %s is above %u", name,
                                     highest);
    }
    if (byte < 0)
        return -1;
    if (byte == '#')
        return image_stream_fail(stream, image_stream_position(stream) - 1,
                                 "the comment must not touch the %s", name);
    if (!is_space(byte))
        return image_stream_fail(stream, image_stream_position(stream) - 1,
                                 "the %s is not a number", name);
    if (value == 0)
        return image_stream_fail(stream, offset, "the %s is 0", name);
    *number = (uint32_t)value;
    return 0;
}

/* Read the header; sets *FORMAT and the stream's shape.  Returns 0, or -1. */
static int
read_header(struct pnm *pnm, struct image_format *format)
{
    struct image_stream *stream = pnm->stream;
    const unsigned char *magic = image_stream_take(stream, 2);
    uint32_t width = 0, height = 0, maxval = 0;

    if (magic == NULL)
        return -1;
    format->channels = magic[1] == '5' ? 1 : 3;

    int byte = take_byte(stream);
    if (byte < 0)
        return -1;
    if (!is_space(byte) && byte != '#')
        return image_stream_fail(stream, image_stream_position(stream) - 1,
                                 "no white space after the magic number");
    stream->next--; /* a comment may start here */

    if (take_number(stream, "width", INT32_MAX, &width) < 0 ||
        take_number(stream, "height", INT32_MAX, &height) < 0 ||
        take_number(stream, "maxval", UINT16_MAX, &maxval) < 0)
        return -1;
    format->maxval = maxval;
    format->sample_bytes = maxval > UINT8_MAX ? 2 : 1;

    uint64_t pixels = (uint64_t)width * height;
    if (__builtin_mul_overflow(pixels, format->channels * format->sample_bytes,
                               &pnm->left))
        return image_stream_fail(stream, image_stream_position(stream),
                                 "%u by %u pixels are too many", width, height);
    stream->shape.width = width;
    stream->shape.height = height;
    stream->shape.images++;
    return 0;
}

/* Read the header of the next image.  Returns 1; 0: no more images; or -1. */
static int
next_image(struct pnm *pnm)
{
    struct image_stream *stream = pnm->stream;
    struct image_format format = {0};
    const struct image_format *first = &stream->format;

    for (;;) {
        if (image_stream_fill(stream, 2) < 0)
            return -1;
        if (image_stream_buffered(stream) == 0)
            return 0;
        if (!is_space(stream->buffer[stream->next]))
            break;
        stream->next++;
    }

    uint64_t offset = image_stream_position(stream);
    const unsigned char *magic = stream->buffer + stream->next;
    if (image_stream_buffered(stream) < 2 || magic[0] != 'P' ||
        (magic[1] != '5' && magic[1] != '6'))
        return image_stream_fail(stream, offset,
                                 "garbage after the image: neither P5 nor P6");
    if (read_header(pnm, &format) < 0)
        return -1;
    if (format.channels != first->channels || format.maxval != first->maxval)
        return image_stream_fail(
            stream, offset,
            "this image has %u channels and a maxval of %u, the first "
            "%u and %u",
            format.channels, format.maxval, first->channels, first->maxval);
    return 1;
}

int
pnm_open(struct pnm *pnm, struct image_stream *stream)
{
    *pnm = (struct pnm){.stream = stream};
    return read_header(pnm, &stream->format);
}

uint64_t
pnm_zeros(const struct pnm *pnm, uint64_t zeros)
{
    if (zeros > pnm->left)
        zeros = pnm->left;
    return pnm->has_high ? 0 : zeros - zeros % pnm->stream->format.sample_bytes;
}

void
pnm_skip_zeros(struct pnm *pnm, uint64_t bytes)
{
    pnm->left -= bytes;
}

ssize_t
pnm_read(struct pnm *pnm, unsigned char *buffer, size_t capacity)
{
    struct image_stream *stream = pnm->stream;
    size_t done = 0;

    while (done < capacity) {
        if (pnm->left == 0) {
            int more = next_image(pnm);
            if (more < 0)
                return -1;
            if (more == 0)
                break;
        }

        size_t size = capacity - done;
        if (size > pnm->left)
            size = (size_t)pnm->left;
        if (image_stream_buffered(stream) > 0) {
            if (size > image_stream_buffered(stream))
                size = image_stream_buffered(stream);
            memcpy(buffer + done, stream->buffer + stream->next, size);
            stream->next += size;
        } else {
            ssize_t got = image_stream_read(stream, buffer + done, size);
            if (got < 0)
                return -1;
            if (got == 0)
                return image_stream_fail_truncated(stream, "pixels");
            size = (size_t)got;
        }
        if (check(pnm, buffer + done, size) < 0)
            return -1;
        pnm->left -= size;
        done += size;
        stream->delivered = done;
    }
    return (ssize_t)done;
}
