/* SPDX-License-Identifier: MIT */
/* cell_weights.h -- add the weights of many records to exact sums */

#ifndef GPUHIST_CELL_WEIGHTS_H
#define GPUHIST_CELL_WEIGHTS_H

#include <stddef.h>
#include <stdint.h>

#include "hist/record.h"
#include "kernels/binning/weighing.h"

#define CELL_WEIGHTS_COPIES 4
#define CELL_WEIGHTS_WORDS 8192

struct cell_weights {
    const struct element *weight;
    size_t record_bytes;
    uint64_t cells;
    uint64_t *sum;   /* the sums in the histogram */
    uint64_t stride; /* from one plane of SUM to the next */

    /* Where weights are added: to copies in WORDS, or else all to SUM. */
    uint64_t *copy[CELL_WEIGHTS_COPIES];
    uint64_t copy_stride; /* from one plane of a copy to the next */
    uint64_t words[CELL_WEIGHTS_WORDS];
};

/*
 * Start adding the element WEIGHT of RECORDS records of RECORD_BYTES to the
 * sums of CELLS cells.  Plane p of cell c, as defined in weighing.h, is
 * SUM[p * STRIDE + c].
 */
void cell_weights_open(struct cell_weights *weights,
                       const struct element *weight, size_t record_bytes,
                       size_t records, uint64_t *sum, uint64_t cells,
                       uint64_t stride);

/* Add the weights of the COUNT records at DATA, at most BIN_ROW_ELEMENTS, to
   the sums of the cells whose numbers are in CELL. */
void cell_weights_add(struct cell_weights *weights, const unsigned char *data,
                      const uint32_t *cell, size_t count);

/* Add the copies to the sums of the histogram. */
void cell_weights_close(struct cell_weights *weights);

#endif
