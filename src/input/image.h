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

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "hist/record.h"
#include "input/image_stream.h"

struct image;

/*
 * A reader of the file that READ delivers from its first byte; CONTEXT is
 * handed to READ.  NULL: out of memory.  To be closed with image_close().
 */
struct image *image_open(image_read_fn *read, void *context);

/*
 * Read up to the first pixel of the first image; to be called once, before
 * image_read().  Returns 0 with *FORMAT set, or -1: see image_error().
 */
int image_read_header(struct image *image, struct image_format *format);

/*
 * The next bytes of the packed pixels, up to CAPACITY: fewer only at the end,
 * so whole pixels if CAPACITY is a multiple of their size.  Returns how many
 * (0 from the end on), or -1: see image_error(); what this and earlier calls
 * have delivered is then worth nothing.
 */
ssize_t image_read(struct image *image, void *buffer, size_t capacity);

/*
 * How much of an image the last image_read() had read into its buffer when it
 * failed: pixels that are good, if it is known that nothing is wrong with the
 * content but that it was cut off.
 */
size_t image_delivered(const struct image *image);

/* What image_read_header() and image_read() have seen so far. */
struct image_shape image_shape(const struct image *image);

/*
 * After a failure: what is wrong with the content, in words that could follow
 * "FILE: bad image at byte OFFSET: ", and at which byte of the file, counted
 * from 0.  NULL if the content is not to blame: then the callback failed.  The
 * text belongs to IMAGE.
 */
const char *image_error(const struct image *image, uint64_t *offset);

/* Accepts NULL. */
void image_close(struct image *image);

#endif
