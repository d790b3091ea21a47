/* SPDX-License-Identifier: MIT */
/*
 * series_sum.h -- sums over bytes that depend on the order of the bytes
 *
 * A pair is a byte and the byte after it.  A point is 6 bytes: 3 bytes of the
 * one coordinate, then 3 bytes of the other, the highest byte first.
 */

#ifndef GPUHIST_SERIES_SUM_H
#define GPUHIST_SERIES_SUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SERIES_POINT_BYTES 6

/* Sums over fewer than 2^47 bytes. */
struct series_sum {
    uint64_t bytes;    /* the sum of the bytes ... */
    uint64_t squares;  /* ... of their squares ... */
    uint64_t products; /* ... and of the products of pairs */
};

/* Add SIZE bytes at DATA to *SUM, and the pair that starts with each.  One more
   byte follows at DATA. */
void series_sum_add(struct series_sum *sum, const unsigned char *data,
                    size_t size);

/* Returns how many of the COUNT points at DATA are in the circle around (0, 0)
   with the radius 2^24 - 1, or on it. */
uint64_t series_sum_inside(const unsigned char *data, size_t count);

/* ---- the forms of these functions, for tests ---- */

void series_sum_add_portable(struct series_sum *sum, const unsigned char *data,
                             size_t size);

uint64_t series_sum_inside_portable(const unsigned char *data, size_t count);

#ifdef SERIES_SUM_HAS_AVX2
void series_sum_add_avx2(struct series_sum *sum, const unsigned char *data,
                         size_t size);

uint64_t series_sum_inside_avx2(const unsigned char *data, size_t count);
#endif

#endif
