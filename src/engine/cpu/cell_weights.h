/* cell_weights.h -- add the weights of many records to exact sums */

#ifndef GPUHIST_CELL_WEIGHTS_H
#define GPUHIST_CELL_WEIGHTS_H

#include <stddef.h>
#include <stdint.h>

#include "hist/record.h"
#include "weighing.h"

#define CELL_WEIGHTS_COPIES 4
#define CELL_WEIGHTS_WORDS 8192

struct cell_weights {
    const struct element *weight;
    size_t record_bytes;
    uint64_t cells;
    uint64_t *sum;   /* of each cell, in the histogram */
    uint64_t stride; /* from one of its planes to the next */

    /* Where weights are added: copies in WORDS, or else all of them SUM. */
    uint64_t *copy[CELL_WEIGHTS_COPIES];
    uint64_t copy_stride; /* from one of their planes to the next */
    uint64_t words[CELL_WEIGHTS_WORDS];
};

/*
 * Begin to add the element WEIGHT of RECORDS of RECORD_BYTES to the sums of
 * CELLS cells.  Plane p of cell c, as weighing.h lays them out, is
 * SUM[p * STRIDE + c].
 */
void cell_weights_open(struct cell_weights *weights,
                       const struct element *weight, size_t record_bytes,
                       size_t records, uint64_t *sum, uint64_t cells,
                       uint64_t stride);

/* Add the weights of the COUNT records at DATA, up to BIN_ROW_ELEMENTS, to the
   sums of CELL. */
void cell_weights_add(struct cell_weights *weights, const unsigned char *data,
                      const uint32_t *cell, size_t count);

/* Have everything added to the sums. */
void cell_weights_close(struct cell_weights *weights);

#endif
