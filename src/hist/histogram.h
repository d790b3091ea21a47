/*
 * histogram.h -- counts, and sums of weights, of all cells
 *
 * Plane 0 has the counts.  64 bits count 18 exabytes, so a sum of what one
 * run reads cannot wrap.  The planes behind it are the parts of exact sums of
 * weights (weighing.h); they are added like counts.
 *
 * Engines add to the values in their inner loops, and rebin.c, trim.c and
 * spec_fold() move them from axis to axis.  Everything else that touches more
 * than one cell calls a function of this file: merging, snapshots, the ledger.
 * A histogram that keeps only the cells that occur, by their keys, has a place
 * behind the same functions.  It would need one more, to visit its cells, and
 * could not have those that take the number of a cell.
 *
 * There is no lock: each engine has a histogram of its own.
 */

#ifndef GPUHIST_HISTOGRAM_H
#define GPUHIST_HISTOGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "binning.h"

struct histogram {
    uint64_t *value; /* cell c of plane p: value[p * cells + c] */
    uint64_t cells;
    unsigned int planes;
};

/* Make one with all values 0.  Returns 0, or -1: out of memory. */
int histogram_open(struct histogram *histogram, uint64_t cells,
                   unsigned int planes);

/* Whether it has been opened and not closed, if all was zero before. */
static inline bool
histogram_is_open(const struct histogram *histogram)
{
    return histogram->value != NULL;
}

/* Make *TO, which is not open, a copy of FROM.  Returns as histogram_open(). */
int histogram_copy(struct histogram *to, const struct histogram *from);

/* Let *TO, which is not open, be FROM, which is not open any more. */
void histogram_take(struct histogram *to, struct histogram *from);

/* Add every value of FROM to that of TO, which has the same shape. */
void histogram_add(struct histogram *to, const struct histogram *from);

/*
 * Let every value of BEFORE be that of NOW, which has the same shape, without
 * it.
 */
void histogram_subtract(struct histogram *before, const struct histogram *now);

/* Add all values of cell FROM to those of cell TO, and clear FROM. */
void histogram_move_cell(struct histogram *histogram, uint64_t from,
                         uint64_t to);

/*
 * Carry in the sums of weights of TYPE, of all cells: due before more than
 * WEIGHING_ADDS_MAX values have been added to one since the last time.
 */
void histogram_carry(struct histogram *histogram, enum sample_type type);

/* The count of CELL. */
static inline uint64_t
histogram_count(const struct histogram *histogram, uint64_t cell)
{
    return histogram->value[cell];
}

/* The sum of COUNT counts from cell FIRST on. */
uint64_t histogram_total(const struct histogram *histogram, uint64_t first,
                         uint64_t count);

/* Also before or after a failed histogram_open(), if all is zero. */
void histogram_close(struct histogram *histogram);

#endif
