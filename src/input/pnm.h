/* pnm.h -- the pixels of PNM images (P5, P6) */

#ifndef GPUHIST_PNM_H
#define GPUHIST_PNM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "input/image_stream.h"

struct pnm {
    struct image_stream *stream;
    uint64_t left;     /* bytes of this image's pixels still to come */
    bool has_high;     /* a sample was cut in two: ... */
    unsigned int high; /* ... the first byte of it */
};

/*
 * Read the header of the first image of STREAM, from its magic number on: the
 * format and the shape of STREAM.  Returns 0, or -1.
 */
int pnm_open(struct pnm *pnm, struct image_stream *stream);

/* As image_read(). */
ssize_t pnm_read(struct pnm *pnm, unsigned char *buffer, size_t capacity);

#endif
