/* SPDX-License-Identifier: MIT */
/*
 * equalize.h -- spread the grey values of an image over their whole range
 *
 * Histogram equalisation: each value is replaced by the share of pixels up to
 * the value.  So the values of the result are about equally frequent.
 */

#ifndef GPUHIST_EQUALIZE_H
#define GPUHIST_EQUALIZE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Make TABLE, which replaces value v by TABLE[v].  COUNT[v] is the number of
 * pixels with the value v.  Both have LEVELS entries: maxval + 1, at least 1.
 * TABLE[v] is
 *
 *     round((cdf(v) - cdf_min) * (LEVELS - 1) / (N - cdf_min))
 *
 * cdf(v) is the number of pixels up to v, cdf_min the first nonzero cdf(v), and
 * N the number of pixels, below 2^64.  The result is exact; halves are rounded
 * up.  Values below the lowest occurring value become 0.  If all pixels are
 * equal, or the image is empty, all values stay.
 */
void equalize_table(const uint64_t *count, size_t levels, uint32_t *table);

/* A grey image in memory: consecutive rows without padding. */
struct equalize_image {
    const unsigned char *pixels; /* 1 byte each, or 2 for a maxval above 255:
                                    most significant first */
    uint32_t width;
    uint32_t height;
    bool is_bottom_up;   /* the lowest row comes first */
    unsigned int maxval; /* 1 .. 65535, the most for a pixel */
};

/*
 * Write IMAGE, each pixel V as TABLE[V] (maxval + 1 entries, none above
 * maxval), as a PGM file (P5) to the descriptor FD.  Returns 0, or -1 with
 * errno set.
 */
int equalize_write(int fd, const struct equalize_image *image,
                   const uint32_t *table);

#endif
