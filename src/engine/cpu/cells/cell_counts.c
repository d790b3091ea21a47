/* SPDX-License-Identifier: MIT */
/* cell_counts.c -- add many records to the counts of cells, on the CPU */

#include <assert.h>
#include <string.h>

#include "engine/cpu/cells/cell_counts.h"

#define TABLES CELL_COUNTS_TABLES

/* The 64-bit counts of this many cells fit into the first-level cache. */
#define CACHE_CELLS 4096

void
cell_counts_open(struct cell_counts *counts, uint64_t *value, uint64_t cells,
                 size_t records)
{
    /* A 32-bit count must not wrap. */
    assert(records <= UINT32_MAX);
    counts->value = value;
    counts->cells = cells;
    /*
     * Odd multiples of 64 bytes between tables: a load waits for an earlier
     * store if the low 12 bits of their addresses are the same.
     */
    counts->stride = cells / 32 * 32 + 48;
    /* A buffer costs time to clear and to add up at the end. */
    if (cells <= CELL_COUNTS_TABLE_CELLS && records >= 4 * cells) {
        counts->path = CELL_COUNTS_TABLE;
        memset(counts->kept.table, 0,
               (size_t)(TABLES * counts->stride) * sizeof *counts->kept.table);
    } else if (cells > CACHE_CELLS && cells <= CELL_COUNTS_BYTE_CELLS &&
               records >= 4 * cells) {
        counts->path = CELL_COUNTS_BYTE;
        memset(counts->kept.byte, 0, (size_t)cells);
    } else {
        counts->path = CELL_COUNTS_CELL;
    }
}

/*
 * Repeated additions to one cell wait for the previous store.  Neighbouring
 * records use different tables, as long as the tables fit into the cache.
 */
static void
add_to_tables(const uint32_t *cell, size_t count, uint32_t *table,
              uint64_t stride)
{
    size_t i = 0;

    for (; i + TABLES <= count; i += TABLES) {
        for (size_t t = 0; t < TABLES; t++)
            table[t * stride + cell[i + t]]++;
    }
    for (; i < count; i++)
        table[cell[i]]++;
}

static void
add_to_cells(const uint32_t *cell, size_t count, uint64_t *value)
{
    size_t i = 0;

    for (; i + CELL_RUN <= count; i += CELL_RUN) {
        if (cell_run_is(cell + i)) {
            value[cell[i]] += CELL_RUN;
            continue;
        }
        for (size_t n = 0; n < CELL_RUN; n++)
            value[cell[i + n]]++;
    }
    for (; i < count; i++)
        value[cell[i]]++;
}

/* Takes an eighth of the memory.  A byte that wraps carries into VALUE. */
static void
add_to_bytes(const uint32_t *cell, size_t count, uint8_t *byte, uint64_t *value)
{
    size_t i = 0;

    for (; i + CELL_RUN <= count; i += CELL_RUN) {
        if (cell_run_is(cell + i)) {
            value[cell[i]] += CELL_RUN;
            continue;
        }
        for (size_t n = 0; n < CELL_RUN; n++) {
            if (++byte[cell[i + n]] == 0)
                value[cell[i + n]] += 256;
        }
    }
    for (; i < count; i++)
        value[cell[i]]++;
}

void
cell_counts_add(struct cell_counts *counts, const uint32_t *cell, size_t count)
{
    switch (counts->path) {
    case CELL_COUNTS_TABLE:
        add_to_tables(cell, count, counts->kept.table, counts->stride);
        break;
    case CELL_COUNTS_BYTE:
        add_to_bytes(cell, count, counts->kept.byte, counts->value);
        break;
    case CELL_COUNTS_CELL:
        add_to_cells(cell, count, counts->value);
        break;
    }
}

void
cell_counts_close(struct cell_counts *counts)
{
    uint64_t cells = counts->cells;

    if (counts->path == CELL_COUNTS_BYTE) {
        for (uint64_t c = 0; c < cells; c++)
            counts->value[c] += counts->kept.byte[c];
    } else if (counts->path == CELL_COUNTS_TABLE) {
        for (uint64_t c = 0; c < cells; c++) {
            for (size_t t = 0; t < TABLES; t++)
                counts->value[c] += counts->kept.table[t * counts->stride + c];
        }
    }
}

void
cell_counts_raise(uint8_t *low, size_t count, uint64_t *value)
{
    uint64_t all;
    size_t at = 0;

    for (; at + sizeof all <= count; at += sizeof all) {
        memcpy(&all, low + at, sizeof all);
        if (all == 0)
            continue;
        for (size_t c = at; c < at + sizeof all; c++)
            value[c] += low[c];
        memset(low + at, 0, sizeof all);
    }
    for (; at < count; at++) {
        value[at] += low[at];
        low[at] = 0;
    }
}
