/*
 * image.h -- the pixels of PNM and BMP images, packed
 *
 * Whatever the file looks like, its reader gets one canonical stream: the
 * pixels in the order of the file, nothing between them, the channels of each
 * in the order R, G, B, A or grey alone, each sample 1 byte, or 2 with the
 * most significant first.
 *
 * PNM: P5 and P6, one image or several of the same format in one file.
 * netpbm's pgm(5) and ppm(5) define it; as netpbm's programs do, white space
 * is accepted before the second and further images and at the end.  A comment
 * that touches a number is refused: by the manual the number goes on behind
 * the comment, by netpbm's programs it does not.
 *
 * BMP: one uncompressed image of 8 (palette), 24 or 32 bits a pixel.
 * Microsoft documents it under BITMAPFILEHEADER, BITMAPCOREHEADER,
 * BITMAPINFOHEADER, BITMAPV4HEADER and BITMAPV5HEADER.  It is one channel if
 * all entries of the palette are grey, and four only if an alpha mask says
 * what the fourth byte is.  Bytes after the pixels, such as a colour profile,
 * are read and ignored.
 *
 * Nothing here seeks: the bytes may come from a pipe or a decoder.
 */

#ifndef GPUHIST_IMAGE_H
#define GPUHIST_IMAGE_H

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

struct image_stream;

/*
 * A reader of the file that READ delivers from its first byte; CONTEXT is
 * handed to READ.  NULL: out of memory.  To be closed with image_close().
 */
struct image_stream *image_open(image_read_fn *read, void *context);

/*
 * Read up to the first pixel of the first image; to be called once, before
 * image_read().  Returns 0 with *FORMAT set, or -1: see image_error().
 */
int image_read_header(struct image_stream *stream, struct image_format *format);

/*
 * The next bytes of the packed pixels, up to CAPACITY: fewer only at the end,
 * so whole pixels if CAPACITY is a multiple of their size.  Returns how many
 * (0 from the end on), or -1: see image_error(); what this and earlier calls
 * have delivered is then worth nothing.
 */
ssize_t image_read(struct image_stream *stream, void *buffer, size_t capacity);

/*
 * How much of an image the last image_read() had read into its buffer when it
 * failed: pixels that are good, if it is known that nothing is wrong with the
 * content but that it was cut off.
 */
size_t image_delivered(const struct image_stream *stream);

/* What image_read_header() and image_read() have seen so far. */
struct image_shape image_shape(const struct image_stream *stream);

/*
 * After a failure: what is wrong with the content, in words that could follow
 * "FILE: bad image at byte OFFSET: ", and at which byte of the file, counted
 * from 0.  NULL if the content is not to blame: then the callback failed.  The
 * text belongs to STREAM.
 */
const char *image_error(const struct image_stream *stream, uint64_t *offset);

/* Accepts NULL. */
void image_close(struct image_stream *stream);

#endif
