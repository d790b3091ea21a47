/* SPDX-License-Identifier: MIT */
/* cell_counts.h -- add many records to the counts of cells, on the CPU */

#ifndef GPUHIST_CELL_COUNTS_H
#define GPUHIST_CELL_COUNTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/binning/binning.h"

/* The most cells of each kind of table: the table stays in a cache. */
#define CELL_COUNTS_TABLES 8
#define CELL_COUNTS_TABLE_CELLS (1024 + BINNING_FLOWS)
#define CELL_COUNTS_BYTE_CELLS (131072 + BINNING_FLOWS)

/* The largest gap between two tables. */
#define CELL_COUNTS_GAP 48

/* Where to buffer counts until cell_counts_close() adds them to the cells. */
enum cell_counts_path {
    CELL_COUNTS_TABLE, /* few cells: several tables of 32-bit counts */
    CELL_COUNTS_BYTE,  /* more cells: a table of 8-bit counts */
    CELL_COUNTS_CELL,  /* many cells, or few records: no buffer */
};

struct cell_counts {
    uint64_t *value; /* of each cell */
    uint64_t cells;
    uint64_t stride; /* from one table to the next */
    enum cell_counts_path path;
    union {
        uint32_t table[CELL_COUNTS_TABLES *
                       (CELL_COUNTS_TABLE_CELLS + CELL_COUNTS_GAP)];
        uint8_t byte[CELL_COUNTS_BYTE_CELLS];
    } kept;
};

/*
 * Start adding RECORDS records, at most 2^32 - 1, to the CELLS counts at VALUE.
 */
void cell_counts_open(struct cell_counts *counts, uint64_t *value,
                      uint64_t cells, size_t records);

/* Add 1 to each of the COUNT cells whose numbers are in CELL. */
void cell_counts_add(struct cell_counts *counts, const uint32_t *cell,
                     size_t count);

/* Add all buffered counts to the cells. */
void cell_counts_close(struct cell_counts *counts);

/*
 * Add COUNT counts of 8 bits to VALUE, and set them to 0.  A page of VALUE that
 * gets no counts stays untouched.
 */
void cell_counts_raise(uint8_t *low, size_t count, uint64_t *value);

/* ---- runs of one cell ---- */

/* Neighbouring records of one cell are counted at once: the length of such a
   run. */
#define CELL_RUN 8

/* Whether the next CELL_RUN cells are the same. */
static inline bool
cell_run_is(const uint32_t *cell)
{
    uint32_t differs = 0;

    for (size_t n = 1; n < CELL_RUN; n++)
        differs |= cell[n] ^ cell[0];
    return differs == 0;
}

#endif
