/* SPDX-License-Identifier: MIT */
/*
 * image.h -- the packed pixels of PNM and BMP images
 *
 * All formats deliver one canonical stream: the pixels in the order of the
 * file without padding, the channels of a pixel in the order R, G, B, A or
 * grey alone, and samples of 1 byte, or of 2 bytes in big-endian order.
 *
 * PNM: P5 and P6, one or more images of the same format in one file.  netpbm's
 * pgm(5) and ppm(5) define the format.  As in netpbm's programs, white space
 * is accepted before the second and later images and at the end.  A comment
 * that touches a number is refused: according to the manual the number
 * continues after the comment, but netpbm's programs end it there.
 *
 * BMP: one uncompressed image of 8 (palette), 24 or 32 bits per pixel.
 * Microsoft documents it under BITMAPFILEHEADER, BITMAPCOREHEADER,
 * BITMAPINFOHEADER, BITMAPV4HEADER and BITMAPV5HEADER.  An image has one
 * channel if all entries of the palette are grey, and four channels only if it
 * has an alpha mask.  Bytes after the pixels, such as a colour profile, are
 * read and ignored.
 *
 * The bytes may come from a pipe or a decoder: these functions do not seek.
 */

#ifndef GPUHIST_IMAGE_H
#define GPUHIST_IMAGE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "hist/record.h"
#include "input/image/image_stream.h"

struct image;

/*
 * Make a decoder for the file that READ delivers from its first byte; CONTEXT
 * is passed to READ.  Returns the image, for image_close(), or NULL: out of
 * memory.
 */
struct image *image_open(image_read_fn *read, void *context);

/*
 * Read the header of the first image; call it once, before image_read().
 * Returns 0 with *FORMAT set, or -1: see image_error().
 */
int image_read_header(struct image *image, struct image_format *format);

/*
 * Read the next bytes of the packed pixels into BUFFER.  Returns CAPACITY, or
 * fewer bytes at the end and then 0; or -1: see image_error().  After -1 the
 * bytes that this and earlier calls delivered are invalid.
 */
ssize_t image_read(struct image *image, void *buffer, size_t capacity);

/* ZEROS of the next bytes of the file are 0.  Returns how many bytes of whole
   samples this is, if pixels are stored unchanged; 0 if they must be read. */
uint64_t image_zeros(const struct image *image, uint64_t zeros);

/* BYTES of these have been skipped in the file. */
void image_skip_zeros(struct image *image, uint64_t bytes);

/* Returns how many bytes the last image_read() had put into its buffer before
   it failed.  The bytes are good if the only cause was a cancelled read. */
size_t image_delivered(const struct image *image);

/* Returns the shape of the images read so far. */
struct image_shape image_shape(const struct image *image);

/*
 * After a failure: returns the fault of the content, as text that may follow
 * "FILE: bad image at byte OFFSET: ", and sets *OFFSET to the byte of the file,
 * from 0.  The text belongs to IMAGE.  Returns NULL if the callback failed.
 */
const char *image_error(const struct image *image, uint64_t *offset);

/* Release IMAGE, which may be NULL. */
void image_close(struct image *image);

#endif
