/* SPDX-License-Identifier: MIT */
/*
 * position_tail.h -- bases and qualities beyond the rows of a table by position
 *
 * Few reads are so long, so a row of counters for each position would be mostly
 * empty.  Each base is an element of 32 bits here: its row, and its cell in the
 * row.  Sorted, the elements are in the order of the positions, as the rows of
 * a table are.
 */

#ifndef GPUHIST_POSITION_TAIL_H
#define GPUHIST_POSITION_TAIL_H

#include <stddef.h>
#include <stdint.h>

#include "kernels/seq/sequence_tables.h"

/* The bits of a cell of sequence_base_cell(); the others are those of a row. */
#define POSITION_TAIL_CELL_BITS 10
#define POSITION_TAIL_ROWS (UINT32_C(1) << (32 - POSITION_TAIL_CELL_BITS))

/* All 0: empty. */
struct position_tail {
    uint32_t *element; /* USED of ROOM */
    size_t used;
    size_t room;
};

static inline uint32_t
position_tail_row(uint32_t element)
{
    return element >> POSITION_TAIL_CELL_BITS;
}

static inline uint32_t
position_tail_cell(uint32_t element)
{
    return element & ((UINT32_C(1) << POSITION_TAIL_CELL_BITS) - 1);
}

/*
 * Add SIZE bases of a read to TAIL of the table SOURCE, the first one in row 0.
 * CODE has the codes of 256 bytes.  TAIL has at most MOST elements.  Returns
 * how many are added, fewer if there is no room.
 */
uint32_t position_tail_add(struct position_tail *tail,
                           enum sequence_source source,
                           const unsigned char *code, const unsigned char *base,
                           const unsigned char *quality, uint32_t size,
                           size_t most);

/* Move the elements of FROM to TO.  Returns 0, or -1: out of memory. */
int position_tail_move(struct position_tail *from, struct position_tail *to);

/* Put the elements in order.  Returns 0, or -1: out of memory. */
int position_tail_sort(struct position_tail *tail);

/* Forget all elements, and give the memory back. */
void position_tail_close(struct position_tail *tail);

#endif
