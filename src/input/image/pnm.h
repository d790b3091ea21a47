/* SPDX-License-Identifier: MIT */
/* pnm.h -- decode the pixels of PNM images (P5, P6) */

#ifndef GPUHIST_PNM_H
#define GPUHIST_PNM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "input/image/image_stream.h"

struct pnm {
    struct image_stream *stream;
    uint64_t left;     /* bytes of this image's pixels, not read yet */
    bool has_high;     /* the last byte read is the first of a sample: ... */
    unsigned int high; /* ... this byte */
};

/*
 * Read the header of the first image of STREAM, from the magic number on, and
 * set the format and the shape of STREAM, which must stay in place.  Returns 0,
 * or -1 with the error in STREAM.
 */
int pnm_open(struct pnm *pnm, struct image_stream *stream);

/* As image_zeros() and image_skip_zeros(); nothing is buffered. */
uint64_t pnm_zeros(const struct pnm *pnm, uint64_t zeros);
void pnm_skip_zeros(struct pnm *pnm, uint64_t bytes);

/* The contract is that of image_read(). */
ssize_t pnm_read(struct pnm *pnm, unsigned char *buffer, size_t capacity);

#endif
