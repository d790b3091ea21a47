/* SPDX-License-Identifier: MIT */
/*
 * test_cell_counts.c -- all ways to store counts give the same counts
 */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../noise.h"
#include "../tap.h"
#include "engine/cpu/cells/cell_counts.h"

#define WATCHDOG_SECONDS 300
#define RECORDS 600000
#define CELLS_MAX 140000
#define COUNT(table) (sizeof(table) / sizeof *(table))

static uint32_t cell[RECORDS];
static uint64_t got[CELLS_MAX + 1];
static uint64_t wanted[CELLS_MAX + 1];

/* ---- cells ---- */

static void
fill_random(uint64_t cells)
{
    for (size_t i = 0; i < RECORDS; i++)
        cell[i] = (uint32_t)(noise() % cells);
}

/* Bytes wrap often. */
static void
fill_few(uint64_t cells)
{
    for (size_t i = 0; i < RECORDS; i++)
        cell[i] = (uint32_t)(cells - 1 - noise() % 3 % cells);
}

static void
fill_same(uint64_t cells)
{
    for (size_t i = 0; i < RECORDS; i++)
        cell[i] = (uint32_t)(cells - 1);
}

/* Runs of all lengths up to 20. */
static void
fill_runs(uint64_t cells)
{
    for (size_t i = 0; i < RECORDS;) {
        size_t end = i + 1 + noise() % 20;
        uint32_t value = (uint32_t)(noise() % cells);
        for (; i < end && i < RECORDS; i++)
            cell[i] = value;
    }
}

static const struct {
    const char *name;
    void (*fill)(uint64_t cells);
} kinds[] = {
    {"random", fill_random},
    {"few", fill_few},
    {"the same", fill_same},
    {"runs", fill_runs},
};

/* ---- the comparison ---- */

/* Whether the first RECORDS cells are counted, in pieces of any length. */
static bool
is_counted(uint64_t cells, size_t records)
{
    static struct cell_counts counter;

    for (uint64_t c = 0; c <= cells; c++)
        got[c] = wanted[c] = noise();
    cell_counts_open(&counter, got, cells, records);
    for (size_t i = 0; i < records;) {
        size_t some = noise() % 300;
        some = some < records - i ? some : records - i;
        cell_counts_add(&counter, cell + i, some);
        i += some;
    }
    cell_counts_close(&counter);
    for (size_t i = 0; i < records; i++)
        wanted[cell[i]]++;
    return memcmp(got, wanted, (cells + 1) * sizeof *got) == 0;
}

static void
test_cells(uint64_t cells)
{
    static const size_t records[] = {0, 1, 7, 100, 5000, RECORDS};

    for (size_t k = 0; k < COUNT(kinds); k++) {
        size_t wrong = 0;
        kinds[k].fill(cells);
        for (size_t r = 0; r < COUNT(records); r++)
            wrong += !is_counted(cells, records[r]);
        ok(wrong == 0, "%llu cells, %s (%zu wrong)", (unsigned long long)cells,
           kinds[k].name, wrong);
    }
}

int
main(void)
{
    static const uint64_t cells[] = {
        1,
        2,
        100,
        CELL_COUNTS_TABLE_CELLS,
        CELL_COUNTS_TABLE_CELLS + 1,
        4096,
        4097,
        65536,
        CELL_COUNTS_BYTE_CELLS,
        CELL_COUNTS_BYTE_CELLS + 1,
        CELLS_MAX,
    };

    alarm(WATCHDOG_SECONDS);
    for (size_t c = 0; c < COUNT(cells); c++)
        test_cells(cells[c]);
    return done_testing();
}
