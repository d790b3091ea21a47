/* SPDX-License-Identifier: MIT */
/*
 * position_table.h -- a thread's counters of bases and qualities by position
 *
 * There are two layouts.  A row of the table is a position, and each base
 * increments a cell of its row.  Or several reads are counted together
 * (position_planes.h), and the counters of POSITION_BLOCK positions for one
 * cell follow each other.
 */

#ifndef GPUHIST_POSITION_TABLE_H
#define GPUHIST_POSITION_TABLE_H

#include "engine/cpu/sequences/position_planes.h"

/* The most reads that wait. */
#define POSITION_WAITING 256

struct position_table {
    enum sequence_source source; /* one whose rows are positions */
    bool has_planes;
    size_t width;    /* counters of a position */
    size_t rows;     /* positions, so far */
    uint16_t *count; /* ROWS * WIDTH ... */
    uint8_t *recent; /* ... and as many before, if there are planes: */
    size_t tiles;    /* they have this many tiles ... */
    size_t longest;  /* ... of at most so many positions */
    struct position_read read[POSITION_WAITING];
    size_t waiting; /* reads in READ */
};

/*
 * Prepare an empty TABLE for SOURCE.  HAS_PLANES, if these are possible, is
 * faster; all qualities are in a set that is kept then.  The caller calls
 * position_table_close() at the end.
 */
void position_table_open(struct position_table *table,
                         enum sequence_source source, bool has_planes);

/* How many rows of such a table fit into BYTES, a multiple of
   POSITION_BLOCK. */
size_t position_table_rows_of(enum sequence_source source, bool has_planes,
                              size_t bytes);

/* Give TABLE at least ROWS, at most MOST, a multiple of POSITION_BLOCK.
   Without memory, it has fewer. */
void position_table_grow(struct position_table *table, size_t rows,
                         size_t most);

/*
 * Count a read of SIZE bases, 1 to table->rows, now or later: they must stay as
 * they are until position_table_settle().  CODE has the codes of 256 bytes.
 * What the table combines has a code and a cell (sequence_tables.h), and the
 * qualities are in SET (quality_set_take()).
 */
void position_table_add(struct position_table *table, const unsigned char *code,
                        const struct quality_set *set,
                        const unsigned char *base, const unsigned char *quality,
                        uint32_t size);

/* Count the reads that wait. */
void position_table_settle(struct position_table *table,
                           const unsigned char *code,
                           const struct quality_set *set);

/*
 * Add the counts to SUM, which has table->rows rows as in sequence_tables.h,
 * and clear TABLE.  No read waits.  TABLE has room for UINT16_MAX reads.
 */
void position_table_move(struct position_table *table,
                         const struct quality_set *set, uint64_t *sum);

/* Let position_table_read() have all that is counted.  No read waits. */
void position_table_flush(struct position_table *table,
                          const struct quality_set *set);

/* Add the counts of the POSITION_BLOCK rows from FIRST on, a multiple of that,
   to SUM, rows as in sequence_tables.h.  TABLE may have fewer rows. */
void position_table_read(const struct position_table *table, size_t first,
                         uint64_t *sum);

/* Forget all counts, and give the memory back.  No read waits. */
void position_table_clear(struct position_table *table);

void position_table_close(struct position_table *table);

#endif
