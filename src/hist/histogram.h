/* histogram.h -- counts, and sums of weights, of all cells */

#ifndef GPUHIST_HISTOGRAM_H
#define GPUHIST_HISTOGRAM_H

#include <stdint.h>

/*
 * Plane 0 has the counts.  64 bits count 18 exabytes, so a sum of what one
 * run reads cannot wrap.  The planes behind it are the parts of exact sums of
 * weights (weighing.h); they are added like counts.
 *
 * Plain numbers, with no lock: each engine has a histogram of its own.
 */
struct histogram {
    uint64_t *value; /* cell c of plane p: value[p * cells + c] */
    uint64_t cells;
    unsigned int planes;
};

/* Make one with all values 0.  Returns 0, or -1: out of memory. */
int histogram_open(struct histogram *histogram, uint64_t cells,
                   unsigned int planes);

/* Add every value of FROM to that of TO, which has the same shape. */
void histogram_add(struct histogram *to, const struct histogram *from);

/*
 * Let every value of BEFORE be that of NOW, which has the same shape, without
 * it.
 */
void histogram_subtract(struct histogram *before, const struct histogram *now);

/* The sum of COUNT counts from cell FIRST on. */
uint64_t histogram_total(const struct histogram *histogram, uint64_t first,
                         uint64_t count);

/* Also before or after a failed histogram_open(), if all is zero. */
void histogram_close(struct histogram *histogram);

#endif
