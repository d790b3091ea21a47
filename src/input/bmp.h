/* bmp.h -- the pixels of a BMP image */

#ifndef GPUHIST_BMP_H
#define GPUHIST_BMP_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "input/image_stream.h"

/* Entries of a palette that an index of one byte can mean. */
#define BMP_PALETTE_MAX 256

struct bmp {
    struct image_stream *stream;
    unsigned int pixel_bytes; /* 1: an index into the palette; 3; 4 */
    unsigned int order[4];    /* which byte of a pixel is R, G, B, A */
    unsigned int padding;     /* bytes behind each row: 0 .. 3 */
    uint32_t rows_left;       /* not begun yet */
    uint32_t pixels_left;     /* in the row that has begun */
    unsigned int colours;     /* in the palette */
    unsigned char palette[BMP_PALETTE_MAX][3]; /* R, G, B */
    /* A pixel that did not fit into the caller's memory as a whole. */
    unsigned char rest[4];
    unsigned int rest_next, rest_end;
};

/*
 * Read the header of STREAM, from its magic number on: the format and the
 * shape of STREAM.  Returns 0, or -1.
 */
int bmp_open(struct bmp *bmp, struct image_stream *stream);

/* As image_read(). */
ssize_t bmp_read(struct bmp *bmp, unsigned char *buffer, size_t capacity);

#endif
