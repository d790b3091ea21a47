/*
 * equalize.h -- spread the grey values of an image over their whole range
 *
 * Histogram equalisation: each value is replaced by how much of the image is
 * not above it, so that the values of the result are used about equally.
 */

#ifndef GPUHIST_EQUALIZE_H
#define GPUHIST_EQUALIZE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * COUNT[v] is how many pixels have the value V; there are LEVELS values
 * (maxval + 1, at least 1).  TABLE gets as many: what each value becomes,
 *
 *     round((cdf(v) - cdf_min) * (LEVELS - 1) / (N - cdf_min))
 *
 * with cdf(v) the number of pixels up to V, cdf_min the first of them that is
 * not 0, N all pixels, and halves rounded up, exactly.  Values below the
 * lowest that occurs become 0.  If no two pixels differ, or there are none,
 * each value becomes itself.  N must be below 2^64.
 */
void equalize_table(const uint64_t *count, size_t levels, uint32_t *table);

/* A grey image in memory: rows without padding, one behind the other. */
struct equalize_image {
    const unsigned char *pixels; /* 1 byte each, or 2 for a maxval above 255:
                                    most significant first */
    uint32_t width;
    uint32_t height;
    bool is_bottom_up;   /* the first row is the lowest */
    unsigned int maxval; /* no pixel is above it: 1 .. 65535 */
};

/*
 * Write IMAGE, each pixel V as TABLE[V] (maxval + 1 entries, none above
 * maxval), as a PGM file (P5) to the descriptor FD.  Returns 0, or -1 with
 * errno set.
 */
int equalize_write(int fd, const struct equalize_image *image,
                   const uint32_t *table);

#endif
