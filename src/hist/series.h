/* SPDX-License-Identifier: MIT */
/*
 * series.h -- figures that depend on the order of the bytes of an input
 *
 * The serial correlation coefficient is the correlation of each byte with the
 * byte after it; the first byte follows the last one (Knuth, The Art of
 * Computer Programming, volume 2, section 3.3.2 K).  Pi is four times the share
 * of points in a circle: each 6 bytes are a point in a square (series_sum.h).
 * Both are defined as in ent, by John Walker.
 *
 * Several threads read an input.  A series has the sums of some consecutive
 * bytes; two series that follow each other are joined.
 */

#ifndef GPUHIST_SERIES_H
#define GPUHIST_SERIES_H

#include <stddef.h>
#include <stdint.h>

#include "base/wide_integer.h"
#include "hist/series_sum.h"

#define SERIES_EDGE_BYTES (SERIES_POINT_BYTES - 1)

/* All 0: no bytes. */
struct series {
    uint64_t count;       /* of the bytes */
    struct wide bytes;    /* the sum of the bytes ... */
    struct wide squares;  /* ... of their squares ... */
    struct wide products; /* ... and of the products of pairs */

    /* The points in the circle, by their first byte: it is byte P of the
       series, or 6, 12, ... bytes later.  A phase that no call has asked for is
       undefined. */
    uint64_t inside[SERIES_POINT_BYTES];

    /* The first and the last bytes, COUNT at most. */
    unsigned char first[SERIES_EDGE_BYTES];
    unsigned char last[SERIES_EDGE_BYTES];
};

/* Sets of phases: bit P is for phase P. */
#define SERIES_ALL_PHASES ((1U << SERIES_POINT_BYTES) - 1)

/* Returns the phase that matters of a series that starts at byte START of its
   input. */
static inline unsigned int
series_phase(uint64_t start)
{
    unsigned int after = (unsigned int)(start % SERIES_POINT_BYTES);

    return after == 0 ? 1 : 1U << (SERIES_POINT_BYTES - after);
}

/* Append the SIZE bytes at DATA to SERIES, for the phases in PHASES. */
void series_extend(struct series *series, const unsigned char *data,
                   size_t size, unsigned int phases);

/* Append COUNT bytes of 0 to SERIES. */
void series_extend_zeros(struct series *series, uint64_t count);

/* Append MORE, the bytes after those of SERIES, to SERIES. */
void series_join(struct series *series, const struct series *more);

/* The sums of all inputs.  All 0: no inputs. */
struct series_total {
    uint64_t count; /* of the bytes */
    struct wide bytes;
    struct wide squares;
    struct wide products; /* the last byte of an input pairs with its first */
    uint64_t points;
    uint64_t inside; /* ... in the circle */
};

/* Add SERIES, all bytes of an input, to *TOTAL. */
void series_total_add(struct series_total *total, const struct series *series);

/* Add MORE, of other inputs, to *TOTAL. */
void series_total_join(struct series_total *total,
                       const struct series_total *more);

/* Returns the serial correlation coefficient, rounded once; NaN if all bytes
   are equal. */
double series_total_correlation(const struct series_total *total);

/* Returns pi by the points, rounded once; NaN without a point. */
double series_total_pi(const struct series_total *total);

#endif
