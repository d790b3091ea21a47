/*
 * image_stream.h -- the bytes of an image file, for what decodes its format
 *
 * Headers are read through a small buffer.  Pixels may go from the callback
 * straight into the memory of the caller.
 */

#ifndef GPUHIST_IMAGE_STREAM_H
#define GPUHIST_IMAGE_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "hist/record.h"

/*
 * Where the bytes of the file come from: reads up to CAPACITY of them into
 * BUFFER.  Returns how many; fewer than CAPACITY only at the end, and it is
 * not called again after that; -1 on a failure, which the callback records.
 */
typedef ssize_t image_read_fn(void *context, void *buffer, size_t capacity);

/* For who writes an image again. */
struct image_shape {
    uint32_t width;    /* of the image begun last: in pixels; above 0 */
    uint32_t height;   /* in rows; above 0 */
    bool is_bottom_up; /* the first row delivered is the lowest */
    uint64_t images;   /* images begun so far */
};

/* What to do about an image that is not read: the end of a message. */
#define IMAGE_STREAM_HINT \
    "convert it with netpbm or ImageMagick: magick IN ppm:-"

enum {
    /* Enough for the longest piece of a header, and no more than that: what
       it gets of a PNM image's pixels has to be copied. */
    IMAGE_STREAM_HEADER_BYTES = 4096,
    IMAGE_STREAM_PIXEL_BYTES = 65536,
};

/* Start from {.read = , .context = , .block_bytes = }. */
struct image_stream {
    image_read_fn *read;
    void *context;
    bool input_ended;
    uint64_t input_bytes; /* delivered by the callback */

    size_t block_bytes; /* how much of the buffer is used */
    size_t next, end;   /* what it holds that nobody has looked at yet */
    unsigned char buffer[IMAGE_STREAM_PIXEL_BYTES];

    bool has_failed;
    char error[192]; /* "": the callback failed */
    uint64_t error_offset;

    struct image_format format; /* no channels: not known yet */
    struct image_shape shape;
    size_t delivered; /* by the image_read() that is going on, or was last */
};

/* Record what is wrong at OFFSET; returns -1. */
int image_stream_fail(struct image_stream *stream, uint64_t offset,
                      const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same for a file that ends too early: PART says where. */
int image_stream_fail_truncated(struct image_stream *stream, const char *part);

/* How many bytes of the buffer have not been looked at. */
size_t image_stream_buffered(const struct image_stream *stream);

/* The offset in the file of the next byte that has not been looked at. */
uint64_t image_stream_position(const struct image_stream *stream);

/* Call the callback, unless it has come to the end: then 0.  Or -1. */
ssize_t image_stream_read(struct image_stream *stream, void *buffer,
                          size_t capacity);

/*
 * Have WANTED bytes in the buffer, or all that there are; WANTED is at most
 * STREAM->block_bytes.  Returns 0, or -1.
 */
int image_stream_fill(struct image_stream *stream, size_t wanted);

/*
 * The next SIZE bytes of the header; valid until the next
 * image_stream_fill().  NULL on a failure.
 */
const unsigned char *image_stream_take(struct image_stream *stream,
                                       size_t size);

/* Pass over SIZE bytes, which belong to PART.  Returns 0, or -1. */
int image_stream_skip(struct image_stream *stream, uint64_t size,
                      const char *part);

#endif
