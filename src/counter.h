/* counter.h -- add many records to the cells of a histogram, on the CPU */

#ifndef GPUHIST_COUNTER_H
#define GPUHIST_COUNTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "binning.h"

/* Each table has up to so many cells: together they stay in a cache. */
#define COUNTER_TABLES 8
#define COUNTER_TABLE_CELLS (1024 + BINNING_FLOWS)
#define COUNTER_BYTE_CELLS (131072 + BINNING_FLOWS)

/* More than that lies never between two tables. */
#define COUNTER_GAP 48

/* How to keep the counts until counter_close() adds them. */
enum counter_way {
    COUNTER_TABLE,  /* few cells: several tables of 32 bits */
    COUNTER_BYTE,   /* more: a table of bytes */
    COUNTER_CELL,   /* many, or few records: not at all */
    COUNTER_SHARED, /* likewise; others add to the cells, too */
};

struct counter {
    uint64_t *value; /* of each cell */
    uint64_t cells;
    uint64_t stride; /* from one table to the next */
    enum counter_way way;
    union {
        uint32_t table[COUNTER_TABLES * (COUNTER_TABLE_CELLS + COUNTER_GAP)];
        uint8_t byte[COUNTER_BYTE_CELLS];
    } kept;
};

/*
 * Begin to add RECORDS, up to 2^32 - 1, to the CELLS counts at VALUE; other
 * threads may do so at the same time if all say that they are SHARED.
 */
void counter_open(struct counter *counter, uint64_t *value, uint64_t cells,
                  size_t records, bool is_shared);

/* Add 1 to each of the COUNT cells CELL. */
void counter_add(struct counter *counter, const uint32_t *cell, size_t count);

/* Have everything added to the counts. */
void counter_close(struct counter *counter);

#endif
