/* cell_counts.h -- add many records to the cells of a histogram, on the CPU */

#ifndef GPUHIST_CELL_COUNTS_H
#define GPUHIST_CELL_COUNTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "binning.h"

/* Each table has up to so many cells: together they stay in a cache. */
#define CELL_COUNTS_TABLES 8
#define CELL_COUNTS_TABLE_CELLS (1024 + BINNING_FLOWS)
#define CELL_COUNTS_BYTE_CELLS (131072 + BINNING_FLOWS)

/* More than that lies never between two tables. */
#define CELL_COUNTS_GAP 48

/* How to keep the counts until cell_counts_close() adds them. */
enum cell_counts_way {
    CELL_COUNTS_TABLE,  /* few cells: several tables of 32 bits */
    CELL_COUNTS_BYTE,   /* more: a table of bytes */
    CELL_COUNTS_CELL,   /* many, or few records: not at all */
    CELL_COUNTS_SHARED, /* likewise; others add to the cells, too */
};

struct cell_counts {
    uint64_t *value; /* of each cell */
    uint64_t cells;
    uint64_t stride; /* from one table to the next */
    enum cell_counts_way way;
    union {
        uint32_t table[CELL_COUNTS_TABLES *
                       (CELL_COUNTS_TABLE_CELLS + CELL_COUNTS_GAP)];
        uint8_t byte[CELL_COUNTS_BYTE_CELLS];
    } kept;
};

/*
 * Begin to add RECORDS, up to 2^32 - 1, to the CELLS counts at VALUE; other
 * threads may do so at the same time if all say that they are SHARED.
 */
void cell_counts_open(struct cell_counts *counts, uint64_t *value,
                      uint64_t cells, size_t records, bool is_shared);

/* Add 1 to each of the COUNT cells CELL. */
void cell_counts_add(struct cell_counts *counts, const uint32_t *cell,
                     size_t count);

/* Have everything added to the counts. */
void cell_counts_close(struct cell_counts *counts);

#endif
