/* weigher.h -- add the weights of many records to exact sums, on the CPU */

#ifndef GPUHIST_WEIGHER_H
#define GPUHIST_WEIGHER_H

#include <stddef.h>
#include <stdint.h>

#include "record.h"
#include "weighing.h"

#define WEIGHER_COPIES 4
#define WEIGHER_WORDS 8192

struct weigher {
    const struct element *weight;
    size_t record_bytes;
    uint64_t cells;
    uint64_t *sum;   /* of each cell, in the histogram */
    uint64_t stride; /* from one of its planes to the next */

    /* Where weights are added: copies in WORDS, or else all of them SUM. */
    uint64_t *copy[WEIGHER_COPIES];
    uint64_t copy_stride; /* from one of their planes to the next */
    uint64_t words[WEIGHER_WORDS];
};

/*
 * Begin to add the element WEIGHT of RECORDS of RECORD_BYTES to the sums of
 * CELLS cells.  Plane p of cell c, as weighing.h lays them out, is
 * SUM[p * STRIDE + c].
 */
void weigher_open(struct weigher *weigher, const struct element *weight,
                  size_t record_bytes, size_t records, uint64_t *sum,
                  uint64_t cells, uint64_t stride);

/* Add the weights of the COUNT records at DATA, up to ROW_ELEMENTS, to the
   sums of CELL. */
void weigher_add(struct weigher *weigher, const unsigned char *data,
                 const uint32_t *cell, size_t count);

/* Have everything added to the sums. */
void weigher_close(struct weigher *weigher);

#endif
