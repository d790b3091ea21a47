/* SPDX-License-Identifier: MIT */
/* bmp.h -- decode the pixels of a BMP image */

#ifndef GPUHIST_BMP_H
#define GPUHIST_BMP_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "input/image/image_stream.h"

/* The entries of a palette that an index of one byte can reach. */
#define BMP_PALETTE_MAX 256

struct bmp {
    struct image_stream *stream;
    unsigned int pixel_bytes; /* 1: an index into the palette; 3; 4 */
    unsigned int order[4];    /* the position of R, G, B, A in a pixel */
    unsigned int padding;     /* bytes after each row: 0 .. 3 */
    uint32_t rows_left;       /* not started yet */
    uint32_t pixels_left;     /* in the current row */
    unsigned int colours;     /* in the palette */
    unsigned char palette[BMP_PALETTE_MAX][3]; /* R, G, B */
    /* A converted pixel that did not fit into the caller's buffer. */
    unsigned char tail[4];
    unsigned int tail_next, tail_end;
};

/*
 * Read the header of STREAM, from the magic number on, and set the format and
 * the shape of STREAM, which must stay in place.  Returns 0, or -1 with the
 * error in STREAM.
 */
int bmp_open(struct bmp *bmp, struct image_stream *stream);

/* The contract is that of image_read(). */
ssize_t bmp_read(struct bmp *bmp, unsigned char *buffer, size_t capacity);

#endif
