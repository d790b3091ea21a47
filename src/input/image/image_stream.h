/* SPDX-License-Identifier: MIT */
/*
 * image_stream.h -- buffered reading of an image file, for its decoder
 *
 * Headers are read through a small buffer.  Pixels may be read directly into
 * the memory of the caller.
 */

#ifndef GPUHIST_IMAGE_STREAM_H
#define GPUHIST_IMAGE_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "hist/record.h"

/*
 * The callback that delivers the file: reads up to CAPACITY bytes into BUFFER.
 * Returns the number of bytes, which is less than CAPACITY only at the end,
 * after which no call follows; or -1 after a failure, which the callback
 * records.
 */
typedef ssize_t image_read_fn(void *context, void *buffer, size_t capacity);

/* The shape of an image, to write the image again. */
struct image_shape {
    uint32_t width;    /* of the current image: in pixels; above 0 */
    uint32_t height;   /* in rows; above 0 */
    bool is_bottom_up; /* the first row delivered is the lowest */
    uint64_t images;   /* started so far */
};

/* The remedy for formats that are not supported: the end of a message. */
#define IMAGE_STREAM_HINT \
    "convert it with netpbm or ImageMagick: magick IN ppm:-"

enum {
    /* The longest piece of a header, and no more: pixels of a PNM image that
       get into the buffer must be copied. */
    IMAGE_STREAM_HEADER_BYTES = 4096,
    IMAGE_STREAM_PIXEL_BYTES = 65536,
    /* Samples to compare at once: compilers vectorise a loop of constant
       length. */
    IMAGE_STREAM_SAMPLES = 256,
};

/* Initialise with {.read = , .context = , .block_bytes = }. */
struct image_stream {
    image_read_fn *read;
    void *context;
    bool input_ended;
    uint64_t input_bytes; /* delivered by the callback */

    size_t block_bytes; /* how much of the buffer to use */
    size_t next, end;   /* the bytes of the buffer that are not consumed */
    unsigned char buffer[IMAGE_STREAM_PIXEL_BYTES];

    bool has_failed;
    char error[192]; /* "": the callback failed */
    uint64_t error_offset;

    struct image_format format; /* 0 channels: not known yet */
    struct image_shape shape;
    size_t delivered; /* bytes, by the current or last image_read() */
};

/* Record an error at OFFSET of the file.  Returns -1. */
int image_stream_fail(struct image_stream *stream, uint64_t offset,
                      const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Record that the file ends within PART, like "header".  Returns -1. */
int image_stream_fail_truncated(struct image_stream *stream, const char *part);

/* Returns how many bytes of the buffer are not consumed. */
size_t image_stream_buffered(const struct image_stream *stream);

/* Returns the offset in the file of the next byte to consume. */
uint64_t image_stream_position(const struct image_stream *stream);

/*
 * Call the callback, unless the file has ended.  Returns the number of bytes
 * read, 0 at the end, or -1.
 */
ssize_t image_stream_read(struct image_stream *stream, void *buffer,
                          size_t capacity);

/*
 * Fill the buffer with WANTED bytes, at most STREAM->block_bytes, or with all
 * that remain.  Returns 0, or -1.
 */
int image_stream_fill(struct image_stream *stream, size_t wanted);

/*
 * Consume the next SIZE bytes of the header.  Returns them, valid until the
 * next image_stream_fill(), or NULL after a failure.
 */
const unsigned char *image_stream_take(struct image_stream *stream,
                                       size_t size);

/* Returns the index of the first of the SIZE samples at DATA, of a byte each,
   that is above HIGHEST; or SIZE: none. */
size_t image_stream_find_above(const unsigned char *data, size_t size,
                               unsigned int highest);

/* Skip SIZE bytes, which belong to PART.  Returns 0, or -1. */
int image_stream_skip(struct image_stream *stream, uint64_t size,
                      const char *part);

#endif
