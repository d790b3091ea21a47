/* SPDX-License-Identifier: MIT */
/*
 * histogram.h -- the counts and the sums of weights of all cells
 *
 * Plane 0 holds the counts.  64 bits count 18 exabytes, so the counts of a run
 * cannot wrap.  The planes after it hold the parts of exact sums of weights
 * (weighing.h); they are added like counts.
 *
 * A histogram to print may have a part of its counts in LOW, where an engine
 * has counted them: pages of VALUE that no engine has written take no memory.
 *
 * Engines add to the values in their inner loops, and rebin.c and
 * spec_fold.c move values from axis to axis.  All other code that touches more
 * than one cell calls the functions below.  So a histogram that stores only
 * the cells that occur, by key, would fit this interface: a function to visit
 * the cells would replace the functions that take the number of a cell.
 *
 * A histogram has no lock: each engine has its own.
 */

#ifndef GPUHIST_HISTOGRAM_H
#define GPUHIST_HISTOGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "kernels/binning/binning.h"

struct histogram {
    uint64_t *value; /* cell c of plane p: value[p * cells + c] */
    uint64_t cells;
    unsigned int planes;
    bool is_mapped; /* VALUE is in a temporary file */
    /* Further counts of the first LOW_CELLS cells, which an engine owns; or
       NULL.  Functions that change VALUE need NULL. */
    const uint8_t *low;
    uint64_t low_cells;
};

/* Allocate a histogram with all values 0.  Returns 0, or -1: out of memory. */
int histogram_open(struct histogram *histogram, uint64_t cells,
                   unsigned int planes);

/*
 * As histogram_open(), in a temporary file, for more cells than fit into
 * memory.  Returns 0, or -1 with *ERROR set.
 */
int histogram_open_mapped(struct histogram *histogram, uint64_t cells,
                          unsigned int planes, struct error *error);

/*
 * Open HISTOGRAM with CELLS cells, as many planes as LIKE, and in a temporary
 * file if LIKE is in one.  Returns 0, or -1 with *ERROR set.
 */
int histogram_open_like(struct histogram *histogram,
                        const struct histogram *like, uint64_t cells,
                        struct error *error);

/* Whether HISTOGRAM is open.  A histogram that is all 0 is not open. */
static inline bool
histogram_is_open(const struct histogram *histogram)
{
    return histogram->value != NULL;
}

/* Set all values of HISTOGRAM, which is open, to 0. */
void histogram_clear(struct histogram *histogram);

/* Make *TO, which is not open, a copy of FROM.  Returns 0, or -1: no memory. */
int histogram_copy(struct histogram *to, const struct histogram *from);

/* Move FROM to *TO, which is not open.  FROM is not open afterwards. */
void histogram_take(struct histogram *to, struct histogram *from);

/*
 * Set the first cells of TO to the cells of FROM, which has at most as many
 * cells and becomes all 0.  TO has been written only after the last of them.
 * Both have one plane.  In memory, the values move without a copy.
 */
void histogram_move(struct histogram *to, struct histogram *from);

/* Add each value of FROM to the value of TO in the same place.  FROM and TO
   have the same shape. */
void histogram_add(struct histogram *to, const struct histogram *from);

/* Set each value of BEFORE to NOW minus BEFORE.  Both have the same shape; NOW
   may have LOW. */
void histogram_subtract(struct histogram *before, const struct histogram *now);

/* Add the values of cell FROM to cell TO, in all planes, and clear FROM. */
void histogram_move_cell(struct histogram *histogram, uint64_t from,
                         uint64_t to);

/*
 * Carry in the sums of weights of TYPE in all cells.  Call it before any cell
 * gets more than WEIGHING_ADDS_MAX values since the last carry.
 */
void histogram_carry(struct histogram *histogram, enum sample_type type);

/* Returns the count of CELL. */
static inline uint64_t
histogram_count(const struct histogram *histogram, uint64_t cell)
{
    uint64_t count = histogram->value[cell];

    return cell < histogram->low_cells ? count + histogram->low[cell] : count;
}

/* Set COUNTS to the counts of the CELLS cells from FIRST on.  Returns whether a
   count is above 0. */
bool histogram_read(const struct histogram *histogram, uint64_t first,
                    size_t cells, uint64_t *counts);

/* Let a mapped histogram keep the COUNT cells from FIRST on, which have been
   used, in its file only. */
void histogram_forget(const struct histogram *histogram, uint64_t first,
                      uint64_t count);

/* Returns the sum of the counts of the COUNT cells from FIRST on. */
uint64_t histogram_total(const struct histogram *histogram, uint64_t first,
                         uint64_t count);

/* Returns how many of the COUNT cells from FIRST on are 0, before the first
   cell with a count. */
uint64_t histogram_zeros(const struct histogram *histogram, uint64_t first,
                         uint64_t count);

/*
 * Returns how many of the COUNT cells from FIRST on have at most MOST, before
 * the first cell with more.  Adds the counts of these cells to *SUM.
 */
uint64_t histogram_up_to(const struct histogram *histogram, uint64_t first,
                         uint64_t count, uint64_t most, uint64_t *sum);

/* Free the values.  HISTOGRAM may be all 0. */
void histogram_close(struct histogram *histogram);

#endif
